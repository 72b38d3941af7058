// What the process may hold in memory, and what it holds.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dolmen/open_options.h"

namespace dolmen::bench {

struct Resident {
  std::size_t bytes = 0;            // VmRSS, pages of files that are mapped included
  std::size_t anonymous_bytes = 0;  // RssAnon: heap and stacks
  std::size_t allocated_bytes = 0;  // of the heap what malloc has given out, and not got back
};

Resident MeasureResident();

struct MemoryTerm {
  std::string_view name;
  std::size_t bytes;
};

// Of what the limit of anonymous memory is the sum: first the cache, then what does not grow with
// the data, nor with the time.  `before_bytes`: what the process held before it opened the store.
std::vector<MemoryTerm> MemoryTerms(const OpenOptions& options, std::size_t before_bytes,
                                    std::size_t loading_threads);

std::size_t SumOf(const std::vector<MemoryTerm>& terms);

}  // namespace dolmen::bench
