// Entries that enter a store as table files, without its log and its memtables.

#pragma once

#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "engine/storage/load/sorter.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// Writes table files beside those of the store, which takes them later at once. RocksDB takes such files without a
// number of a write, so the logs and the list of logs know nothing of them. Not thread-safe.
class TableLoad {
 public:
  // Begins to write into the directory imports/NAME below that of the store. `name` is one of no other load of the store.
  // - kValidation: the store was opened with read_only.
  // - kStorage: the directory cannot be created, or an earlier write failed.
  static Result<std::unique_ptr<TableLoad>> Begin(Store* store, std::string_view name);
  ~TableLoad();  // deletes the files that the store has not taken
  TableLoad(const TableLoad&) = delete;
  TableLoad& operator=(const TableLoad&) = delete;

  // Returns a sort whose files are in the same directory. It must not outlive this object.
  std::unique_ptr<Sorter> NewSort();

  // Writes an entry. Each key is greater than the one before.
  // - kStorage: a file cannot be written, or the disk is almost full.
  Status Append(std::string_view key, std::string_view value);

  // Ends the last file. Returns the paths of the files, for Store::AddTableFiles.
  // - kStorage: the file cannot be written.
  Result<std::vector<std::string>> Finish();

 private:
  TableLoad(Store* store, std::string directory)
      : store_(*store), directory_(std::move(directory)) {}
  Status FinishFile();

  Store& store_;
  const std::string directory_;
  rocksdb::Options options_;
  std::unique_ptr<rocksdb::SstFileWriter> file_;  // null: the next entry begins a file
  std::vector<std::string> files_;
  int sorts_ = 0;
};

// Deletes what loads have left in the directory of a store when the process ended. Ignores errors: the next opening
// tries again.
void DeleteUnfinishedLoads(const Store& store);

}  // namespace dolmen::engine
