#include "engine/recovery/table_backups.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/files/owner_only.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackupsDirectory = "/backups";
constexpr const char* kDescriptionFile = "/DOLMEN.table";

// Returns true if the text has the form of an id: 14 digits, a hyphen, 8 hexadecimal digits.
bool IsBackupId(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  return text.size() == 23 && text[14] == '-' &&
         text.substr(0, 14).find_first_not_of(kDigits) == text.npos &&
         text.substr(15).find_first_not_of(kHexDigits) == text.npos;
}

Status NoSuchBackup(std::string_view id) {
  return Status::ResourceNotFound(std::string("Backup not found: ").append(id));
}

}  // namespace

TableBackups::Reader::~Reader() { owner_->Close(id_); }

std::string TableBackups::DirectoryOf(std::string_view id) const {
  return std::string(store_->directory()).append(kBackupsDirectory).append("/").append(id);
}

Status TableBackups::Load() {
  if (store_->is_in_memory()) return {};
  const fs::path all = store_->directory() + kBackupsDirectory;
  std::error_code error;
  if (!fs::exists(all, error)) return {};
  std::vector<std::string> incomplete;
  for (fs::directory_iterator entry(all, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string id = entry->path().filename().string();
    if (!IsBackupId(id)) continue;  // not a file of Dolmen
    const bool is_complete = fs::exists(DirectoryOf(id) + kDescriptionFile, error);
    if (error) break;
    if (is_complete) {
      // Ignores a damaged description: the database can be used without this backup.
      ReadDescription(id).IgnoreError();
    } else {
      incomplete.push_back(id);
    }
  }
  if (error) return Status::Storage("can't read " + all.string() + ": " + error.message());
  if (!store_->CheckWritable().ok()) return {};
  // Ignores errors: the next opening tries again.
  for (const std::string& id : incomplete) fs::remove_all(DirectoryOf(id), error);
  return {};
}

Status TableBackups::ReadDescription(const std::string& id) {
  const CopyPlace place = store_->PlaceOf(DirectoryOf(id));
  const std::string path = place.directory + kDescriptionFile;
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(
      FromRocks(rocksdb::ReadFileToString(place.Files().get(), path, &bytes), "reading " + path));
  Result<BackupRecord> record = DecodeBackup(bytes);
  if (!record.ok()) return record.status();
  record->backup.id = id;
  const MutexLock lock(mutex_);
  backups_.emplace(id, Kept{*std::move(record), nullptr});
  return {};
}

std::string TableBackups::NewId(const BackupRecord& record) {
  for (;;) {
    const std::array<std::uint64_t, 2> parts = {store_->LatestSequence(), ++ids_};
    std::array<char, 40> id;
    std::snprintf(id.data(), id.size(), "%014lld-%08x",
                  static_cast<long long>(std::max<std::int64_t>(
                      record.backup.created_at.time_since_epoch().count(), 0)),
                  static_cast<unsigned>(XXH3_64bits(parts.data(), sizeof parts)));
    if (!backups_.contains(id.data())) return id.data();
  }
}

Result<TableBackup> TableBackups::Create(BackupRecord record) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  {
    const MutexLock lock(mutex_);
    record.backup.id = NewId(record);
  }
  const std::string& id = record.backup.id;
  std::shared_ptr<const MemoryDirectory> memory;
  if (store_->is_in_memory()) {
    DOLMEN_ASSIGN_OR_RETURN(memory, store_->Image());
  } else {
    DOLMEN_ASSIGN_OR_RETURN(const std::string description, EncodeBackup(record));
    DOLMEN_RETURN_IF_ERROR(CreateFiles(id, description));
  }
  TableBackup backup = record.backup;
  const MutexLock lock(mutex_);
  backups_.emplace(backup.id, Kept{std::move(record), std::move(memory)});
  return backup;
}

Status TableBackups::CreateFiles(const std::string& id, const std::string& description) {
  const CopyPlace place = store_->PlaceOf(DirectoryOf(id));
  DOLMEN_RETURN_IF_ERROR(store_->CopyInto(place.directory));
  RestrictDirectoryToOwner(store_->directory() + kBackupsDirectory);
  const std::string path = place.directory + kDescriptionFile;
  const auto files = place.Files();
  rocksdb::IOStatus written = ReplaceFile(files.get(), path, description);
  if (written.ok()) written = SyncDirectory(files.get(), store_->directory() + kBackupsDirectory);
  if (written.ok()) written = SyncDirectory(files.get(), store_->directory());
  if (written.ok()) return {};
  // Deletes the description first, because a backup with a description counts as complete.
  std::error_code error;
  fs::remove(path, error);
  fs::remove_all(place.directory, error);
  return FromRocks(written, "writing " + path);
}

Result<TableBackup> TableBackups::Find(std::string_view id) const {
  const MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  if (found == backups_.end()) return NoSuchBackup(id);
  return found->second.record.backup;
}

std::vector<TableBackup> TableBackups::List() const {
  const MutexLock lock(mutex_);
  std::vector<TableBackup> list;
  for (const auto& [id, kept] : backups_) list.push_back(kept.record.backup);
  return list;
}

Result<TableBackup> TableBackups::Delete(std::string_view id) {
  DOLMEN_RETURN_IF_ERROR(store_->CheckWritable());
  const MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  if (found == backups_.end()) return NoSuchBackup(id);
  if (found->second.is_open) {
    return Status::BackupInUse(std::string("Backup is being used to restore table: ").append(id));
  }
  const std::string directory = DirectoryOf(id);
  const bool is_on_disk = found->second.memory == nullptr;
  std::error_code error;
  if (is_on_disk) fs::remove(directory + kDescriptionFile, error);
  if (error) return Status::Storage("can't delete " + directory + ": " + error.message());
  TableBackup backup = found->second.record.backup;
  backups_.erase(found);
  if (!is_on_disk) return backup;
  const auto files = store_->PlaceOf(directory).Files();
  DOLMEN_RETURN_IF_ERROR(FromRocks(SyncDirectory(files.get(), directory), "deleting a backup"));
  fs::remove_all(directory, error);  // ignores errors: the next opening tries again
  return backup;
}

Result<std::unique_ptr<TableBackups::Reader>> TableBackups::Open(std::string_view id) {
  std::unique_ptr<Reader> reader;
  std::shared_ptr<const MemoryDirectory> memory;
  {
    const MutexLock lock(mutex_);
    const auto found = backups_.find(id);
    if (found == backups_.end()) return NoSuchBackup(id);
    if (found->second.is_open) {
      return Status::BackupInUse(
          std::string("Backup is being used to restore another table: ").append(id));
    }
    found->second.is_open = true;
    memory = found->second.memory;
    reader = std::make_unique<Reader>(this, std::string(id), found->second.record.schema);
  }
  DOLMEN_ASSIGN_OR_RETURN(reader->store_, OpenStore(reader->id_, memory));
  return reader;
}

Result<std::unique_ptr<Store>> TableBackups::OpenStore(
    const std::string& id, const std::shared_ptr<const MemoryDirectory>& memory) {
  StoreOptions options{.block_cache = store_->block_cache()};
  if (memory != nullptr) {
    options.in_memory = true;
    DOLMEN_ASSIGN_OR_RETURN(options.memory, memory->Link());
  } else {
    const CopyPlace place = store_->PlaceOf(DirectoryOf(id));
    options.directory = place.directory;
    options.encryption_key = place.encryption_key;
    options.read_only = true;
  }
  return Store::Open(options);
}

void TableBackups::Close(const std::string& id) {
  const MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  if (found != backups_.end()) found->second.is_open = false;
}

}  // namespace dolmen::engine
