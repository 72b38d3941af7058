#include "engine/storage/rocks_versions.h"

#include <rocksdb/version.h>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "engine/storage/rocks_process.h"
#include "engine/storage/rocks_status.h"
#include "engine/storage/rocks_threads.h"

namespace dolmen::engine {
namespace {

// Calls `open` with a pointer of the type that RocksDB sets.
template <typename Open>
Result<std::unique_ptr<rocksdb::DB>> Opened(const std::string& directory, const KeepEnv& keep,
                                            const Open& open) {
  DOLMEN_RETURN_IF_ERROR(StartRocksThreads());
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::Status status;
  // Another thread of the program may take the last thread meanwhile.
  const Status started = StartThreads("to open the database", [&] {
#if ROCKSDB_MAJOR >= 10
    status = open(&db);
#else
    rocksdb::DB* opened = nullptr;
    status = open(&opened);
    db.reset(opened);
#endif
  });
  NoteStaticObjects();
  if (!started.ok()) {
    keep();
    LeaveStaticObjects();  // RocksDB's timer lacks its thread
    return started;
  }
  if (!status.ok()) return FromRocks(status, "opening " + directory);
  return db;
}

}  // namespace

Result<std::unique_ptr<rocksdb::DB>> OpenRocks(const rocksdb::Options& options,
                                               const std::string& directory, const KeepEnv& keep) {
  return Opened(directory, keep,
                [&](auto* db) { return rocksdb::DB::Open(options, directory, db); });
}

Result<std::unique_ptr<rocksdb::DB>> OpenRocksReadOnly(const rocksdb::Options& options,
                                                       const std::string& directory,
                                                       const KeepEnv& keep) {
  return Opened(directory, keep,
                [&](auto* db) { return rocksdb::DB::OpenForReadOnly(options, directory, db); });
}

#if ROCKSDB_MAJOR > 10 || (ROCKSDB_MAJOR == 10 && ROCKSDB_MINOR >= 2)
const bool kNeedsOptionsFile = true;
void OpenWithoutOptionsFile(rocksdb::DBOptions*) {}
#else
const bool kNeedsOptionsFile = false;
void OpenWithoutOptionsFile(rocksdb::DBOptions* options) {
  options->fail_if_options_file_error = false;
}
#endif

rocksdb::Status EnableFileDeletions(rocksdb::DB* db) {
#if ROCKSDB_MAJOR >= 9
  return db->EnableFileDeletions();
#else
  return db->EnableFileDeletions(/*force=*/false);
#endif
}

}  // namespace dolmen::engine
