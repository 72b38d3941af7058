// The records of a write-ahead log. Each record is a WriteBatch of RocksDB.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/storage/logs/batch_reader.h"
#include "engine/storage/logs/log_reader.h"

namespace dolmen::engine {

// The data that Store::Write adds to each batch that it syncs. It reaches only the log.
inline constexpr std::string_view kSyncMark = "sync";

// Returns true if the batch was synced before it was acknowledged.
bool WasSynced(std::string_view batch);

// Returns true if the record that was found after unreadable bytes can be a batch that Dolmen
// wrote. The value of an item may contain bytes that look like a record. So a whole record must be
// a well-formed batch. Its number must be possible: not less than `next`, and greater by no more
// than the number of writes that fit into the unreadable bytes. `next` is the number of the batch
// that follows the last readable one. Any number is possible if `next` is nothing.
bool CanFollow(const FoundRecord& found, std::optional<std::uint64_t> next);

}  // namespace dolmen::engine
