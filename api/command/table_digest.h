// A digest of all items of a table, by which two tables are compared.

#pragma once

#include <cstdint>
#include <functional>

#include "dolmen/item_view.h"
#include "dolmen/table.h"

namespace dolmen::command {

// The number of items and the sum of their XXH128 hashes. The order of the items has no meaning.
// Equal items have equal hashes, because they have one stored form.
struct TableDigest {
  std::uint64_t items = 0;
  std::uint64_t low = 0;  // of the sum modulo 2^128
  std::uint64_t high = 0;

  void Add(const ItemView& item);
  void Add(const TableDigest& other);

  friend bool operator==(const TableDigest&, const TableDigest&) = default;
};

// Reads the whole table by consistent reads, expired items included, in segments that are read side by
// side. Calls `on_page` for each page, on any thread; if it returns false, reading ends early with an
// incomplete digest. Fails as Table::Scan does.
Result<TableDigest> DigestOf(const Table& table, std::uint32_t segments,
                             const std::function<bool(const ScanOutput&)>& on_page);

// Returns the input for the first page of one of the segments, or of the whole table if `segments` is 1:
// a consistent read that sees expired items and reports the capacity.
ScanInput SegmentInput(std::uint32_t segment, std::uint32_t segments);

inline constexpr double kReadUnitBytes = 4096;  // of a consistent read

// Returns the read units of a page that was read with SegmentInput. A service such as ScyllaDB Alternator
// reports none. The units then follow from the bytes of the items, as DynamoDB counts them.
double ReadUnitsOf(const ScanOutput& page);

}  // namespace dolmen::command
