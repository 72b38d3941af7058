#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/first_fault.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/operation.h"

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

// Reads the request of a write.
template <typename Input>
Status Read(const JsonObject& request, Input* input) {
  std::vector<AttributeUpdate> updates;
  std::vector<LegacyCondition> expected;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kMembers<Input>, request));
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
template <typename Input, auto kWrite>
Status RunWrite(const Context& context, const JsonObject& request, JsonWriter* response) {
  Input input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
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

}  // namespace

std::span<const Operation> ItemOperations() {
  static constexpr Operation kOperations[] = {
      {"GetItem", &kMembers<GetItemInput>, RunGetItem},
      {"PutItem", &kMembers<PutItemInput>, RunWrite<PutItemInput, &Table::PutItem>},
      {"UpdateItem", &kMembers<UpdateItemInput>, RunWrite<UpdateItemInput, &Table::UpdateItem>},
      {"DeleteItem", &kMembers<DeleteItemInput>, RunWrite<DeleteItemInput, &Table::DeleteItem>},
  };
  return kOperations;
}

}  // namespace dolmen::wire
