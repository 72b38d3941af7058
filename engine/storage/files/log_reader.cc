#include "engine/storage/files/log_reader.h"

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format
constexpr std::size_t kBlockBytes = 32'768;  // no record crosses the end of a block
constexpr std::size_t kHeaderBytes = 7;      // checksum, length, type
constexpr std::size_t kLengthOffset = 4;
constexpr std::size_t kTypeOffset = 6;

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

// The state of a reader that gets a log block by block.
class BlockReader {
 public:
  explicit BlockReader(const std::function<void(std::string_view)>& on_record)
      : on_record_(on_record) {}

  // Reads the next block. Returns false if the block proves that a record before the log's end is
  // damaged.
  bool Read(std::string_view block) {
    while (const std::size_t length = RecordLength(block)) {
      if (has_unreadable_record_) return false;
      AddPart(block[kTypeOffset], block.substr(kHeaderBytes, length - kHeaderBytes));
      block.remove_prefix(length);
    }
    // Accepts a rest that is shorter than a header: RocksDB pads the end of a block with it.
    if (block.size() < kHeaderBytes && !has_unreadable_record_) return true;
    if (!has_unreadable_record_ && IsWholeButForItsHeader(block)) return false;
    has_unreadable_record_ = true;
    for (std::size_t at = 1; at < block.size(); ++at) {
      if (RecordLength(block.substr(at)) > 0) return false;
    }
    return true;
  }

 private:
  // Adds a whole record or a part of a larger record.
  void AddPart(char type, std::string_view part) {
    if (type == kWhole || type == kFirst) parts_.clear();
    parts_ += part;
    if (type == kWhole || type == kLast) on_record_(parts_);
  }

  const std::function<void(std::string_view)>& on_record_;
  std::string parts_;                   // the parts of a record up to the latest one
  bool has_unreadable_record_ = false;  // true once a record could not be read
};

}  // namespace

Status ReadLog(rocksdb::FileSystem* files, const std::string& path,
               const std::function<void(std::string_view)>& on_record) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus read = files->NewSequentialFile(path, {}, &file, nullptr);
  std::string space(kBlockBytes, '\0');
  rocksdb::Slice block;
  BlockReader reader(on_record);
  do {
    if (read.ok()) read = file->Read(space.size(), {}, &block, space.data(), nullptr);
    if (!read.ok()) return FromRocks(read, "reading " + path);
    if (!block.empty() && !reader.Read({block.data(), block.size()})) {
      return Status::Corruption(
          path + " has a damaged record before its end: restore the database from a backup");
    }
  } while (block.size() == space.size());
  return {};
}

}  // namespace dolmen::engine
