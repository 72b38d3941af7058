#include "remote/batch_write.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "remote/request_body.h"
#include "remote/retry.h"
#include "wire/attribute_json.h"

namespace dolmen::remote {
namespace {

// The writes to do in one table.
struct TableWrites {
  TableRef table;
  std::vector<WriteRequest> left;
};

Status CheckRequest(const WriteRequest& request) {
  if (const auto* const put = std::get_if<PutRequest>(&request)) {
    return Validate(PutItemInput{.item = put->item});
  }
  return Validate(DeleteItemInput{.key = std::get_if<DeleteRequest>(&request)->key});
}

// Collects the writes by table, because a request names each table once.
Result<std::vector<TableWrites>> Collect(const BatchWriteItemInput& input) {
  std::vector<TableWrites> tables;
  for (const WriteRequests& part : input.requests) {
    for (const WriteRequest& request : part.requests) {
      DOLMEN_RETURN_IF_ERROR(CheckRequest(request));
    }
    const auto same = std::ranges::find_if(tables, [&](const TableWrites& writes) {
      return writes.table.name() == part.table.name();
    });
    if (same == tables.end()) {
      tables.push_back({part.table, part.requests});
    } else {
      same->left.insert(same->left.end(), part.requests.begin(), part.requests.end());
    }
  }
  return tables;
}

Status WriteOne(const WriteRequest& request, wire::JsonWriter* json) {
  const auto* const put = std::get_if<PutRequest>(&request);
  json->BeginObject();
  json->Key(put != nullptr ? "PutRequest" : "DeleteRequest");
  json->BeginObject();
  DOLMEN_RETURN_IF_ERROR(put != nullptr
                             ? WriteItem("Item", put->item, json)
                             : WriteItem("Key", std::get_if<DeleteRequest>(&request)->key, json));
  json->EndObject();
  json->EndObject();
  return {};
}

// The first request also has tables without writes, so that the service rejects them.
Status WriteTables(const std::vector<TableWrites>& tables, bool is_first, wire::JsonWriter* json) {
  json->Key("RequestItems");
  json->BeginObject();
  for (const TableWrites& writes : tables) {
    if (!is_first && writes.left.empty()) continue;
    json->Key(writes.table.name());
    json->BeginArray();
    for (const WriteRequest& request : writes.left) DOLMEN_RETURN_IF_ERROR(WriteOne(request, json));
    json->EndArray();
  }
  json->EndObject();
  return {};
}

Result<WriteRequest> ReadWriteRequest(const wire::JsonObject& json) {
  if (const auto put = wire::Member(json, "PutRequest")) {
    const auto item = wire::Member(wire::ObjectOf(*put), "Item");
    if (!item) return Status::InternalServerError();
    DOLMEN_ASSIGN_OR_RETURN(Item attributes, wire::ReadItem(*item));
    return WriteRequest(PutRequest{std::move(attributes)});
  }
  const auto remove = wire::Member(json, "DeleteRequest");
  const auto key = remove ? wire::Member(wire::ObjectOf(*remove), "Key") : std::nullopt;
  if (!key) return Status::InternalServerError();
  DOLMEN_ASSIGN_OR_RETURN(Item attributes, wire::ReadItem(*key));
  return WriteRequest(DeleteRequest{std::move(attributes)});
}

Status ReadLeftWrites(const wire::JsonObject& response, TableWrites* writes) {
  writes->left.clear();
  const auto all = wire::Member(response, "UnprocessedItems");
  const auto left = all ? wire::Member(wire::ObjectOf(*all), writes->table.name()) : std::nullopt;
  if (!left) return {};
  for (const wire::Json json : wire::ArrayOf(*left)) {
    DOLMEN_ASSIGN_OR_RETURN(WriteRequest request, ReadWriteRequest(wire::ObjectOf(json)));
    writes->left.push_back(std::move(request));
  }
  return {};
}

// Sends the writes that are left, and keeps those that the service has not done.
Status SendWrites(const Service& service, const RequestOptions& options, bool is_first,
                  std::vector<TableWrites>* tables, BatchWriteItemOutput* output) {
  RequestBody body;
  DOLMEN_RETURN_IF_ERROR(WriteTables(*tables, is_first, &body.json()));
  WriteReturnConsumedCapacity(options.return_consumed_capacity, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service.Send("BatchWriteItem", body.Finish(), Repeat::kSafe));
  for (TableWrites& writes : *tables)
    DOLMEN_RETURN_IF_ERROR(ReadLeftWrites(response.object(), &writes));
  AddCapacities(ReadCapacities(response.object(), Units::kWrite), &output->consumed_capacity);
  return {};
}

std::size_t CountLeft(const std::vector<TableWrites>& tables) {
  std::size_t count = 0;
  for (const TableWrites& writes : tables) count += writes.left.size();
  return count;
}

}  // namespace

Result<BatchWriteItemOutput> BatchWrite(const Service& service, const BatchWriteItemInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(std::vector<TableWrites> tables, Collect(input));
  BatchWriteItemOutput output;
  std::size_t left = CountLeft(tables);
  int repetitions = 0;
  bool is_repetition = false;
  do {
    const Status sent = SendWrites(service, input.options, !is_repetition, &tables, &output);
    // After a response, the writes that the service refuses are unprocessed. Even a response that leaves
    // all writes may be that of a second attempt, and the first one has done some.
    const bool is_throttled = is_repetition && IsThrottled(sent);
    if (!sent.ok() && !is_throttled) return is_repetition ? AfterExecuted(sent) : sent;
    is_repetition = true;
    const std::size_t now_left = CountLeft(tables);
    repetitions = RepetitionsAfter(repetitions, now_left < left, is_throttled);
    left = now_left;
    if (left > 0 && service.retries() && repetitions > 0) service.PauseBefore(repetitions);
  } while (left > 0 && service.retries() && repetitions < kBatchRepetitionsMax);
  for (TableWrites& writes : tables) {
    if (!writes.left.empty()) {
      output.unprocessed_items.push_back({writes.table, std::move(writes.left)});
    }
  }
  return output;
}

}  // namespace dolmen::remote
