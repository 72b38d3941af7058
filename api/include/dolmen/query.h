// Queries, page by page. A query reads a range of the items of one partition. Table::QueryAll reads
// all pages in one loop.
//
//   QueryInput input{.key_condition = Partition("CONVO#c_01", BeginsWith("MSG#")),
//                    .forward = false};
//   QueryOutput page;  // reused: no allocation per item
//   do {
//     if (Status read = table.Query(input, &page); !read.ok()) return read;
//     for (ItemView message : page) Show(message);
//     input.exclusive_start_key = page.last_evaluated_key();
//   } while (!input.exclusive_start_key.empty());
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/consumed_capacity.h"
#include "dolmen/expression.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/internal/pinned_rows.h"
#include "dolmen/item_view.h"
#include "dolmen/operations.h"

namespace dolmen {

namespace internal {
class PageWriter;
}  // namespace internal

// A condition on the sort key. It has the meaning of one comparison in a KeyConditionExpression.
// The functions below make it: Partition("CONVO#c_01", BeginsWith("MSG#")).
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

// One partition of a table or an index, or a range of the sort keys in it. The partition key and
// the sort key have one attribute each.
struct Partition {
  explicit Partition(AttributeValue partition_key, std::optional<SortKeyCondition> condition = {})
      : key(std::move(partition_key)), sort_key(std::move(condition)) {}

  AttributeValue key;                        // the value of the partition key
  std::optional<SortKeyCondition> sort_key;  // nothing: the whole partition
};

// Several partitions, or the same range of sort keys in each of them. The query merges the items of
// these partitions in the order of the sort keys. Use it if a program spreads its writes over
// several partition keys, such as `STUDENT#0` to `STUDENT#9`. The page, the limit and the start key
// apply to the merged items. The calling thread reads one partition after the other. A remote database
// sends one Query for each partition, side by side. From a vector: `Partitions(keys)`, without braces.
// An extension of DynamoDB by Dolmen.
struct Partitions {
  explicit Partitions(std::vector<AttributeValue> partition_keys,
                      std::optional<SortKeyCondition> condition = {})
      : keys(std::move(partition_keys)), sort_key(std::move(condition)) {}

  std::vector<AttributeValue> keys;          // 1 to 100 values of the partition key, each once
  std::optional<SortKeyCondition> sort_key;  // nothing: the whole partitions
};

// The items that a Query reads, in one of three forms:
//
//   .key_condition = Partition("CONVO#c_01", BeginsWith("MSG#"))
//   .key_condition = Partitions({"STUDENT#0", "STUDENT#1"})
//   .key_condition = Key("PK") == "CONVO#c_01" && Key("SK").BeginsWith("MSG#")
//
// The third form is a KeyConditionExpression, built in C++ (key_condition_builder.h) or given as a
// text. An index with several attributes in its partition key or its sort key needs this form.
using QueryRange = std::variant<KeyConditionExpression, Partition, Partitions>;

// A query of a table or of an index.
struct QueryInput {
  std::string index = {};  // the name of an index; empty: the table itself

  QueryRange key_condition = {};  // the items to read; required

  // The condition that the returned items satisfy. The condition saves neither time nor capacity,
  // because the query reads an item before it tests the condition. The condition must not name key
  // attributes of the queried table or index.
  FilterExpression filter = {};
  ProjectionExpression projection = {};  // the attributes to return; none: as `select` says
  Names names = {};                      // the placeholders of the expressions (operations.h)
  Values values = {};

  // The direction (ScanIndexForward): true for ascending sort keys, false for descending.
  bool forward = true;

  // The number of items after which the page ends, counted before the filter; at least 1. Nothing:
  // the number is not limited. A page always ends at 1 MB and at the end of the range.
  std::optional<std::uint32_t> limit = {};

  // True: a page has a last_evaluated_key() only if a further item follows in the range. False: as in
  // DynamoDB, a page that ends at a limit has this key even if nothing follows. More than 1 MB of
  // hidden items count as an item. An extension of DynamoDB by Dolmen.
  bool exact_end = false;

  Select select = Select::kDefault;

  // The last_evaluated_key() of the previous page; empty: the query begins at the start of the
  // range. The item with this key may have been deleted. It must be empty if the query reads one
  // partition of a table without sort key, because such a query returns at most one item.
  Item exclusive_start_key = {};

  // Reads as GetItemInput::consistent_read says. It must be false for a global index.
  bool consistent_read = false;

  RequestOptions options = {};
};

// One page of a Query or Scan. A page ends after `limit` items, after the item with which the page
// reaches 1 MB, or at the end of the range. Both limits count items before the filter, so a page
// may be empty although more pages follow.
//
// A page owns its items. Table::Query(input, &page) fills a page again and reuses its buffers, so
// reading many pages allocates no memory per item. A page with items from the row cache
// (OpenOptions::row_cache_bytes) shares their memory with the cache. The page may then keep more
// memory than its items need, up to an eighth of row_cache_bytes.
//
// Views taken from a page are valid until the page is filled again, moved from or destroyed. Const
// methods are thread-safe.
class DOLMEN_OWNER QueryOutput {
 public:
  // The items that passed the filter, in order; no items with Select::kCount.
  std::size_t size() const { return pinned_ ? views_.size() : ends_.size(); }
  bool empty() const { return size() == 0; }
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

  // Returns DynamoDB's size of the items that were read, in bytes, before the filter and the
  // projection. An item of an index has the size of its entry. An extension of DynamoDB by Dolmen.
  std::uint64_t scanned_bytes() const { return scanned_bytes_; }

  // Returns the key of the last item that was read; the next page starts after it. Empty if the
  // page reached the end of the range. After exactly `limit` items the key is present even if no
  // item follows, except with QueryInput::exact_end, and in a query of one partition of a table without sort key.
  const Item& last_evaluated_key() const DOLMEN_LIFETIME_BOUND { return last_evaluated_key_; }

  // Returns the consumed capacity; nothing unless the request asked for it.
  const std::optional<ConsumedCapacity>& consumed_capacity() const DOLMEN_LIFETIME_BOUND {
    return consumed_capacity_;
  }

 private:
  friend class internal::PageWriter;

  // A page owns copies of the items or rows of the row cache.
  std::string bytes_;              // the copies, one after the other
  std::vector<std::size_t> ends_;  // the end of each copy in bytes_
  internal::PinnedRows pinned_;
  std::vector<std::string_view> views_;  // the items in pinned_
  std::uint32_t count_ = 0;
  std::uint32_t scanned_count_ = 0;
  std::uint64_t scanned_bytes_ = 0;
  Item last_evaluated_key_;
  std::optional<ConsumedCapacity> consumed_capacity_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
