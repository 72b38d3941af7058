// Query: a range of the items of one partition, a page at a time.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/capacity.h"
#include "dolmen/expression.h"
#include "dolmen/item_view.h"
#include "dolmen/lifetime.h"
#include "dolmen/operations.h"

namespace dolmen {

// A condition on the sort key, the typed form of what a KeyConditionExpression says about it.
// Made by the functions below: .sort = BeginsWith("MSG#").
struct SortKeyCondition {
  enum class Operator : std::uint8_t {
    kEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,
    kBeginsWith,
  };
  Operator op = Operator::kEqual;
  AttributeValue value = {};
  AttributeValue upper = {};  // kBetween only: the inclusive upper bound
};

SortKeyCondition Equal(AttributeValue value);
SortKeyCondition Less(AttributeValue value);
SortKeyCondition LessOrEqual(AttributeValue value);
SortKeyCondition Greater(AttributeValue value);
SortKeyCondition GreaterOrEqual(AttributeValue value);
SortKeyCondition Between(AttributeValue lower, AttributeValue upper);  // both ends included
SortKeyCondition BeginsWith(AttributeValue prefix);

// Which attributes Query and Scan return.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html#DDB-Query-request-Select
enum class Select : std::uint8_t {
  kDefault,                 // those of `projection`, if given; else all that table or index holds
  kAllAttributes,           // of an index only if it holds all, or is local: then the table is read
  kAllProjectedAttributes,  // of an index only
  kSpecificAttributes,      // those of `projection`
  kCount,                   // none: only how many items there are
};

struct QueryInput {
  std::string index = {};  // IndexName; "" = the table itself

  // The range to read, either typed ...
  std::optional<AttributeValue> partition = {};
  // ... the items of several partitions instead, in the order of their sort keys, as if they were
  // one: the shards of a key that is written under `STUDENT#0` to `STUDENT#9`.  Pages, limit and
  // start key are of them all.  At most 100, each once.  They are read by turns, not by threads.
  std::vector<AttributeValue> partitions = {};
  std::optional<SortKeyCondition> sort = {};
  // ... or as an expression: exactly one of the three.  The only way for keys of several
  // attributes.
  KeyConditionExpression key_condition = {};

  FilterExpression filter = {};
  ProjectionExpression projection = {};
  Names names = {};
  Values values = {};

  bool forward = true;                      // ScanIndexForward
  std::optional<std::uint32_t> limit = {};  // items evaluated, before the filter; at least 1
  Select select = Select::kDefault;
  Item exclusive_start_key = {};  // the last page's last_evaluated_key(); empty = from the start
  // Every read is consistent; this says whether one is to be paid for.  Not with a global index.
  bool consistent_read = false;
  std::optional<bool> hide_expired = {};  // nothing: as the table has it (time_to_live.h)
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// One page of a Query or Scan: at most 1 MB of items evaluated, or `limit` of them.  Keeps its
// buffers when it is filled again (Table::Query with a page), so a reused page costs no allocation
// per item.
//
// Views taken from a page live until it is filled again, moved from or destroyed.
class QueryOutput {
 public:
  // The items that passed the filter, in order; none under Select::kCount.
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  ItemView operator[](std::size_t i) const& DOLMEN_LIFETIME_BOUND;  // REQUIRES: i < size()
  ItemView operator[](std::size_t i) const&& = delete;

  class Iterator {
   public:
    using value_type = ItemView;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const QueryOutput* page, std::size_t i) : page_(page), i_(i) {}
    ItemView operator*() const { return (*page_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    Iterator operator++(int) { return {page_, i_++}; }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const QueryOutput* page_ = nullptr;
    std::size_t i_ = 0;
  };
  Iterator begin() const& DOLMEN_LIFETIME_BOUND { return {this, 0}; }
  Iterator end() const& DOLMEN_LIFETIME_BOUND { return {this, size()}; }
  Iterator begin() const&& = delete;
  Iterator end() const&& = delete;

  std::uint32_t count() const { return count_; }                  // items that passed the filter
  std::uint32_t scanned_count() const { return scanned_count_; }  // items evaluated

  // The key of the last item evaluated, if the page ended at its limit or at 1 MB, even if nothing
  // follows; empty if the range is read to its end.
  const Item& last_evaluated_key() const DOLMEN_LIFETIME_BOUND { return last_evaluated_key_; }

  // If it was asked for.
  const std::optional<ConsumedCapacity>& consumed_capacity() const DOLMEN_LIFETIME_BOUND {
    return consumed_capacity_;
  }

  // What the engine fills a page through.
  void Clear();
  // The buffer at whose end the caller appends one item's bytes ...
  std::string* Append() DOLMEN_LIFETIME_BOUND { return &bytes_; }
  // ... and then says that it is complete.
  void Commit() { ends_.push_back(bytes_.size()); }
  void Finish(std::uint32_t count, std::uint32_t scanned_count, Item last_evaluated_key);
  void SetConsumedCapacity(ConsumedCapacity capacity) { consumed_capacity_ = std::move(capacity); }

 private:
  std::string bytes_;              // the items' stored forms, one behind the other
  std::vector<std::size_t> ends_;  // where each of them ends
  std::uint32_t count_ = 0;
  std::uint32_t scanned_count_ = 0;
  Item last_evaluated_key_;
  std::optional<ConsumedCapacity> consumed_capacity_;
};

}  // namespace dolmen
