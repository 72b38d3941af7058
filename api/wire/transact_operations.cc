#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/first_fault.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::int64_t kActionsMax = 100;

// The parts of a transaction's request, one for each item. The operation reads all parts before it
// opens the table of any part.
template <typename Input>
struct Parts {
  std::vector<JsonObject> json;
  std::vector<Input> inputs;
  std::vector<Table> tables;

  // `count` is the number of parts.
  explicit Parts(std::size_t count) {
    json.reserve(count);
    inputs.reserve(count);
    tables.reserve(count);
  }

  // Adds a part of the request: its JSON object `from`, and an empty input. Returns the input. The
  // caller then fills the input with the members of `from`.
  Input* Add(const JsonObject& from) {
    json.push_back(from);
    return &inputs.emplace_back();
  }

  // Opens the table of each part. If a table does not exist, checks all parts without their tables,
  // and returns the error of the first invalid part. If no part is invalid, returns
  // kResourceNotFound.
  Status OpenTables(const Context& context) {
    for (const JsonObject& part : json) {
      Result<Table> table = OpenTable(context, part);
      if (!table.ok()) return FirstFaultOf(inputs, table.status());
      tables.push_back(*std::move(table));
    }
    return {};
  }
};

// --- TransactGetItems ---

constexpr Structure kTransactGetItemShape = {{
    Named("TransactGetItem"),
    {"Get", &kTransactGet, true},
}};
constexpr Shape kGetTransactItemsShape = {
    .kind = Kind::kList, .element = &kTransactGetItemShape, .range = {1, kActionsMax}};
constexpr Described kTransactGetItemsInput = {{
    Only<TransactGetItemsInput>({"TransactItems", &kGetTransactItemsShape, true}),
    kCapacityMember<TransactGetItemsInput>,
}};

Status Read(const Context& context, const JsonObject& request, TransactGetItemsInput* input) {
  const JsonArray items = ArrayOf(*Member(request, "TransactItems"));
  Parts<GetItemInput> gets(items.size());
  for (const Json item : items) {
    const JsonObject get = ObjectOf(*Member(ObjectOf(item), "Get"));
    GetItemInput* const part = gets.Add(get);
    DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kTransactGet, get));
    DOLMEN_RETURN_IF_ERROR(FirstFault(*part, DecodeMembers(kTransactGet, get, part)));
  }
  DOLMEN_RETURN_IF_ERROR(gets.OpenTables(context));
  input->items.reserve(items.size());
  for (std::size_t i = 0; i < gets.tables.size(); ++i) {
    GetItemInput& get = gets.inputs[i];
    input->items.push_back({.table = std::move(gets.tables[i]),
                            .key = std::move(get.key),
                            .projection = std::move(get.projection),
                            .names = std::move(get.names)});
  }
  return DecodeMembers(kTransactGetItemsInput, request, input);
}

Status RunTransactGetItems(const Context& context, const JsonObject& request,
                           JsonWriter* response) {
  TransactGetItemsInput input;
  DOLMEN_RETURN_IF_ERROR(Read(context, request, &input));
  Result<TransactGetItemsOutput> output = context.database.TransactGetItems(input);
  if (!output.ok()) return FirstFaultOf(input.items, output.status());
  WriteTransactionItems(std::move(output->items), output->consumed_capacity,
                        input.options.return_consumed_capacity, response);
  return {};
}

// --- TransactWriteItems ---

constexpr Shape kWriteTransactItemsShape = {
    .kind = Kind::kList, .element = &kMembers<TransactAction>, .range = {1, kActionsMax}};
constexpr Described kTransactWriteItemsInput = {{
    Only<TransactWriteItemsInput>({"TransactItems", &kWriteTransactItemsShape, true}),
    Optional<&TransactWriteItemsInput::client_request_token>("ClientRequestToken", &kTokenShape),
    kCapacityMember<TransactWriteItemsInput>,
    kMetricsMember<TransactWriteItemsInput>,
}};

Status ReadAction(const JsonObject& item, Parts<TransactAction>* actions) {
  if (CountMembers(kMembers<TransactAction>, item) != 1) {
    return Status::Validation("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  for (const MemberShape& member : kMembers<TransactAction>.members) {
    const std::optional<Json> json = Member(item, member.name);
    if (!json) continue;
    TransactAction* const action = actions->Add(ObjectOf(*json));
    DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(*member.shape, ObjectOf(*json)));
    const Status read = Decode(item, action);
    DOLMEN_RETURN_IF_ERROR(
        std::visit([&](const auto& input) { return FirstFault(input, read); }, *action));
  }
  return {};
}

Status Read(const Context& context, const JsonObject& request, TransactWriteItemsInput* input) {
  const JsonArray items = ArrayOf(*Member(request, "TransactItems"));
  Parts<TransactAction> actions(items.size());
  for (const Json item : items) DOLMEN_RETURN_IF_ERROR(ReadAction(ObjectOf(item), &actions));
  DOLMEN_RETURN_IF_ERROR(actions.OpenTables(context));
  input->actions.reserve(items.size());
  for (std::size_t i = 0; i < actions.tables.size(); ++i) {
    input->actions.push_back({std::move(actions.tables[i]), std::move(actions.inputs[i])});
  }
  return DecodeMembers(kTransactWriteItemsInput, request, input);
}

const Item& ItemOf(const TransactWriteItem& action) {
  return std::visit(
      [](const auto& input) -> const Item& {
        if constexpr (std::is_same_v<decltype(input), const PutItemInput&>) {
          return input.item;
        } else {
          return input.key;
        }
      },
      action.action);
}

Status RunTransactWriteItems(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  TransactWriteItemsInput input;
  DOLMEN_RETURN_IF_ERROR(Read(context, request, &input));
  ItemCollections collections(context, request);
  for (const TransactWriteItem& action : input.actions) {
    if (std::holds_alternative<ConditionCheckInput>(action.action)) continue;
    collections.Add(action.table, ItemOf(action));
  }
  const Result<TransactWriteItemsOutput> output = context.database.TransactWriteItems(input);
  if (!output.ok()) return FirstFaultOf(input.actions, output.status());
  response->BeginObject();
  WriteCapacities(output->consumed_capacity, input.options.return_consumed_capacity,
                  CapacityForm::kTransaction, response);
  collections.WriteLists(response);
  response->EndObject();
  return {};
}

}  // namespace

std::span<const Operation> TransactOperations() {
  static constexpr Operation kOperations[] = {
      {"TransactGetItems", &kTransactGetItemsInput, RunTransactGetItems},
      {"TransactWriteItems", &kTransactWriteItemsInput, RunTransactWriteItems},
  };
  return kOperations;
}

}  // namespace dolmen::wire
