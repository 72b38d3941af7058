// The table files of a RocksDB database.

#pragma once

#include <rocksdb/db.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/result.h"

namespace dolmen::engine {

// A table file of RocksDB, which holds keys and values.
struct TableFile {
  std::string name;  // path below the database's directory, such as "/000012.sst"
  std::uint64_t bytes = 0;
};

// The contracts of both functions are in store.h: Store::TableFiles and Store::CheckFile.
std::vector<TableFile> ListTableFiles(rocksdb::DB* db);
Status CheckTableFile(rocksdb::DB* db, const std::string& directory, const TableFile& file);

}  // namespace dolmen::engine
