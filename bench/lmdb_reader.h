// Readers of LMDB. They copy the key and value of each row into a buffer that they reuse.

#pragma once

#include <lmdb.h>

#include <string>
#include <utility>

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

// A reader of ranges. It has one cursor, which it renews for each query.
class LmdbReader {
 public:
  using Store = LmdbStore;

  LmdbReader(const LmdbStore& store, RangeShape shape)
      : database_(store.database()), shape_(std::move(shape)), transaction_(store) {}
  ~LmdbReader() {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
  }
  LmdbReader(const LmdbReader&) = delete;
  LmdbReader& operator=(const LmdbReader&) = delete;

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
  RowBuffer rows_;
};

// A reader of single items.
class LmdbItemReader {
 public:
  using Store = LmdbStore;

  explicit LmdbItemReader(const LmdbStore& store)
      : database_(store.database()), transaction_(store) {}

  Status Ask(const ItemKey& key);

  std::size_t rows() const { return rows_.size(); }
  Answer answer() const { return rows_.rows(); }

 private:
  MDB_dbi database_;
  LmdbReadTransaction transaction_;
  RowBuffer rows_;
};

}  // namespace dolmen::bench
