// Backups of tables, restores, and the recovery of points in time.

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "engine/recovery/table_backups.h"
#include "engine/schema/catalog.h"
#include "engine/storage/store.h"
#include "engine/stream/change_log.h"

namespace dolmen::engine {

// The parts of an engine that a recovery uses. Borrowed from the engine.
struct RecoveryContext {
  Store& store;
  Catalog& catalog;
  ChangeLog& changes;
  Clock& clock;
};

// Each method without a comment implements the operation of Database with the same name, whose
// contract holds here. Thread-safe.
class Recovery {
 public:
  explicit Recovery(const RecoveryContext& context) : context_(context), backups_(&context.store) {}

  // Loads the backups. REQUIRES: the catalog is loaded.
  Status Load();

  Result<TableBackup> CreateBackup(const CreateBackupInput& input);
  Result<TableBackup> DescribeBackup(std::string_view backup_id);
  Result<std::vector<TableBackup>> ListBackups();
  Result<TableBackup> DeleteBackup(std::string_view backup_id);
  // Returns what is wrong with the backups that cannot be restored.
  std::vector<std::string> FindDamagedBackups() const { return backups_.FindDamage(); }
  Result<RestoreTableOutput> RestoreTableFromBackup(const RestoreTableFromBackupInput& input);
  Result<RestoreTableOutput> RestoreTableToPointInTime(const RestoreTableToPointInTimeInput& input);
  Result<ReadChangesOutput> ReadChanges(const ReadChangesInput& input);
  Result<PointInTimeRecovery> UpdateContinuousBackups(const UpdateContinuousBackupsInput& input);
  Result<PointInTimeRecovery> DescribeContinuousBackups(std::string_view table_name);

  // Contract: Database::DeleteTable.
  Status DropTable(std::string_view name);

 private:
  // Backs up a table. The schema has the annotations of the table.
  Result<TableBackup> BackUp(const TableSchema& schema, TableBackup backup);
  // Deletes the backups whose time has come.
  void DropExpiredBackups();

  const RecoveryContext context_;
  TableBackups backups_;
};

}  // namespace dolmen::engine
