// Transactions: several writes of entities that succeed or fail together.
//
//   const Status enrolled = table.Transact()
//                               .Create(StudentEnrolment{...})
//                               .Create(CourseEnrolment{...})
//                               .Require(Course{.id = "c10"})
//                               .Commit();

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/changes.h"
#include "dolmen/entity/request_sender.h"

namespace dolmen {

// A list of writes, which Commit sends as one TransactWriteItems; EntityTable::Transact creates it.
//
// A transaction takes up to 100 writes on different items, 4 MB in all; without a write, Commit sends
// nothing. The claims of unique values and the inverses of edges count, too. A transaction is
// serializable against all other writes. No write sees the effects of the other writes in it.
//
// The methods that add a write never fail. If a write is invalid, Commit returns the error of the
// first such write and sends nothing.
//
// A value type. Several threads must not use one object at the same time.
class EntityTransaction {
 public:
  // Reads the clock once: this time is FillContext::now of all writes, whenever Commit is called.
  explicit EntityTransaction(entity::RequestSender sender);
  EntityTransaction(const EntityTransaction& other);
  EntityTransaction(EntityTransaction&& other) noexcept;
  EntityTransaction& operator=(const EntityTransaction& other);
  EntityTransaction& operator=(EntityTransaction&& other) noexcept;
  ~EntityTransaction();

  // Adds a write that has the effect and the errors of the EntityTable function of the same name.
  //
  // The transaction does not return attributes that it fills in. If the caller needs an id later,
  // set the id before adding the write (EntityTable::NewUlid).
  template <typename T>
  EntityTransaction& Create(T value) {
    return AddCreate(entity::kSpec<T>, &value);
  }

  template <typename T>
  EntityTransaction& Put(T value) {
    return AddPut(entity::kSpec<T>, &value);
  }

  // If the update depends on stored values, Commit reads the item, and sends the transaction again if
  // another writer has changed it in between.
  template <typename T>
  EntityTransaction& Update(const T& key, const Changes<T>& changes) {
    return AddUpdate(entity::kSpec<T>, &key, changes.list());
  }

  template <typename T>
  EntityTransaction& Remove(const T& key,
                            const std::optional<ConditionBuilder>& condition = std::nullopt,
                            std::string words = {}) {
    return AddRemove(entity::kSpec<T>, &key, condition, std::move(words));
  }

  // Adds a check that the entity exists and that `condition` holds, if given (ConditionCheck).
  // Writes nothing. An item that the transaction writes cannot be checked here; use the write's
  // condition.
  // - kResourceNotFound (from Commit): the entity does not exist.
  // - kConditionalCheckFailed (from Commit): the condition is false. `words` is the message, as in
  //   Changes::If.
  template <typename T>
  EntityTransaction& Require(const T& key,
                             const std::optional<ConditionBuilder>& condition = std::nullopt,
                             std::string words = {}) {
    return AddConditionCheck(entity::kSpec<T>, &key, condition, std::move(words));
  }

  // Makes the commit idempotent: for ten minutes a second commit with the same token does nothing
  // and succeeds (TransactWriteItemsInput::client_request_token). The token has 1 to 36
  // characters.
  //
  // To repeat a commit, call Commit of the same object again. Do not build the transaction again in
  // a new object: the new object fills in new times and ids, so its request differs from the first
  // request. The token adds two errors:
  // - kIdempotentParameterMismatch (from Commit): the token was used for a transaction with
  //   different writes.
  // - kTransactionInProgress (from Commit): a commit with the token is running.
  EntityTransaction& WithToken(std::string client_request_token) {
    token_ = std::move(client_request_token);
    return *this;
  }

  // Returns the number of valid writes that were added.
  std::size_t size() const;

  // Sends all writes as one request, or nothing if the transaction is empty. Either all writes are
  // stored, or none. Commit can be called again, even after a failure.
  //
  // If the table rejects writes, Commit returns the error of the first rejected write, as
  // EntityTable would: kResourceNotFound, kResourceInUse, kTransactionConflict, kCorruption or
  // kConditionalCheckFailed.
  // - kValidation: a write is invalid. Nothing was sent.
  // - kValidation: the transaction has more than 100 writes, two writes on one item, or more than 4
  //   MB.
  // - kUnknownOperation: the database is remote, and its service has no transactions.
  // - Any other error of Database::TransactWriteItems.
  Status Commit();

  // Returns one status for each write, in the order of adding, if the last Commit failed because
  // the table rejected writes. A write that was not rejected has an ok status. Empty after
  // success and after any other error. Borrowed from this object; valid until the next Commit.
  const std::vector<Status>& refusals() const DOLMEN_LIFETIME_BOUND { return refusals_; }

 private:
  // The writes and the group that sends them. Hidden, so that programs need not compile them.
  struct Writes;

  using Condition = std::optional<ConditionBuilder>;
  EntityTransaction& AddCreate(const entity::EntitySpec& entity, void* value);
  EntityTransaction& AddPut(const entity::EntitySpec& entity, void* value);
  EntityTransaction& AddUpdate(const entity::EntitySpec& entity, const void* key,
                               const entity::ChangeList& changes);
  EntityTransaction& AddRemove(const entity::EntitySpec& entity, const void* key,
                               const Condition& condition, std::string words);
  EntityTransaction& AddConditionCheck(const entity::EntitySpec& entity, const void* key,
                                       const Condition& condition, std::string words);

  entity::RequestSender sender_;
  FillContext context_;             // the same time for all writes; borrows from sender_
  std::shared_ptr<Writes> writes_;  // not shared with another transaction
  std::vector<Status> refusals_;
  std::string token_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
