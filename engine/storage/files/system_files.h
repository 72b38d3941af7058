// The operating system's files, as a process with limits may use them.

#pragma once

#include <rocksdb/file_system.h>

#include <memory>

namespace dolmen::engine {

// Returns a file system with the files of `base`, which adds these rules:
// - A write that would exceed the process's limit of a file's size is an error. The system would send a
//   signal.
// - An error at a limit of descriptors names the limit. It is retryable, so RocksDB repeats a
//   compaction.
// - Calls that only help do not fail the real work if the system cannot answer: the free space of a
//   file system that reports no size is unknown, and a directory that cannot be synced is skipped.
std::shared_ptr<rocksdb::FileSystem> SystemFiles(const std::shared_ptr<rocksdb::FileSystem>& base);

}  // namespace dolmen::engine
