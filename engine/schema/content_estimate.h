// Counts and estimates of the rows in a key range, and of their bytes.

#pragma once

#include <cstddef>
#include <cstdint>

#include "dolmen/describe_table.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The limits of what a count reads. The defaults apply to a table and its indexes together.
struct CountLimits {
  std::size_t keys = 100'000;                 // deleted and overwritten keys included
  std::size_t bytes = std::size_t{32} << 20;  // total size of keys and values
};

// The result of a count of rows. The count covers the start of a range, or the whole range.
struct CountedRange {
  ContentSize content;
  bool complete = false;  // true if neither a limit nor an error ended the count
  EncodedKey end;         // the count covers the keys before this one
  std::size_t keys = 0;   // the keys that were read, deleted and overwritten keys included
  std::size_t bytes = 0;  // the bytes of keys and values that were read
};

// The rows to count.
// - kStore: all rows.
// - kMemory: only rows whose latest version is in RocksDB's memory.
enum class RowSource : std::uint8_t { kStore, kMemory };

// Counts the rows of the range from its first key on, up to the limits. Counts a damaged row, too,
// and takes the number of bytes of its value as its size.
CountedRange CountRange(const Store& store, const KeyRange& range, const CountLimits& limits,
                        RowSource source = RowSource::kStore);

// Estimates the number and the size of the rows in the range. Counts rows in memory, up to
// limits.keys. Estimates rows in table files from about `samples` samples, or from fewer samples if
// the range takes few bytes in the files.
ContentSize EstimateContent(const Store& store, const KeyRange& range, const CountLimits& limits,
                            std::size_t samples);

}  // namespace dolmen::engine
