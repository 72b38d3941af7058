#include "engine/storage/logs/log_reader.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/status_macros.h"
#include "engine/storage/logs/log_part.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// A reader of a log's parts. It gets the log block by block.
class PartReader {
 public:
  explicit PartReader(const PossibleRecord& is_possible) : is_possible_(is_possible) {}
  virtual ~PartReader() = default;
  PartReader(const PartReader&) = delete;
  PartReader& operator=(const PartReader&) = delete;

  // Reads the block that begins at `offset` of the log. Returns false if no further block is
  // needed.
  bool Read(std::string_view block, std::uint64_t offset) {
    // Ignores a rest that is shorter than a header: RocksDB pads the end of a block with it.
    for (std::size_t at = 0; at + kLogHeaderBytes <= block.size();) {
      if (const std::optional<LogPart> part = ReadPart(block, at)) {
        if (!OnPart(*part, offset + at, offset + part->end)) return false;
        at = part->end;
        continue;
      }
      const std::size_t next = NextPart(block, at, [&](const LogPart& part, std::size_t position) {
        return is_possible_({.bytes = part.payload,
                             .is_whole = part.type == PartType::kWhole,
                             .unreadable_bytes = offset + position - last_end()});
      });
      if (!OnGap(block, at, next, offset)) return false;
      at = next;
    }
    OnBlockEnd(offset + block.size());
    return true;
  }

 protected:
  // Receives a part and its place in the log. Returns false to end the reading.
  virtual bool OnPart(const LogPart& part, std::uint64_t begin, std::uint64_t end) = 0;
  // Receives unreadable bytes of the block at `offset`. Returns false to end the reading.
  virtual bool OnGap(std::string_view block, std::size_t begin, std::size_t end,
                     std::uint64_t offset) = 0;
  virtual void OnBlockEnd(std::uint64_t /*offset*/) {}
  // Returns the end of the last record that the caller has received.
  virtual std::uint64_t last_end() const = 0;

 private:
  const PossibleRecord& is_possible_;
};

// A reader that ends at damage.
class CheckingReader : public PartReader {
 public:
  CheckingReader(const LogRecordHandler& on_record, const SyncedRecord& is_synced,
                 const PossibleRecord& is_possible, bool is_encrypted)
      : PartReader(is_possible),
        on_record_(on_record),
        is_synced_(is_synced),
        is_encrypted_(is_encrypted) {}

  std::optional<std::uint64_t> torn_at() const { return torn_at_; }

 private:
  // Returns false if the part proves that a record before it is damaged.
  bool OnPart(const LogPart& part, std::uint64_t, std::uint64_t end) override {
    if (is_past_end_ && (!torn_at_ || has_synced_record_)) return false;
    if (part.type == PartType::kWhole || part.type == PartType::kFirst) {
      parts_.clear();
      has_begin_ = true;
    }
    parts_ += part.payload;
    if (part.type == PartType::kFirst || part.type == PartType::kMiddle) return true;
    if (!is_past_end_) {
      on_record_(parts_);
      last_end_ = end;
    }
    has_synced_record_ = is_past_end_ && has_begin_ && is_synced_(parts_);
    has_begin_ = false;
    return true;
  }

  // Returns false if the part at `begin` is no part that a power cut has torn.
  bool OnGap(std::string_view block, std::size_t begin, std::size_t,
             std::uint64_t offset) override {
    if (is_past_end_) return true;
    is_past_end_ = true;
    has_begin_ = false;
    if (EndByChecksum(block, begin)) return false;
    if (HasLostSector(block, begin, is_encrypted_)) torn_at_ = offset + begin;
    return true;
  }

  std::uint64_t last_end() const override { return last_end_; }

  const LogRecordHandler& on_record_;
  const SyncedRecord& is_synced_;
  const bool is_encrypted_;
  std::string parts_;       // the parts of a record up to the latest one
  bool has_begin_ = false;  // true if parts_ begins with the begin of a record
  std::uint64_t last_end_ = 0;
  bool is_past_end_ = false;              // true once a record could not be read
  std::optional<std::uint64_t> torn_at_;  // the offset of this record if a sector of it is lost
  bool has_synced_record_ = false;        // true once a synced record follows it
};

// A reader that continues after damage.
class SalvagingReader : public PartReader {
 public:
  SalvagingReader(const std::function<void(const SalvagedRecord&)>& on_record,
                  const std::function<void(std::uint64_t, std::uint64_t)>& on_gap,
                  const PossibleRecord& is_possible)
      : PartReader(is_possible), on_record_(on_record), on_gap_(on_gap) {}

  // REQUIRES: the last block was read.
  void Finish() { EndGap(false); }

 private:
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool has_bytes = false;  // true if a byte is not zero
  };

  bool OnPart(const LogPart& part, std::uint64_t begin, std::uint64_t end) override {
    EndGap(true);
    if (part.type == PartType::kWhole || part.type == PartType::kFirst) {
      parts_.clear();
      begin_ = begin;
      is_in_record_ = true;
    }
    parts_ += part.payload;
    part_end_ = end;
    if (part.type == PartType::kFirst || part.type == PartType::kMiddle) return true;
    if (is_in_record_) {
      on_record_({parts_, begin_, end});
      last_end_ = end;
    }
    is_in_record_ = false;
    return true;
  }

  bool OnGap(std::string_view block, std::size_t begin, std::size_t end,
             std::uint64_t offset) override {
    if (!gap_) gap_ = Gap{.begin = part_end_};
    gap_->end = offset + end;
    gap_->has_bytes =
        gap_->has_bytes || std::ranges::any_of(block.substr(begin, end - begin),
                                               [](char byte) { return byte != '\0'; });
    return true;
  }

  void OnBlockEnd(std::uint64_t offset) override {
    if (!gap_) part_end_ = offset;
  }

  void EndGap(bool is_before_record) {
    if (!gap_) return;
    if (is_before_record || gap_->has_bytes) on_gap_(gap_->begin, gap_->end);
    gap_.reset();
    is_in_record_ = false;
  }

  std::uint64_t last_end() const override { return last_end_; }

  const std::function<void(const SalvagedRecord&)>& on_record_;
  const std::function<void(std::uint64_t, std::uint64_t)>& on_gap_;
  std::string parts_;          // the parts of a record up to the latest one
  std::uint64_t begin_ = 0;    // the place of the record's first part
  bool is_in_record_ = false;  // true if all parts from the first one on were read
  std::uint64_t part_end_ = 0;
  std::uint64_t last_end_ = 0;
  std::optional<Gap> gap_;
};

// Calls `on_block` with each block of the log, until it returns false.
Status ReadBlocks(rocksdb::FileSystem* files, const std::string& path,
                  const std::function<bool(std::string_view)>& on_block) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus read = files->NewSequentialFile(path, {}, &file, nullptr);
  std::string space(kLogBlockBytes, '\0');
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
                                             const LogRecordHandler& on_record,
                                             const SyncedRecord& is_synced,
                                             const PossibleRecord& is_possible, bool is_encrypted) {
  CheckingReader reader(on_record, is_synced, is_possible, is_encrypted);
  std::uint64_t offset = 0;
  bool is_sound = true;
  const Status read = ReadBlocks(files, path, [&](std::string_view block) {
    is_sound = reader.Read(block, offset);
    offset += block.size();
    return is_sound;
  });
  if (read.code() == StatusCode::kCorruption) {
    return Status::Corruption(std::string(read.message()) + ": restore the database from a backup");
  }
  DOLMEN_RETURN_IF_ERROR(read);
  if (is_sound) return reader.torn_at();
  return Status::Corruption(
      path + " has a damaged record before its end: restore the database from a backup");
}

Status SalvageLog(rocksdb::FileSystem* files, const std::string& path,
                  const std::function<void(const SalvagedRecord&)>& on_record,
                  const std::function<void(std::uint64_t, std::uint64_t)>& on_gap,
                  const PossibleRecord& is_possible) {
  SalvagingReader salvager(on_record, on_gap, is_possible);
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
