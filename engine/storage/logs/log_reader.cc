#include "engine/storage/logs/log_reader.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/internal/status_macros.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format
constexpr std::size_t kBlockBytes = 32'768;  // no record crosses the end of a block
constexpr std::size_t kHeaderBytes = 7;      // checksum, length, type
constexpr std::size_t kLengthOffset = 4;
constexpr std::size_t kTypeOffset = 6;

// The size of the pages in which file systems write files. A power cut loses whole pages.
constexpr std::size_t kPageBytes = 4096;

// The types of records in Dolmen's logs: whole records, and the first, middle and last parts of
// larger records.
constexpr char kWhole = 1;
constexpr char kFirst = 2;
constexpr char kMiddle = 3;
constexpr char kLast = 4;
constexpr std::array<char, 4> kTypes = {kWhole, kFirst, kMiddle, kLast};

using Crc32c = boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true>;

std::uint32_t Byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint32_t StoredChecksum(std::string_view record) {
  return Byte(record, 0) | Byte(record, 1) << 8 | Byte(record, 2) << 16 | Byte(record, 3) << 24;
}

// Returns the checksum as RocksDB stores it: rotated, plus a constant. RocksDB does so because a
// CRC of bytes that contain their own CRC is weak.
std::uint32_t Checksum(char type, std::string_view payload) {
  Crc32c crc;
  crc.process_byte(static_cast<unsigned char>(type));
  crc.process_bytes(payload.data(), payload.size());
  const std::uint32_t sum = crc.checksum();
  return ((sum >> 15) | (sum << 17)) + 0xA282EAD8;
}

// Returns the length of the record at the start of `bytes`, header included. Returns 0 if `bytes`
// does not start with a whole record, or if the record's checksum is wrong.
std::size_t RecordLength(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return 0;
  const char type = bytes[kTypeOffset];
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) return 0;
  const std::size_t length =
      kHeaderBytes + (Byte(bytes, kLengthOffset) | Byte(bytes, kLengthOffset + 1) << 8);
  if (length > bytes.size()) return 0;
  const std::string_view payload = bytes.substr(kHeaderBytes, length - kHeaderBytes);
  return Checksum(type, payload) == StoredChecksum(bytes) ? length : 0;
}

// Returns true if only the header of the unreadable record at the start of `bytes` is damaged.
// Computes the checksum for every type of record, both with the stored length and with the length
// up to the end of `bytes`. Returns true if one of these checksums equals the stored checksum.
bool IsWholeButForItsHeader(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return false;
  const std::string_view rest = bytes.substr(kHeaderBytes);
  const std::size_t length = Byte(bytes, kLengthOffset) | Byte(bytes, kLengthOffset + 1) << 8;
  return std::any_of(kTypes.begin(), kTypes.end(), [&](char type) {
    return Checksum(type, rest) == StoredChecksum(bytes) ||
           (length <= rest.size() &&
            Checksum(type, rest.substr(0, length)) == StoredChecksum(bytes));
  });
}

// Returns true if the rest of a page, from the unreadable record at `at` on, holds only zeros, and the
// record has bytes there.
bool HasLostPage(std::string_view block, std::size_t at) {
  const std::string_view header = block.substr(at);
  std::size_t end = block.size();
  if (header.size() >= kHeaderBytes) {
    const std::size_t length = Byte(header, kLengthOffset) | Byte(header, kLengthOffset + 1) << 8;
    end = std::min(end, at + kHeaderBytes + length);
  }
  while (at < end) {
    const std::size_t page_end = std::min((at / kPageBytes + 1) * kPageBytes, block.size());
    const std::string_view page = block.substr(at, page_end - at);
    if (std::ranges::all_of(page, [](char byte) { return byte == '\0'; })) return true;
    at = page_end;
  }
  return false;
}

// The state of a reader that gets a log block by block.
class BlockReader {
 public:
  BlockReader(const RecordHandler& on_record, const SyncedRecord& is_synced)
      : on_record_(on_record), is_synced_(is_synced) {}

  // Reads the next block, which begins at `offset` of the log. Returns false if the block proves that
  // a record before the log's end is damaged.
  bool Read(std::string_view block, std::uint64_t offset) {
    std::size_t at = 0;
    while (const std::size_t length = RecordLength(block.substr(at))) {
      if (!AddPart(block.substr(at, length))) return false;
      at += length;
    }
    const std::string_view rest = block.substr(at);
    // Accepts a rest that is shorter than a header: RocksDB pads the end of a block with it.
    if (rest.size() < kHeaderBytes && !is_past_end_) return true;
    if (!is_past_end_) {
      if (HasLostPage(block, at)) {
        torn_at_ = offset + at;
      } else if (IsWholeButForItsHeader(rest)) {
        return false;
      }
      is_past_end_ = true;
      has_begin_ = false;
    }
    while (++at < block.size()) {
      const std::size_t length = RecordLength(block.substr(at));
      if (length == 0) continue;
      if (!AddPart(block.substr(at, length))) return false;
      at += length - 1;
    }
    return true;
  }

  std::optional<std::uint64_t> torn_at() const { return torn_at_; }

 private:
  // Adds a whole record or a part of a larger record. Returns false if it proves damage.
  bool AddPart(std::string_view physical) {
    if (is_past_end_ && (!torn_at_ || has_synced_record_)) return false;
    const char type = physical[kTypeOffset];
    if (type == kWhole || type == kFirst) {
      parts_.clear();
      has_begin_ = true;
    }
    parts_ += physical.substr(kHeaderBytes);
    if (type != kWhole && type != kLast) return true;
    if (!is_past_end_) on_record_(parts_);
    has_synced_record_ = is_past_end_ && has_begin_ && is_synced_(parts_);
    has_begin_ = false;
    return true;
  }

  const RecordHandler& on_record_;
  const SyncedRecord& is_synced_;
  std::string parts_;                     // the parts of a record up to the latest one
  bool has_begin_ = false;                // true if parts_ begins with the begin of a record
  bool is_past_end_ = false;              // true once a record could not be read
  std::optional<std::uint64_t> torn_at_;  // the offset of this record if a page of it is lost
  bool has_synced_record_ = false;        // true once a synced record follows it
};

// The state of a reader that continues after damage.
class LogSalvager {
 public:
  LogSalvager(const std::function<void(const SalvagedRecord&)>& on_record,
              const std::function<void(std::uint64_t, std::uint64_t)>& on_gap)
      : on_record_(on_record), on_gap_(on_gap) {}

  // Reads the block that begins at `offset`.
  void Read(std::string_view block, std::uint64_t offset) {
    for (std::size_t at = 0; at < block.size();) {
      if (const std::size_t length = RecordLength(block.substr(at))) {
        EndGap(true);
        AddPart(block.substr(at, length), offset + at);
        at += length;
      } else if (at + kHeaderBytes > block.size()) {
        break;  // padding
      } else {
        if (!gap_) gap_ = Gap{.begin = part_end_};
        gap_->has_bytes = gap_->has_bytes || block[at] != 0;
        gap_->end = offset + ++at;
      }
    }
    if (!gap_) part_end_ = offset + block.size();
  }

  // REQUIRES: the last block was read.
  void Finish() { EndGap(false); }

 private:
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool has_bytes = false;  // true if a byte is not zero
  };

  void EndGap(bool is_before_record) {
    if (!gap_) return;
    if (is_before_record || gap_->has_bytes) on_gap_(gap_->begin, gap_->end);
    gap_.reset();
    is_in_record_ = false;
  }

  void AddPart(std::string_view record, std::uint64_t offset) {
    const char type = record[kTypeOffset];
    if (type == kWhole || type == kFirst) {
      parts_.clear();
      begin_ = offset;
      is_in_record_ = true;
    }
    parts_ += record.substr(kHeaderBytes);
    part_end_ = offset + record.size();
    if (!is_in_record_ || type == kFirst || type == kMiddle) return;
    on_record_({parts_, begin_, part_end_});
    is_in_record_ = false;
  }

  const std::function<void(const SalvagedRecord&)>& on_record_;
  const std::function<void(std::uint64_t, std::uint64_t)>& on_gap_;
  std::string parts_;          // the parts of a record up to the latest one
  std::uint64_t begin_ = 0;    // the place of the record's first part
  bool is_in_record_ = false;  // true if all parts from the first one on were read
  std::uint64_t part_end_ = 0;
  std::optional<Gap> gap_;
};

// Calls `on_block` with each block of the log, until it returns false.
Status ReadBlocks(rocksdb::FileSystem* files, const std::string& path,
                  const std::function<bool(std::string_view)>& on_block) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus read = files->NewSequentialFile(path, {}, &file, nullptr);
  std::string space(kBlockBytes, '\0');
  rocksdb::Slice block;
  do {
    if (read.ok()) read = file->Read(space.size(), {}, &block, space.data(), nullptr);
    if (!read.ok()) return FromRocks(read, "reading " + path);
    if (!block.empty() && !on_block({block.data(), block.size()})) return {};
  } while (block.size() == space.size());
  return {};
}

}  // namespace

Result<std::optional<std::uint64_t>> ReadLog(rocksdb::FileSystem* files, const std::string& path,
                                             const RecordHandler& on_record,
                                             const SyncedRecord& is_synced) {
  BlockReader reader(on_record, is_synced);
  std::uint64_t offset = 0;
  bool is_sound = true;
  DOLMEN_RETURN_IF_ERROR(ReadBlocks(files, path, [&](std::string_view block) {
    is_sound = reader.Read(block, offset);
    offset += block.size();
    return is_sound;
  }));
  if (is_sound) return reader.torn_at();
  return Status::Corruption(
      path + " has a damaged record before its end: restore the database from a backup");
}

Status SalvageLog(rocksdb::FileSystem* files, const std::string& path,
                  const std::function<void(const SalvagedRecord&)>& on_record,
                  const std::function<void(std::uint64_t, std::uint64_t)>& on_gap) {
  LogSalvager salvager(on_record, on_gap);
  std::uint64_t offset = 0;
  DOLMEN_RETURN_IF_ERROR(ReadBlocks(files, path, [&](std::string_view block) {
    salvager.Read(block, offset);
    offset += block.size();
    return true;
  }));
  salvager.Finish();
  return {};
}

}  // namespace dolmen::engine
