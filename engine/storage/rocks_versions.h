// This file has what differs between versions of RocksDB. No other file of Dolmen depends on RocksDB's version.
// cmake/dependencies.cmake has the range whose tests pass, 7.8 to 11.

#pragma once

#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <functional>
#include <memory>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// Keeps the Env of a database until the process ends. The default is for an Env that nobody deletes.
using KeepEnv = std::function<void()>;

// Opens the database in `directory`.
// - The errors of FromRocks (rocks_status.h), which name the directory.
// - kStorage: the system cannot create a thread. If RocksDB needed this thread, it leaves an object behind that nobody can
//   delete. Jobs of this object may use options.env later, so OpenRocks calls `keep`. The directory stays locked.
Result<std::unique_ptr<rocksdb::DB>> OpenRocks(
    const rocksdb::Options& options, const std::string& directory, const KeepEnv& keep = [] {});

// Like OpenRocks, for a database that is only read.
Result<std::unique_ptr<rocksdb::DB>> OpenRocksReadOnly(
    const rocksdb::Options& options, const std::string& directory, const KeepEnv& keep = [] {});

// True if RocksDB opens a database only if it can write a file OPTIONS-* and read it again. No opening needs this
// file. Before version 10.2 an option decides, which OpenWithoutOptionsFile sets.
extern const bool kNeedsOptionsFile;
void OpenWithoutOptionsFile(rocksdb::DBOptions* options);

// Lets RocksDB delete files again after as many calls as there were of DisableFileDeletions.
rocksdb::Status EnableFileDeletions(rocksdb::DB* db);

}  // namespace dolmen::engine
