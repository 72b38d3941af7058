// A plan of a Query or a Scan: the keys to read, the items to keep and the parts of them to return.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/query.h"
#include "dolmen/result.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/key/encoded_key.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// A segment of a Scan. The hash of a partition's key decides to which segment the partition
// belongs.
struct ScanSegment {
  std::uint32_t number = 0;
  std::uint32_t total = 1;

  // Returns true if the partition belongs to the segment. `partition` is the start of a stored
  // key, up to the end of its partition key.
  bool Contains(std::string_view partition) const;
};

// The order of a simulation in which a page is read.
struct ReadOrder {
  std::uint64_t seed = 0;
  // A Scan reads the partitions in the order of a hash of their keys (HashOrderCursor).
  bool hashes_partitions = false;
  // Entries of an index with equal index keys are in the order of a hash (EqualKeyCursor). The
  // option has no effect on reads of a table, or of several partitions.
  bool shuffles_equal_keys = false;
};

// A validated and bound Query or Scan. Borrows from the table's schema and from the request, which
// must outlive it. Some of its members borrow from other members, so a plan cannot be copied or
// moved.
struct ReadPlan {
  ReadPlan() = default;
  ReadPlan(const ReadPlan&) = delete;
  ReadPlan& operator=(const ReadPlan&) = delete;

  const TableSchema* table = nullptr;
  const IndexSchema* index = nullptr;  // null: the plan reads the table itself

  // The key ranges to read, after the start key is applied: one for each partition of a Query, or
  // one for a Scan. The ranges are sorted and do not overlap. A MergingCursor merges the items of
  // several ranges.
  std::vector<KeyRange> ranges = {};
  bool is_scan = false;
  std::optional<ScanSegment> segment = {};  // nothing: the Scan reads all partitions

  std::optional<Placeholders> placeholders = {};
  RequestKeyCondition key_condition = {};
  RequestFilter filter = {};
  RequestProjection projection = {};

  bool forward = true;
  std::optional<std::uint32_t> limit = {};  // the most items to scan; nothing: no limit
  bool exact_end = false;                   // the end key is absent if no item follows
  Select select = Select::kDefault;
  // True if a local index lacks attributes that the request uses. The items are then read from the
  // table.
  bool fetches_items = false;
  // The cutoff: the request does not see items whose expiry time is in the cutoff's range. Nothing
  // if the request sees all items.
  std::optional<ExpiryCutoff> hidden = {};
  // True if expired items are hidden, but the index does not project the attribute that holds the
  // expiry time. The attribute is then read from the table.
  bool fetches_expiry = false;
  bool consistent = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;

  const KeySchema& keys() const { return index != nullptr ? index->keys : table->keys; }
  // Returns true if the plan reads one partition of a table without sort key, so at most one item.
  bool reads_one_item() const {
    return !is_scan && index == nullptr && table->keys.sort().empty() && ranges.size() == 1;
  }
  // Returns true if the page consists of whole stored rows, and of all of them up to its end.
  bool is_plain() const {
    return !filter && !projection && !hidden && select != Select::kCount && ranges.size() == 1;
  }
  KeyspaceId keyspace() const { return index != nullptr ? index->keyspace : table->keyspace; }
};

// Copies into the plan the options that a Query and a Scan share and that do not depend on the
// table.
template <typename Input>
void CopyOptions(const Input& input, ReadPlan* plan) {
  plan->limit = input.limit;
  plan->exact_end = input.exact_end;
  plan->select = input.select;
  plan->consistent = input.consistent_read;
  plan->return_consumed_capacity = input.options.return_consumed_capacity;
}
// Checks the limit.
// - kValidation: the limit is 0.
Status CheckLimit(const ReadPlan& plan);
// Checks that Select agrees with the ProjectionExpression and with the presence of an index.
// - kValidation: Select contradicts the projection or the presence of an index.
Status CheckSelect(const ReadPlan& plan, bool has_index);
// Sets the plan's table, and its index unless `index` is empty.
// - kValidation: the table has no index with this name, or the index is not built yet.
Status SetIndex(const TableSchema& table, const std::string& index, ReadPlan* plan);
// Checks that the filter and the projection use key attributes as scalars.
// - kValidation: a path leads into a key attribute.
Status CheckKeyUses(const ReadPlan& plan);
// Checks that the index can answer the request, and sets fetches_items.
// - kValidation: the request reads a global index consistently, or asks a global index for
//   attributes that the index does not project.
// REQUIRES: all other checks of the plan have returned ok.
Status ChooseSource(ReadPlan* plan);

// Returns RocksDB's estimate of the bytes that the ranges of the plan take (Store).
std::uint64_t ApproximateBytes(const Store& store, const ReadPlan& plan);

// Sets `hidden` and `fetches_expiry` of a plan whose other members are set. `asked` is the
// request's hide_expired; nothing means the table's default.
void HideExpired(const std::optional<bool>& asked, Clock& clock, ReadPlan* plan);

}  // namespace dolmen::engine
