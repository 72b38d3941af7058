// How much a range of rows holds, counted or estimated.

#pragma once

#include <cstddef>
#include <cstdint>

#include "dolmen/tables.h"
#include "engine/key/encoded_key.h"
#include "engine/storage/store.h"

namespace dolmen::engine {

// What is read to count, by default of a table and its indexes together.
struct CountLimits {
  std::size_t keys = 100'000;  // deleted and overwritten ones included
  std::size_t bytes = std::size_t{32} << 20;
};

struct CountedRange {
  ContentSize content;
  bool complete = false;  // neither the limits nor an error have ended it
  EncodedKey end;         // before which it was counted
  std::size_t keys = 0;   // as CountLimits has them
  std::size_t bytes = 0;
};

// Which rows: all, or those of which memory has the latest state.
enum class RowsOf : std::uint8_t { kStore, kMemory };

// Counts the rows from the first on.  A row that is damaged counts as its bytes.
CountedRange CountRange(const Store& store, const KeyRange& range, const CountLimits& limits,
                        RowsOf rows = RowsOf::kStore);

// Estimates what the range holds: from the rows that memory has, which are counted as far as the
// limits go, and from samples of what the table files have: some `samples` of them, and fewer where
// there is little.
ContentSize EstimateContent(const Store& store, const KeyRange& range, const CountLimits& limits,
                            std::size_t samples);

}  // namespace dolmen::engine
