// A query: a range of the items of one partition, page by page.
//
//   QueryInput input{.partition = "CONVO#c_01", .sort = BeginsWith("MSG#"), .forward = false};
//   QueryOutput page;  // reused: no allocation per item
//   do {
//     if (Status read = table.Query(input, &page); !read.ok()) return read;
//     for (ItemView message : page) Show(message);
//     input.exclusive_start_key = page.last_evaluated_key();
//   } while (!input.exclusive_start_key.empty());
//
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

// A condition on the sort key. It has the meaning of one comparison in a KeyConditionExpression.
// The functions below make it: .sort = BeginsWith("MSG#").
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
  AttributeValue value = {};  // for kBetween the lower bound
  AttributeValue upper = {};  // for kBetween only, the upper bound
};

// Return a condition that compares the sort key with `value`: Less(v) holds for sort keys less than
// v. Texts and bytes compare by their bytes, numbers by value. The value must have the type of
// the sort key.
SortKeyCondition Equal(AttributeValue value);
SortKeyCondition Less(AttributeValue value);
SortKeyCondition LessOrEqual(AttributeValue value);
SortKeyCondition Greater(AttributeValue value);
SortKeyCondition GreaterOrEqual(AttributeValue value);
// Returns the condition that the sort key lies between the bounds, both included. The upper bound
// must not be less than the lower bound.
SortKeyCondition Between(AttributeValue lower, AttributeValue upper);
// Returns the condition that the sort key begins with `prefix`. The sort key must have type S or
// B.
SortKeyCondition BeginsWith(AttributeValue prefix);

// The attributes that Query and Scan return.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html#DDB-Query-request-Select
enum class Select : std::uint8_t {
  // The attributes of `projection` if it is given, otherwise all attributes that the table or the
  // index holds.
  kDefault,
  // All attributes. Not allowed for a global index that does not hold all attributes. If a local
  // index does not hold all attributes, the query reads the items from the table.
  kAllAttributes,
  // All attributes that the index holds. Only allowed for an index.
  kAllProjectedAttributes,
  // The attributes of `projection`, which is then required.
  kSpecificAttributes,
  // No items; the page only has count().
  kCount,
};

// A query of a table or of an index. Exactly one of `partition`, `partitions` and `key_condition`
// says what to read.
struct QueryInput {
  std::string index = {};  // the name of an index; empty: the table itself

  // The value of the partition key.
  std::optional<AttributeValue> partition = {};

  // The partition keys of several partitions; at most 100 values, each once. The query merges the
  // items of these partitions in the order of the sort keys. Use this field if a program spreads
  // its writes over several partition keys, such as `STUDENT#0` to `STUDENT#9`. The page, the limit
  // and the start key apply to the merged items. The calling thread reads one partition after the
  // other. An extension of DynamoDB by Dolmen.
  std::vector<AttributeValue> partitions = {};

  // The condition on the sort keys to read. Nothing: the query reads whole partitions.
  std::optional<SortKeyCondition> sort = {};

  // The KeyConditionExpression, as a text or built in C++ (key_condition_builder.h). It replaces
  // `partition`, `partitions` and `sort`. An index with several attributes in its partition key or
  // its sort key can only be queried with this field.
  KeyConditionExpression key_condition = {};

  // The condition that the returned items satisfy. The query tests it after it has read an item,
  // so it saves neither time nor capacity. It must not name key attributes of the queried table or
  // index.
  FilterExpression filter = {};
  ProjectionExpression projection = {};  // the attributes to return; none: as `select` says
  Names names = {};                      // the placeholders of the expressions (operations.h)
  Values values = {};

  // The direction (ScanIndexForward): true for ascending sort keys, false for descending.
  bool forward = true;

  // The number of items after which the page ends, counted before the filter; at least 1. Nothing:
  // the number is not limited. A page always ends at 1 MB and at the end of the range.
  std::optional<std::uint32_t> limit = {};

  Select select = Select::kDefault;

  // The last_evaluated_key() of the previous page; empty: the query begins at the start of the
  // range. The item with this key may have been deleted.
  Item exclusive_start_key = {};

  // Every read of Dolmen is consistent. This field only changes consumed_capacity(): with false, a
  // read counts half the units that it counts with true. It must be false for a global index.
  bool consistent_read = false;

  // True: expired items count as absent (time_to_live.h). Nothing: the table's
  // TimeToLiveSpecification::hide_expired decides.
  std::optional<bool> hide_expired = {};

  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// One page of a Query or Scan. A page ends after `limit` items, after the item with which the page
// reaches 1 MB, or at the end of the range. Both limits count items before the filter, so a page
// may be empty although more pages follow.
//
// A page owns its items in one buffer. Table::Query(input, &page) fills a page again and reuses
// its buffer, so reading many pages allocates no memory per item.
//
// Views taken from a page are valid until the page is filled again, moved from or destroyed. Const
// methods are thread-safe.
class QueryOutput {
 public:
  // The items that passed the filter, in order; no items with Select::kCount.
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  ItemView operator[](std::size_t i) const& DOLMEN_LIFETIME_BOUND;  // REQUIRES: i < size()
  ItemView operator[](std::size_t i) const&& = delete;

  // A forward iterator over the items; valid as long as views taken from the page are.
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

  // Returns the number of items that passed the filter, also with Select::kCount.
  std::uint32_t count() const { return count_; }

  // Returns the number of items that were read, before the filter.
  std::uint32_t scanned_count() const { return scanned_count_; }

  // Returns the key of the last item that was read; the next page starts after it. Empty if the
  // page reached the end of the range. After exactly `limit` items the key is present even if no
  // item follows.
  const Item& last_evaluated_key() const DOLMEN_LIFETIME_BOUND { return last_evaluated_key_; }

  // Returns the consumed capacity; nothing unless the request asked for it.
  const std::optional<ConsumedCapacity>& consumed_capacity() const DOLMEN_LIFETIME_BOUND {
    return consumed_capacity_;
  }

  // --- For the engine, which fills a page in this order. Applications do not call these. ---

  // Removes all items and results, and keeps the buffers.
  void Clear();
  // Returns the buffer, to which the caller appends the stored form of one item.
  std::string* Append() DOLMEN_LIFETIME_BOUND { return &bytes_; }
  // Marks the end of the item that the caller has appended to the buffer.
  void Commit() { ends_.push_back(bytes_.size()); }
  // Set the results for the whole page.
  void Finish(std::uint32_t count, std::uint32_t scanned_count, Item last_evaluated_key);
  void SetConsumedCapacity(ConsumedCapacity capacity) { consumed_capacity_ = std::move(capacity); }

 private:
  std::string bytes_;              // the items' stored forms, one after the other
  std::vector<std::size_t> ends_;  // the end of each item in bytes_
  std::uint32_t count_ = 0;
  std::uint32_t scanned_count_ = 0;
  Item last_evaluated_key_;
  std::optional<ConsumedCapacity> consumed_capacity_;
};

}  // namespace dolmen
