#include "tests/model/operations.h"

#include <utility>

#include "tests/model/renderer.h"

namespace dolmen::test {
namespace {

template <typename Input>
void Finish(const WriteOperation& operation, Renderer* renderer, Input* input) {
  if (operation.condition) input->condition = renderer->Expression(*operation.condition);
  if constexpr (requires { input->return_values; }) {
    input->return_values = operation.return_values;
    input->options.return_consumed_capacity = operation.capacity;
  }
  input->return_item_on_condition_failure = operation.return_item_on_condition_failure;
  input->names = renderer->TakeNames();
  input->values = renderer->TakeValues();
}

template <typename Input>
void FinishRead(const ReadOperation& operation, const Item& start_key, Renderer* renderer,
                Input* input) {
  input->index = operation.index;
  if (operation.filter) input->filter = renderer->Expression(*operation.filter);
  if (!operation.projection.empty()) input->projection = renderer->Expression(operation.projection);
  input->names = renderer->TakeNames();
  input->values = renderer->TakeValues();
  input->limit = operation.limit;
  input->select = operation.select;
  input->consistent_read = operation.consistent_read;
  input->options.return_consumed_capacity = operation.capacity;
  input->exclusive_start_key = start_key;
}

}  // namespace

CreateTableInput ModelTable() {
  const GlobalSecondaryIndex by_number{
      .name = "GSI2",
      .partition_key = {{.name = "GSI2PK", .type = AttributeType::kN}},
      .sort_key = {{.name = "n", .type = AttributeType::kN}}};
  return {.name = "model",
          .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"), by_number}};
}

PutItemInput ToPut(const WriteOperation& operation) {
  PutItemInput input{.item = operation.item};
  Renderer renderer;
  Finish(operation, &renderer, &input);
  return input;
}

UpdateItemInput ToUpdate(const WriteOperation& operation) {
  UpdateItemInput input{.key = operation.item};
  Renderer renderer;
  if (!operation.update.empty()) input.update = renderer.Expression(operation.update);
  Finish(operation, &renderer, &input);
  return input;
}

DeleteItemInput ToDelete(const WriteOperation& operation) {
  DeleteItemInput input{.key = operation.item};
  Renderer renderer;
  Finish(operation, &renderer, &input);
  return input;
}

TransactWriteItem ToAction(const WriteOperation& operation, const Table& table) {
  switch (operation.kind) {
    case WriteOperation::Kind::kPut:
      return {table, ToPut(operation)};
    case WriteOperation::Kind::kUpdate:
      return {table, ToUpdate(operation)};
    case WriteOperation::Kind::kDelete:
      return {table, ToDelete(operation)};
    case WriteOperation::Kind::kCheck:
      break;
  }
  ConditionCheckInput input{.key = operation.item};
  Renderer renderer;
  Finish(operation, &renderer, &input);
  return {table, std::move(input)};
}

GetItemInput ToGet(const GetOperation& operation) {
  Renderer renderer;
  GetItemInput input{.key = operation.key};
  if (!operation.projection.empty()) input.projection = renderer.Expression(operation.projection);
  input.names = renderer.TakeNames();
  input.consistent_read = operation.consistent_read;
  input.options.return_consumed_capacity = operation.capacity;
  return input;
}

QueryInput ToQuery(const QueryOperation& operation, const Shape& shape, const Item& start_key) {
  Renderer renderer;
  QueryInput input;
  if (operation.as_expression) {
    input.key_condition = renderer.KeyCondition(operation, shape);
  } else if (operation.shards.empty()) {
    input.key_condition = Partition(operation.partition.at(0), operation.sort);
  } else {
    input.key_condition = Partitions(operation.shards, operation.sort);
  }
  input.forward = operation.forward;
  FinishRead(operation, start_key, &renderer, &input);
  return input;
}

ScanInput ToScan(const ScanOperation& operation, std::uint32_t segment, const Item& start_key) {
  Renderer renderer;
  ScanInput input;
  if (operation.total_segments > 0) {
    input.segment = segment;
    input.total_segments = operation.total_segments;
  }
  FinishRead(operation, start_key, &renderer, &input);
  return input;
}

KeysAndAttributes ToKeys(const BatchGet& operation, const Table& table) {
  Renderer renderer;
  KeysAndAttributes keys{.table = table, .keys = operation.keys};
  if (!operation.projection.empty()) keys.projection = renderer.Expression(operation.projection);
  keys.names = renderer.TakeNames();
  keys.consistent_read = operation.consistent_read;
  return keys;
}

TransactGetItem ToTransactGet(const GetOperation& operation, const Table& table) {
  GetItemInput input = ToGet(operation);
  return {.table = table,
          .key = std::move(input.key),
          .projection = std::move(input.projection),
          .names = std::move(input.names)};
}

}  // namespace dolmen::test
