// Mutations of the files of a database. Most of them keep the checksums of the files right, because
// a checksum refuses almost every other change before the code behind it reads the change.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/directory_archive.h"

namespace dolmen::fuzz {

// Changes `size` bytes, and returns their new number, at most `size_max`.
using ByteMutator =
    std::function<std::size_t(std::uint8_t* bytes, std::size_t size, std::size_t size_max)>;

// Mutates one of the files, or removes it, copies it to another name or exchanges it with another
// file. REQUIRES: `*files` is not empty.
void MutateFiles(std::vector<ArchivedFile>* files, const ByteMutator& mutate, std::mt19937* random);

// Returns the records of a log or of a manifest. Does not check their checksums.
std::vector<std::string> SplitLog(std::string_view log);
// Returns the log that holds the records, with right checksums.
std::string JoinLog(const std::vector<std::string>& records);

}  // namespace dolmen::fuzz
