// The memory that the process uses, and the limit of that memory.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dolmen/open_options.h"

namespace dolmen::bench {

// The resident memory of the process, in bytes.
struct Resident {
  std::size_t bytes = 0;            // VmRSS, with the pages of mapped files
  std::size_t anonymous_bytes = 0;  // RssAnon: heap and stacks
  std::size_t allocated_bytes = 0;  // heap memory that is allocated and not freed
};

Resident MeasureResident();

// One term of the memory limit. The limit is the sum of all terms.
struct MemoryTerm {
  std::string_view name;
  std::size_t bytes;
};

// Returns the terms of the limit of anonymous memory. The first term is the cache. The other
// terms grow neither with the data nor with time. `before_bytes` is the memory that the process
// used before it opened the store.
std::vector<MemoryTerm> MemoryTerms(const OpenOptions& options, std::size_t before_bytes,
                                    std::size_t loading_threads);

std::size_t SumOf(const std::vector<MemoryTerm>& terms);

}  // namespace dolmen::bench
