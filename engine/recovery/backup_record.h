// The stored description of a backup of a table. FORMAT.md (engine/storage) defines the bytes.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "engine/schema/table_schema.h"

namespace dolmen::engine {

// A backup of a table, with the schema that the table had.
struct BackupRecord {
  TableBackup backup;
  TableSchema schema;  // with its annotations
  // The hash of the logs and manifests in the backup's directory; nothing: an earlier release made the backup.
  std::optional<std::uint64_t> writes_hash = {};
};

// Returns the bytes of the description. Of `record.backup.table` only the content sizes are stored.
// The rest follows from the schema.
// - kValidation: the schema cannot be stored.
Result<std::string> EncodeBackup(const BackupRecord& record);

// Returns the record that `bytes` hold, without the backup's id.
// - kCorruption: the bytes are damaged.
// - kUnsupportedFormat: a newer release wrote them.
Result<BackupRecord> DecodeBackup(std::string_view bytes);

}  // namespace dolmen::engine
