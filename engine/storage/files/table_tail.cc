#include "engine/storage/files/table_tail.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/storage/files/table_blocks.h"

namespace dolmen::engine {
namespace {

using rocksdb::IOStatus;

constexpr std::string_view kPropertiesName = "rocksdb.properties";

// Reads `size` bytes at `offset` into `*bytes`.
IOStatus ReadAt(const rocksdb::FSRandomAccessFile& file, std::uint64_t offset, std::size_t size,
                std::string* bytes) {
  std::string space(size, '\0');
  rocksdb::Slice read;
  IOStatus status = file.Read(offset, size, {}, &read, space.data(), nullptr);
  bytes->assign(read.data(), status.ok() ? read.size() : 0);
  if (status.ok() && bytes->size() != size) return IOStatus::Corruption("a file has lost its end");
  return status;
}

// Reads the block at `place` and checks its checksum.
IOStatus ReadCheckedBlock(const rocksdb::FSRandomAccessFile& file, const BlockPlace& place,
                          std::uint64_t end, std::string* block) {
  if (place.size > kMetaBytesMax || place.end() > end) {
    return IOStatus::Corruption("a table file names a block outside the file");
  }
  IOStatus status = ReadAt(file, place.offset, place.size + kTrailerBytes, block);
  if (!status.ok()) return status;
  if (!HasRightChecksum(*block)) {
    return IOStatus::Corruption("block checksum mismatch at the end of a table file");
  }
  block->resize(place.size);
  return status;
}

}  // namespace

IOStatus CheckTableTail(const rocksdb::FSRandomAccessFile& file, std::uint64_t size) {
  const IOStatus damaged = IOStatus::Corruption("the footer of a table file is damaged");
  if (size < kFooterBytes) return damaged;
  const std::uint64_t footer_start = size - kFooterBytes;
  std::string block;
  if (IOStatus read = ReadAt(file, footer_start, kFooterBytes, &block); !read.ok()) return read;
  const std::optional<TableFooter> footer = ParseFooter(block, footer_start);
  if (!footer) return damaged;
  const IOStatus read = ReadCheckedBlock(file, footer->metaindex, footer_start, &block);
  if (!read.ok()) return read;
  const std::optional<BlockPlace> properties = FindInMetaindex(block, kPropertiesName);
  if (!properties) return IOStatus::Corruption("a table file has no properties");
  return ReadCheckedBlock(file, *properties, footer_start, &block);
}

}  // namespace dolmen::engine
