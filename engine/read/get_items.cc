#include "engine/read/get_items.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/read/capacity.h"
#include "engine/read/get_item.h"
#include "engine/read/read_context.h"
#include "engine/read/request_checks.h"
#include "engine/value/violation.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kKeysMax = 100;
constexpr std::uint64_t kResponseBytesMax = std::uint64_t{16} << 20;

// The part of a request that reads items of one table.
struct TableRequest {
  TableRequest(const TableSchema& schema, std::optional<ExpiryCutoff> hidden_items)
      : table(schema), hidden(std::move(hidden_items)) {}

  const TableSchema& table;
  const std::optional<ExpiryCutoff> hidden;
  GetProjection projection;
};

// An item that a request reads.
struct WantedItem {
  const TableRequest* table_request;
  EncodedKey row;
  std::size_t request_index;  // the position of the request part that names the item
  std::size_t key_index;      // the position of the item's key in this part
};

bool HasDuplicateKeys(const std::vector<WantedItem>& wanted) {
  std::vector<std::string_view> keys;
  keys.reserve(wanted.size());
  for (const WantedItem& item : wanted) keys.push_back(item.row.bytes());
  return HasDuplicates(keys);
}

// The stored rows of all items that a request reads, from one snapshot of the store.
class Rows {
 public:
  Status Read(const Store& store, const std::vector<WantedItem>& wanted) {
    std::vector<EncodedKey> keys;
    for (const WantedItem& item : wanted) {
      keys.push_back(item.row);
      table_requests_.push_back(item.table_request);
    }
    values_.resize(keys.size());
    return store.MultiGet(keys, values_, &found_);
  }

  // Returns item number `i` of the items that the request reads. Returns nothing if the item does
  // not exist or is hidden. The view lives as long as this object.
  Result<std::optional<ItemView>> operator[](std::size_t i) const {
    if (!found_[i]) return std::optional<ItemView>();
    return VisibleItem({values_[i].data(), values_[i].size()}, table_requests_[i]->hidden);
  }

 private:
  std::vector<const TableRequest*> table_requests_;
  std::vector<PinnedValue> values_;
  std::vector<bool> found_;
};

std::uint32_t SizeOf(const std::optional<ItemView>& item) { return item ? item->size_bytes() : 0; }

Status CheckCounts(const BatchGetItemInput& input) {
  if (input.requests.empty()) return CheckLength(0, "RequestItems", 1, kKeysMax);
  std::size_t count = 0;
  for (const KeysAndAttributes& request : input.requests) {
    const std::string at = "RequestItems." + request.table.name() + ".member.Keys";
    DOLMEN_RETURN_IF_ERROR(CheckLength(request.keys.size(), at, 1, kKeysMax));
    count += request.keys.size();
  }
  if (count <= kKeysMax) return {};
  return Status::Validation("Too many items requested for the BatchGetItem call");
}

Status CheckCounts(const TransactGetItemsInput& input) {
  return CheckLength(input.items.size(), "transactItems", 1, kKeysMax);
}

// The container is a deque because WantedItem points to its elements. A deque does not move its
// elements when it grows.
using TableRequests = std::deque<TableRequest>;

// Adds the item whose key is `key` to `wanted`, the list of the items that the request reads.
Status AddWantedItem(const TableRequest& table_request, const Item& key, std::size_t request_index,
                     std::size_t key_index, std::vector<WantedItem>* wanted) {
  DOLMEN_ASSIGN_OR_RETURN(EncodedKey row, RowOfRequest(table_request.table, key));
  wanted->push_back({&table_request, std::move(row), request_index, key_index});
  return {};
}

// Adds the item's key to the list of unprocessed keys in `output`. The caller must request these
// keys again. `*last_request` is the position of the request part that named the last unprocessed
// key.
void AddUnprocessedKey(const WantedItem& item, const BatchGetItemInput& input,
                       std::size_t* last_request, BatchGetItemOutput* output) {
  const KeysAndAttributes& request = input.requests[item.request_index];
  if (output->unprocessed_keys.empty() || *last_request != item.request_index) {
    *last_request = item.request_index;
    output->unprocessed_keys.push_back(request);
    output->unprocessed_keys.back().keys.clear();
  }
  output->unprocessed_keys.back().keys.push_back(request.keys[item.key_index]);
}

Result<BatchGetItemOutput> ReadBatch(const Store& store, const BatchGetItemInput& input,
                                     const std::vector<WantedItem>& wanted) {
  Rows rows;
  DOLMEN_RETURN_IF_ERROR(rows.Read(store, wanted));
  CapacityMeter meter(input.options.return_consumed_capacity);
  BatchGetItemOutput output;
  output.responses.resize(input.requests.size());
  std::uint64_t bytes = 0;
  std::size_t last_request = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    DOLMEN_ASSIGN_OR_RETURN(const std::optional<ItemView> item, rows[i]);
    bytes += SizeOf(item);
    if (bytes > kResponseBytesMax) {  // true for all later items as well
      AddUnprocessedKey(wanted[i], input, &last_request, &output);
      continue;
    }
    const bool consistent = input.requests[wanted[i].request_index].consistent_read;
    meter.AddRead(wanted[i].table_request->table, nullptr, ReadUnits(SizeOf(item), consistent));
    if (!item) continue;
    StoredItem& projected = output.responses[wanted[i].request_index].emplace_back();
    DOLMEN_RETURN_IF_ERROR(wanted[i].table_request->projection.Apply(*item, &projected));
  }
  output.consumed_capacity = meter.Take();
  return output;
}

// Checks that none of the items is being written.
// - kTransactionCanceled: at least one item is being written. The error holds one status for each
//   wanted item: kTransactionConflict if the item is being written, or ok.
Status CheckNoWriteInProgress(const LockTable& locks, const std::vector<WantedItem>& wanted) {
  std::vector<Status> reasons(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!locks.IsBeingWritten(LockTable::HashOf(wanted[i].row))) continue;
    reasons[i] = Status::TransactionConflict();
  }
  return CancelFor(reasons);
}

Result<TransactGetItemsOutput> ReadTransaction(const Store& store,
                                               const TransactGetItemsInput& input,
                                               const std::vector<WantedItem>& wanted) {
  Rows rows;
  DOLMEN_RETURN_IF_ERROR(rows.Read(store, wanted));
  CapacityMeter meter(input.options.return_consumed_capacity, true);
  TransactGetItemsOutput output;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    DOLMEN_ASSIGN_OR_RETURN(const std::optional<ItemView> item, rows[i]);
    bytes += SizeOf(item);
    DOLMEN_RETURN_IF_ERROR(CheckTransactionSize(bytes));
    meter.AddRead(wanted[i].table_request->table, nullptr, ReadUnits(SizeOf(item), true));
    std::optional<StoredItem>& projected = output.items.emplace_back();
    if (!item) continue;
    DOLMEN_RETURN_IF_ERROR(wanted[i].table_request->projection.Apply(*item, &projected.emplace()));
  }
  output.consumed_capacity = meter.Take();
  return output;
}

// Returns the value of hide_expired for one part of a request: the part's own value if it has one,
// otherwise the value of the whole request.
std::optional<bool> HideExpired(const RequestOptions& part, const RequestOptions& whole) {
  return part.hide_expired ? part.hide_expired : whole.hide_expired;
}

}  // namespace

Result<BatchGetItemOutput> BatchGetItem(const ReadContext& context, const BatchGetItemInput& input,
                                        std::span<const TableSchema* const> schemas) {
  DOLMEN_RETURN_IF_ERROR(CheckCounts(input));
  TableRequests requests;
  OperationTime instant(context.clock);
  std::vector<WantedItem> wanted;
  for (std::size_t i = 0; i < input.requests.size(); ++i) {
    const KeysAndAttributes& request = input.requests[i];
    TableRequest& table_request = requests.emplace_back(
        *schemas[i],
        HiddenItems(*schemas[i], HideExpired(request.options, input.options), &instant));
    DOLMEN_RETURN_IF_ERROR(
        table_request.projection.Validate(request.keys, request.projection, request.names));
    DOLMEN_RETURN_IF_ERROR(table_request.projection.CheckKeyUses(table_request.table));
    for (std::size_t k = 0; k < request.keys.size(); ++k) {
      DOLMEN_RETURN_IF_ERROR(AddWantedItem(table_request, request.keys[k], i, k, &wanted));
    }
  }
  if (HasDuplicateKeys(wanted)) {
    return Status::Validation("Provided list of item keys contains duplicates");
  }
  return ReadBatch(context.store, input, wanted);
}

Result<TransactGetItemsOutput> TransactGetItems(const ReadContext& context,
                                                const TransactGetItemsInput& input,
                                                std::span<const TableSchema* const> schemas) {
  DOLMEN_RETURN_IF_ERROR(CheckCounts(input));
  TableRequests requests;
  OperationTime instant(context.clock);
  std::vector<WantedItem> wanted;
  std::vector<Status> reasons(input.items.size());
  bool has_reason = false;
  for (std::size_t i = 0; i < input.items.size(); ++i) {
    const TransactGetItem& item = input.items[i];
    TableRequest& table_request = requests.emplace_back(
        *schemas[i], HiddenItems(*schemas[i], HideExpired(item.options, input.options), &instant));
    DOLMEN_RETURN_IF_ERROR(
        table_request.projection.Validate({&item.key, 1}, item.projection, item.names));
    DOLMEN_RETURN_IF_ERROR(table_request.projection.CheckKeyUses(table_request.table));
    Status added = AddWantedItem(table_request, item.key, i, 0, &wanted);
    // The first key that does not match the schema is a cancellation reason. All other errors come first.
    if (added.ok()) continue;
    if (MatchesSchema(schemas[i]->keys, item.key)) return added;
    if (!std::exchange(has_reason, true)) reasons[i] = std::move(added);
  }
  if (HasDuplicateKeys(wanted)) return TwoOperationsOnOneItem();
  DOLMEN_RETURN_IF_ERROR(CancelFor(reasons));
  if (context.on_conflict == OnConflict::kFail) {
    DOLMEN_RETURN_IF_ERROR(CheckNoWriteInProgress(context.locks, wanted));
  }
  return ReadTransaction(context.store, input, wanted);
}

}  // namespace dolmen::engine
