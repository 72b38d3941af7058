// The writer of a page of items, for implementations of internal::Backend. This header is not
// installed.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/query.h"

namespace dolmen::internal {

// A writer that fills a page. The caller calls the methods in the order of their declaration. Not
// thread-safe. `*page` must outlive the writer.
class PageWriter {
 public:
  explicit PageWriter(QueryOutput* page) : page_(*page) {}

  // Removes all items and results, and keeps the buffers.
  void Clear() {
    ClearItems();
    page_.last_evaluated_key_.clear();
  }
  // Does the same, but leaves the LastEvaluatedKey, so that its memory can be reused.
  void ClearItems() {
    page_.bytes_.clear();
    page_.ends_.clear();
    page_.views_.clear();
    page_.pinned_ = PinnedRows();
    page_.consumed_capacity_.reset();
    SetCounts(0, 0, 0);
  }

  // Makes the page an owner of `rows`. The items of the page are then views of these rows: Add()
  // copies nothing, and Append() must not be called.
  void Pin(PinnedRows rows) { page_.pinned_ = std::move(rows); }
  // Adds an item of the pinned rows.
  void AddPinned(std::string_view item) { page_.views_.push_back(item); }
  // Adds the stored form of an item. Copies it unless the page has pinned rows. Pinned rows must
  // own the bytes.
  void Add(std::string_view item) {
    if (page_.pinned_) {
      AddPinned(item);
    } else {
      page_.bytes_.append(item);
      Commit();
    }
  }

  // Returns the buffer, to which the caller appends the stored form of one item.
  std::string* Append() { return &page_.bytes_; }
  // Marks the end of the item that the caller has appended to the buffer.
  [[gnu::always_inline]] void Commit() { page_.ends_.push_back(page_.bytes_.size()); }

  // Returns the LastEvaluatedKey, which the caller sets. Its content is unspecified before.
  Item* last_evaluated_key() { return &page_.last_evaluated_key_; }
  // Set the other results for the whole page.
  void SetCounts(std::uint32_t count, std::uint32_t scanned_count, std::uint64_t scanned_bytes) {
    page_.count_ = count;
    page_.scanned_count_ = scanned_count;
    page_.scanned_bytes_ = scanned_bytes;
  }
  void SetConsumedCapacity(ConsumedCapacity capacity) {
    page_.consumed_capacity_ = std::move(capacity);
  }
  void RemoveConsumedCapacity() { page_.consumed_capacity_.reset(); }

 private:
  QueryOutput& page_;
};

}  // namespace dolmen::internal
