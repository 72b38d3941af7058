// A database with every kind of file, and random damage to its files.

#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace dolmen::engine {

enum class DamageKind : std::uint8_t {
  kFlip,      // one bit
  kZeros,     // a run of bytes is zero
  kGarbage,   // a run of bytes is random
  kHole,      // a page of the disk was never written and is zero
  kTruncate,  // the file has lost its end
  kExtend,    // the file has a longer end
  kSwap,      // two files have exchanged their bytes
  kMissing,   // the file is missing, and sometimes a second one
  kOlder,     // the file has the bytes that a file of its kind had earlier
};
inline constexpr std::array kDamageNames = {"flip",   "zeros", "garbage", "hole", "truncate",
                                            "extend", "swap",  "missing", "older"};

// Returns the kind of a database's file, such as "table" or "log". All file names of one kind
// differ only in their numbers.
std::string FileKind(const std::string& name);

// One piece of damage.
struct Damage {
  DamageKind kind = DamageKind::kFlip;
  std::string file_kind = {};
  std::string text = {};                // a description, with the names of the files
  std::vector<std::string> files = {};  // the names of the damaged files
};

// The directories that a damage rig works on.
struct DamagedDatabase {
  std::filesystem::path root;

  // Creates a database that was closed without an error. It has tables with all types of keys,
  // indexes, a stream, a time to live, a subscription's position, tokens, table files in two levels
  // and two logs that RocksDB replays. Fails the test if an error occurs.
  static void Create(const std::filesystem::path& root);

  std::filesystem::path original() const { return root / "original"; }
  std::filesystem::path older() const { return root / "older"; }  // at an earlier time
};

// Does random damage to the database in `copy`, which is a copy of database.original(). Changes at
// least one byte. If `file_kind` is not empty, damages a file of this kind only.
Damage DamageRandomly(const DamagedDatabase& database, const std::filesystem::path& copy,
                      const std::string& file_kind, test::Random* random);

// Replaces `to` by a copy of the directory `from`.
void CopyDirectory(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace dolmen::engine
