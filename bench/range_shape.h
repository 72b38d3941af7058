// The part of a question that all questions of a workload share: which range of a partition to
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
  std::uint32_t limit = 0;  // rows; 0: the whole range
};

// Returns the range of encoded keys for the first question about a partition.
engine::KeyRange FirstRange(const RangeShape& shape, std::string_view partition);

// Changes the range to the rows after `last_key`, the key of the last row that was read.
void ContinueAfter(std::string_view last_key, const RangeShape& shape, engine::KeyRange* range);

}  // namespace dolmen::bench
