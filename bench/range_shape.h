// What workloads that read a range of one partition ask; only the partition differs from question
// to question.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/key/encoded_key.h"

namespace dolmen::bench {

struct RangeShape {
  bool index = false;            // of GSI1, and not of the table
  std::string sort_prefix = {};  // of the sort keys; empty: all of the partition.  Not of GSI1.
  bool forward = true;
  std::uint32_t limit = 0;  // 0: all of the range
};

// Where the first question about a partition begins and ends among the encoded keys.
engine::KeyRange FirstRange(const RangeShape& shape, std::string_view partition);

// And the one after it, when the last row that was read is `last_key`.
void ContinueAfter(std::string_view last_key, const RangeShape& shape, engine::KeyRange* range);

}  // namespace dolmen::bench
