// A Query or a Scan, validated and bound: which keys to read, which items to keep, what to return
// of them.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/status.h"
#include "engine/expression/placeholders.h"
#include "engine/expression/request_expression.h"
#include "engine/key/encoded_key.h"
#include "engine/read/expiry_cutoff.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// Which of the partitions a segment of a Scan has.
struct ScanSegment {
  std::uint32_t number = 0;
  std::uint32_t total = 1;

  // `partition` is the start of a stored key up to the end of its partition key.
  bool Has(std::string_view partition) const;
};

// Borrows from the table's schema and from the request, which must outlive it.  Its parts borrow
// from each other: it stays where it is made.
struct ReadPlan {
  ReadPlan() = default;
  ReadPlan(const ReadPlan&) = delete;
  ReadPlan& operator=(const ReadPlan&) = delete;

  const TableSchema* table = nullptr;
  const IndexSchema* index = nullptr;  // null: the table itself

  // What is left, behind the start key, to be read of each partition; of a Scan, of the keyspace.
  // Several are merged.  In order, and apart from each other.
  std::vector<KeyRange> ranges = {};
  bool is_scan = false;
  std::optional<ScanSegment> segment = {};

  std::optional<Placeholders> placeholders = {};
  RequestKeyCondition key_condition = {};
  RequestFilter filter = {};
  RequestProjection projection = {};

  bool forward = true;
  std::optional<std::uint32_t> limit = {};
  Select select = Select::kDefault;
  // A local index does not hold all that is asked for: the rest is read from the table.
  bool fetches_items = false;
  // What the request does not see.
  std::optional<ExpiryCutoff> hidden = {};
  // An index does not hold what says so: it is read from the table.
  bool fetches_expiry = false;
  bool consistent = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;

  const KeySchema& keys() const { return index != nullptr ? index->keys : table->keys; }
  KeyspaceId keyspace() const { return index != nullptr ? index->keyspace : table->keyspace; }
};

// What both of them do.  Each takes from the request what does not need the table ...
template <typename Input>
void CopyOptions(const Input& input, ReadPlan* plan) {
  plan->limit = input.limit;
  plan->select = input.select;
  plan->consistent = input.consistent_read;
  plan->return_consumed_capacity = input.return_consumed_capacity;
}
Status CheckLimit(const ReadPlan& plan);
// ... asks whether Select goes together with the ProjectionExpression and an index ...
Status CheckSelect(const ReadPlan& plan, bool has_index);
// ... finds the index ...
Status SetIndex(const TableSchema& table, const std::string& index, ReadPlan* plan);
// ... looks into what the filter and the projection do with keys ...
Status CheckKeyUses(const ReadPlan& plan);
// ... and asks, at last, whether the index has what is wanted of it, and what the table then has.
Status SettleSource(ReadPlan* plan);

// Leaves out of a plan that is made what the request, or the table, wants hidden by the clock.
void HideExpired(const std::optional<bool>& asked, Clock& clock, ReadPlan* plan);

}  // namespace dolmen::engine
