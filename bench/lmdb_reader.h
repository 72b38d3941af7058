// Readers of LMDB. Some copy the key and value of each row into a buffer that they reuse. The
// others only keep views of the rows.

#pragma once

#include <lmdb.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/contender.h"
#include "bench/lmdb_store.h"
#include "bench/range_shape.h"
#include "bench/stored_rows.h"

namespace dolmen::bench {

// A read transaction. It is renewed for each query, so that each query sees the latest state.
class LmdbReadTransaction {
 public:
  explicit LmdbReadTransaction(const LmdbStore& store);
  ~LmdbReadTransaction();
  LmdbReadTransaction(const LmdbReadTransaction&) = delete;
  LmdbReadTransaction& operator=(const LmdbReadTransaction&) = delete;

  // Calls `read`, an int(MDB_txn*), with a transaction that sees the latest state. The result
  // MDB_NOTFOUND is not an error.
  template <typename Read>
  Status With(Read read) {
    if (begun_ != MDB_SUCCESS) return FromLmdb(begun_, "beginning a transaction");
    int code = mdb_txn_renew(transaction_);
    if (code != MDB_SUCCESS) return FromLmdb(code, "renewing a transaction");
    code = read(transaction_);
    mdb_txn_reset(transaction_);
    return FromLmdb(code == MDB_NOTFOUND ? MDB_SUCCESS : code, "reading");
  }

 private:
  MDB_txn* transaction_ = nullptr;
  int begun_;
};

// Views of rows in the memory map. They stay valid because nothing writes to a store that is read.
class RowViews {
 public:
  void Clear() {
    views_.clear();
    first_bytes_ = 0;
  }

  // Reads the first bytes of key and item, and copies nothing.
  void Append(std::string_view key, std::string_view item) {
    first_bytes_ += static_cast<unsigned char>(key[0]) + static_cast<unsigned char>(item[0]);
    views_.push_back({key, item});
  }

  std::size_t size() const { return views_.size(); }
  // REQUIRES: size() > 0
  std::string_view last_key() const { return views_.back().key; }
  std::vector<StoredRow> rows() const {
    std::vector<StoredRow> rows;
    for (const View& view : views_) rows.push_back({std::string(view.key), std::string(view.item)});
    return rows;
  }

 private:
  struct View {
    std::string_view key;
    std::string_view item;
  };

  std::vector<View> views_;
  std::size_t first_bytes_ = 0;  // their sum, so that the compiler must read them
};

// A reader of ranges. It has one cursor, which it renews for each query. `Rows` is RowBuffer or
// RowViews.
template <typename Rows>
class LmdbRangeReader {
 public:
  using Store = LmdbStore;
  static constexpr std::string_view kName =
      std::is_same_v<Rows, RowBuffer> ? LmdbStore::kName : "lmdb_view";

  LmdbRangeReader(const LmdbStore& store, RangeShape shape)
      : database_(store.database()), shape_(std::move(shape)), transaction_(store) {}
  ~LmdbRangeReader() {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
  }
  LmdbRangeReader(const LmdbRangeReader&) = delete;
  LmdbRangeReader& operator=(const LmdbRangeReader&) = delete;

  Status Ask(const std::string& partition) {
    range_ = FirstRange(shape_, partition);
    return Read();
  }

  // Reads the next page. REQUIRES: the last answer has rows
  Status AskNext() {
    ContinueAfter(rows_.last_key(), shape_, &range_);
    return Read();
  }

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  Status Read();
  int ReadForward();
  int ReadBackward();

  MDB_dbi database_;
  RangeShape shape_;
  LmdbReadTransaction transaction_;
  MDB_cursor* cursor_ = nullptr;  // the destructor closes it before the transaction ends
  engine::KeyRange range_;
  Rows rows_;
};

using LmdbReader = LmdbRangeReader<RowBuffer>;
using LmdbViewReader = LmdbRangeReader<RowViews>;

// A reader of single items. `Rows` is RowBuffer or RowViews.
template <typename Rows>
class LmdbRowReader {
 public:
  using Store = LmdbStore;
  static constexpr std::string_view kName = LmdbRangeReader<Rows>::kName;

  explicit LmdbRowReader(const LmdbStore& store)
      : database_(store.database()), transaction_(store) {}

  Status Ask(const ItemKey& key);

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  MDB_dbi database_;
  LmdbReadTransaction transaction_;
  engine::EncodedKey key_;
  Rows rows_;
};

using LmdbItemReader = LmdbRowReader<RowBuffer>;
using LmdbViewItemReader = LmdbRowReader<RowViews>;

}  // namespace dolmen::bench
