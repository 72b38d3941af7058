#include "engine/storage/backup/backup.h"

#include <rocksdb/env.h>
#include <rocksdb/transaction_log.h>
#include <rocksdb/utilities/backup_engine.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/start_thread.h"
#include "engine/base/status_macros.h"
#include "engine/storage/backup/copy_target.h"
#include "engine/storage/backup/new_database.h"
#include "engine/storage/backup/plain_digits.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

// The number and the size of a table file. They identify the file within one database.
using FileKey = std::pair<std::uint64_t, std::uint64_t>;

// The text that a backup stores beside its files: the database's id, one line, and the list of the
// logs as the file DOLMEN.logs has it.
struct StoredText {
  std::string identity = {};
  std::string logs = {};
};

StoredText Split(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return {};
  return {.identity = text.substr(0, end), .logs = text.substr(end + 1)};
}

Status DamagedBackup(const std::string& directory, const std::string& reason) {
  return Status::Corruption("the backup in " + directory + " is damaged: " + reason);
}

// Translates RocksDB's outcome. A missing file of the backup is damage.
Status FromBackupEngine(const rocksdb::Status& status, const std::string& directory) {
  if (status.ok()) return {};
  if (status.IsNotFound() || status.IsCorruption()) {
    return DamagedBackup(directory, status.ToString());
  }
  return FromRocks(status, "the backup in " + directory);
}

// Returns the table files of the backup. Their paths are like shared_checksum/000012_sID_4711.sst.
std::set<FileKey> TableFilesOf(const rocksdb::BackupInfo& backup) {
  std::set<FileKey> files;
  for (const rocksdb::BackupFileInfo& file : backup.file_details) {
    const std::string& path = file.relative_filename;
    if (!path.ends_with(".sst")) continue;
    std::uint64_t number = 0;
    std::from_chars(path.data() + path.rfind('/') + 1, path.data() + path.size(), number);
    files.emplace(number, file.size);
  }
  return files;
}

// Returns an estimate of the bytes that a backup into a directory with `present` will copy.
std::uint64_t BytesToCopy(rocksdb::DB* db, const std::set<FileKey>& present) {
  std::uint64_t bytes = 0;
  std::vector<rocksdb::LiveFileMetaData> files;
  db->GetLiveFilesMetaData(&files);
  for (const rocksdb::LiveFileMetaData& file : files) {
    if (!present.contains({file.file_number, file.size})) bytes += file.size;
  }
  rocksdb::VectorLogPtr logs;
  db->GetSortedWalFiles(logs).PermitUncheckedError();  // without the logs the estimate is too low
  for (const auto& log : logs) bytes += log->SizeFileBytes();
  return bytes;
}

// The objects with which RocksDB copies files into a directory.
class Copier {
 public:
  Copier(const std::shared_ptr<rocksdb::FileSystem>& target, const CopyProgressHandler& progress)
      : meter_(std::make_shared<CopyMeter>(progress)),
        files_(std::make_shared<CopyTarget>(target, meter_)),
        env_(rocksdb::NewCompositeEnv(files_)) {}

  CopyMeter& meter() { return *meter_; }
  rocksdb::FileSystem* files() { return files_.get(); }
  rocksdb::Env* env() { return env_.get(); }

 private:
  std::shared_ptr<CopyMeter> meter_;
  std::shared_ptr<CopyTarget> files_;
  std::unique_ptr<rocksdb::Env> env_;
};

// Reads the description of the complete backup. Checks that it is of the database `identity`.
Status ReadFormerBackup(rocksdb::BackupEngine& engine, const BackupDirectory& directory,
                        const std::string& identity, rocksdb::BackupInfo* former) {
  if (!directory.current()) return {};
  DOLMEN_RETURN_IF_ERROR(
      FromBackupEngine(engine.GetBackupInfo(*directory.current(), former, true), directory.path()));
  if (Split(former->app_metadata).identity == identity) return {};
  return Status::Validation(directory.path() +
                            " holds the backup of another database: choose another directory, or "
                            "delete that backup");
}

// Copies the files of the complete backup to the empty directory `to`. Returns the list of the logs.
Result<std::string> CopyBack(const BackupDirectory& from, Copier* copier, const std::string& to,
                             std::uint64_t* bytes) {
  const std::unique_ptr<rocksdb::Env> source =
      rocksdb::NewCompositeEnv(WithPlainDigits(from.file_system(), from.path()));
  rocksdb::BackupEngineReadOnly* opened = nullptr;
  rocksdb::IOStatus status;
  DOLMEN_RETURN_IF_ERROR(StartThreads("to restore a backup", [&] {
    status = rocksdb::BackupEngineReadOnly::Open(
        rocksdb::BackupEngineOptions(from.path(), source.get()), copier->env(), &opened);
  }));
  if (!status.ok()) return FromBackupEngine(status, from.path());
  const std::unique_ptr<rocksdb::BackupEngineReadOnly> engine(opened);
  rocksdb::BackupInfo info;
  DOLMEN_RETURN_IF_ERROR(
      FromBackupEngine(engine->GetBackupInfo(*from.current(), &info), from.path()));
  *bytes = info.size;
  copier->meter().Expect(info.size);
  const rocksdb::IOStatus copied =
      engine->RestoreDBFromBackup(rocksdb::RestoreOptions(), *from.current(), to, to);
  DOLMEN_RETURN_IF_ERROR(FromBackupEngine(copied, from.path()));
  const StoredText text = Split(info.app_metadata);
  DOLMEN_RETURN_IF_ERROR(FromRocks(
      ReplaceFile(copier->files(), to + "/" + kIdentityFile, text.identity), "writing " + to));
  return text.logs;
}

}  // namespace

Result<CopyOutput> WriteBackup(const BackupSource& source, const CopyPlace& place,
                               const CopyProgressHandler& progress) {
  DOLMEN_ASSIGN_OR_RETURN(BackupDirectory directory, BackupDirectory::Open(place, true));
  Copier copier(WithPlainDigits(directory.file_system(), directory.path()), progress);
  rocksdb::BackupEngine* opened = nullptr;
  rocksdb::IOStatus status;
  DOLMEN_RETURN_IF_ERROR(StartThreads("to back up", [&] {
    status = rocksdb::BackupEngine::Open(
        rocksdb::BackupEngineOptions(directory.path(), copier.env()), source.db->GetEnv(), &opened);
  }));
  if (!status.ok()) return FromBackupEngine(status, directory.path());
  const std::unique_ptr<rocksdb::BackupEngine> engine(opened);
  std::string identity;
  DOLMEN_RETURN_IF_ERROR(FromRocks(source.db->GetDbIdentity(identity), "backing up"));
  rocksdb::BackupInfo former;
  DOLMEN_RETURN_IF_ERROR(ReadFormerBackup(*engine, directory, identity, &former));
  copier.meter().Expect(BytesToCopy(source.db, TableFilesOf(former)));

  rocksdb::CreateBackupOptions options;
  options.flush_before_backup = !source.has_logs;
  rocksdb::BackupID id = 0;
  const rocksdb::IOStatus created = engine->CreateNewBackupWithMetadata(
      options, source.db, identity + "\n" + FormatLogList(source.logs), &id);
  if (copier.meter().ended()) return CopyOutput{.complete = false};
  DOLMEN_RETURN_IF_ERROR(FromRocks(created, "backing up to " + directory.path()));
  DOLMEN_RETURN_IF_ERROR(directory.SetCurrent(id));
  rocksdb::BackupInfo info;
  DOLMEN_RETURN_IF_ERROR(FromBackupEngine(engine->GetBackupInfo(id, &info), directory.path()));
  // Ignores an error: the next backup deletes the files that remain.
  engine->PurgeOldBackups(1).PermitUncheckedError();
  // The meter has counted the description of the backup, too.
  copier.meter().Finish();
  return CopyOutput{.bytes = info.size,
                    .bytes_copied = std::min(info.size, copier.meter().bytes_copied())};
}

Result<CopyOutput> RestoreBackup(const CopyPlace& from, const CopyPlace& to,
                                 const CopyProgressHandler& progress) {
  DOLMEN_ASSIGN_OR_RETURN(BackupDirectory backup, BackupDirectory::Open(from, false));
  Copier copier(to.Files(), progress);
  CopyOutput output;
  const Status copied = CreateDatabaseFrom(
      to, copier.files(), [&] { return CopyBack(backup, &copier, to.directory, &output.bytes); });
  output.bytes_copied = copier.meter().bytes_copied();
  if (!copied.ok() && copier.meter().ended()) return CopyOutput{.complete = false};
  if (!copied.ok()) return copied;
  return output;
}

}  // namespace dolmen::engine
