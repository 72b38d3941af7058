// The bytes of a table file in memory.

#pragma once

#include <rocksdb/file_system.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace dolmen::engine {

// The bytes of a table file, in pieces that never move. A string would copy all its bytes when it grows:
// up to 4 milliseconds in which a flush does not let other threads run.
//
// One thread appends. When it has closed its writer, any number of threads may read.
class TableBytes {
 public:
  // Adds the bytes at the end.
  void Append(std::string_view bytes);

  // Copies at most `bytes` bytes from `offset` on to `to`. Returns how many it copied: fewer only at the
  // end of the file.
  std::size_t Read(std::uint64_t offset, std::size_t bytes, char* to) const;

  std::uint64_t size_bytes() const { return size_bytes_; }

  // Return the form in which RocksDB uses a file. It keeps the bytes alive. A writer yields the
  // processor every 50 microseconds, so that requests need not wait for the end of a flush. The readers
  // need a buffer to read into, so that the option `allow_mmap_reads` must be false.
  static std::unique_ptr<rocksdb::FSWritableFile> Writer(std::shared_ptr<TableBytes> bytes);
  static std::unique_ptr<rocksdb::FSRandomAccessFile> Reader(
      std::shared_ptr<const TableBytes> bytes);
  static std::unique_ptr<rocksdb::FSSequentialFile> SequentialReader(
      std::shared_ptr<const TableBytes> bytes);

 private:
  // Two blocks of a table. malloc takes pieces of this size from its heap, not from the system.
  static constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

  std::vector<std::unique_ptr<char[]>> pieces_;
  std::uint64_t size_bytes_ = 0;
};

}  // namespace dolmen::engine
