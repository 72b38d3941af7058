#include "engine/storage/load/sorter.h"

#include <rocksdb/env.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kRunBlockBytes = std::size_t{64} << 10;
constexpr std::size_t kReadAheadBytes = std::size_t{256} << 10;
// The bytes after which a merge looks at the disk again.
constexpr std::size_t kCheckedBytes = std::size_t{16} << 20;
constexpr std::size_t kMemoryBytesMax = std::size_t{1} << 30;  // Entry::at holds it

std::string_view ViewOf(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

Status WhileSorting(const rocksdb::Status& status) { return FromRocks(status, "sorting"); }

// A reader of a run.
class RunReader {
 public:
  explicit RunReader(const rocksdb::Options& options) : file_(options) {}

  Status Open(const std::string& path) {
    DOLMEN_RETURN_IF_ERROR(WhileSorting(file_.Open(path)));
    rocksdb::ReadOptions options;
    options.readahead_size = kReadAheadBytes;
    options.fill_cache = false;
    position_.reset(file_.NewIterator(options));
    position_->SeekToFirst();
    return WhileSorting(position_->status());
  }

  rocksdb::Iterator& position() { return *position_; }

 private:
  rocksdb::SstFileReader file_;
  std::unique_ptr<rocksdb::Iterator> position_;
};

// A run is read once. So it needs no filter, and no block of it is kept.
rocksdb::Options RunOptions(const Store& store) {
  rocksdb::Options options = store.FileOptions();
  rocksdb::BlockBasedTableOptions table;
  table.block_size = kRunBlockBytes;
  table.no_block_cache = true;
  table.checksum = rocksdb::kXXH3;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.table_properties_collector_factories.clear();
  return options;
}

}  // namespace

Sorter::Sorter(SortPlace place) : place_(std::move(place)), options_(RunOptions(place_.store)) {}

Sorter::~Sorter() { DeleteRunsFrom(0); }

Status Sorter::Add(std::string_view key, Mark mark, std::string_view value) {
  const std::size_t added = key.size() + 1 + value.size() + sizeof(Entry);
  const std::size_t used = bytes_.size() + entries_.size() * sizeof(Entry);
  if (!entries_.empty() && used + added > std::min(place_.memory_bytes, kMemoryBytesMax)) {
    DOLMEN_RETURN_IF_ERROR(WriteMemory());
  }
  entries_.push_back({static_cast<std::uint32_t>(bytes_.size()),
                      static_cast<std::uint32_t>(key.size()),
                      static_cast<std::uint32_t>(value.size() + 1)});
  bytes_.append(key).push_back(mark);
  bytes_.append(value);
  return {};
}

std::string_view Sorter::KeyOf(const Entry& entry) const {
  return {bytes_.data() + entry.at, entry.key_bytes};
}

std::string_view Sorter::MarkedValueOf(const Entry& entry) const {
  return {bytes_.data() + entry.at + entry.key_bytes, entry.value_bytes};
}

void Sorter::SortMemory() {
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    const int order = KeyOf(a).compare(KeyOf(b));
    return order != 0 ? order < 0 : a.at > b.at;
  });
  const auto same = [this](const Entry& a, const Entry& b) { return KeyOf(a) == KeyOf(b); };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

Status Sorter::WriteMemory() {
  DOLMEN_RETURN_IF_ERROR(place_.store.CheckCanWrite(bytes_.size()));
  SortMemory();
  rocksdb::SstFileWriter file(rocksdb::EnvOptions(), options_, nullptr, false);
  runs_.push_back({.path = NewPath()});
  DOLMEN_RETURN_IF_ERROR(WhileSorting(file.Open(runs_.back().path)));
  for (const Entry& entry : entries_) {
    DOLMEN_RETURN_IF_ERROR(
        WhileSorting(file.Put(rocksdb::Slice(KeyOf(entry)), rocksdb::Slice(MarkedValueOf(entry)))));
  }
  DOLMEN_RETURN_IF_ERROR(WhileSorting(file.Finish()));
  entries_.clear();
  bytes_.clear();
  return MergeAlikeRuns();
}

Status Sorter::MergeAlikeRuns() {
  for (;;) {
    const int merges = runs_.back().merges;
    const auto last = std::find_if(runs_.rbegin(), runs_.rend(),
                                   [&](const Run& run) { return run.merges != merges; });
    const auto alike = static_cast<std::size_t>(last - runs_.rbegin());
    if (alike < kRunsPerMerge) return {};
    DOLMEN_RETURN_IF_ERROR(MergeRuns(runs_.size() - alike));
  }
}

Status Sorter::MergeRuns(std::size_t first) {
  rocksdb::SstFileWriter file(rocksdb::EnvOptions(), options_, nullptr, false);
  const Run merged = {.path = NewPath(), .merges = runs_[first].merges + 1};
  std::uint64_t checked = 0;
  const auto put = [&](std::string_view key, std::string_view marked) -> Status {
    if (file.FileSize() >= checked) {
      checked = file.FileSize() + kCheckedBytes;
      DOLMEN_RETURN_IF_ERROR(place_.store.CheckCanWrite(kCheckedBytes));
    }
    return WhileSorting(file.Put(rocksdb::Slice(key), rocksdb::Slice(marked)));
  };
  Status written = WhileSorting(file.Open(merged.path));
  if (written.ok()) written = Merge(first, put);
  if (written.ok()) written = WhileSorting(file.Finish());
  if (written.ok()) DeleteRunsFrom(first);
  runs_.push_back(merged);
  return written;
}

Status Sorter::Merge(std::size_t first, const EntryHandler& on_marked) const {
  std::vector<std::unique_ptr<RunReader>> readers;
  for (std::size_t i = first; i < runs_.size(); ++i) {
    readers.push_back(std::make_unique<RunReader>(options_));
    DOLMEN_RETURN_IF_ERROR(readers.back()->Open(runs_[i].path));
  }
  // The readers that have an entry, as a heap. The front has the least key, and of those with this key the last entry.
  std::vector<std::size_t> heap;
  const auto is_after = [&](std::size_t a, std::size_t b) {
    const int order = readers[a]->position().key().compare(readers[b]->position().key());
    return order != 0 ? order > 0 : a < b;
  };
  const auto add = [&](std::size_t reader) -> Status {
    rocksdb::Iterator& position = readers[reader]->position();
    if (!position.Valid()) return WhileSorting(position.status());
    heap.push_back(reader);
    std::push_heap(heap.begin(), heap.end(), is_after);
    return {};
  };
  const auto take = [&] {
    std::pop_heap(heap.begin(), heap.end(), is_after);
    const std::size_t reader = heap.back();
    heap.pop_back();
    return reader;
  };
  for (std::size_t i = 0; i < readers.size(); ++i) DOLMEN_RETURN_IF_ERROR(add(i));
  while (!heap.empty()) {
    const std::size_t newest = take();
    rocksdb::Iterator& entry = readers[newest]->position();
    DOLMEN_RETURN_IF_ERROR(on_marked(ViewOf(entry.key()), ViewOf(entry.value())));
    while (!heap.empty() && readers[heap.front()]->position().key() == entry.key()) {
      const std::size_t older = take();
      readers[older]->position().Next();
      DOLMEN_RETURN_IF_ERROR(add(older));
    }
    entry.Next();
    DOLMEN_RETURN_IF_ERROR(add(newest));
  }
  return {};
}

Status Sorter::ReadAll(const EntryHandler& on_entry) {
  const auto on_marked = [&](std::string_view key, std::string_view marked) {
    return marked.front() == kRemoved ? Status() : on_entry(key, marked.substr(1));
  };
  if (!runs_.empty()) {
    if (!entries_.empty()) DOLMEN_RETURN_IF_ERROR(WriteMemory());
    bytes_ = {};
    entries_ = {};
    while (runs_.size() > kRunsPerMerge) {
      DOLMEN_RETURN_IF_ERROR(MergeRuns(std::max(runs_.size() - kRunsPerMerge, kRunsPerMerge - 1)));
    }
    return Merge(0, on_marked);
  }
  SortMemory();
  for (const Entry& entry : entries_) {
    DOLMEN_RETURN_IF_ERROR(on_marked(KeyOf(entry), MarkedValueOf(entry)));
  }
  return {};
}

std::string Sorter::NewPath() { return place_.path + std::to_string(++paths_); }

// Ignores errors: the next opening of the database deletes what is left.
void Sorter::DeleteRunsFrom(std::size_t first) {
  for (std::size_t i = first; i < runs_.size(); ++i) {
    options_.env->DeleteFile(runs_[i].path).PermitUncheckedError();
  }
  runs_.resize(std::min(first, runs_.size()));
}

}  // namespace dolmen::engine
