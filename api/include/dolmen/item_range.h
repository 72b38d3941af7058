// The items of all pages of a query or a scan as one range (Table::QueryAll and Table::ScanAll).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "dolmen/internal/end_of_range.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/item_view.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"
#include "dolmen/status.h"
#include "dolmen/table_ref.h"

namespace dolmen {

// The items of all pages of a Query or a Scan. A range-for reads one page after the other. After
// the loop, status() says whether all pages could be read. Keep the range in a variable: a loop
// over a temporary range cannot see the error. With Select::kCount the loop gets no items.
//
//   ItemRange messages = table.QueryAll({.key_condition = Partition("CONVO#c_01")});
//   for (ItemView message : messages) Show(message);
//   if (!messages.status().ok()) return messages.status();
//
// Each page is read from a snapshot of its own. `limit` is the size of one page. Not thread-safe.
class [[nodiscard]] ItemRange {
 public:
  // An input iterator: a range can be read once. An ItemView is valid until the iterator moves on.
  class Iterator {
   public:
    using value_type = ItemView;
    using difference_type = std::ptrdiff_t;

    ItemView operator*() const { return range_->page_[range_->position_]; }
    Iterator& operator++() {
      range_->Next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(internal::EndOfRange) const { return range_->ended_; }

   private:
    friend class ItemRange;
    explicit Iterator(ItemRange* range) : range_(range) {}
    ItemRange* range_;
  };

  // Reads the first page. A second call reads nothing: its loop begins with the current item.
  Iterator begin() DOLMEN_LIFETIME_BOUND;
  internal::EndOfRange end() const { return {}; }

  // Returns the error that ended the loop, or success. Errors: those of Table::Query or
  // Table::Scan.
  const Status& status() const DOLMEN_LIFETIME_BOUND { return status_; }

  // Returns the page of the current item, for its counts and its consumed capacity.
  const QueryOutput& page() const DOLMEN_LIFETIME_BOUND { return page_; }

 private:
  friend class Table;
  using Input = std::variant<QueryInput, ScanInput>;
  ItemRange(TableRef table, Input input) : table_(std::move(table)), input_(std::move(input)) {}

  // Moves to the next item. Reads further pages until a page has an item.
  void Next();
  void ReadPages();

  TableRef table_;
  Input input_;
  QueryOutput page_;
  Status status_;
  std::size_t position_ = 0;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
