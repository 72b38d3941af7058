// Several entities written as one:
//
//   const Status enrolled = table.Transact()
//                               .Create(StudentEnrolment{...})
//                               .Create(CourseEnrolment{...})
//                               .Require(Course{.id = "c10"})
//                               .Commit();

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/request_sender.h"

namespace dolmen {

// Collects writes; Commit does them, all or none.  A value, for one thread at a time.
class EntityTransaction {
 public:
  explicit EntityTransaction(entity::RequestSender sender)
      : sender_(std::move(sender)), context_(sender_.context()) {}

  // The same as EntityTable's.
  template <EntityStruct T>
  EntityTransaction& Create(T value) {
    return Add(entity::PlanCreate(entity::kSpec<T>, context_, &value));
  }
  template <EntityStruct T>
  EntityTransaction& Put(T value) {
    return Add(entity::PlanPut(entity::kSpec<T>, context_, &value));
  }
  template <EntityStruct T>
  EntityTransaction& Update(const T& key, const Changes<T>& changes) {
    T scratch{};
    return Add(entity::PlanUpdate(entity::kSpec<T>, context_, &key, changes.list(), &scratch));
  }
  template <EntityStruct T>
  EntityTransaction& Remove(const T& key,
                            const std::optional<ConditionBuilder>& condition = std::nullopt) {
    return Add(entity::PlanRemove(entity::kSpec<T>, &key, condition));
  }

  // Writes nothing, but the entity must be there, and the condition hold.
  template <EntityStruct T>
  EntityTransaction& Require(const T& key,
                             const std::optional<ConditionBuilder>& condition = std::nullopt) {
    return Add(entity::PlanConditionCheck(entity::kSpec<T>, &key, condition));
  }

  // TransactWriteItemsInput's client_request_token.  What is filled in (times, new ids) is part of
  // the request: commit this object again, rather than one that is put together anew.
  EntityTransaction& WithToken(std::string client_request_token) {
    token_ = std::move(client_request_token);
    return *this;
  }

  std::size_t size() const { return writes_.size(); }

  // One TransactWriteItems; none, and success, if nothing was added.  Of writes that were refused
  // the error is that of the first one, as EntityTable would return it.
  Status Commit();

  // After Commit has failed: what each write was refused for, in their order; empty if it failed
  // for another reason.
  const std::vector<Status>& refusals() const DOLMEN_LIFETIME_BOUND { return refusals_; }

 private:
  EntityTransaction& Add(Result<entity::PlannedWrite> write);

  entity::RequestSender sender_;
  FillContext context_;  // one time for all of it
  std::vector<entity::PlannedWrite> writes_;
  std::vector<Status> refusals_;
  std::string token_;
  Status status_;  // of the first write that could not be planned
};

}  // namespace dolmen
