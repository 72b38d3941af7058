// Who has worked where: a user's jobs, and a company's people.
//
//   item     PK            SK                     GSI1PK         GSI1SK
//   user     USER#<id>     PROFILE
//   company  COMPANY#<id>  PROFILE
//   job      USER#<user>   JOB#<start>#<company>  COMPANY#<id>   EMPLOYEE#<status>#<start>#<user>
//
//   and of a job that is current only:            GSI2PK         GSI2SK
//                                                 USER#<user>    CURRENT#<start>
//
//   access pattern                     method                 request
//   a user's profile                   GetUser                GetItem
//   a user's history, newest first     ListHistory            Query USER#<id>, begins_with JOB#,
//                                                               backwards
//   a company's current employees      ListEmployees          Query GSI1 COMPANY#<id>,
//                                                               begins_with EMPLOYEE#current#
//   a company's former employees       ListEmployees          Query GSI1 COMPANY#<id>,
//                                                               begins_with EMPLOYEE#former#
//   a user's current job               FindCurrentJob         Query GSI2 USER#<id>,
//                                                               begins_with CURRENT#, backwards,
//                                                               Limit 1
//
// The start in the job's sort key is what sorts the history; it never changes, so a job that ends
// stays the same item.  The table can't answer for a company, as a job is in its user's partition:
// that is GSI1.  Status comes first in its key because a FilterExpression would not do: it is
// applied to what has been read and paid for, so asking a company of a thousand former and three
// current employees for the three would read all of them, and a page of 50 might hold none.
//
// GSI2 is sparse: its key is made of currentSince, which a job has only while it lasts.  The newest
// job need not be the current one, so without it that pattern would be a filter, too.
//
// The index does here what a second edge does in groups.h.  One item is enough, as both sides show
// the same; ending a job moves its entry from current to former by itself.

#pragma once

#include <dolmen/entity/table.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::employment {

struct User {
  std::string id = {};
  std::string name = {};

  friend bool operator==(const User&, const User&) = default;
};

constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>(
      "user", {Attribute<&User::id>("userId").InKeyOnly(), Attribute<&User::name>("name")},
      {PrimaryKey("USER#{userId}", "PROFILE")});
}

struct Company {
  std::string id = {};
  std::string name = {};

  friend bool operator==(const Company&, const Company&) = default;
};

constexpr auto DescribeEntity(const Company*) {
  return DefineEntity<Company>(
      "company",
      {Attribute<&Company::id>("companyId").InKeyOnly(), Attribute<&Company::name>("name")},
      {PrimaryKey("COMPANY#{companyId}", "PROFILE")});
}

enum class JobStatus : std::uint8_t { kCurrent, kFormer };

constexpr auto Spellings(JobStatus) {
  return std::to_array<Spelling<JobStatus>>(
      {{JobStatus::kCurrent, "current"}, {JobStatus::kFormer, "former"}});
}

struct JobId {
  std::string user_id = {};
  Timestamp started_at = {};
  std::string company_id = {};

  friend bool operator==(const JobId&, const JobId&) = default;
};

struct Job {
  JobId id = {};
  std::string title = {};
  JobStatus status = JobStatus::kCurrent;
  std::optional<Timestamp> current_since = {};  // the start, of a current job
  std::optional<Timestamp> ended_at = {};       // of a former one

  friend bool operator==(const Job&, const Job&) = default;
};

constexpr auto DescribeEntity(const Job*) {
  return DefineEntity<Job>(
      "job",
      {Attribute<&Job::id, &JobId::user_id>("userId").InKeyOnly(),
       Attribute<&Job::id, &JobId::started_at>("startedAt").InKeyOnly(),
       Attribute<&Job::id, &JobId::company_id>("companyId").InKeyOnly(),
       Attribute<&Job::title>("title"), Attribute<&Job::status>("status"),
       Attribute<&Job::current_since>("currentSince"), Attribute<&Job::ended_at>("endedAt")},
      {PrimaryKey("USER#{userId}", "JOB#{startedAt}#{companyId}"),
       IndexKey("GSI1", "COMPANY#{companyId}", "EMPLOYEE#{status}#{startedAt}#{userId}"),
       IndexKey("GSI2", "USER#{userId}", "CURRENT#{currentSince}")});
}

struct EmployeeQuery {
  std::string company_id = {};
  JobStatus status = JobStatus::kCurrent;
  std::string cursor = {};  // EntityPage::next_cursor of the page before
  std::uint32_t limit = 50;
};

// Callable from any number of threads.  Errors besides the database's own: kResourceNotFound,
// kResourceInUse and kValidation (an id is empty or holds a '#'); then nothing has been written.
class Careers {
 public:
  static constexpr const char* kTableName = "careers";

  // Opens the table, making it if there is none.
  static Result<Careers> Open(const Database& database, RequestObserver observer = {});

  // PutItem with attribute_not_exists(PK).
  Status AddUser(const User& user) const { return table_.Create(user).status(); }
  Status AddCompany(const Company& company) const { return table_.Create(company).status(); }

  // TransactWriteItems: Put the job, a current one, with attribute_not_exists(PK), and
  // ConditionCheck of the user and the company.
  Status Start(const JobId& id, const std::string& title) const;

  // UpdateItem: SET status, endedAt, REMOVE currentSince, and with them the keys in the indexes.
  // kConditionalCheckFailed: it has ended before.  kValidation: it would end before its start.
  Status End(const JobId& id, Timestamp at) const;

  // GetItem.
  Result<User> GetUser(const std::string& id) const { return table_.Get(User{.id = id}); }
  Result<Company> GetCompany(const std::string& id) const { return table_.Get(Company{.id = id}); }

  // Query PK = USER#<id>, begins_with(SK, JOB#), ScanIndexForward = false.  By their starts, the
  // last one first.
  Result<std::vector<Job>> ListHistory(const std::string& user_id) const;

  // Query GSI1 with GSI1PK = COMPANY#<id>, begins_with(GSI1SK, EMPLOYEE#<status>#), Limit.  By
  // their starts, the first one first.
  Result<EntityPage<Job>> ListEmployees(const EmployeeQuery& query) const;

  // Query GSI2 with GSI2PK = USER#<id>, begins_with(GSI2SK, CURRENT#), ScanIndexForward = false,
  // Limit = 1.  Of several jobs the one that began last.
  Result<std::optional<Job>> FindCurrentJob(const std::string& user_id) const;

 private:
  explicit Careers(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::employment
