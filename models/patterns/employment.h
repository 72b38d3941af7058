// Users' jobs and companies' employees: many to many, with one item and an index.
//
//   item     PK            SK                     GSI1PK         GSI1SK
//   user     USER#<id>     PROFILE
//   company  COMPANY#<id>  PROFILE
//   job      USER#<user>   JOB#<start>#<company>  COMPANY#<id>   EMPLOYEE#<status>#<start>#<user>
//
//   only a current job also has:                  GSI2PK         GSI2SK
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
// The start in a job's sort key sorts the history. The start never changes, so a job keeps its key
// when it ends. A job is in its user's partition, so the table itself cannot list a company's jobs.
// GSI1 lists them. The sort key of GSI1 begins with the status, so a Query reads only the jobs of
// one status. A FilterExpression would be applied only after items have been read and paid for. To
// find three current employees among a thousand former ones, a company would pay for reading all
// 1,003 items. A page of 50 items could contain none of the three.
//
// GSI2 is sparse: its sort key holds currentSince, an attribute that only a current job has. The
// newest job is not always the current job, so without GSI2 a search for the current job would need
// a filter.
//
// A membership in groups.h consists of two items. A job is only one item, because the user and the
// company need the same data, and GSI1 lists the item for the company. The update that ends a job
// also moves its entry in GSI1 from current to former.

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
  std::optional<Timestamp> current_since = {};  // id.started_at while the job is current
  std::optional<Timestamp> ended_at = {};       // set once the job is former

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
  std::string cursor = {};  // EntityPage::next_cursor of the previous page
  std::uint32_t limit = 50;
};

// The table of jobs. Thread-safe. Errors besides the database's own:
// - kResourceNotFound: the user, company or job does not exist.
// - kResourceInUse: the thing to create exists already.
// - kValidation: an id is empty or holds a '#'.
// A call that returns an error has written nothing.
class Careers {
 public:
  static constexpr const char* kTableName = "careers";

  // Opens the table, and creates it if it does not exist.
  static Result<Careers> Open(const Database& database, RequestObserver observer = {});

  // Adds a user or a company. PutItem with attribute_not_exists(PK).
  Status AddUser(const User& user) const { return table_.Create(user).status(); }
  Status AddCompany(const Company& company) const { return table_.Create(company).status(); }

  // Starts a job. TransactWriteItems: Put the job, with the status current and
  // attribute_not_exists(PK), and ConditionCheck of the user and the company.
  Status Start(const JobId& id, const std::string& title) const;

  // Ends a job. UpdateItem: SET status, endedAt, REMOVE currentSince. The update changes the job's
  // keys in the indexes.
  // - kConditionalCheckFailed: the job has ended already.
  // - kValidation: `at` is before the job's start.
  Status End(const JobId& id, Timestamp at) const;

  // Returns a user or a company. GetItem.
  Result<User> GetUser(const std::string& id) const { return table_.Get(User{.id = id}); }
  Result<Company> GetCompany(const std::string& id) const { return table_.Get(Company{.id = id}); }

  // Returns a user's jobs, the latest start first. Query PK = USER#<id>, begins_with(SK, JOB#),
  // ScanIndexForward = false.
  Result<std::vector<Job>> ListHistory(const std::string& user_id) const;

  // Returns a page of a company's jobs of one status, the earliest start first. Query GSI1 with
  // GSI1PK = COMPANY#<id>, begins_with(GSI1SK, EMPLOYEE#<status>#), Limit.
  Result<EntityPage<Job>> ListEmployees(const EmployeeQuery& query) const;

  // Returns a user's current job. If there are several, returns the one that began last. Query
  // GSI2 with GSI2PK = USER#<id>, begins_with(GSI2SK, CURRENT#), ScanIndexForward = false, Limit =
  // 1.
  Result<std::optional<Job>> FindCurrentJob(const std::string& user_id) const;

 private:
  explicit Careers(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::employment
