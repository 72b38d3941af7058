#include "engine/write/write_items.h"

#include <xxhash.h>

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/read/capacity.h"
#include "engine/read/request_checks.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/utf8.h"
#include "engine/value/violation.h"
#include "engine/write/atomic_write.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kActionsMax = 100;
constexpr std::size_t kTokenUnitsMax = 36;

using Reasons = boost::container::small_vector<Status, kUsualActions>;

Status CheckToken(const std::string& token) {
  if (!IsUtf8(token)) {
    return InvalidParameter("The ClientRequestToken is not valid UTF-8");
  }
  if (Utf16Units(token) <= kTokenUnitsMax) return {};
  return DetectedOne(Violation(token, "clientRequestToken", AtMost("length", kTokenUnitsMax)));
}

Status CheckRequest(const TransactWriteItemsInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckLength(input.actions.size(), "transactItems", 1, kActionsMax));
  return CheckToken(input.client_request_token);
}

// Adds the action to `writes`. If the action does not match the schema of the table, sets `reason` to the error and
// returns ok.
Status AddAction(const TransactWriteItem& item, const LiveTable& table, PreparedWrites* writes,
                 Status* reason) {
  return std::visit(
      [&](const auto& action) {
        Status added = writes->Add(table, action);
        const bool appended = added.code() == StatusCode::kValidation;
        if (!appended || !writes->actions().back()->schema_mismatch) return added;
        *reason = std::move(added);
        return Status();
      },
      item.action);
}

// Checks the size of the new items and of the values of expressions together.
Status CheckPayload(const PreparedWrites& writes) {
  std::uint64_t bytes = 0;
  for (const WriteAction* action : writes.actions()) {
    if (action->kind == WriteAction::Kind::kPut) bytes += action->new_item.size_bytes();
    if (action->placeholders) bytes += action->placeholders->value_bytes();
  }
  return CheckTransactionSize(bytes);
}

// Adds all actions to `writes`. An error of the whole request comes before cancellation reasons.
Status AddMatching(const TransactWriteItemsInput& input, std::span<LiveTable* const> tables,
                   PreparedWrites* writes) {
  Reasons reasons(input.actions.size());
  bool has_reason = false;
  for (std::size_t i = 0; i < input.actions.size(); ++i) {
    Status reason;
    DOLMEN_RETURN_IF_ERROR(AddAction(input.actions[i], *tables[i], writes, &reason));
    // DynamoDB stops at the first action that does not match its table.
    if (!reason.ok() && !std::exchange(has_reason, true)) reasons[i] = std::move(reason);
  }
  DOLMEN_RETURN_IF_ERROR(CheckPayload(*writes));
  if (writes->HasDuplicates()) return TwoOperationsOnOneItem();
  return CancelFor({reasons.data(), reasons.size()});
}

// Adds all actions to `writes`. An error that needs no table comes before all others, whatever action has it.
Status AddActions(const TransactWriteItemsInput& input, std::span<LiveTable* const> tables,
                  PreparedWrites* writes) {
  Status added = AddMatching(input, tables, writes);
  if (added.ok()) return added;
  for (const TransactWriteItem& item : input.actions) {
    DOLMEN_RETURN_IF_ERROR(ValidateAction(item.action));
  }
  return added;
}

template <typename Syntax>
void AppendTree(const Syntax* tree, std::string* out) {
  out->push_back(tree != nullptr ? 1 : 0);
  if (tree != nullptr) AppendSyntax(*tree, out);
}

// Appends to `out` all parts of an action that must be equal when the transaction is repeated under
// the same token.
Status AppendAction(const WriteAction& action, const TransactWriteItem& input, std::string* out) {
  out->push_back(static_cast<char>(action.kind));
  out->push_back(action.return_item_on_condition_failure ? 1 : 0);
  AppendBlock(action.row.bytes(), out);
  AppendBlock(action.item, out);
  AppendTree(action.condition.tree(), out);
  AppendTree(action.update.tree(), out);
  out->push_back(static_cast<char>(action.hide_expired ? 1 + *action.hide_expired : 0));
  if (action.placeholders && action.placeholders->parameters() != nullptr) {
    action.placeholders->parameters()->AppendTo(out);
  }
  return std::visit(
      [&](const auto& request) {
        AppendVarint(static_cast<std::uint32_t>(request.names.size()), out);
        for (const auto& [token, name] : request.names) {
          AppendBlock(token, out);
          AppendBlock(name, out);
        }
        return EncodeItem(request.values, out, kNestingLevelsMax + 1);
      },
      input.action);
}

Result<RequestHash> HashRequest(const TransactWriteItemsInput& input,
                                const PreparedWrites& writes) {
  std::string bytes;
  for (std::size_t i = 0; i < input.actions.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(AppendAction(*writes.actions()[i], input.actions[i], &bytes));
  }
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  RequestHash hash;
  static_assert(sizeof(canonical.digest) == sizeof(hash));
  std::memcpy(hash.data(), canonical.digest, hash.size());
  return hash;
}

// Returns the capacity that a repeated transaction consumes. DynamoDB charges for reading the
// transaction's items.
Result<std::vector<ConsumedCapacity>> RepetitionCapacity(const Store& store,
                                                         ReturnConsumedCapacity which,
                                                         const PreparedWrites& writes) {
  CapacityMeter meter(which, true);
  if (!meter.counts()) return std::vector<ConsumedCapacity>();
  for (const WriteAction* action : writes.actions()) {
    PinnedValue bytes;
    DOLMEN_ASSIGN_OR_RETURN(const bool found, store.Get(action->row, &bytes));
    const Result<ItemView> item =
        found ? ItemView::Parse({bytes.data(), bytes.size()}) : Result(ItemView());
    if (!item.ok()) return item.status();
    meter.AddRead(*action->table, nullptr, ReadUnits(found ? item->size_bytes() : 0, true));
  }
  return meter.Take();
}

// Moves the statuses of all outcomes into the error.
// - kTransactionCanceled: an action failed. The error holds one reason for each action.
Status CheckOutcomes(std::span<ActionOutcome> outcomes) {
  Reasons reasons;
  for (ActionOutcome& outcome : outcomes) reasons.push_back(std::move(outcome.status));
  return CancelFor({reasons.data(), reasons.size()});
}

// Commits the actions. Returns nothing if the schema of a table has changed meanwhile: the caller
// then prepares the actions again.
Result<std::optional<TransactWriteItemsOutput>> TryCommit(const WriteContext& context,
                                                          const TransactWriteItemsInput& input,
                                                          PreparedWrites& writes) {
  const std::string& token = input.client_request_token;
  std::optional<TokenLog::Use> use;
  WriteOptions options{.holder = LockTable::Holder::kTransaction};
  OperationTime instant(context.clock);
  WriteBatch batch(writes.actions().size());
  if (!token.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(const RequestHash& hash, HashRequest(input, writes));
    DOLMEN_ASSIGN_OR_RETURN(TokenLog::Use begun, context.tokens.Begin(token, hash, &instant));
    use.emplace(std::move(begun));
    if (use->is_repetition()) {
      auto capacity =
          RepetitionCapacity(context.store, input.options.return_consumed_capacity, writes);
      if (!capacity.ok()) return capacity.status();
      return std::optional(TransactWriteItemsOutput{*std::move(capacity)});
    }
    options.now = instant.Now();
    DOLMEN_RETURN_IF_ERROR(context.tokens.Append(token, hash, *options.now, &batch));
  }
  const Result<WriteVerdict> verdict = writes.Commit(context, options, std::move(batch));
  if (!verdict.ok()) return verdict.status();
  if (*verdict == WriteVerdict::kSchemaChanged) return std::optional<TransactWriteItemsOutput>();
  DOLMEN_RETURN_IF_ERROR(CheckOutcomes(writes.outcomes()));
  return std::optional(
      TransactWriteItemsOutput{writes.Capacity(input.options.return_consumed_capacity, true)});
}

}  // namespace

Status ValidateAction(const ActionInput& input) {
  WriteAction action;
  action.in_transaction = true;
  return std::visit([&](const auto& one) { return Validate(one, &action); }, input);
}

Status ValidateActionSyntax(const ActionInput& input) {
  WriteAction action;
  return std::visit([&](const auto& one) { return ValidateSyntax(one, &action); }, input);
}

Result<TransactWriteItemsOutput> TransactWriteItems(const WriteContext& context,
                                                    const TransactWriteItemsInput& input,
                                                    std::span<LiveTable* const> tables) {
  DOLMEN_RETURN_IF_ERROR(CheckRequest(input));
  // Checks first that the store can be written. Without this check, a repeated transaction would
  // succeed in a read-only store, because it writes nothing.
  DOLMEN_RETURN_IF_ERROR(context.store.CheckWritable());
  for (;;) {
    PreparedWrites writes(input.options.hide_expired, PreparedWrites::For::kTransaction);
    DOLMEN_RETURN_IF_ERROR(AddActions(input, tables, &writes));
    Result<std::optional<TransactWriteItemsOutput>> output = TryCommit(context, input, writes);
    if (!output.ok()) return output.status();
    if (*output) return **std::move(output);
  }
}

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
      return DetectedOne(UnquotedViolation("requestItems", "Map value must satisfy constraint: [" +
                                                               AtMost("length", kRequestsMax) +
                                                               ", " + AtLeast("length", 1) + "]"));
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
