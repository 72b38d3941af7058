#include "command/write_batch.h"

#include <utility>
#include <variant>

#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

Result<WriteItemOutput> WriteAlone(const Table& table, WriteRequest request,
                                   const RequestOptions& options) {
  if (auto* const put = std::get_if<PutRequest>(&request)) {
    return table.PutItem({.item = std::move(put->item), .options = options});
  }
  Item& key = std::get<DeleteRequest>(request).key;
  return table.DeleteItem({.key = std::move(key), .options = options});
}

// Writes one item and adds the units to `write_units`, if it is not null.
Status WriteAlone(const Table& table, WriteRequest request, const RequestOptions& options,
                  double* write_units) {
  const auto written = WriteAlone(table, std::move(request), options);
  if (written.ok() && written->consumed_capacity && write_units != nullptr) {
    *write_units += written->consumed_capacity->total.write_units;
  }
  return written.status();
}

}  // namespace

Status WriteAsBatch(const Database& database, const Table& table, std::vector<WriteRequest>* items,
                    const WriteHandler& on_write, double* write_units) {
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
  // To write an item twice changes nothing.
  const bool one_by_one = is_rejected || !written->unprocessed_items.empty();
  std::size_t i = 0;
  for (WriteRequest& request : batch.requests.front().requests) {
    Status outcome;
    if (one_by_one) outcome = WriteAlone(table, std::move(request), batch.options, write_units);
    DOLMEN_RETURN_IF_ERROR(on_write(i++, outcome));
  }
  return {};
}

Status RejectedItem(const Table& table, const std::string& keys, const Status& why) {
  return Status::Validation("the table " + Printable(table.name()) + " rejects the item " +
                            Printable(keys) + ": " + why.message());
}

}  // namespace dolmen::command
