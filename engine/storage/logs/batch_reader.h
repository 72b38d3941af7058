// A reader of the batches of writes that a write-ahead log holds.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace dolmen::engine {

// The types of entries that Dolmen writes. The numbers are RocksDB's.
enum class BatchEntryType : std::uint8_t {
  kDelete = 0,
  kPut = 1,
  kLogData = 3,  // bytes that reach only the log
  kDeleteRange = 15,
};

// An entry of a batch.
struct BatchEntry {
  BatchEntryType type = BatchEntryType::kPut;
  std::string_view key = {};    // of kDeleteRange the begin; of kLogData the bytes
  std::string_view value = {};  // of kPut; of kDeleteRange the end
};

// The numbers of a batch's writes.
struct BatchNumbers {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  friend bool operator==(const BatchNumbers&, const BatchNumbers&) = default;
};

// Returns the numbers in the header of a batch. Returns nothing if the header is not whole.
std::optional<BatchNumbers> NumbersOf(std::string_view batch);

// Calls `on_entry` with each entry of a record. The views are valid as long as the record. Returns
// false at the first byte that is not from a batch of Dolmen, and if the count of writes in the
// header is wrong. RocksDB's own reader has assertions that some forged records violate.
bool ReadBatch(std::string_view record, const std::function<void(const BatchEntry&)>& on_entry);

}  // namespace dolmen::engine
