// The bytes of RocksDB's write-ahead logs, for tests that forge or damage them.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::test {

// Returns a whole record of a log with this content, header included.
std::string LogRecord(std::string_view content);

// Returns the content of a record whose batch deletes all keys, and whose first write has this
// number. The batch is marked as synced if `is_synced`.
std::string DeletionOfEverything(std::uint64_t number, bool is_synced = false);

// Returns the content of a record whose batch puts one key, and whose write has this number.
std::string PutBatch(std::uint64_t number, const std::string& key, const std::string& value,
                     bool is_synced = false);

}  // namespace dolmen::test
