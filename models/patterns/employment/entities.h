// Users, companies and jobs: many to many, with one item and two indexes.
//
// The start in a job's sort key sorts the history. The start never changes, so a job keeps its key
// when it ends. GSI1 lists a company's jobs by status. GSI2 is sparse: it holds only current jobs.

#pragma once

#include <dolmen/entity.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

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

static_assert(CheckTable<User, Company, Job>());

}  // namespace dolmen::employment
