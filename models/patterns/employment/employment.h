// The requests of users, companies and jobs. A profile needs no function of its own:
//
//   table.Create(Company{"acme", "Acme"});
//   table.Get(User{.id = "ann"});
//
// A function that lists jobs returns the query. The caller reads it with All, Page or Count.

#pragma once

#include <dolmen/entity/describe.h>

#include "models/patterns/employment/entities.h"

namespace dolmen::employment {

// Opens the table, and creates it if it does not exist.
inline Result<EntityTable> Open(const Database& database, RequestObserver observer = {}) {
  return EntityTable::Open(
      database, {.name = "careers", .indexes = {"GSI1", "GSI2"}, .observer = std::move(observer)});
}

// Starts a job. TransactWriteItems: Put of the job, current and with attribute_not_exists(PK), and
// ConditionCheck of the user and the company.
inline Status Start(const EntityTable& table, const JobId& id, const std::string& title) {
  return table.Transact()
      .Create(Job{.id = id, .title = title, .current_since = id.started_at})
      .Require(User{.id = id.user_id})
      .Require(Company{.id = id.company_id})
      .Commit();
}

// Ends a job. UpdateItem: SET status, endedAt, REMOVE currentSince. The update moves the job's entry
// in GSI1 and removes the job from GSI2.
// - kConditionalCheckFailed: the job has ended already.
// - kValidation: `at` is before the job's start.
inline Status End(const EntityTable& table, const JobId& id, Timestamp at) {
  if (at < id.started_at) return Status::Validation("a job cannot end before it starts");
  return table.Update(Job{.id = id})
      .Set<&Job::status>(JobStatus::kFormer)
      .Set<&Job::ended_at>(at)
      .Remove<&Job::current_since>()
      .If(AttrOf<&Job::status>() == JobStatus::kCurrent, "the job has ended already")
      .Commit()
      .status();
}

// Returns the query of a user's jobs, the latest start first. Query PK = USER#<id>, begins_with(SK,
// JOB#), ScanIndexForward = false.
inline EntityQuery<Job> HistoryOf(const EntityTable& table, const std::string& user_id) {
  return table.Query<Job>().With<&Job::id, &JobId::user_id>(user_id).Backward();
}

// Returns the query of a company's jobs of one status, the earliest start first. Query GSI1 with GSI1PK = COMPANY#<id>, begins_with(GSI1SK, EMPLOYEE#<status>#).
inline EntityQuery<Job> EmployeesOf(const EntityTable& table, const std::string& company_id,
                                    JobStatus status = JobStatus::kCurrent) {
  return table.Query<Job>("GSI1")
      .With<&Job::id, &JobId::company_id>(company_id)
      .With<&Job::status>(status);
}

// Returns a user's current job; of several, the one that began last. Query GSI2 with GSI2PK =
// USER#<id>, begins_with(GSI2SK, CURRENT#), ScanIndexForward = false, Limit = 1.
inline Result<std::optional<Job>> FindCurrentJob(const EntityTable& table,
                                                 const std::string& user_id) {
  return table.Query<Job>("GSI2").With<&Job::id, &JobId::user_id>(user_id).Backward().First();
}

// Returns the design of the table. README.md shows it, and a test compares them
// (tests/models/readme_test.cc).
inline TableDesign Design() {
  return Describe<User, Company, Job>(
      "careers", {AccessPattern("A user's profile", "Get").With<&User::id>(),
                  AccessPattern("A user's history, newest first", "HistoryOf")
                      .With<&Job::id, &JobId::user_id>()
                      .SortedBy<&Job::id, &JobId::started_at>(),
                  AccessPattern("A company's current, or former, employees", "EmployeesOf")
                      .With<&Job::id, &JobId::company_id>()
                      .With<&Job::status>(),
                  AccessPattern("A user's current job", "FindCurrentJob")
                      .With<&Job::id, &JobId::user_id>()
                      .SortedBy<&Job::current_since>()});
}

// Stores sample data: Ann began at corp later than at borg, but borg is her current job. A second call
// stores the same items again, so it undoes changes of them.
inline Status LoadSampleData(const EntityTable& table) {
  using namespace std::chrono;
  const auto current = [](const JobId& id, const char* title) {
    return Job{.id = id, .title = title, .current_since = id.started_at};
  };
  const auto former = [](const JobId& id, const char* title, Timestamp until) {
    return Job{.id = id, .title = title, .status = JobStatus::kFormer, .ended_at = until};
  };
  EntityTransaction load = table.Transact();
  load.Put(User{"ann", "Ann"}).Put(User{"ben", "Ben"});
  load.Put(Company{"acme", "Acme"}).Put(Company{"borg", "Borg"}).Put(Company{"corp", "Corp"});
  load.Put(former({"ann", sys_days(2018y / 1 / 1), "acme"}, "Engineer", sys_days(2021y / 6 / 30)));
  load.Put(current({"ann", sys_days(2021y / 7 / 1), "borg"}, "Lead"));
  load.Put(former({"ann", sys_days(2022y / 3 / 1), "corp"}, "Adviser", sys_days(2023y / 1 / 31)));
  load.Put(current({"ben", sys_days(2015y / 5 / 5), "acme"}, "Founder"));
  return load.Commit();
}

}  // namespace dolmen::employment
