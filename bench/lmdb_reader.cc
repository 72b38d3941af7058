#include "bench/lmdb_reader.h"

namespace dolmen::bench {

LmdbReadTransaction::LmdbReadTransaction(const LmdbStore& store)
    : begun_(mdb_txn_begin(store.environment(), nullptr, MDB_RDONLY, &transaction_)) {
  if (begun_ == MDB_SUCCESS) mdb_txn_reset(transaction_);
}

LmdbReadTransaction::~LmdbReadTransaction() {
  if (transaction_ != nullptr) mdb_txn_abort(transaction_);
}

template <typename Rows>
Status LmdbRangeReader<Rows>::Read() {
  rows_.Clear();
  return transaction_.With([&](MDB_txn* transaction) {
    const int code = cursor_ == nullptr ? mdb_cursor_open(transaction, database_, &cursor_)
                                        : mdb_cursor_renew(transaction, cursor_);
    if (code != MDB_SUCCESS) return code;
    return shape_.forward ? ReadForward() : ReadBackward();
  });
}

template <typename Rows>
int LmdbRangeReader<Rows>::ReadForward() {
  const std::string_view upper = range_.upper.bytes();
  MDB_val key = ToMdbVal(range_.lower.bytes());
  MDB_val item = {};
  int code = mdb_cursor_get(cursor_, &key, &item, MDB_SET_RANGE);
  while (code == MDB_SUCCESS && ToBytes(key) < upper) {
    rows_.Append(ToBytes(key), ToBytes(item));
    if (rows_.size() == shape_.limit) break;
    code = mdb_cursor_get(cursor_, &key, &item, MDB_NEXT);
  }
  return code;
}

template <typename Rows>
int LmdbRangeReader<Rows>::ReadBackward() {
  const std::string_view lower = range_.lower.bytes();
  MDB_val key = ToMdbVal(range_.upper.bytes());
  MDB_val item = {};
  int code = mdb_cursor_get(cursor_, &key, &item, MDB_SET_RANGE);
  code = mdb_cursor_get(cursor_, &key, &item, code == MDB_NOTFOUND ? MDB_LAST : MDB_PREV);
  while (code == MDB_SUCCESS && ToBytes(key) >= lower) {
    rows_.Append(ToBytes(key), ToBytes(item));
    if (rows_.size() == shape_.limit) break;
    code = mdb_cursor_get(cursor_, &key, &item, MDB_PREV);
  }
  return code;
}

template <typename Rows>
Status LmdbRowReader<Rows>::Ask(const ItemKey& item_key) {
  rows_.Clear();
  key_ = RowKeyOf(item_key.partition, item_key.sort);
  return transaction_.With([&](MDB_txn* transaction) {
    MDB_val key = ToMdbVal(key_.bytes());
    MDB_val item = {};
    const int code = mdb_get(transaction, database_, &key, &item);
    if (code == MDB_SUCCESS) rows_.Append(key_.bytes(), ToBytes(item));
    return code;
  });
}

template class LmdbRangeReader<RowBuffer>;
template class LmdbRangeReader<RowViews>;
template class LmdbRowReader<RowBuffer>;
template class LmdbRowReader<RowViews>;

}  // namespace dolmen::bench
