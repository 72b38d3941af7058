// The part of a query that is equal for all queries of a workload: which range of a partition to
// read.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/key/encoded_key.h"

namespace dolmen::bench {

struct RangeShape {
  bool index = false;            // true: read GSI1; false: read the table
  std::string sort_prefix = {};  // prefix of the sort keys; empty: whole partition; unused for GSI1
  bool forward = true;
  std::uint32_t limit = 0;  // maximum number of rows; 0: the whole range
};

// Returns the range of encoded keys to read for the first page of a partition.
engine::KeyRange FirstRange(const RangeShape& shape, std::string_view partition);

// Reduces the range to the rows that follow `last_key` in the direction of the shape. `last_key`
// is the key of the last row that was read.
void ContinueAfter(std::string_view last_key, const RangeShape& shape, engine::KeyRange* range);

}  // namespace dolmen::bench
