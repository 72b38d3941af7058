#include "command/put_items.h"

#include <utility>
#include <variant>

#include "dolmen/internal/status_macros.h"

namespace dolmen::command {

Status PutItems(const Database& database, const Table& table, std::vector<WriteRequest>* items,
                const PutHandler& on_put) {
  if (items->empty()) return {};
  BatchWriteItemInput batch;
  batch.requests.push_back({.table = table, .requests = std::exchange(*items, {})});
  const auto written = database.BatchWriteItem(batch);
  const bool is_rejected = written.status().code() == StatusCode::kValidation;
  if (!written.ok() && !is_rejected) return written.status();
  // To put an item twice changes nothing.
  const bool one_by_one = is_rejected || !written->unprocessed_items.empty();
  std::size_t i = 0;
  for (WriteRequest& request : batch.requests.front().requests) {
    Status put;
    if (one_by_one) {
      put = table.PutItem({.item = std::move(std::get<PutRequest>(request).item)}).status();
    }
    DOLMEN_RETURN_IF_ERROR(on_put(i++, put));
  }
  return {};
}

}  // namespace dolmen::command
