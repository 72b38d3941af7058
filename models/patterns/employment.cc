#include "models/patterns/employment.h"

namespace dolmen::employment {
namespace {

constexpr const char* kByCompany = "GSI1";
constexpr const char* kCurrent = "GSI2";

}  // namespace

Result<Careers> Careers::Open(const Database& database, RequestObserver observer) {
  Result<EntityTable> table = EntityTable::Open(
      database,
      {.name = kTableName, .indexes = {kByCompany, kCurrent}, .observer = std::move(observer)});
  if (!table.ok()) return table.status();
  return Careers(*std::move(table));
}

Status Careers::Start(const JobId& id, const std::string& title) const {
  return table_.Transact()
      .Create(Job{.id = id, .title = title, .current_since = id.started_at})
      .Require(User{.id = id.user_id})
      .Require(Company{.id = id.company_id})
      .Commit();
}

Status Careers::End(const JobId& id, Timestamp at) const {
  if (at < id.started_at) return Status::Validation("a job cannot end before it starts");
  return table_.Update(Job{.id = id})
      .Set<&Job::status>(JobStatus::kFormer)
      .Set<&Job::ended_at>(at)
      .Remove<&Job::current_since>()
      .If(AttrOf<&Job::status>() == JobStatus::kCurrent, "the job has ended already")
      .Commit()
      .status();
}

Result<std::vector<Job>> Careers::ListHistory(const std::string& user_id) const {
  return table_.Query<Job>().With<&Job::id, &JobId::user_id>(user_id).Backward().All();
}

Result<EntityPage<Job>> Careers::ListEmployees(const EmployeeQuery& query) const {
  return table_.Query<Job>(kByCompany)
      .With<&Job::id, &JobId::company_id>(query.company_id)
      .With<&Job::status>(query.status)
      .From(query.cursor)
      .Limit(query.limit)
      .Page();
}

Result<std::optional<Job>> Careers::FindCurrentJob(const std::string& user_id) const {
  return table_.Query<Job>(kCurrent).With<&Job::id, &JobId::user_id>(user_id).Backward().First();
}

}  // namespace dolmen::employment
