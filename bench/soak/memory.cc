#include "bench/soak/memory.h"

#include <malloc.h>

#include <fstream>
#include <sstream>
#include <string>

namespace dolmen::bench {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// A flush and a compaction run at a time.
constexpr std::size_t kBackgroundJobs = 2;

// Each job writes one file.  Of it the job holds what is not written yet (1 MB), its index, and 8
// bytes for each key until the filter is made: 64 MB of compressed rows have half a million keys.
// Of each file that it reads it holds a block.
constexpr std::size_t kJobBytes = 8 * kMegabyte;

// Stacks, and what malloc keeps for a thread.
constexpr std::size_t kThreadBytes = kMegabyte / 2;

// A question, its page of 50 messages, a message to be sent with its batch.
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
  const std::size_t held = options.cache_bytes + 2 * options.write_buffer_bytes;
  return {
      {"cache", options.cache_bytes},
      {"write_buffers", 2 * options.write_buffer_bytes},  // one is filled while one is flushed
      {"background_jobs", kBackgroundJobs * kJobBytes},
      {"threads", (kBackgroundJobs + loading_threads + 1) * kThreadBytes},
      {"load", loading_threads * kLoadBytes},
      {"before", before_bytes},
      // Blocks are of many sizes, and a block is seldom freed by the thread that allocated it:
      // holes stay that the next block does not fit into.
      {"malloc", held / 8},
  };
}

std::size_t SumOf(const std::vector<MemoryTerm>& terms) {
  std::size_t sum = 0;
  for (const MemoryTerm& term : terms) sum += term.bytes;
  return sum;
}

}  // namespace dolmen::bench
