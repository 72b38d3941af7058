// The files of a directory, for comparison and damage.

#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace dolmen::test {

// Returns the path of every file below the directory with its bytes, and the path of every
// directory with an empty string.
inline std::map<std::string, std::string> FilesBelow(const std::filesystem::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    std::string& bytes = files[entry.path().string()];
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return files;
}

// Returns the largest file of the directory whose name ends with `end`. Returns an empty path if no
// name ends with `end`.
inline std::filesystem::path LargestFile(const std::filesystem::path& directory,
                                         const std::string& end) {
  std::filesystem::path found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (!entry.path().filename().string().ends_with(end)) continue;
    if (found.empty() || entry.file_size() > std::filesystem::file_size(found)) {
      found = entry.path();
    }
  }
  return found;
}

// Flips one bit of the file. `part` selects the byte: 0 is the start of the file, 1 the end, 0.5
// the middle.
inline void FlipBit(const std::filesystem::path& path, double part) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto at =
      static_cast<std::streamoff>(part * static_cast<double>(std::filesystem::file_size(path)));
  file.seekg(at);
  const int byte = file.get();
  file.seekp(at);
  file.put(static_cast<char>(byte ^ 1));
}

}  // namespace dolmen::test
