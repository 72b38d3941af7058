#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
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

  // Returns the error of the first invalid part among those before the part `count`, or `fault`, the error of that
  // part.
  Status FirstFault(std::size_t count, Status fault) const {
    for (std::size_t i = 0; i < count; ++i) DOLMEN_RETURN_IF_ERROR(ValidatePart(inputs[i]));
    return fault;
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

// Returns true if the item or key of a part has an attribute without a name.
bool HasEmptyName(const JsonObject& item) {
  const JsonEntries entries = EntriesOf(item);
  return std::ranges::any_of(
      entries, [](const auto& entry) { return entry.first.empty() && !entry.second.is_null(); });
}

Status ValidateSyntaxOf(const GetItemInput& get);
template <typename Input>
Status ValidateSyntaxOf(const Input& input) {
  return ValidateActionSyntax(input);
}

// Returns the error that DynamoDB reports for a part of a transaction that cannot be read. `read` is the error of the
// first member that cannot be read. DynamoDB reports an empty name of an attribute first, then the faults of
// placeholders and in the texts of expressions, then those of the item or key.
template <typename Input, std::size_t kCount>
Status FirstFaultOfPart(const Described<Input, kCount>& description, const JsonObject& part,
                        Status read) {
  Input expressions;
  for (const Field<Input>& field : description.fields) {
    const std::optional<Json> json = Member(part, field.shape.name);
    if (!json || field.read == nullptr) continue;
    if (field.shape.name != "Item" && field.shape.name != "Key") {
      DOLMEN_RETURN_IF_ERROR(field.read(*json, &expressions));
    } else if (HasEmptyName(ObjectOf(*json))) {
      return Status::Validation(engine::AttributeNameFault(""));
    }
  }
  DOLMEN_RETURN_IF_ERROR(ValidateSyntaxOf(expressions));
  return read;
}

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

Status ValidateSyntaxOf(const GetItemInput& get) {
  DOLMEN_RETURN_IF_ERROR(ValidateNames(get.names));
  return get.projection.given() ? ProjectionExpression::Prepare(*get.projection.text()).status()
                                : Status();
}

Status ReadGet(const JsonObject& get, GetItemInput* input) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kTransactGet, get));
  Status read = DecodeMembers(kTransactGet, get, input);
  return read.ok() ? read : FirstFaultOfPart(kTransactGet, get, std::move(read));
}

Status Read(const Context& context, const JsonObject& request, TransactGetItemsInput* input) {
  const JsonArray items = ArrayOf(*Member(request, "TransactItems"));
  Parts<GetItemInput> gets(items.size());
  for (const Json item : items) {
    const std::size_t count = gets.inputs.size();
    const JsonObject get = ObjectOf(*Member(ObjectOf(item), "Get"));
    Status read = ReadGet(get, gets.Add(get));
    if (!read.ok()) return gets.FirstFault(count, std::move(read));
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

// The description of an action.
template <typename Input>
constexpr const auto* kAction = &kTransactCheck;
template <>
constexpr const auto* kAction<PutItemInput> = &kTransactPut;
template <>
constexpr const auto* kAction<UpdateItemInput> = &kTransactUpdate;
template <>
constexpr const auto* kAction<DeleteItemInput> = &kTransactDelete;

Status ReadAction(const JsonObject& item, Parts<TransactAction>* actions) {
  if (CountMembers(kMembers<TransactAction>, item) != 1) {
    return Status::Validation("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  for (const MemberShape& member : kMembers<TransactAction>.members) {
    const std::optional<Json> json = Member(item, member.name);
    if (!json) continue;
    const JsonObject object = ObjectOf(*json);
    TransactAction* const action = actions->Add(object);
    DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(*member.shape, object));
    Status read = Decode(item, action);
    if (read.ok()) continue;
    return std::visit(
        [&]<typename Input>(const Input&) {
          return FirstFaultOfPart(*kAction<Input>, object, std::move(read));
        },
        *action);
  }
  return {};
}

Status Read(const Context& context, const JsonObject& request, TransactWriteItemsInput* input) {
  const JsonArray items = ArrayOf(*Member(request, "TransactItems"));
  Parts<TransactAction> actions(items.size());
  std::size_t count = 0;
  for (const Json item : items) {
    Status read = ReadAction(ObjectOf(item), &actions);
    if (!read.ok()) return actions.FirstFault(count, std::move(read));
    ++count;
  }
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
  if (!output.ok()) return output.status();
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
