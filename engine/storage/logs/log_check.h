// A check of a database's write-ahead logs before RocksDB reads them. It finds damage that RocksDB
// treats as the end of the logs.

#pragma once

#include <rocksdb/file_system.h>

#include <string>

#include "dolmen/result.h"
#include "engine/storage/logs/log_list.h"

namespace dolmen::engine {

struct CheckedLogs {
  TornLogs torn;  // the logs that a power cut has torn by zeros
  LogList list;   // what the directory lists, of the manifests only the one that CURRENT names
};

// Checks the manifest and the write-ahead logs that the database in `directory` still needs. Changes
// nothing. `is_encrypted`: `files` decrypts.
//
// A crash may cut off the end of the newest log only, because Dolmen syncs a log before it writes
// to the next log. RocksDB also accepts an older log without its end, and a missing log. It then
// continues with the next log, although writes are lost.
//
// The newest log is known to hold some writes (log_list.h). Zeros after these writes may
// come from a power cut or from a bad disk. The contract of kBuffered asks to open such a log, with
// the writes before the zeros. The contract of kSync forbids to lose a write that was acknowledged.
// So a write that was synced carries kSyncMark (log_batch.h). Such a write and any record behind it
// prove that everything before this write was on the disk, and the zeros are damage. Without that
// proof the zeros count as the work of a power cut. Bytes other than zeros are always damage.
//
// Somebody may have copied the files of one state of a database over those of another state, so that
// each file is of either. RocksDB would read such a mixture without a word. The list binds
// its manifest and its logs together, and RocksDB's manifest the table files.
// - kCorruption: a record is damaged; writes are missing between two logs, or between the table files and
//   the first log; the list of the logs (log_list.h) or one of its logs is missing, or lacks bytes or
//   writes that it is known to hold; or the files are of two states.
// - kStorage: a file cannot be read.
// REQUIRES: no other Database object, in this process or in another, has the directory open.
Result<CheckedLogs> CheckLogs(rocksdb::FileSystem* files, const std::string& directory,
                              bool is_encrypted);

}  // namespace dolmen::engine
