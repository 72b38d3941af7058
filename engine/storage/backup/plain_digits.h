// The lists of files that RocksDB's BackupEngine writes, without what the C++ locale of the process does to numbers.

#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <string>
#include <string_view>

namespace dolmen::engine {

// Returns the list with each number in plain digits. RocksDB writes numbers through a stream, which groups them as the
// global C++ locale does ("293'569'623"), and then refuses to read them.
std::string WithPlainDigits(std::string_view list);

// Returns a file system that writes and reads the lists of the backup in `directory`, which are the files below its
// directory `meta`, with plain digits. All other files are as they are in `files`.
std::shared_ptr<rocksdb::FileSystem> WithPlainDigits(std::shared_ptr<rocksdb::FileSystem> files,
                                                     const std::string& directory);

}  // namespace dolmen::engine
