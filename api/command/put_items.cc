#include "command/put_items.h"

#include <utility>
#include <variant>

#include "dolmen/internal/status_macros.h"

namespace dolmen::command {
namespace {

// Puts one item and adds the units to `write_units`, if it is not null.
Status PutOne(const Table& table, Item item, const RequestOptions& options, double* write_units) {
  const auto put = table.PutItem({.item = std::move(item), .options = options});
  if (put.ok() && put->consumed_capacity && write_units != nullptr) {
    *write_units += put->consumed_capacity->total.write_units;
  }
  return put.status();
}

}  // namespace

Status PutItems(const Database& database, const Table& table, std::vector<WriteRequest>* items,
                const PutHandler& on_put, double* write_units) {
  if (items->empty()) return {};
  BatchWriteItemInput batch;
  if (write_units != nullptr) {
    batch.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  }
  batch.requests.push_back({.table = table, .requests = std::exchange(*items, {})});
  const auto written = database.BatchWriteItem(batch);
  const bool is_rejected = written.status().code() == StatusCode::kValidation;
  if (!written.ok() && !is_rejected) return written.status();
  if (written.ok() && write_units != nullptr) {
    for (const ConsumedCapacity& used : written->consumed_capacity) {
      *write_units += used.total.write_units;
    }
  }
  // To put an item twice changes nothing.
  const bool one_by_one = is_rejected || !written->unprocessed_items.empty();
  std::size_t i = 0;
  for (WriteRequest& request : batch.requests.front().requests) {
    Status put;
    if (one_by_one) {
      put =
          PutOne(table, std::move(std::get<PutRequest>(request).item), batch.options, write_units);
    }
    DOLMEN_RETURN_IF_ERROR(on_put(i++, put));
  }
  return {};
}

}  // namespace dolmen::command
