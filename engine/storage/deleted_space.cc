#include "engine/storage/deleted_space.h"

#include <rocksdb/experimental.h>
#include <rocksdb/options.h>

#include <utility>

namespace dolmen::engine {
namespace {

// The number of deleted ranges that are remembered at most. A full disk is rare, and streams delete
// ranges all the time.
constexpr std::size_t kRangesMax = 64;

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

}  // namespace

void DeletedSpace::Note(const std::vector<KeyRange>& ranges) {
  const MutexLock lock(mutex_);
  has_deletions_ = true;
  for (const KeyRange& range : ranges) {
    if (ranges_.size() < kRangesMax) ranges_.push_back(range);
  }
}

// Deletions free no space while they are in memory. The flush writes them to a table file and
// deletes their log. RocksDB then compacts the files that consist mostly of deletions (options.cc),
// and the files in the deleted ranges.
void DeletedSpace::Free(rocksdb::DB* db) {
  std::vector<KeyRange> ranges;
  {
    const MutexLock lock(mutex_);
    if (!std::exchange(has_deletions_, false)) return;
    ranges.swap(ranges_);
  }
  db->Flush(rocksdb::FlushOptions()).PermitUncheckedError();
  for (const KeyRange& range : ranges) {
    const rocksdb::Slice begin = ToSlice(range.lower.bytes());
    const rocksdb::Slice end = ToSlice(range.upper.bytes());
    rocksdb::experimental::SuggestCompactRange(db, &begin, &end).PermitUncheckedError();
  }
}

}  // namespace dolmen::engine
