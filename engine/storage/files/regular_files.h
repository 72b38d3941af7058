// The rule that the directory of a database or of a backup holds regular files and directories
// only. Anyone may have written a directory that Dolmen is given. A named pipe in it would stop the
// caller for ever, a device might never end, and a link would lead a write to a file elsewhere.

#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns a file system that opens regular files in `directory` only. `base` opens the files; null
// means the operating system's file system.
// - A file or a directory below `directory` that is a link, a named pipe, a socket or a device gets
//   an IOError that says so. `directory` itself may be a link. A file may have several hard links,
//   because a backup shares table files with its database.
// - A file that RocksDB or Dolmen reads as a whole gets an IOError if it is larger than any such file
//   can be. It may be sparse and have any size.
// Looks at a file before it is opened: a program that can replace the file in between can change the
// data anyway.
std::shared_ptr<rocksdb::FileSystem> RegularFilesIn(
    std::string directory, std::shared_ptr<rocksdb::FileSystem> base = nullptr);

// Opens a file as open(2) does, but only a regular file, no link to one, and without waiting for a
// named pipe. Returns the descriptor.
// - kStorage: the file cannot be opened, or is no regular file.
Result<int> OpenRegularFile(const std::string& path, int flags, std::string_view doing);

// Returns an error if the path leads to something other than a directory, or to a link to one.
// Returns no error if nothing is there.
Status CheckDirectory(const std::string& path);

}  // namespace dolmen::engine
