// A reader of the files that RocksDB writes as logs: the write-ahead logs and the manifest.

#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Receives a record of a log. The view is valid during the call.
using LogRecordHandler = std::function<void(std::string_view record)>;
// Returns true if the record shows that it was synced before the next record was written.
using SyncedRecord = std::function<bool(std::string_view record)>;

// Bytes after an unreadable record that look like a record, or like the first part of one.
struct FoundRecord {
  std::string_view bytes;  // valid during the call of PossibleRecord
  bool is_whole = true;
  std::uint64_t unreadable_bytes = 0;  // between the last readable record and `bytes`
};
// Returns true if the bytes can be a record. Bytes in the value of an item may look like one.
using PossibleRecord = std::function<bool(const FoundRecord& found)>;

// Reads the log at `path` of `files` and calls `on_record` with each record, from the first to the
// last.
//
// A power cut may cut off the end of a log, or leave sectors of zeros in the part that was not
// synced. ReadLog ends at the first unreadable record. If a sector of this record ends with zeros,
// readable records may follow. ReadLog then returns the offset of the unreadable record. RocksDB
// would read on after it, so RocksDB must not get any byte from this offset on.
//
// If the log is encrypted (`is_encrypted`), the decryption makes other bytes of up to 15 of these zeros.
//
// Any other unreadable record before a readable record is damage. Such zeros are damage, too, if a
// later record that was synced, and any record behind it, are readable: the disk then held the
// sector. If a bit flips in the length or the type of a record, RocksDB treats this record as cut off
// and silently drops all later records. ReadLog reports this damage.
//
// The first part of each block is a record or a part of one. Inside a block, ReadLog and SalvageLog
// find the next record after an unreadable one by the length in its header, or by its checksum.
// Only if both are damaged, they look for a record at each byte, and accept it if `is_possible`
// does.
// - kCorruption: a record is damaged.
// - kStorage: the file cannot be read.
Result<std::optional<std::uint64_t>> ReadLog(rocksdb::FileSystem* files, const std::string& path,
                                             const LogRecordHandler& on_record,
                                             const SyncedRecord& is_synced,
                                             const PossibleRecord& is_possible, bool is_encrypted);

// A record that SalvageLog has read, and its place in the file.
struct SalvagedRecord {
  std::string_view bytes;  // valid during the call of the handler
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Reads the log at `path` of `files` and calls `on_record` with each readable record, also after
// damage. Calls `on_gap` with the begin and the end of each run of bytes that belong to no readable
// record. Zeros at the end of the file are no gap.
// - kStorage: the file cannot be read.
Status SalvageLog(rocksdb::FileSystem* files, const std::string& path,
                  const std::function<void(const SalvagedRecord& record)>& on_record,
                  const std::function<void(std::uint64_t begin, std::uint64_t end)>& on_gap,
                  const PossibleRecord& is_possible);

}  // namespace dolmen::engine
