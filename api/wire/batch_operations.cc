#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/first_fault.h"
#include "wire/item_requests.h"
#include "wire/item_responses.h"
#include "wire/operation.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// --- BatchGetItem ---

constexpr Shape kGetRequestItemsShape = {.kind = Kind::kMap,
                                         .element = &kMembers<TableKeys>,
                                         .range = {1, 100},
                                         .key = &kBatchTableNameShape,
                                         .unquoted = Shape::Unquoted::kAlways,
                                         .as_json = true};
constexpr Described kBatchGetItemInput = {{
    Only<BatchGetItemInput>({"RequestItems", &kGetRequestItemsShape, true}),
    kCapacityMember<BatchGetItemInput>,
}};

Status Read(const JsonObject& json, TableKeys* table) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kMembers<TableKeys>, json));
  DOLMEN_RETURN_IF_ERROR(DecodeMembers(kKeysOnly, json, table));
  Status read = DecodeMembers(kKeysParameters, json, table);
  if (read.ok()) read = ReadAttributesToGet(json, &table->projection);
  return FirstFault(*table, std::move(read));
}

Status Read(const JsonObject& request, std::vector<TableKeys>* tables) {
  const JsonEntries entries = EntriesOf(ObjectOf(*Member(request, "RequestItems")));
  std::vector<JsonObject> parts;
  for (const auto& [name, json] : entries) parts.push_back(ObjectOf(json));
  DOLMEN_RETURN_IF_ERROR(CheckUnmixed(kMembers<TableKeys>, parts));
  std::size_t count = 0;
  for (const auto& [name, json] : entries) {
    TableKeys& table = tables->emplace_back();
    table.name = name;
    table.json = ObjectOf(json);
    DOLMEN_RETURN_IF_ERROR(Read(table.json, &table));
    count += table.keys.size();
  }
  if (count <= kBatchKeysMax) return {};
  return Status::Validation("Too many items requested for the BatchGetItem call");
}

// Opens the tables of the parts, in the order of the parts. If a table does not exist, checks all
// parts without their tables, and returns the error of the first invalid part. If no part is
// invalid, returns kResourceNotFound.
template <typename Part>
Result<std::vector<Table>> OpenTables(const Context& context, const std::vector<Part>& parts) {
  std::vector<Table> tables;
  for (const Part& part : parts) {
    Result<Table> table = OpenNamedTable(context, part.name);
    if (!table.ok()) return FirstFaultOf(parts, table.status());
    tables.push_back(*std::move(table));
  }
  return tables;
}

// Opens the tables, and moves the keys, projections and expression names out of `parts`. Leaves
// the table's name and the JSON in each part, because the response repeats the name and the JSON.
Result<BatchGetItemInput> InputOf(const Context& context, std::vector<TableKeys>* parts) {
  DOLMEN_ASSIGN_OR_RETURN(std::vector<Table> tables, OpenTables(context, *parts));
  BatchGetItemInput input;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TableKeys& part = (*parts)[i];
    input.requests.push_back({.table = std::move(tables[i]),
                              .keys = std::move(part.keys),
                              .projection = std::move(part.projection),
                              .names = std::move(part.names),
                              .consistent_read = part.consistent_read});
  }
  return input;
}

void WriteResponses(const std::vector<TableKeys>& tables, const BatchGetItemOutput& output,
                    JsonWriter* response) {
  response->Key("Responses");
  response->BeginObject();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    response->Key(tables[i].name);
    response->BeginArray();
    for (const StoredItem& item : output.responses[i]) response->Attributes(item.view());
    response->EndArray();
  }
  response->EndObject();
}

// Writes a table's unprocessed keys. Repeats the other members of the table's request unchanged.
void WriteUnprocessed(const TableKeys& table, const std::vector<Item>& keys, JsonWriter* response) {
  response->Key(table.name);
  response->BeginObject();
  response->Key("Keys");
  response->BeginArray();
  for (const Item& key : keys) response->ItemAttributes(key);
  response->EndArray();
  for (const MemberShape& member : kMembers<TableKeys>.members) {
    const std::optional<Json> json = Member(table.json, member.name);
    if (!json || member.name == "Keys") continue;
    response->Key(member.name);
    response->Raw(simdjson::minify(*json));
  }
  response->EndObject();
}

// Writes the unprocessed keys, which have the order of the request. A request may contain a table
// twice: by its name and by its ARN. No key occurs twice, so the first key finds the part.
void WriteUnprocessed(const std::vector<TableKeys>& tables, const BatchGetItemInput& input,
                      const BatchGetItemOutput& output, JsonWriter* response) {
  response->Key("UnprocessedKeys");
  response->BeginObject();
  for (const KeysAndAttributes& left : output.unprocessed_keys) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const KeysAndAttributes& part = input.requests[i];
      if (part.table.state() == left.table.state() && std::ranges::count(part.keys, left.keys[0])) {
        WriteUnprocessed(tables[i], left.keys, response);
      }
    }
  }
  response->EndObject();
}

Status RunBatchGetItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  std::vector<TableKeys> tables;
  DOLMEN_RETURN_IF_ERROR(Read(request, &tables));
  DOLMEN_ASSIGN_OR_RETURN(BatchGetItemInput input, InputOf(context, &tables));
  DOLMEN_RETURN_IF_ERROR(DecodeMembers(kBatchGetItemInput, request, &input));
  const Result<BatchGetItemOutput> output = context.database.BatchGetItem(input);
  if (!output.ok()) return FirstFaultOf(input.requests, output.status());
  response->BeginObject();
  WriteResponses(tables, *output, response);
  WriteUnprocessed(tables, input, *output, response);
  WriteCapacities(output->consumed_capacity, input.options.return_consumed_capacity,
                  CapacityForm::kOperation, response);
  response->EndObject();
  return {};
}

// --- BatchWriteItem ---

constexpr std::size_t kWritesMax = 25;

constexpr Shape kWriteRequestsShape = {
    .kind = Kind::kList, .element = &kMembers<WriteRequest>, .range = {1, kWritesMax}};
// The minimum is 0, because Read rejects an empty map with a different message.
constexpr Shape kWriteRequestItemsShape = {.kind = Kind::kMap,
                                           .element = &kWriteRequestsShape,
                                           .range = {0, 25},
                                           .key = &kBatchTableNameShape,
                                           .yields = true};
constexpr Described kBatchWriteItemInput = {{
    kCapacityMember<BatchWriteItemInput>,
    kMetricsMember<BatchWriteItemInput>,
    Only<BatchWriteItemInput>({"RequestItems", &kWriteRequestItemsShape, true}),
}};

struct TableWrites {
  std::string_view name;
  JsonArray json;
  std::vector<WriteRequest> requests;
};

Status ValidatePart(const TableWrites& writes) { return ValidateParts(writes.requests); }

Status Read(const JsonObject& json, WriteRequest* request) {
  if (CountMembers(kMembers<WriteRequest>, json) != 1) return SeveralDatatypes();
  return Decode(json, request);
}

Status Read(const JsonObject& request, std::vector<TableWrites>* tables) {
  if (ObjectOf(*Member(request, "RequestItems")).size() == 0) {
    return Status::Validation("The requestItems parameter is required for BatchWriteItem");
  }
  std::size_t count = 0;
  for (const auto& [name, json] : EntriesOf(ObjectOf(*Member(request, "RequestItems")))) {
    TableWrites& table = tables->emplace_back();
    table.name = name;
    table.json = ArrayOf(json);
    for (const Json write : table.json) {
      DOLMEN_RETURN_IF_ERROR(Read(ObjectOf(write), &table.requests.emplace_back()));
    }
    count += table.requests.size();
  }
  if (count <= kWritesMax) return {};
  return Status::Validation("Too many items requested for the BatchWriteItem call");
}

const Item& ItemOf(const WriteRequest& request) {
  const auto* put = std::get_if<PutRequest>(&request);
  return put != nullptr ? put->item : std::get_if<DeleteRequest>(&request)->key;
}

// Opens the tables and moves the write requests out of `parts`.
Result<BatchWriteItemInput> InputOf(const Context& context, std::vector<TableWrites>* parts) {
  DOLMEN_ASSIGN_OR_RETURN(std::vector<Table> tables, OpenTables(context, *parts));
  BatchWriteItemInput input;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    input.requests.push_back({std::move(tables[i]), std::move((*parts)[i].requests)});
  }
  return input;
}

// Returns true if `writes` contains a write of the same kind with the same item or key.
bool Contains(const std::vector<WriteRequest>& writes, const WriteRequest& write) {
  return std::ranges::any_of(writes, [&](const WriteRequest& other) {
    return other.index() == write.index() && ItemOf(other) == ItemOf(write);
  });
}

// Writes the JSON of those writes of `part` that are in `left`. Writes nothing if there are none.
void WriteUnprocessed(const TableWrites& table, const WriteRequests& part,
                      const std::vector<WriteRequest>& left, JsonWriter* response) {
  bool begun = false;
  for (std::size_t i = 0; i < part.requests.size(); ++i) {
    if (!Contains(left, part.requests[i])) continue;
    if (!begun) {
      response->Key(table.name);
      response->BeginArray();
    }
    begun = true;
    response->Raw(simdjson::minify(table.json.at(i)));
  }
  if (begun) response->EndArray();
}

void WriteUnprocessed(const std::vector<TableWrites>& tables, const BatchWriteItemInput& input,
                      const BatchWriteItemOutput& output, JsonWriter* response) {
  response->Key("UnprocessedItems");
  response->BeginObject();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const WriteRequests& left : output.unprocessed_items) {
      const WriteRequests& part = input.requests[i];
      if (left.table.state() != part.table.state()) continue;
      WriteUnprocessed(tables[i], part, left.requests, response);
    }
  }
  response->EndObject();
}

Status RunBatchWriteItem(const Context& context, const JsonObject& request, JsonWriter* response) {
  std::vector<TableWrites> tables;
  DOLMEN_RETURN_IF_ERROR(Read(request, &tables));
  DOLMEN_ASSIGN_OR_RETURN(BatchWriteItemInput input, InputOf(context, &tables));
  DOLMEN_RETURN_IF_ERROR(DecodeMembers(kBatchWriteItemInput, request, &input));
  ItemCollections collections(context, request);
  for (const WriteRequests& writes : input.requests) {
    for (const WriteRequest& write : writes.requests) {
      collections.Add(writes.table, ItemOf(write));
    }
  }
  const Result<BatchWriteItemOutput> output = context.database.BatchWriteItem(input);
  if (!output.ok()) return FirstFaultOf(input.requests, output.status());
  response->BeginObject();
  WriteUnprocessed(tables, input, *output, response);
  WriteCapacities(output->consumed_capacity, input.options.return_consumed_capacity,
                  CapacityForm::kOperation, response);
  collections.WriteLists(response);
  response->EndObject();
  return {};
}

}  // namespace

std::span<const Operation> BatchOperations() {
  static constexpr Operation kOperations[] = {
      {"BatchGetItem", &kBatchGetItemInput, RunBatchGetItem},
      {"BatchWriteItem", &kBatchWriteItemInput, RunBatchWriteItem},
  };
  return kOperations;
}

}  // namespace dolmen::wire
