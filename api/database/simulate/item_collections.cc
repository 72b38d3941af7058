#include "database/simulate/item_collections.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {
namespace {

// Returns the size of the items of the partition, or of their entries in a local index.
Result<std::uint64_t> IndexBytes(const TableRef& table, const std::string& index,
                                 const AttributeValue& partition) {
  std::uint64_t bytes = 0;
  QueryOutput page;
  QueryInput query{.index = index, .key_condition = Partition(partition), .select = Select::kCount};
  do {
    DOLMEN_RETURN_IF_ERROR(table.backend()->Query(table, query, &page));
    bytes += page.scanned_bytes();
    query.exclusive_start_key = page.last_evaluated_key();
  } while (!query.exclusive_start_key.empty());
  return bytes;
}

// Returns the size of the item collection; 0 if the table has no local index.
Result<std::uint64_t> CollectionBytes(const TableRef& table, const AttributeValue& partition) {
  std::uint64_t bytes = 0;
  const engine::TableSchema* const schema = engine::LiveTableOf(table).schema();
  if (schema == nullptr) return bytes;
  for (const engine::IndexSchema& index : schema->indexes) {
    if (!index.is_local()) continue;
    DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t part, IndexBytes(table, index.name, partition));
    if (bytes == 0) {
      DOLMEN_ASSIGN_OR_RETURN(bytes, IndexBytes(table, {}, partition));
    }
    bytes += part;
  }
  return bytes;
}

}  // namespace

Status CheckItemCollections(const std::shared_ptr<internal::Backend>& engine, const Call& call,
                            const std::set<std::size_t>& unprocessed, std::uint64_t bytes_max) {
  std::vector<Status> reasons(call.items.size());
  for (std::size_t i = 0; i < call.items.size(); ++i) {
    const CallItem& item = call.items[i];
    if (!item.puts || item.partition == nullptr || unprocessed.contains(i)) continue;
    const auto bytes = CollectionBytes(TableRef(engine, item.ref->state()), *item.partition);
    // The engine reports an error of the Query when it runs the call.
    if (!bytes.ok() || *bytes <= bytes_max) continue;
    reasons[i] = Status::ItemCollectionSizeLimitExceeded();
    if (call.operation != SimulatedOperation::kTransactWriteItems) return reasons[i];
  }
  const bool all_fit = std::ranges::all_of(reasons, &Status::ok);
  return all_fit ? Status() : Status::TransactionCanceled(std::move(reasons));
}

}  // namespace dolmen::database
