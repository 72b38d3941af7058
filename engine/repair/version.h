// The parts of a damaged database that can be read: versions of keys, and the gaps between them.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dolmen::engine {

// One version of a stored key. RocksDB numbers all writes, and the version with the greatest number
// is the key's state.
struct Version {
  std::string key = {};
  std::uint64_t number = 0;
  std::optional<std::string> value = {};  // nothing: the write deleted the key
};

// A deletion of a range of keys. It deletes all versions with lesser numbers.
struct DeletedRange {
  std::string begin = {};
  std::string end = {};  // the first key after the range
  std::uint64_t number = 0;
};

// A range of keys of which versions are lost, because a part of a file cannot be read. The range
// includes `first` and `last`. Without limits, any key may be lost.
struct FileGap {
  std::string first = {};
  std::optional<std::string> last = {};  // nothing: no limit
  std::string reason = {};               // with the file's name
};

using FileGapHandler = std::function<void(const FileGap&)>;

// Readable versions in the order of their keys. The versions of one key are in descending order of
// their numbers. For one thread.
class VersionSource {
 public:
  virtual ~VersionSource() = default;

  // Returns the current version, or null after the last one. The version lives until Next().
  virtual const Version* current() const = 0;
  // REQUIRES: current() is not null.
  virtual void Next() = 0;
};

// Returns true if `a` precedes `b` in a VersionSource.
inline bool Precedes(const Version& a, const Version& b) {
  const int order = a.key.compare(b.key);
  return order != 0 ? order < 0 : a.number > b.number;
}

}  // namespace dolmen::engine
