// Files that are replaced or copied as a whole, and their directories.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <string>

namespace dolmen::engine {

// Replaces the file at `path`, or creates it, readable and writable only for its owner. After a
// crash or a power cut the file has the old text or the new one. The text is on the disk when
// ReplaceFile returns.
rocksdb::IOStatus ReplaceFile(rocksdb::FileSystem* files, const std::string& path,
                              const std::string& text);

// Syncs the directory, so that the names of its files survive a power cut.
rocksdb::IOStatus SyncDirectory(rocksdb::FileSystem* files, const std::string& directory);

// Copies the first `size` bytes of a file to a new file, and syncs it.
rocksdb::IOStatus CopyFile(rocksdb::FileSystem* source, const std::string& from,
                           rocksdb::FileSystem* target, const std::string& to, std::uint64_t size);

}  // namespace dolmen::engine
