#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "remote/backend.h"
#include "remote/request_body.h"
#include "remote/retry.h"
#include "wire/constraints.h"
#include "wire/item_requests.h"

namespace dolmen::remote {
namespace {

// The writes to do in one table.
struct TableWrites {
  TableRef table;
  std::vector<WriteRequest> left;
};

Status CheckRequest(const WriteRequest& request) {
  if (const auto* const put = std::get_if<PutRequest>(&request)) {
    return ValidateNewItem(put->item);
  }
  return ValidateKey(std::get_if<DeleteRequest>(&request)->key);
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

// The first request also has tables without writes, so that the service rejects them.
void WriteTables(const std::vector<TableWrites>& tables, bool is_first, wire::JsonWriter* json) {
  json->Key("RequestItems");
  json->BeginObject();
  for (const TableWrites& writes : tables) {
    if (!is_first && writes.left.empty()) continue;
    json->Key(writes.table.name());
    wire::members::WriteFrom(writes.left, json);
  }
  json->EndObject();
}

Status ReadLeftWrites(const wire::JsonObject& response, TableWrites* writes) {
  writes->left.clear();
  const auto all = wire::Member(response, "UnprocessedItems");
  const auto left = all ? wire::Member(wire::ObjectOf(*all), writes->table.name()) : std::nullopt;
  if (!left) return {};
  for (const wire::Json json : wire::ArrayOf(*left)) {
    const wire::Faults faults = wire::Check(wire::kMembers<WriteRequest>, json);
    const bool is_one = wire::CountMembers(wire::kMembers<WriteRequest>, wire::ObjectOf(json)) == 1;
    if (!faults.type.empty() || !faults.constraints.empty() || !is_one) {
      return Status::InternalServerError();
    }
    DOLMEN_RETURN_IF_ERROR(wire::Decode(wire::ObjectOf(json), &writes->left.emplace_back()));
  }
  return {};
}

// Sends the writes that are left, and keeps those that the service has not done.
Status SendWrites(const Service& service, const RequestOptions& options, bool is_first,
                  std::vector<TableWrites>* tables, BatchWriteItemOutput* output) {
  RequestBody body;
  WriteTables(*tables, is_first, &body.json());
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

// The writes that the service leaves unprocessed are sent again, until ten requests in turn have written
// nothing. The writes that are left then are in the output. With ConnectOptions::attempts_max = 1 no write is
// sent again. After an error, some of the writes may have been done.
Result<BatchWriteItemOutput> RemoteBackend::BatchWriteItem(const BatchWriteItemInput& input) {
  for (const auto& part : input.requests) DOLMEN_RETURN_IF_ERROR(CheckOwner(part.table));
  DOLMEN_ASSIGN_OR_RETURN(std::vector<TableWrites> tables, Collect(input));
  BatchWriteItemOutput output;
  std::size_t left = CountLeft(tables);
  int repetitions = 0;
  bool is_repetition = false;
  do {
    const Status sent = SendWrites(service_, input.options, !is_repetition, &tables, &output);
    // After a response, the writes that the service refuses are unprocessed. Even a response that leaves
    // all writes may be that of a second attempt, and the first one has done some.
    const bool is_throttled = is_repetition && IsThrottled(sent);
    if (!sent.ok() && !is_throttled) return is_repetition ? AfterExecuted(sent) : sent;
    is_repetition = true;
    const std::size_t now_left = CountLeft(tables);
    repetitions = RepetitionsAfter(repetitions, now_left < left, is_throttled);
    left = now_left;
    if (left > 0 && service_.retries() && repetitions > 0) service_.PauseBefore(repetitions);
  } while (left > 0 && service_.retries() && repetitions < kBatchRepetitionsMax);
  for (TableWrites& writes : tables) {
    if (!writes.left.empty()) {
      output.unprocessed_items.push_back({writes.table, std::move(writes.left)});
    }
  }
  return output;
}

}  // namespace dolmen::remote
