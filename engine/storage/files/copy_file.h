// A copy of a file of a database.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <string>

namespace dolmen::engine {

// Copies the first `size` bytes of a file to a new file, and syncs it.
rocksdb::IOStatus CopyFile(rocksdb::FileSystem* source, const std::string& from,
                           rocksdb::FileSystem* target, const std::string& to, std::uint64_t size);

}  // namespace dolmen::engine
