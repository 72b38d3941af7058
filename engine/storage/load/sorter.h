// A sort of entries that may not fit in memory.

#pragma once

#include <rocksdb/options.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/result.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// This struct says where a sort keeps what does not fit in memory.
struct SortPlace {
  Store& store;           // on its volume, and encrypted as its files are
  std::string path = {};  // the files' names begin with it; no other sort has it
  std::size_t memory_bytes = 0;
};

// Entries that are added in any order and read in the order of their keys. If a key is added several times, its last
// entry counts. A full memory is written to a sorted file, a "run". A merge reads kRunsPerMerge runs at most, so that a
// sort of any size needs few descriptors. Not thread-safe.
class Sorter {
 public:
  static constexpr std::size_t kRunsPerMerge = 16;

  explicit Sorter(SortPlace place);
  ~Sorter();  // deletes the runs
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;

  // Adds an entry.
  // - kStorage, kCorruption: a run cannot be written or read, or the disk is almost full.
  Status Put(std::string_view key, std::string_view value) { return Add(key, kPresent, value); }
  // Removes the entry of the key that was added before, if there is one. Fails as Put does.
  Status Remove(std::string_view key) { return Add(key, kRemoved, {}); }

  using EntryHandler = std::function<Status(std::string_view key, std::string_view value)>;
  // Calls the function with each entry. Ends with its first error, or with one of Put. May be called once, as the last
  // call.
  Status ReadAll(const EntryHandler& on_entry);

 private:
  // The first byte of a value that is kept.
  enum Mark : char { kRemoved = 0, kPresent = 1 };
  // An entry in bytes_: the key, a mark and the value.
  struct Entry {
    std::uint32_t at;
    std::uint32_t key_bytes;
    std::uint32_t value_bytes;  // with the mark
  };
  struct Run {
    std::string path = {};
    int merges = 0;  // that made it, one of the other
  };

  Status Add(std::string_view key, Mark mark, std::string_view value);
  std::string_view KeyOf(const Entry& entry) const;
  std::string_view MarkedValueOf(const Entry& entry) const;
  // Sorts the entries in memory. Leaves only the last one of each key.
  void SortMemory();
  Status WriteMemory();
  // Merges the last runs into one if kRunsPerMerge of them were made by as many merges.
  Status MergeAlikeRuns();
  // Merges the runs from number `first` on into one.
  Status MergeRuns(std::size_t first);
  // Calls the function with the last entry of each key in the runs from number `first` on.
  Status Merge(std::size_t first, const EntryHandler& on_marked) const;
  std::string NewPath();
  void DeleteRunsFrom(std::size_t first);

  const SortPlace place_;
  const rocksdb::Options options_;  // of the runs
  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<Run> runs_;  // a later run has later entries
  std::uint64_t paths_ = 0;
};

}  // namespace dolmen::engine
