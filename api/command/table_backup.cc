#include "command/table_backup.h"

#include <cstdio>
#include <optional>
#include <utility>

#include "command/interrupt.h"
#include "command/progress.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

Result<Database> OpenForBackup(const DatabaseWords& words) {
  return OpenToWrite(words, {.create_if_missing = false, .expiry_lag = std::nullopt});
}

// Restores the table that the options name. Shows the progress, and ends the restore at Ctrl-C.
Result<RestoreTableOutput> Run(const Database& database, const TableBackupOptions& options) {
  std::optional<Timestamp> time;
  if (!options.at.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(time, ParseIso8601(options.at));
  }
  const InterruptGuard interrupt;
  ProgressLine progress("restoring");
  RestoreTarget target{.table_name = options.as, .progress = [&](const CopyProgress& now) {
                         progress.Update({.bytes = now.bytes_copied, .fraction = now.fraction});
                         return !interrupt.interrupted();
                       }};
  if (!options.backup.empty()) {
    return database.RestoreTableFromBackup(
        {.backup_id = options.backup, .target = std::move(target)});
  }
  return database.RestoreTableToPointInTime(
      {.source_table_name = options.table, .restore_time = time, .target = std::move(target)});
}

}  // namespace

CommandResult BackUpTable(const TableBackupOptions& options) {
  const auto database = OpenForBackup(options.database);
  if (!database.ok()) return FailureOf(database.status());
  const auto backup =
      database->CreateBackup({.table_name = options.table,
                              .backup_name = options.name.empty() ? options.table : options.name});
  if (!backup.ok()) return FailureOf(backup.status());
  std::printf("%s\n", backup->id.c_str());
  return FlushedOutput();
}

CommandResult ListTableBackups(const DatabaseWords& words) {
  const auto database = OpenDatabase(words);
  if (!database.ok()) return FailureOf(database.status());
  const auto backups = database->ListBackups();
  if (!backups.ok()) return FailureOf(backups.status());
  TextTable table({"id", "table", "name", "created", "items"});
  table.AlignRight(4);
  for (const TableBackup& backup : *backups) {
    table.Add({backup.id, backup.table.name, backup.name, ToIso8601(backup.created_at),
               CountText(backup.table.content.item_count)});
  }
  std::fputs(table.ToString().c_str(), stdout);
  return FlushedOutput();
}

CommandResult RestoreTable(const TableBackupOptions& options) {
  const auto database = OpenForBackup(options.database);
  if (!database.ok()) return FailureOf(database.status());
  const auto output = Run(*database, options);
  if (!output.ok()) return FailureOf(output.status());
  if (!output->complete) return {kInterruptedExitCode, "interrupted: nothing was restored"};
  std::fprintf(stderr, "Restored to the table %s: %s.\n", options.as.c_str(),
               CountText(output->items, "item").c_str());
  return {};
}

}  // namespace dolmen::command
