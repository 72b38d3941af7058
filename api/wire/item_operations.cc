#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/value/violation.h"
#include "wire/constraints.h"
#include "wire/first_fault.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/operation.h"
#include "wire/value_faults.h"

namespace dolmen::wire {
namespace {

Status Read(const JsonObject& request, GetItemInput* input) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kMembers<GetItemInput>, request));
  Status read = Decode(request, input);
  if (read.ok()) read = ReadAttributesToGet(request, &input->projection);
  return FirstFault(*input, std::move(read));
}

Status RunGetItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  GetItemInput input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, OpenTableFor(context, request, input));
  static thread_local GetItemOutput output;  // keeps its buffer between requests
  DOLMEN_RETURN_IF_ERROR(table.GetItem(input, &output));
  response->BeginObject();
  if (output.item) {
    response->Key("Item");
    response->Attributes(output.item->view());
  }
  WriteCapacity(output.consumed_capacity, input.options.return_consumed_capacity, response);
  response->EndObject();
  return {};
}

// Sets the update from AttributeUpdates, which only UpdateItem has.
Status SetUpdates(const std::vector<AttributeUpdate>& updates, UpdateItemInput* input) {
  return SetAttributeUpdates(updates, &input->update);
}
template <typename Input>
Status SetUpdates(const std::vector<AttributeUpdate>&, Input*) {
  return {};
}

// Returns the error of a write with the number of errors before it, as DynamoDB reports what it finds in a request
// before it looks at the table. A violated constraint is counted already.
Status Counted(const Status& fault) {
  const bool is_bare = fault.code() == StatusCode::kValidation &&
                       !fault.message().starts_with(engine::Detected({std::string()}));
  return is_bare ? engine::DetectedOne(fault.message()) : fault;
}

// Reads the request of a write.
template <typename Input>
Status Read(const JsonObject& request, Input* input) {
  std::vector<AttributeUpdate> updates;
  std::vector<LegacyCondition> expected;
  DOLMEN_RETURN_IF_ERROR(
      CheckExpressionParameters(kMembers<Input>, request, MissingExpressions::kUnnamed));
  Status read = Decode(request, input);
  if (read.ok()) {
    if constexpr (std::is_same_v<Input, UpdateItemInput>) {
      DOLMEN_RETURN_IF_ERROR(ReadAttributeUpdates(request, &updates));
    }
    DOLMEN_RETURN_IF_ERROR(ReadExpected(request, &expected));
    read = SetUpdates(updates, input);
  }
  if (read.ok()) read = SetExpected(request, std::move(expected), &input->condition);
  return FirstFault(*input, std::move(read));
}

const Item& ItemOf(const PutItemInput& input) { return input.item; }
template <typename Input>
const Item& ItemOf(const Input& input) {
  return input.key;
}

// Runs `kWrite`, a member function of Table.
template <auto kWrite, typename Input>
Status Write(const Context& context, const JsonObject& request, const Input& input,
             JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, OpenTableFor(context, request, input));
  ItemCollections collections(context, request);
  collections.Add(table, ItemOf(input));
  DOLMEN_ASSIGN_OR_RETURN(const WriteItemOutput& output, (table.*kWrite)(input));
  response->BeginObject();
  if (output.attributes) {
    response->Key("Attributes");
    response->Attributes(output.attributes->view());
  }
  WriteCapacity(output.consumed_capacity, input.options.return_consumed_capacity, response);
  collections.WriteOne(response);
  response->EndObject();
  return {};
}

// Returns true if the size of the item is the first fault of the request. DynamoDB does not count it.
bool FailsBySize(const PutItemInput& input) {
  return IsTooLarge(input.item) &&
         Validate(PutItemInput{.return_values = input.return_values}).ok();
}
template <typename Input>
bool FailsBySize(const Input&) {
  return false;
}

// Returns the error that DynamoDB reports for a request with a value that nests too deeply to parse, or success for
// another request. DynamoDB looks at ReturnValues before such a value.
template <typename Input>
Status TooDeepFault(const JsonObject& request) {
  Status deep = ParserFault(kMembers<Input>, request);
  const std::optional<Json> values = Member(request, kReturnValuesMember<Input>.shape.name);
  if (deep.ok() || !values) return deep;
  Input input;
  DOLMEN_RETURN_IF_ERROR(kReturnValuesMember<Input>.read(*values, &input));
  Status valid = Validate(input);
  return valid.ok() ? deep : valid;
}

template <typename Input, auto kWrite>
Status RunWrite(const Context& context, const JsonObject& request, JsonWriter* response) {
  Input input;
  if (const Status read = Read(request, &input); !read.ok()) {
    DOLMEN_RETURN_IF_ERROR(TooDeepFault<Input>(request));
    return FailsBySize(input) || IsDatatypeFault(read) ? read : Counted(read);
  }
  Status done = Write<kWrite>(context, request, input, response);
  if (done.code() != StatusCode::kValidation || FailsBySize(input)) return done;
  // The operation begins with the same checks.
  const Status fault = Validate(input);
  return fault.ok() ? done : Counted(fault);
}

// The members in which DynamoDB reports errors if a write lacks its item or key: all of them, in the usual words.
// The last member is the one whose absence selects this shape (Operation::older_input).
template <const std::string_view& kItem>
constexpr Structure kWithoutItem = {{
    {"ConditionalOperator", &kConditionalOperatorShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ReturnItemCollectionMetrics", &kReturnItemCollectionMetricsShape},
    {"TableName", &kTableNameShape, true},
    {"ReturnValues", &kOlderReturnValuesShape},
    {kItem, &kAttributeMapShape, true},
}};
constexpr std::string_view kItemMember = "Item";
constexpr std::string_view kKeyMemberName = "Key";

}  // namespace

std::span<const Operation> ItemOperations() {
  static constexpr Operation kOperations[] = {
      {"GetItem", &kMembers<GetItemInput>, RunGetItem},
      {.name = "PutItem",
       .input = &kMembers<PutItemInput>,
       .run = RunWrite<PutItemInput, &Table::PutItem>,
       .older_input = &kWithoutItem<kItemMember>},
      {.name = "UpdateItem",
       .input = &kMembers<UpdateItemInput>,
       .run = RunWrite<UpdateItemInput, &Table::UpdateItem>,
       .older_input = &kWithoutItem<kKeyMemberName>},
      {.name = "DeleteItem",
       .input = &kMembers<DeleteItemInput>,
       .run = RunWrite<DeleteItemInput, &Table::DeleteItem>,
       .older_input = &kWithoutItem<kKeyMemberName>},
  };
  return kOperations;
}

}  // namespace dolmen::wire
