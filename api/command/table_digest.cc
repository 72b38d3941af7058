#include "command/table_digest.h"

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "command/on_threads.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

void AddTo(std::uint64_t low, std::uint64_t high, TableDigest* digest) {
  digest->low += low;
  digest->high += high + (digest->low < low ? 1 : 0);
}

}  // namespace

void TableDigest::Add(const ItemView& item) {
  const std::string_view bytes = item.bytes();
  const XXH128_hash_t hash = ::XXH3_128bits(bytes.data(), bytes.size());
  ++items;
  AddTo(hash.low64, hash.high64, this);
}

void TableDigest::Add(const TableDigest& other) {
  items += other.items;
  AddTo(other.low, other.high, this);
}

ScanInput SegmentInput(std::uint32_t segment, std::uint32_t segments) {
  ScanInput input{.consistent_read = true,
                  .options = {.hide_expired = false,
                              .return_consumed_capacity = ReturnConsumedCapacity::kTotal}};
  if (segments > 1) {
    input.segment = segment;
    input.total_segments = segments;
  }
  return input;
}

double ReadUnitsOf(const ScanOutput& page) {
  if (page.consumed_capacity()) return page.consumed_capacity()->total.read_units;
  double bytes = 0;
  for (const ItemView item : page) bytes += item.size_bytes();
  return std::max(1.0, std::ceil(bytes / kReadUnitBytes));
}

Result<TableDigest> DigestOf(const Table& table, std::uint32_t segments,
                             const std::function<bool(const ScanOutput&)>& on_page) {
  std::vector<TableDigest> digests(segments);
  std::atomic<bool> ends = false;
  DOLMEN_RETURN_IF_ERROR(OnThreads(segments, [&](std::size_t i) -> Status {
    ScanInput input = SegmentInput(static_cast<std::uint32_t>(i), segments);
    ScanOutput page;
    do {
      const Status read = table.Scan(input, &page);
      for (const ItemView item : page) digests[i].Add(item);
      if (!read.ok() || !on_page(page)) ends = true;
      if (!read.ok()) return read;
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!ends && !input.exclusive_start_key.empty());
    return {};
  }));
  TableDigest sum;
  for (const TableDigest& digest : digests) sum.Add(digest);
  return sum;
}

}  // namespace dolmen::command
