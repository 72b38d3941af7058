// The floor of dolmen/design/benchmark.h: the time in which RocksDB without Dolmen reads some rows.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/open_options.h"
#include "dolmen/result.h"

namespace dolmen::internal {

// A read of RocksDB.
struct BareRead {
  std::uint64_t rows = 0;

  // The ranges of neighbouring rows that an iterator reads, with equally many rows in each. 0: each
  // row is found by its own key, one row with Get, and several with MultiGet.
  std::uint64_t ranges = 0;
};

// Reads, and the database that they read. The database has rows of one length.
struct BareReads {
  std::string directory = {};  // a directory that does not exist; empty: the files are in memory
  OpenOptions options = {};  // RocksDB gets the options that Dolmen gives to it with these options
  std::uint64_t row_count = 0;  // at least the rows of the largest read
  std::uint64_t row_bytes = 0;  // the value of a row; the key has 32 bytes in addition
  std::vector<BareRead> reads = {};
};

// Creates the database, and returns the seconds in which RocksDB does all reads once, one after the
// other: the median of many rounds, each at random rows. Each read copies its rows into a buffer. The
// rows were written once, in the order of their keys. A database on disk was reopened since.
// - kStorage: the directory cannot be written.
Result<double> TimeBareReads(const BareReads& bare);

}  // namespace dolmen::internal
