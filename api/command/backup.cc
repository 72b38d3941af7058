#include "command/backup.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "command/database_command.h"
#include "command/encryption_key.h"
#include "command/interrupt.h"
#include "command/progress.h"
#include "command/text.h"

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

Example:
  dolmen backup app.dolmen /mnt/disk/app.backup)";

constexpr const char* kRestoreFooter =
    R"(Copies the backup in FROM to DATABASE, a directory that does not exist or is
empty, and checks the checksum of each file.  After an error or a crash
DATABASE holds no database.  An encrypted backup needs its key, which is the
key of the restored database, too.

Example:
  dolmen restore /mnt/disk/app.backup app.dolmen)";

struct CopyOptions {
  std::string from = {};
  std::string to = {};
  std::string key_file = {};
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

void AddDirectory(CLI::App* command, const char* name, std::string* path, const char* help) {
  command->add_option(name, *path, help)->required()->type_name("DIR");
}

}  // namespace

std::string BackupText(const std::string& directory, const CopyOutput& output) {
  return "Backed up to " + directory + ": " + BytesText(output.bytes) + ", of which " +
         BytesText(output.bytes_copied) + " are new.";
}

void AddBackupCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<CopyOptions>();
  CLI::App* command = app->add_subcommand("backup", "Back up a database");
  AddDirectory(command, "DATABASE", &options->from, "The database's directory");
  AddDirectory(command, "TO", &options->to, "The backup's directory");
  AddKeyFileOption(command, &options->key_file);
  command->footer(kBackupFooter);
  command->callback([options, result] { *result = Backup(*options); });
}

void AddRestoreCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<CopyOptions>();
  CLI::App* command = app->add_subcommand("restore", "Restore a database from a backup");
  AddDirectory(command, "FROM", &options->from, "The backup's directory");
  AddDirectory(command, "DATABASE", &options->to, "The directory of the restored database");
  AddKeyFileOption(command, &options->key_file);
  command->footer(kRestoreFooter);
  command->callback([options, result] { *result = Restore(*options); });
}

}  // namespace dolmen::command
