// A RocksDB database without Dolmen. It has the keys, values and table format that Dolmen writes.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "bench/data.h"
#include "bench/stores.h"

namespace dolmen::bench {

class RocksdbStore : public OpenStore {
 public:
  static constexpr std::string_view kName = "rocksdb";
  static Status Fill(const DataSet& data, Layout layout, const std::filesystem::path& directory);
  static Result<std::unique_ptr<RocksdbStore>> Open(const std::filesystem::path& directory,
                                                    const StoreSettings& settings);

  rocksdb::DB& db() const { return *db_; }

  // Returns options with the durability of the settings. The write-ahead log is always on.
  const rocksdb::WriteOptions& write_options() const { return write_options_; }

 private:
  RocksdbStore(std::unique_ptr<rocksdb::DB> db, Durability durability) : db_(std::move(db)) {
    write_options_.sync = durability == Durability::kSync;
  }

  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::WriteOptions write_options_;
};

}  // namespace dolmen::bench
