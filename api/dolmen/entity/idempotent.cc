#include "dolmen/entity/idempotent.h"

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

}  // namespace dolmen
