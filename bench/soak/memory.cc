#include "bench/soak/memory.h"

#include <malloc.h>

#include <fstream>
#include <sstream>
#include <string>

namespace dolmen::bench {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// The number of background jobs that RocksDB runs at the same time: one flush and one compaction.
constexpr std::size_t kBackgroundJobs = 2;

// Memory of a background job, which writes one file of 64 MB with half a million keys. The job
// holds at most 1 MB of the file before it writes this part to the disk. It also holds the index of
// the file, 8 bytes per key until it builds the filter, and one block of each file that it reads.
constexpr std::size_t kJobBytes = 8 * kMegabyte;

// Memory of a thread: its stack, and the free memory that malloc keeps for the thread.
constexpr std::size_t kThreadBytes = kMegabyte / 2;

// Memory of a load thread: a query, a page of 50 messages, and a message with its write batch.
constexpr std::size_t kLoadBytes = kMegabyte / 2;

}  // namespace

Resident MeasureResident() {
  Resident resident;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t kilobytes = 0;
    if (!(words >> name >> kilobytes)) continue;
    if (name == "VmRSS:") resident.bytes = kilobytes << 10;
    if (name == "RssAnon:") resident.anonymous_bytes = kilobytes << 10;
  }
  const struct mallinfo2 heap = mallinfo2();
  resident.allocated_bytes = heap.uordblks + heap.hblkhd;
  return resident;
}

std::vector<MemoryTerm> MemoryTerms(const OpenOptions& options, std::size_t before_bytes,
                                    std::size_t loading_threads) {
  const std::size_t held =
      options.cache_bytes + options.row_cache_bytes + 2 * options.write_buffer_bytes;
  return {
      {"cache", options.cache_bytes},
      {"row_cache", options.row_cache_bytes},
      {"write_buffers", 2 * options.write_buffer_bytes},  // one fills while the other is flushed
      {"background_jobs", kBackgroundJobs * kJobBytes},
      {"threads", (kBackgroundJobs + loading_threads + 1) * kThreadBytes},
      {"load", loading_threads * kLoadBytes},
      {"before", before_bytes},
      // The term for fragmentation: free memory that malloc cannot reuse. Fragmentation occurs
      // because the blocks of the cache have many sizes, and because one thread allocates a block
      // and another thread often frees it.
      {"malloc", held / 8},
  };
}

std::size_t SumOf(const std::vector<MemoryTerm>& terms) {
  std::size_t sum = 0;
  for (const MemoryTerm& term : terms) sum += term.bytes;
  return sum;
}

}  // namespace dolmen::bench
