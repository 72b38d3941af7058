#include "engine/storage/logs/log_batch.h"

namespace dolmen::engine {
namespace {

// The least size of a write: its type, the length of its key, and the keyspace.
constexpr std::uint64_t kWriteBytesMin = 1 + 1 + 4;

}  // namespace

bool WasSynced(std::string_view batch) {
  bool has_mark = false;
  const bool is_batch = ReadBatch(batch, [&](const BatchEntry& entry) {
    has_mark = has_mark || (entry.type == BatchEntryType::kLogData && entry.key == kSyncMark);
  });
  return is_batch && has_mark;
}

bool CanFollow(const FoundRecord& found, std::optional<std::uint64_t> next) {
  const std::optional<BatchNumbers> numbers = NumbersOf(found.bytes);
  if (!numbers) return !found.is_whole;  // the first part of a batch may end within its header
  if (next && (numbers->first < *next ||
               numbers->first - *next > found.unreadable_bytes / kWriteBytesMin)) {
    return false;
  }
  return !found.is_whole || ReadBatch(found.bytes, [](const BatchEntry&) {});
}

}  // namespace dolmen::engine
