#include "dolmen/entity/send_write.h"

#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "entity/write_group.h"

namespace dolmen::entity {
namespace {

// Sends one write with what its declaration adds. If a condition is false, returns the error from
// ExplainRefusal. If `write` is an error, returns the error and sends nothing.
Status Send(const RequestSender& sender, Result<PlannedWrite> write) {
  if (!write.ok()) return write.status();
  if (!AddsWrites(*write)) return sender.SendWrite(*std::move(write));
  std::vector<PlannedWrite> writes;
  writes.push_back(*std::move(write));
  Status status = WriteGroup().Send(sender, &writes, "");
  return status.code() == StatusCode::kTransactionCanceled ? status.reasons()[0] : status;
}

}  // namespace

Status SendCreate(const RequestSender& sender, const EntitySpec& entity, void* value) {
  return Send(sender, PlanCreate(entity, sender.context(), value));
}

Status SendPut(const RequestSender& sender, const EntitySpec& entity, void* value) {
  return Send(sender, PlanPut(entity, sender.context(), value));
}

Status SendUpdate(const RequestSender& sender, const EntitySpec& entity, const void* key,
                  const ChangeList& changes, OwnedStruct* updated) {
  DOLMEN_ASSIGN_OR_RETURN(PlannedWrite write, PlanUpdate(entity, sender.context(), key, changes));
  const internal::Shared<UpdateRewriter> rewriter = write.rewriter;
  if (updated == nullptr) {
    rewriter->AlwaysRead();
    return Send(sender, std::move(write));
  }
  rewriter->KeepValue();
  DOLMEN_RETURN_IF_ERROR(Send(sender, std::move(write)));
  *updated = rewriter->TakeValue();
  return {};
}

Status SendRemove(const RequestSender& sender, const EntitySpec& entity, const void* key,
                  const std::optional<ConditionBuilder>& condition, std::string words) {
  return Send(sender, PlanRemove(entity, key, condition, std::move(words)));
}

}  // namespace dolmen::entity
