#include "engine/write/batch_write_item.h"

#include <string>
#include <variant>

#include "engine/base/status_macros.h"
#include "engine/write/prepared_writes.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kRequestsMax = 25;

Status CheckCounts(const BatchWriteItemInput& input) {
  if (input.requests.empty()) {
    return Status::Validation("The requestItems parameter is required for BatchWriteItem");
  }
  std::size_t count = 0;
  for (const WriteRequests& requests : input.requests) {
    if (requests.requests.empty() || requests.requests.size() > kRequestsMax) {
      // DynamoDB's message contains the text of the parameter. Dolmen's message does not contain
      // it, because the engine does not have the text of the request.
      return Status::Validation(
          "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Map "
          "value must satisfy constraint: [Member must have length less than or equal to 25, "
          "Member must have length greater than or equal to 1]");
    }
    count += requests.requests.size();
  }
  if (count <= kRequestsMax) return {};
  return Status::Validation("Too many items requested for the BatchWriteItem call");
}

Status AddActions(const BatchWriteItemInput& input, std::span<LiveTable* const> tables,
                  PreparedWrites* writes) {
  for (std::size_t i = 0; i < input.requests.size(); ++i) {
    for (const WriteRequest& request : input.requests[i].requests) {
      DOLMEN_RETURN_IF_ERROR(
          std::visit([&](const auto& one) { return writes->Add(*tables[i], one); }, request));
    }
  }
  if (!writes->HasDuplicates()) return {};
  return Status::Validation("Provided list of item keys contains duplicates");
}

}  // namespace

// Applies the whole batch as one atomic write. DynamoDB does not promise an atomic batch, but a
// single write waits for the disk only once.
Result<BatchWriteItemOutput> BatchWriteItem(const WriteContext& context,
                                            const BatchWriteItemInput& input,
                                            std::span<LiveTable* const> tables) {
  DOLMEN_RETURN_IF_ERROR(CheckCounts(input));
  for (;;) {
    PreparedWrites writes(input.options.hide_expired);
    DOLMEN_RETURN_IF_ERROR(AddActions(input, tables, &writes));
    DOLMEN_ASSIGN_OR_RETURN(const WriteVerdict verdict,
                            writes.Commit(context, {}, WriteBatch(writes.actions().size())));
    if (verdict == WriteVerdict::kSchemaChanged) continue;
    for (const ActionOutcome& outcome : writes.outcomes()) {
      if (!outcome.status.ok()) return outcome.status;
    }
    return BatchWriteItemOutput{.consumed_capacity =
                                    writes.Capacity(input.options.return_consumed_capacity, false)};
  }
}

}  // namespace dolmen::engine
