#include "engine/recovery/table_backups.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/storage/files/owner_only.h"
#include "engine/storage/files/regular_files.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/logs/log_list.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackupsDirectory = "/backups";
constexpr const char* kDescriptionFile = "/DOLMEN.table";
// The end of the name of a directory that is being filled or emptied.
constexpr std::string_view kUnfinished = ".tmp";
constexpr std::size_t kIdBytes = 23;

// Returns true if the text has the form of an id: 14 digits, a hyphen, 8 hexadecimal digits.
bool IsBackupId(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  return text.size() == kIdBytes && text[14] == '-' &&
         text.substr(0, 14).find_first_not_of(kDigits) == text.npos &&
         text.substr(15).find_first_not_of(kHexDigits) == text.npos;
}

Status NoSuchBackup(std::string_view id) {
  return Status::ResourceNotFound(std::string("Backup not found: ").append(id));
}

// Returns what is known of a backup whose description cannot be used.
TableBackup DamagedBackup(const std::string& id, const Status& reason) {
  std::int64_t created_at = 0;
  std::from_chars(id.data(), id.data() + id.find('-'), created_at);
  TableBackup backup;
  backup.name = backup.table.name = "unknown";
  backup.created_at = Timestamp(std::chrono::milliseconds(created_at));
  backup.damage = reason.message();
  return backup;
}

// A log or a manifest of a backup is smaller: RocksDB begins a new manifest before, and the logs are flushed when a backup
// is made. A damaged one may be sparse and have any size.
constexpr std::uint64_t kHashedBytesMax = std::uint64_t{2} << 30;

// Returns the hash of the file's bytes.
// - kCorruption: the file is larger than kHashedBytesMax.
Result<std::uint64_t> HashFile(rocksdb::FileSystem* files, const std::string& path) {
  constexpr std::size_t kPartBytes = std::size_t{256} << 10;
  const auto part = std::make_unique_for_overwrite<char[]>(kPartBytes);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(),
                                                                      XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  std::uint64_t size = 0;
  rocksdb::IOStatus status = files->GetFileSize(path, {}, &size, nullptr);
  if (status.ok() && size > kHashedBytesMax) return Status::Corruption(path + " is too large");
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  if (status.ok()) status = files->NewSequentialFile(path, {}, &file, nullptr);
  while (status.ok()) {
    rocksdb::Slice read;
    status = file->Read(kPartBytes, {}, &read, part.get(), nullptr);
    if (status.ok() && read.empty()) return XXH3_64bits_digest(hash.get());
    XXH3_64bits_update(hash.get(), read.data(), read.size());
  }
  return FromRocks(status, "reading " + path);
}

// Returns the hash of the logs and manifests in a backup's directory. They and the table files that a manifest names are
// all writes of the backup. RocksDB would accept those of another backup of the same database.
Result<std::uint64_t> HashWrites(const CopyPlace& place) {
  const auto files = place.Files();
  std::vector<std::string> names;
  DOLMEN_RETURN_IF_ERROR(FromRocks(files->GetChildren(place.directory, {}, &names, nullptr),
                                   "reading " + place.directory));
  std::erase_if(
      names, [](const std::string& name) { return !LogNumberOf(name) && !ManifestNumberOf(name); });
  std::ranges::sort(names);
  std::string hashes;
  for (const std::string& name : names) {
    DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t hash,
                            HashFile(files.get(), place.directory + "/" + name));
    hashes.append(name).append(" ").append(std::to_string(hash));
  }
  return XXH3_64bits(hashes.data(), hashes.size());
}

}  // namespace

TableBackups::Reader::~Reader() {
  store_.reset();  // before somebody else may open or delete its files
  owner_->Close(id_);
}

std::string TableBackups::DirectoryOf(std::string_view id) const {
  return std::string(store_->directory()).append(kBackupsDirectory).append("/").append(id);
}

std::string TableBackups::UnfinishedDirectoryOf(std::string_view id) const {
  return DirectoryOf(id).append(kUnfinished);
}

Status TableBackups::Load() {
  if (store_->is_in_memory()) return {};
  const fs::path all = store_->directory() + kBackupsDirectory;
  DOLMEN_RETURN_IF_ERROR(CheckDirectory(all.string()));
  std::error_code error;
  if (!fs::exists(all, error)) return {};
  std::vector<fs::path> unfinished;
  for (fs::directory_iterator entry(all, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!IsBackupId(std::string_view(name).substr(0, kIdBytes))) continue;  // not a file of Dolmen
    const std::string_view end_of_name = std::string_view(name).substr(kIdBytes);
    if (end_of_name == kUnfinished) unfinished.push_back(entry->path());
    if (end_of_name.empty()) LoadBackup(name);
  }
  if (error) return Status::Storage("can't read " + all.string() + ": " + error.message());
  if (!store_->CheckWritable().ok()) return {};
  // Ignores errors: the next opening tries again.
  for (const fs::path& directory : unfinished) fs::remove_all(directory, error);
  return {};
}

// Keeps a backup whose description cannot be used, so that somebody learns of it.
void TableBackups::LoadBackup(const std::string& id) {
  Kept kept;
  if (Result<BackupRecord> record = ReadDescription(id); record.ok()) {
    kept.backup = std::move(record->backup);
    kept.schema = std::move(record->schema);
  } else {
    kept.backup = DamagedBackup(id, record.status());
  }
  kept.backup.id = id;
  const MutexLock lock(mutex_);
  backups_.emplace(id, std::move(kept));
}

std::vector<std::string> TableBackups::FindDamage() const {
  std::vector<std::string> found;
  for (const TableBackup& backup : List()) {
    if (store_->is_in_memory()) break;
    const Status checked = CheckFiles(backup.id);
    // A backup may be deleted meanwhile.
    if (!checked.ok() && Find(backup.id).ok()) found.emplace_back(checked.message());
  }
  return found;
}

Result<BackupRecord> TableBackups::ReadDescription(const std::string& id) const {
  const CopyPlace place = store_->PlaceOf(DirectoryOf(id));
  const std::string path = place.directory + kDescriptionFile;
  DOLMEN_RETURN_IF_ERROR(CheckDirectory(place.directory));
  std::string bytes;
  const rocksdb::Status read = rocksdb::ReadFileToString(place.Files().get(), path, &bytes);
  if (read.IsNotFound() || read.IsPathNotFound()) {
    return Status::Corruption(
        path +
        " is missing: the backup can't be restored; delete it. An earlier release leaves "
        "such a backup if it is interrupted while it creates or deletes one.");
  }
  DOLMEN_RETURN_IF_ERROR(FromRocks(read, "reading " + path));
  Result<BackupRecord> record = DecodeBackup(bytes);
  if (record.ok()) return record;
  if (record.status().code() == StatusCode::kUnsupportedFormat) {
    return Status::UnsupportedFormat(path + ": " + std::string(record.status().message()));
  }
  return Status::Corruption(path + " is damaged: the backup can't be restored; delete it");
}

Status TableBackups::CheckFiles(const std::string& id) const {
  DOLMEN_ASSIGN_OR_RETURN(const BackupRecord record, ReadDescription(id));
  if (!record.writes_hash) return {};
  const CopyPlace place = store_->PlaceOf(DirectoryOf(id));
  DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t hash, HashWrites(place));
  if (hash == *record.writes_hash) return {};
  return Status::Corruption(
      "the logs or manifests in " + place.directory +
      " are damaged or of another time: the backup can't be restored; delete it");
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
  std::shared_ptr<const MemoryDirectory> memory;
  if (store_->is_in_memory()) {
    DOLMEN_ASSIGN_OR_RETURN(memory, store_->Image());
  } else {
    DOLMEN_RETURN_IF_ERROR(CreateFiles(&record));
  }
  TableBackup backup = std::move(record.backup);
  const MutexLock lock(mutex_);
  backups_.emplace(backup.id, Kept{backup, std::move(record.schema), std::move(memory)});
  return backup;
}

Status TableBackups::CreateFiles(BackupRecord* record) {
  const CopyPlace place = store_->PlaceOf(UnfinishedDirectoryOf(record->backup.id));
  DOLMEN_RETURN_IF_ERROR(store_->CopyInto(place.directory));
  RestrictDirectoryToOwner(store_->directory() + kBackupsDirectory);
  Status finished = FinishFiles(place, record);
  if (finished.ok()) return finished;
  // A directory with the backup's own name counts as complete.
  std::error_code error;
  fs::rename(DirectoryOf(record->backup.id), place.directory, error);
  fs::remove_all(place.directory, error);
  return finished;
}

Status TableBackups::FinishFiles(const CopyPlace& place, BackupRecord* record) {
  DOLMEN_ASSIGN_OR_RETURN(record->writes_hash, HashWrites(place));
  DOLMEN_ASSIGN_OR_RETURN(const std::string description, EncodeBackup(*record));
  const std::string path = place.directory + kDescriptionFile;
  const auto files = place.Files();
  rocksdb::IOStatus written = ReplaceFile(files.get(), path, description);
  if (written.ok()) {
    written = files->RenameFile(place.directory, DirectoryOf(record->backup.id), {}, nullptr);
  }
  if (written.ok()) written = SyncDirectory(files.get(), store_->directory() + kBackupsDirectory);
  if (written.ok()) written = SyncDirectory(files.get(), store_->directory());
  return FromRocks(written, "writing " + path);
}

Result<TableBackup> TableBackups::Find(std::string_view id) const {
  const MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  if (found == backups_.end()) return NoSuchBackup(id);
  return found->second.backup;
}

std::vector<TableBackup> TableBackups::List() const {
  const MutexLock lock(mutex_);
  std::vector<TableBackup> list;
  for (const auto& [id, kept] : backups_) list.push_back(kept.backup);
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
  TableBackup backup = found->second.backup;
  if (found->second.memory == nullptr) DOLMEN_RETURN_IF_ERROR(DeleteFiles(backup.id));
  backups_.erase(found);
  return backup;
}

Status TableBackups::DeleteFiles(const std::string& id) {
  const std::string directory = DirectoryOf(id);
  const std::string unfinished = UnfinishedDirectoryOf(id);
  std::error_code error;
  fs::rename(directory, unfinished, error);
  const bool is_missing = error == std::errc::no_such_file_or_directory;
  if (error && !is_missing)
    return Status::Storage("can't delete " + directory + ": " + error.message());
  const auto files = store_->PlaceOf(directory).Files();
  const rocksdb::IOStatus synced =
      SyncDirectory(files.get(), store_->directory() + kBackupsDirectory);
  if (!synced.ok() && !is_missing) fs::rename(unfinished, directory, error);
  DOLMEN_RETURN_IF_ERROR(FromRocks(synced, "deleting " + directory));
  fs::remove_all(unfinished, error);  // ignores errors: the next opening tries again
  return {};
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
    const TableBackup& backup = found->second.backup;
    if (!backup.damage.empty()) return Status::Corruption(backup.damage);
    found->second.is_open = true;
    memory = found->second.memory;
    reader = std::make_unique<Reader>(this, std::string(id), *found->second.schema);
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
    DOLMEN_RETURN_IF_ERROR(CheckFiles(id));
    const CopyPlace place = store_->PlaceOf(DirectoryOf(id));
    options.directory = place.directory;
    options.encryption_key = place.encryption_key;
    options.file_system = place.file_system;
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
