// A database directory as the input of a fuzz target.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::fuzz {

// A file of a database directory.
struct ArchivedFile {
  std::string name = {};
  std::string bytes = {};
};

// The name of an archived file that says: the checksums in the manifest or in a table file may be
// right although the content is not what RocksDB writes. RocksDB trusts such files, and its
// assertions may end the process. Only Repair() reads them with checks of its own.
inline constexpr const char* kForged = "forged";

// Reads an archive, which is a sequence of files. Each file is a line with its name and its size,
// then its bytes, then the end of a line. A file whose size is too large ends with the archive.
// Ignores a file whose name is not a plain file name, and a second file of the same name.
// archive.py packs and unpacks archives.
std::vector<ArchivedFile> ParseArchive(std::string_view archive);

// Returns the archive of the files.
std::string FormatArchive(const std::vector<ArchivedFile>& files);

// Returns true if the files have kForged.
bool IsForged(const std::vector<ArchivedFile>& files);
// Adds kForged unless the files have it.
void MarkAsForged(std::vector<ArchivedFile>* files);

}  // namespace dolmen::fuzz
