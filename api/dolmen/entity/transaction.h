// Transactions: several writes of entities that succeed or fail together.
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

// A list of writes, which Commit sends as one TransactWriteItems; EntityTable::Transact creates it.
//
// A transaction takes 1 to 100 writes on different items, 4 MB in all.  It is serializable against
// all other writes.  A write that is added sees no effect of the writes before it.
//
// The methods that add a write never fail.  Commit returns the error of the first wrong write, and
// sends nothing then.
//
// A value that must not be used by several threads at once.
class EntityTransaction {
 public:
  // Takes the time of all writes from the clock now (FillContext::now), not at Commit.
  explicit EntityTransaction(entity::RequestSender sender)
      : sender_(std::move(sender)), context_(sender_.context()) {}

  // Adds a write that has the effect and the errors of the EntityTable function of the same name.
  //
  // The filled attributes are not returned.  Set an id that is needed later before adding the write
  // (EntityTable::NewUlid).
  template <EntityStruct T>
  EntityTransaction& Create(T value) {
    return Add(entity::PlanCreate(entity::kSpec<T>, context_, &value));
  }

  template <EntityStruct T>
  EntityTransaction& Put(T value) {
    return Add(entity::PlanPut(entity::kSpec<T>, context_, &value));
  }

  // Unlike EntityTable::Update, the transaction does not read the updated item.  A sum outside the
  // range of the member's type (Changes::Add) is found only by the next read.
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

  // Adds a check that the entity exists and that `condition` holds, if given (ConditionCheck).
  // Writes nothing.  An item that the transaction writes cannot be checked here; use the write's
  // condition.
  // - kResourceNotFound (from Commit): the entity does not exist.
  // - kConditionalCheckFailed (from Commit): the condition is false.
  template <EntityStruct T>
  EntityTransaction& Require(const T& key,
                             const std::optional<ConditionBuilder>& condition = std::nullopt) {
    return Add(entity::PlanConditionCheck(entity::kSpec<T>, &key, condition));
  }

  // Makes the commit idempotent: for ten minutes a second commit with the same token does nothing
  // and succeeds (TransactWriteItemsInput::client_request_token).  The token has 1 to 36
  // characters.
  //
  // Filled attributes such as times and new ids are part of the request.  To repeat a commit, call
  // Commit of the same object again.  A transaction built anew is another request:
  // - kIdempotentParameterMismatch (from Commit): the token was used with other writes.
  // - kTransactionInProgress (from Commit): a commit with the token is running.
  EntityTransaction& WithToken(std::string client_request_token) {
    token_ = std::move(client_request_token);
    return *this;
  }

  // Returns the number of writes, without those that were wrong.
  std::size_t size() const { return writes_.size(); }

  // Sends all writes as one request, or nothing if the transaction is empty.  Either all writes are
  // stored, or none.  Commit can be called again, after a failure too.
  //
  // If the table rejects writes, Commit returns the error of the first one, as EntityTable would:
  // kResourceNotFound, kResourceInUse, kTransactionConflict, kCorruption or
  // kConditionalCheckFailed.
  // - kValidation: a write is wrong; nothing was sent.
  // - kValidation: there are more than 100 writes, two on one item, or more than 4 MB.
  // - Any other error of Database::TransactWriteItems.
  Status Commit();

  // Returns the reason for each write, in the order of adding, if the last Commit failed because of
  // writes; a write that was not at fault has an ok status.  Empty after success and after any
  // other error.  Borrowed from this object; valid until the next Commit.
  const std::vector<Status>& refusals() const DOLMEN_LIFETIME_BOUND { return refusals_; }

 private:
  EntityTransaction& Add(Result<entity::PlannedWrite> write);

  entity::RequestSender sender_;
  FillContext context_;  // the same time for all writes; borrows from sender_
  std::vector<entity::PlannedWrite> writes_;
  std::vector<Status> refusals_;
  std::string token_;
  Status status_;  // the error of the first write that could not be planned
};

}  // namespace dolmen
