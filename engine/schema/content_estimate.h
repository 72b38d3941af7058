// Counts and estimates of the rows in a key range, and of their bytes.

#pragma once

#include <cstddef>
#include <cstdint>

#include "dolmen/tables.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// The most that a count reads.  The defaults are for a table and its indexes together.
struct CountLimits {
  std::size_t keys = 100'000;                 // deleted and overwritten keys included
  std::size_t bytes = std::size_t{32} << 20;  // of keys and values
};

// The rows at the start of a range that a count has read.
struct CountedRange {
  ContentSize content;
  bool complete = false;  // true if neither a limit nor an error ended the count
  EncodedKey end;         // the count covers the keys before this one
  std::size_t keys = 0;   // the keys that were read, deleted and overwritten keys included
  std::size_t bytes = 0;  // the bytes of keys and values that were read
};

// The rows to count: all of the store, or only those whose latest state is in RocksDB's memory.
enum class RowSource : std::uint8_t { kStore, kMemory };

// Counts the rows of the range from its first key on, up to the limits.  A damaged row counts with
// the size of its bytes.
CountedRange CountRange(const Store& store, const KeyRange& range, const CountLimits& limits,
                        RowSource source = RowSource::kStore);

// Estimates the rows of the range and their size.  Rows in memory are counted, up to limits.keys.
// Rows in table files are estimated from about `samples` samples, or fewer if the files hold
// little.
ContentSize EstimateContent(const Store& store, const KeyRange& range, const CountLimits& limits,
                            std::size_t samples);

}  // namespace dolmen::engine
