// The description of a backup in responses.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BackupDescription.html

#pragma once

#include <string>
#include <string_view>

#include "dolmen/table_backup.h"
#include "wire/json_writer.h"
#include "wire/names.h"

namespace dolmen::wire {

std::string ArnOf(const Place& place, const TableBackup& backup);

// Each function below writes a value. `status` is a BackupStatus of DynamoDB.

void WriteBackupDetails(const Place& place, const TableBackup& backup, std::string_view status,
                        JsonWriter* json);
void WriteBackupDescription(const Place& place, const TableBackup& backup, std::string_view status,
                            JsonWriter* json);
// Writes the element of ListBackups.
void WriteBackupSummary(const Place& place, const TableBackup& backup, JsonWriter* json);

}  // namespace dolmen::wire
