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
#include "engine/key/encoded_key.h"

namespace dolmen::bench {

class RocksdbStore : public LoadedStore {
 public:
  static constexpr std::string_view kName = "rocksdb";
  static Result<std::unique_ptr<RocksdbStore>> Load(const ChatData& data,
                                                    const std::filesystem::path& directory);

  rocksdb::DB& db() const { return *db_; }

 private:
  explicit RocksdbStore(std::unique_ptr<rocksdb::DB> db) : db_(std::move(db)) {}

  std::unique_ptr<rocksdb::DB> db_;
};

// The key under which Dolmen's first table has a row: that of `partition_key` and `sort_key`.
engine::EncodedKey RowKeyOf(std::string_view partition_key, std::string_view sort_key);

// The value under it.  Items of the workloads are all valid.
std::string StoredForm(const Item& item);

// Of all keys and values, reckoned from a sample.
std::uint64_t BytesInRows(const ChatData& data);

}  // namespace dolmen::bench
