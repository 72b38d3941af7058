// RocksDB alone: the same keys and values as Dolmen writes, in tables of the same format, and
// nothing between it and the question.  What Dolmen takes beyond this is Dolmen's own.

#pragma once

#include <rocksdb/db.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/contender.h"
#include "bench/data.h"
#include "bench/stored_rows.h"
#include "engine/key/encoded_key.h"

namespace dolmen::bench {

class RocksdbStore : public LoadedStore {
 public:
  static constexpr std::string_view kName = "rocksdb";
  static Result<std::unique_ptr<RocksdbStore>> Load(const DataSet& data,
                                                    const std::filesystem::path& directory);

  rocksdb::DB& db() const { return *db_; }

 private:
  explicit RocksdbStore(std::unique_ptr<rocksdb::DB> db) : db_(std::move(db)) {}

  std::unique_ptr<rocksdb::DB> db_;
};

// The last `limit` rows of `range`, last first, by an iterator with both bounds; each row's key and
// value are copied into `*rows`.
Status ReadLast(rocksdb::DB& db, const engine::KeyRange& range, std::size_t limit, RowBuffer* rows);

rocksdb::Slice ToSlice(std::string_view bytes);

}  // namespace dolmen::bench
