// Permissions of the files and directories that Dolmen creates: only their owner may access them.

#pragma once

#include <sys/stat.h>

#include <string>
#include <tuple>

namespace dolmen::engine {

// Restrict a file or a directory to its owner. Ignore errors: a file system without permissions has
// nothing to restrict.
inline void RestrictFileToOwner(const std::string& path) {
  std::ignore = ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
}
inline void RestrictDirectoryToOwner(const std::string& path) {
  std::ignore = ::chmod(path.c_str(), S_IRWXU);
}

}  // namespace dolmen::engine
