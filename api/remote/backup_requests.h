// Backups of tables, restores and point-in-time recovery, as far as DynamoDB has them. The id of a
// backup is its ARN.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "remote/service.h"
#include "remote/tables.h"

namespace dolmen::remote {

// Contracts: the operations of Database of the same name. TableBackup::table has only the name and the
// size of the table. A restore returns when the table is ready; it cannot be interrupted, and cannot
// hand out the items instead of creating a table.
Result<TableBackup> CreateBackup(const Service& service, const CreateBackupInput& input);
Result<TableBackup> DescribeBackup(const Service& service, std::string_view backup_id);
Result<std::vector<TableBackup>> ListBackups(const Service& service);
Result<TableBackup> DeleteBackup(const Service& service, std::string_view backup_id);
Result<RestoreTableOutput> RestoreFromBackup(const Service& service, Tables& tables,
                                             const RestoreTableFromBackupInput& input);
Result<RestoreTableOutput> RestoreToPointInTime(const Service& service, Tables& tables,
                                                const RestoreTableToPointInTimeInput& input);
Result<PointInTimeRecovery> UpdateContinuousBackups(const Service& service,
                                                    const UpdateContinuousBackupsInput& input);
Result<PointInTimeRecovery> DescribeContinuousBackups(const Service& service,
                                                      std::string_view table_name);

}  // namespace dolmen::remote
