// Idempotent requests: a transaction that a program repeats takes effect once.
//
//   EntityTransaction transaction = table.Transact();
//   transaction.Create(order);
//   Result<bool> committed =
//       CommitOnce(table, std::move(transaction), "order 7", std::chrono::hours(24));
//   if (!committed.ok()) return committed.status();   // nothing was written
//   if (!*committed) ...                              // an earlier call has written it
//
// A token of DynamoDB (EntityTransaction::WithToken) protects a transaction for ten minutes, and the
// repeated transaction must have the same writes. CommitOnce takes any time, and compares the key
// alone.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <functional>
#include <string>

#include "dolmen/entity/table.h"

namespace dolmen {

// The mark of a request that was committed. Public only so that CheckTable can list it.
struct CommittedRequest {
  std::string key = {};
  Timestamp expires_at = {};

  friend bool operator==(const CommittedRequest&, const CommittedRequest&) = default;
};

constexpr auto DescribeEntity(const CommittedRequest*) {
  return DefineEntity<CommittedRequest>(
      "committedRequest",
      {Attribute<&CommittedRequest::key>("key").InKeyOnly(),
       Attribute<&CommittedRequest::expires_at>("ttl").AsEpochSeconds()},
      {PrimaryKey("REQUEST#{key:any}", "REQUEST")});
}

// Commits the transaction, unless a transaction with the same key was committed within its
// `lifetime`. Returns true if this call has committed it, and false if an earlier call has; then
// nothing was written. Of several concurrent calls with one key, at most one commits.
//
// The transaction must have no token (EntityTransaction::WithToken), because each call adds another
// mark.
//
// The mark is a further write of the transaction, an item with the attribute `ttl`. It loses its
// effect after `lifetime`, rounded up to seconds. To have such items deleted, enable the time to
// live on `ttl` (EntityTableInput::time_to_live).
// - kValidation: the key is empty.
// - Any error of EntityTransaction::Commit. The mark was not written, so that a further call commits.
Result<bool> CommitOnce(const EntityTable& table, EntityTransaction transaction,
                        const std::string& key, std::chrono::seconds lifetime);

// Calls `attempt` and commits as EntityTable::Retry does, and repeats both after a conflict. Each
// commit is that of CommitOnce with this key. With an empty key, the commit has no mark, and the
// result is true.
// - Any error of EntityTable::Retry and CommitOnce.
Result<bool> RetryOnce(const EntityTable& table,
                       const std::function<Status(EntityTransaction&)>& attempt,
                       const std::string& key, std::chrono::seconds lifetime,
                       const RetryOptions& options = {});

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
