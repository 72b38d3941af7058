#include "dolmen/entity/idempotent.h"

#include <utility>

namespace dolmen {

Result<bool> CommitOnce(const EntityTable& table, EntityTransaction transaction,
                        const std::string& key, std::chrono::seconds lifetime) {
  const Timestamp now = table.Now();
  const AttrOf<&CommittedRequest::expires_at> expires_at;
  transaction.Update(CommittedRequest{.key = key},
                     Changes<CommittedRequest>()
                         .Set<&CommittedRequest::expires_at>(now + lifetime)
                         .OrCreate()
                         .If(expires_at.NotExists() ||
                             expires_at <= std::chrono::floor<std::chrono::seconds>(now)));
  const Status committed = transaction.Commit();
  if (committed.ok()) return true;
  const bool is_marked = !transaction.refusals().empty() && transaction.refusals().back().code() ==
                                                                StatusCode::kConditionalCheckFailed;
  if (is_marked) return false;
  return committed;
}

Result<bool> RetryOnce(const EntityTable& table,
                       const std::function<Status(EntityTransaction&)>& attempt,
                       const std::string& key, std::chrono::seconds lifetime,
                       const RetryOptions& options) {
  bool is_first = true;
  const auto attempt_once = [&](EntityTransaction& transaction) -> Status {
    Status status = attempt(transaction);
    if (!status.ok() || key.empty()) return status;
    // Retry then commits an empty transaction, which sends nothing.
    EntityTransaction marked = std::exchange(transaction, table.Transact());
    const Result<bool> committed = CommitOnce(table, std::move(marked), key, lifetime);
    if (committed.ok()) is_first = *committed;
    return committed.status();
  };
  const Status status = table.Retry(attempt_once, options);
  if (!status.ok()) return status;
  return is_first;
}

}  // namespace dolmen
