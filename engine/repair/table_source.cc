#include "engine/repair/table_source.h"

#include <algorithm>

namespace dolmen::engine {
namespace {

constexpr std::string_view kDeletedRangesName = "rocksdb.range_del";
// No index is larger. A damaged end of a file may name any place.
constexpr std::uint64_t kReadBytesMax = 256 << 20;

}  // namespace

TableSource::TableSource(RepairFiles* system, const TableFileToRead& table, FileGapHandler on_gap)
    : system_(system), table_(table), on_gap_(std::move(on_gap)), last_key_(table.first) {}

std::unique_ptr<TableSource> TableSource::Open(RepairFiles* system, const TableFileToRead& table,
                                               FileGapHandler on_gap) {
  std::unique_ptr<TableSource> source(new TableSource(system, table, std::move(on_gap)));
  const std::string path = table.path.string();
  rocksdb::IOStatus opened = system->GetFileSize(path, {}, &source->file_bytes_, nullptr);
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  if (opened.ok()) opened = system->NewRandomAccessFile(path, {}, &file, nullptr);
  if (!opened.ok()) {
    source->on_gap_({.first = table.first, .last = table.last, .reason = opened.ToString()});
    return source;
  }
  source->is_indexed_ = source->FindPlacesByIndex();
  if (!source->is_indexed_) source->FindPlacesByChecksums();
  source->ReadBlock();
  return source;
}

bool TableSource::FindPlacesByIndex() {
  if (file_bytes_ < kFooterBytes) return false;
  const std::uint64_t footer_start = file_bytes_ - kFooterBytes;
  const std::optional<TableFooter> footer =
      ParseFooter(ReadAt(footer_start, kFooterBytes), footer_start);
  if (!footer) return false;
  const std::optional<std::string> index = ReadContents(footer->index);
  const std::optional<std::string> metaindex = ReadContents(footer->metaindex);
  if (!index || !metaindex) return false;
  std::optional<std::vector<BlockPlace>> places = DecodeIndexBlock(*index);
  if (!places) return false;
  places_ = *std::move(places);
  const std::optional<BlockPlace> deleted = FindInMetaindex(*metaindex, kDeletedRangesName);
  if (!deleted) return true;
  const std::optional<std::string> block = ReadContents(*deleted);
  std::optional<BlockContents> contents = block ? DecodeBlock(*block) : std::nullopt;
  if (contents) {
    deleted_ = std::move(contents->deleted);
  } else {
    on_gap_({.first = table_.first,
             .last = table_.last,
             .reason = table_.path.filename().string() + ": deletions of ranges can't be read"});
  }
  return true;
}

void TableSource::FindPlacesByChecksums() {
  std::string bytes;        // a part of the file: the file may be larger than the memory
  std::uint64_t begin = 0;  // of the part in the file
  for (std::uint64_t at = 0; at < file_bytes_ && !system_->ended();) {
    if (at + kFoundBytesMax > begin + bytes.size() && begin + bytes.size() < file_bytes_) {
      begin = at;
      const auto wanted = std::min<std::uint64_t>(2 * kFoundBytesMax, file_bytes_ - begin);
      bytes = ReadAt(begin, wanted);
      if (bytes.size() < wanted) return;
    }
    const std::string_view view = std::string_view(bytes).substr(at - begin);
    const std::optional<std::size_t> size =
        MayBeginBlock(view) && system_->GoesOn() ? FindBlockSize(view) : std::nullopt;
    if (!size) {
      ++at;
      continue;
    }
    const BlockPlace place{at, *size};
    const auto block = Uncompress(view.substr(0, *size + kTrailerBytes));
    std::optional<BlockContents> contents = block ? DecodeBlock(*block) : std::nullopt;
    at = place.end();
    if (!contents) continue;
    if (!contents->versions.empty()) places_.push_back(place);
    deleted_.insert(deleted_.end(), contents->deleted.begin(), contents->deleted.end());
  }
}

std::string TableSource::ReadAt(std::uint64_t offset, std::uint64_t size) {
  if (offset > file_bytes_ || size > file_bytes_ - offset || size > kReadBytesMax) return {};
  std::string space(size, '\0');
  rocksdb::Slice bytes;
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  rocksdb::IOStatus read = system_->NewRandomAccessFile(table_.path.string(), {}, &file, nullptr);
  if (read.ok()) read = file->Read(offset, size, {}, &bytes, space.data(), nullptr);
  // A part that cannot be read is like a damaged one.
  if (!read.ok()) return {};
  return bytes.ToString();
}

std::optional<std::string> TableSource::ReadContents(const BlockPlace& place) {
  if (place.end() > file_bytes_) return std::nullopt;
  const std::string bytes = ReadAt(place.offset, place.size + kTrailerBytes);
  const bool is_whole = bytes.size() == place.size + kTrailerBytes && HasRightChecksum(bytes);
  return is_whole ? Uncompress(bytes) : std::nullopt;
}

bool TableSource::IsInPlace(const std::vector<Version>& versions) const {
  if (versions.empty()) return true;
  return versions.front().key >= last_key_ && (!table_.last || versions.back().key <= *table_.last);
}

// Blocks follow each other without gaps. If the index is lost, all bytes between two readable
// blocks therefore belong to lost blocks.
void TableSource::ReadBlock() {
  if (!versions_.empty()) last_key_ = versions_.back().key;
  versions_.clear();
  next_ = 0;
  const auto lose = [&](const std::string& what) {
    if (!gap_) gap_ = {.first = last_key_, .reason = table_.path.filename().string() + ": " + what};
  };
  while (versions_.empty() && block_ < places_.size()) {
    const BlockPlace place = places_[block_++];
    const std::uint64_t expected = block_ > 1 ? places_[block_ - 2].end() : 0;
    if (!is_indexed_ && place.offset != expected) {
      lose("the bytes from " + std::to_string(expected) + " to " + std::to_string(place.offset) +
           " can't be read");
    }
    const std::optional<std::string> block = ReadContents(place);
    std::optional<BlockContents> contents = block ? DecodeBlock(*block) : std::nullopt;
    if (contents && IsInPlace(contents->versions)) {
      versions_ = std::move(contents->versions);
    } else {
      lose("the block at byte " + std::to_string(place.offset) + " can't be read");
    }
  }
  if (versions_.empty() && !is_indexed_) lose("the end of the file is damaged");
  if (!gap_) return;
  gap_->last = versions_.empty() ? table_.last : versions_.front().key;
  on_gap_(*gap_);
  gap_.reset();
  if (versions_.empty()) is_indexed_ = true;  // the damaged end is reported only once
}

}  // namespace dolmen::engine
