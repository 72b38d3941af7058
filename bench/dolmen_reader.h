// Readers that use Dolmen's public API and reuse the input and output objects.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "bench/contender.h"
#include "bench/dolmen_store.h"
#include "bench/range_shape.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// A reader of ranges. Workloads that need other fields of the QueryInput derive from this class.
class DolmenReader {
 public:
  using Store = DolmenStore;
  static constexpr std::string_view kCopy = "cached";
  static std::optional<std::size_t> RowCacheBytes(const ChatData&) { return std::nullopt; }

  DolmenReader(const DolmenStore& store, const RangeShape& shape);

  Status Ask(const std::string& partition) {
    range().key = partition;
    input_.exclusive_start_key.clear();
    return table_.Query(input_, &page_);
  }

  // Reads rows in the direction of the RangeShape, beginning with the item `from`.
  // REQUIRES: the shape has no prefix
  Status Ask(const ItemKey& from) {
    range().sort_key = input_.forward ? GreaterOrEqual(from.sort) : LessOrEqual(from.sort);
    return Ask(from.partition);
  }

  Status AskNext() {
    input_.exclusive_start_key = page_.last_evaluated_key();
    return table_.Query(input_, &page_);
  }

  std::size_t rows() const { return page_.size(); }

  // Returns the rows that the last query read, with their keys. If the reader reads an index, these
  // are the keys of the index entries.
  Answer answer() const;

 protected:
  QueryInput& input() { return input_; }
  Partition& range() { return *std::get_if<Partition>(&input_.key_condition); }
  const QueryOutput& page() const { return page_; }

 private:
  const Table& table_;
  QueryInput input_;
  QueryOutput page_;
};

class DolmenEncryptedReader : public DolmenReader {
 public:
  using Store = DolmenEncryptedStore;
  using DolmenReader::DolmenReader;
};

// A DolmenReader of a store whose row cache is off.
class DolmenUncachedReader : public DolmenReader {
 public:
  static constexpr std::string_view kName = "dolmen_uncached";
  static constexpr std::string_view kCopy = "uncached";
  static std::optional<std::size_t> RowCacheBytes(const ChatData&) { return 0; }

  using DolmenReader::DolmenReader;
};

// A reader of single items.
class DolmenItemReader {
 public:
  using Store = DolmenStore;
  static constexpr std::string_view kCopy = "cached";
  static std::optional<std::size_t> RowCacheBytes(const ChatData&) { return std::nullopt; }

  explicit DolmenItemReader(const DolmenStore& store);
  DolmenItemReader(const DolmenItemReader&) = delete;
  DolmenItemReader& operator=(const DolmenItemReader&) = delete;

  Status Ask(const ItemKey& key);

  std::size_t rows() const { return output_.item ? 1 : 0; }
  Answer answer() const;

 private:
  const Table& table_;
  GetItemInput input_;
  std::string* partition_key_;  // points into input_
  std::string* sort_key_;
  GetItemOutput output_;
};

class DolmenEncryptedItemReader : public DolmenItemReader {
 public:
  using Store = DolmenEncryptedStore;
  using DolmenItemReader::DolmenItemReader;
};

}  // namespace dolmen::bench
