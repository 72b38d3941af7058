#include "engine/storage/files/table_bytes.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace dolmen::engine {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

constexpr std::chrono::microseconds kYieldInterval{50};

class TableWriter : public rocksdb::FSWritableFile {
 public:
  explicit TableWriter(std::shared_ptr<TableBytes> bytes) : bytes_(std::move(bytes)) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    bytes_->Append(std::string_view(data.data(), data.size()));
    LetOthersRun();
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override {
    return bytes_->size_bytes();
  }

 private:
  // If no other thread wakes up, Linux ends a time slice only at its next tick, up to 4 ms late.
  void LetOthersRun() {
    if (std::chrono::steady_clock::now() - start_ < kYieldInterval) return;
    std::this_thread::yield();
    start_ = std::chrono::steady_clock::now();
  }

  const std::shared_ptr<TableBytes> bytes_;
  std::chrono::steady_clock::time_point start_ = {};  // of the present time slice
};

class TableReader : public rocksdb::FSRandomAccessFile {
 public:
  explicit TableReader(std::shared_ptr<const TableBytes> bytes) : bytes_(std::move(bytes)) {}

  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    *result = Slice(scratch, bytes_->Read(offset, size, scratch));
    return IOStatus::OK();
  }
  // After an error RocksDB would read ahead into a buffer, and so copy each block twice.
  IOStatus Prefetch(std::uint64_t, std::size_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }

 private:
  const std::shared_ptr<const TableBytes> bytes_;
};

class SequentialTableReader : public rocksdb::FSSequentialFile {
 public:
  explicit SequentialTableReader(std::shared_ptr<const TableBytes> bytes)
      : bytes_(std::move(bytes)) {}

  IOStatus Read(std::size_t size, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    *result = Slice(scratch, bytes_->Read(offset_, size, scratch));
    offset_ += result->size();
    return IOStatus::OK();
  }
  IOStatus Skip(std::uint64_t size) override {
    offset_ = std::min(offset_ + size, bytes_->size_bytes());
    return IOStatus::OK();
  }

 private:
  const std::shared_ptr<const TableBytes> bytes_;
  std::uint64_t offset_ = 0;
};

}  // namespace

void TableBytes::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t begin = size_bytes_ % kPieceBytes;
    if (begin == 0) pieces_.push_back(std::make_unique_for_overwrite<char[]>(kPieceBytes));
    const std::size_t copied = std::min(bytes.size(), kPieceBytes - begin);
    std::memcpy(pieces_.back().get() + begin, bytes.data(), copied);
    size_bytes_ += copied;
    bytes.remove_prefix(copied);
  }
}

std::size_t TableBytes::Read(std::uint64_t offset, std::size_t bytes, char* to) const {
  if (offset >= size_bytes_) return 0;
  const std::size_t wanted = std::min<std::uint64_t>(bytes, size_bytes_ - offset);
  for (std::size_t copied = 0; copied < wanted;) {
    const std::size_t begin = (offset + copied) % kPieceBytes;
    const std::size_t part = std::min(wanted - copied, kPieceBytes - begin);
    std::memcpy(to + copied, pieces_[(offset + copied) / kPieceBytes].get() + begin, part);
    copied += part;
  }
  return wanted;
}

std::unique_ptr<rocksdb::FSWritableFile> TableBytes::Writer(std::shared_ptr<TableBytes> bytes) {
  return std::make_unique<TableWriter>(std::move(bytes));
}

std::unique_ptr<rocksdb::FSRandomAccessFile> TableBytes::Reader(
    std::shared_ptr<const TableBytes> bytes) {
  return std::make_unique<TableReader>(std::move(bytes));
}

std::unique_ptr<rocksdb::FSSequentialFile> TableBytes::SequentialReader(
    std::shared_ptr<const TableBytes> bytes) {
  return std::make_unique<SequentialTableReader>(std::move(bytes));
}

}  // namespace dolmen::engine
