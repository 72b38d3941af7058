#include "command/backup.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "command/command.h"
#include "command/database_command.h"
#include "command/encryption_key.h"
#include "command/interrupt.h"
#include "command/progress.h"
#include "command/text.h"
#include "engine/base/status_macros.h"

namespace dolmen::command {
namespace {

constexpr const char* kBackupFooter =
    R"(TO is a directory that does not exist, is empty, or holds an earlier backup of
the same database.  Only new files are copied to an earlier backup.  TO keeps
one backup, the newest complete one: after an error or a crash that is the
earlier one.  The backup of an encrypted database is encrypted with its key.

No other program may have the database open.  To back up a database that
`dolmen serve` has open, start the server with --backup-to TO and send it the
signal SIGUSR1 for each backup.

With --table the command backs up one table inside the database, without TO, and
prints the id of the backup.  With --list it lists these backups.

Examples:
  dolmen backup app.dolmen /mnt/disk/app.backup
  dolmen backup app.dolmen --table app --name before-import
  dolmen backup app.dolmen --list)";

constexpr const char* kRestoreFooter =
    R"(Copies the backup in FROM to DATABASE, a directory that does not exist or is
empty, and checks the checksum of each file.  After an error or a crash
DATABASE holds no database.  An encrypted backup needs its key, which is the
key of the restored database, too.

With --as the command restores one table inside the database in FROM, without
DATABASE: the backup with the id --backup, or the table --table at the time --at.
Without --at it restores the present.  The table needs point-in-time recovery
(UpdateContinuousBackups).

Examples:
  dolmen restore /mnt/disk/app.backup app.dolmen
  dolmen restore app.dolmen --backup 01760000000000-1a2b3c4d --as app-old
  dolmen restore app.dolmen --table app --at 2026-04-15T10:30:00Z --as app-old)";

// Backups and restores of one table, with the option --table or --backup.
struct TableBackupOptions {
  DatabaseWords database = {};
  std::string table = {};
  std::string name = {};    // of the backup to create; empty: the table's name
  std::string backup = {};  // the id of the backup to restore; empty: restore a point in time
  std::string at = {};      // the time to restore, in ISO 8601
  std::string as = {};      // the name of the restored table
};

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

// Creates a backup of the table. Prints its id.
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

// Prints the backups of all tables.
CommandResult ListTableBackups(const DatabaseWords& words) {
  const auto database = OpenDatabase(words);
  if (!database.ok()) return FailureOf(database.status());
  const auto backups = database->ListBackups();
  if (!backups.ok()) return FailureOf(backups.status());
  TextTable table({"id", "table", "name", "created", "items"});
  table.AlignRight(4);
  for (const TableBackup& backup : *backups) {
    const bool is_damaged = !backup.damage.empty();
    table.Add({backup.id, backup.table.name, backup.name, ToIso8601(backup.created_at),
               is_damaged ? "damaged" : CountText(backup.table.content.item_count)});
  }
  std::fputs(table.ToString().c_str(), stdout);
  return FlushedOutput();
}

// Restores a backup, or the table at a point in time, to the table `as`.
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

struct CopyOptions {
  std::string from = {};
  std::string to = {};
  std::string key_file = {};
  TableBackupOptions table = {};
  bool lists = false;

  // Returns the options of a backup or a restore in the database `from`.
  TableBackupOptions InDatabase() const {
    TableBackupOptions options = table;
    options.database = {from, key_file};
    return options;
  }
};

// Runs a backup or a restore. Shows its progress, and ends it at Ctrl-C.
template <typename Copy>
Result<CopyOutput> CopyWithProgress(const char* doing, const Copy& copy) {
  const InterruptGuard interrupt;
  ProgressLine progress(doing);
  return copy([&](const CopyProgress& now) {
    progress.Update({.bytes = now.bytes_copied, .fraction = now.fraction});
    return !interrupt.interrupted();
  });
}

CommandResult Backup(const CopyOptions& options) {
  const auto key = ReadEncryptionKey(options.key_file);
  if (!key.ok()) return FailureOf(key.status());
  // The database is open for a short time only, so nothing is deleted that has expired.
  const auto database = Database::Open(
      options.from,
      {.create_if_missing = false, .expiry_lag = std::nullopt, .encryption_key = *key});
  if (database.status().code() == StatusCode::kResourceInUse) {
    return CommandResult::Failure(
        "the database in " + options.from +
        " is open in another program: stop that program; or, if it is `dolmen serve`, start it "
        "with --backup-to " +
        options.to + " and send it the signal SIGUSR1");
  }
  if (!database.ok()) return FailureOf(database.status());
  const auto output = CopyWithProgress("backing up", [&](const CopyProgressHandler& progress) {
    return database->Backup(options.to, {.progress = progress});
  });
  if (!output.ok()) return FailureOf(output.status());
  if (!output->complete) return {kInterruptedExitCode, "interrupted: nothing was backed up"};
  std::fprintf(stderr, "%s\n", BackupText(options.to, *output).c_str());
  return {};
}

CommandResult Restore(const CopyOptions& options) {
  const auto key = ReadEncryptionKey(options.key_file);
  if (!key.ok()) return FailureOf(key.status());
  const auto output = CopyWithProgress("restoring", [&](const CopyProgressHandler& progress) {
    return Database::Restore(options.from, options.to,
                             {.progress = progress, .encryption_key = *key});
  });
  if (!output.ok()) return FailureOf(output.status());
  if (!output->complete) return {kInterruptedExitCode, "interrupted: nothing was restored"};
  std::fprintf(stderr, "Restored to %s: %s.\n", options.to.c_str(),
               BytesText(output->bytes).c_str());
  return {};
}

CLI::Option* AddDirectory(CLI::App* command, const char* name, std::string* path,
                          const char* help) {
  return command->add_option(name, *path, help)->type_name("DIR");
}

// Runs a command of one table if the options ask for it, or else the command of the whole database,
// which needs the second directory.
template <typename OfDatabase>
CommandResult Run(const CopyOptions& options, bool is_of_table, const char* missing,
                  CommandResult (*of_table)(const TableBackupOptions&),
                  const OfDatabase& of_database) {
  if (is_of_table == options.to.empty()) {
    return is_of_table ? of_table(options.InDatabase()) : of_database(options);
  }
  return CommandResult::Misuse(missing);
}

}  // namespace

std::string BackupText(const std::string& directory, const CopyOutput& output) {
  return "Backed up to " + directory + ": " + BytesText(output.bytes) + ", of which " +
         BytesText(output.bytes_copied) + " are new.";
}

void AddBackupCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<CopyOptions>();
  CLI::App* command = app->add_subcommand("backup", "Back up a database, or a table in it");
  AddDirectory(command, "DATABASE", &options->from, "The database's directory")->required();
  AddDirectory(command, "TO", &options->to, "The backup's directory");
  command->add_option("--table", options->table.table, "Back up this table in the database");
  command->add_option("--name", options->table.name, "The name of the table's backup");
  command->add_flag("--list", options->lists, "List the backups of tables");
  AddKeyFileOption(command, &options->key_file);
  command->footer(kBackupFooter);
  command->callback([options, result] {
    if (options->lists) {
      *result = ListTableBackups(options->InDatabase().database);
      return;
    }
    *result = Run(*options, !options->table.table.empty(),
                  "give the directory TO for a backup of the database, or --table for a backup of "
                  "a table",
                  BackUpTable, Backup);
  });
}

void AddRestoreCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<CopyOptions>();
  CLI::App* command = app->add_subcommand("restore", "Restore a database, or a table in it");
  AddDirectory(command, "FROM", &options->from, "The directory of the backup, or of the database")
      ->required();
  AddDirectory(command, "DATABASE", &options->to, "The restored database's directory");
  TableBackupOptions& table = options->table;
  command->add_option("--as", table.as, "Restore to a new table with this name");
  CLI::Option* of = command->add_option("--table", table.table, "The table to restore");
  CLI::Option* backup = command->add_option("--backup", table.backup, "The backup to restore");
  command->add_option("--at", table.at, "The time to restore, such as 2026-04-15T10:30:00Z")
      ->needs(of);
  of->excludes(backup);
  AddKeyFileOption(command, &options->key_file);
  command->footer(kRestoreFooter);
  command->callback([options, result] {
    const TableBackupOptions& chosen = options->table;
    const bool has_source = !chosen.table.empty() || !chosen.backup.empty();
    if (has_source == chosen.as.empty()) {
      *result = CommandResult::Misuse(
          "to restore a table, give its new name with --as, and --table or --backup");
      return;
    }
    *result =
        Run(*options, has_source,
            "give the directory DATABASE for a restore of the database, or --as for a restore "
            "of a table",
            RestoreTable, Restore);
  });
}

}  // namespace dolmen::command
