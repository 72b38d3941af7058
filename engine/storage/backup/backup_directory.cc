#include "engine/storage/backup/backup_directory.h"

#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/marker.h"
#include "engine/storage/files/regular_files.h"
#include "engine/storage/files/take_number.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCurrent = "DOLMEN.backup.current";
constexpr std::string_view kFormatStart = "dolmen backup, format ";
constexpr int kBackupFormat = 1;
constexpr std::string_view kBeforeId = ": backup ";
constexpr const char* kListDirectory = "/meta";  // RocksDB's name

Status FileError(const std::string& path, const std::error_code& error) {
  return Status::Storage("can't use " + path + ": " + error.message());
}

Status Damaged(const std::string& path) {
  return Status::Corruption(path +
                            " is damaged: this backup can't be trusted; back up the database "
                            "into another directory");
}

Status NoCompleteBackup(const std::string& directory) {
  return Status::Validation("there is no complete backup in " + directory +
                            ": its first backup was interrupted");
}

// Creates the directory, if it is absent, and the marker file in it.
Status CreateMarker(const CopyPlace& place) {
  DOLMEN_ASSIGN_OR_RETURN(const DirectoryLock lock, CreateEmptyDirectory(place.directory));
  const std::string path = place.directory + "/" + kBackupMarkerFile;
  DOLMEN_ASSIGN_OR_RETURN(const std::string text, NewMarker(place.encryption_key));
  const auto files = RegularFilesIn(place.directory);
  return FromRocks(ReplaceFile(files.get(), path, text), "writing " + path);
}

// Checks that the marker file in `directory` is that of a backup with the place's key.
Status CheckKey(const CopyPlace& place, const std::string& directory) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string text, ReadMarker(directory + "/" + kBackupMarkerFile));
  return CheckMarker(text, directory, place.encryption_key);
}

}  // namespace

std::shared_ptr<rocksdb::FileSystem> CopyPlace::Files() const {
  const auto base = RegularFilesIn(directory, file_system);
  return encryption_key ? EncryptFiles(base, *encryption_key) : base;
}

Result<BackupDirectory> BackupDirectory::Open(const CopyPlace& place, bool create) {
  if (place.directory.empty()) {
    return Status::Validation("no directory is given for the backup: its path is empty");
  }
  std::error_code error;
  if (!fs::exists(place.directory + "/" + kBackupMarkerFile, error)) {
    if (!create) return Status::Validation("there is no backup in " + place.directory);
    const Status created = CreateMarker(place);
    // Another backup may have created the marker file meanwhile.
    if (!created.ok() && !fs::exists(place.directory + "/" + kBackupMarkerFile, error)) {
      return created;
    }
  }
  std::string path = fs::canonical(place.directory, error).string();
  if (error) return FileError(place.directory, error);
  DOLMEN_ASSIGN_OR_RETURN(DirectoryLock lock,
                          DirectoryLock::AcquireMarker(
                              path + "/" + kBackupMarkerFile,
                              "the backup in " + path +
                                  " is being written or restored already, by this process or by "
                                  "another: wait until it has ended"));
  DOLMEN_RETURN_IF_ERROR(CheckKey(place, path));
  CopyPlace named = place;
  named.directory = path;
  BackupDirectory directory(std::move(path), named.Files(), std::move(lock));
  DOLMEN_RETURN_IF_ERROR(directory.ReadCurrent());
  if (!create && !directory.current()) return NoCompleteBackup(directory.path());
  directory.DeleteOtherLists();
  return directory;
}

Status BackupDirectory::SetCurrent(std::uint32_t id) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string list, Read(ListPath(id)));
  const std::string path = path_ + "/" + kCurrent;
  DOLMEN_RETURN_IF_ERROR(
      FromRocks(ReplaceFile(file_system_.get(), path, FormatCurrent(id, list)), "writing " + path));
  current_ = id;
  return {};
}

Status BackupDirectory::ReadCurrent() {
  const rocksdb::IOStatus exists = file_system_->FileExists(path_ + "/" + kCurrent, {}, nullptr);
  if (exists.IsNotFound()) return {};
  DOLMEN_ASSIGN_OR_RETURN(const std::string text, Read(kCurrent));
  std::string_view rest = text;
  const std::optional<std::uint32_t> format = TakeNumber<std::uint32_t>(kFormatStart, &rest);
  const std::optional<std::uint32_t> id = TakeNumber<std::uint32_t>(kBeforeId, &rest);
  if (format && *format > kBackupFormat) {
    return Status::UnsupportedFormat("the backup in " + path_ + " has format " +
                                     std::to_string(*format) + ": use a newer release of Dolmen");
  }
  if (!id) return Damaged(path_ + "/" + kCurrent);
  DOLMEN_ASSIGN_OR_RETURN(const std::string list, Read(ListPath(*id)));
  if (text != FormatCurrent(*id, list)) return Damaged(path_ + "/" + ListPath(*id));
  current_ = id;
  return {};
}

// Ignores errors, because only the complete backup is ever used.
void BackupDirectory::DeleteOtherLists() const {
  if (!current_) return;  // the file that names the complete backup may have been lost
  const std::string directory = path_ + kListDirectory;
  std::vector<std::string> names;
  file_system_->GetChildren(directory, {}, &names, nullptr).PermitUncheckedError();
  for (const std::string& name : names) {
    if (name == std::to_string(*current_)) continue;
    file_system_->DeleteFile(directory + "/" + name, {}, nullptr).PermitUncheckedError();
  }
}

Result<std::string> BackupDirectory::Read(const std::string& path) const {
  std::string text;
  const rocksdb::Status read =
      rocksdb::ReadFileToString(file_system_.get(), path_ + "/" + path, &text);
  if (read.IsNotFound() || read.IsPathNotFound()) return Damaged(path_ + "/" + path);
  if (!read.ok()) return FromRocks(read, "reading " + path_ + "/" + path);
  return text;
}

std::string BackupDirectory::ListPath(std::uint32_t id) const {
  return std::string(kListDirectory + 1) + "/" + std::to_string(id);
}

std::string BackupDirectory::FormatCurrent(std::uint32_t id, const std::string& list) {
  return std::string(kFormatStart) + std::to_string(kBackupFormat) + std::string(kBeforeId) +
         std::to_string(id) + " has a list of files with the hash " +
         std::to_string(XXH3_64bits(list.data(), list.size())) + "\n";
}

bool IsInDirectory(const std::string& path, const std::string& directory) {
  std::error_code error;
  const fs::path inner = fs::weakly_canonical(path, error);
  const fs::path outer = fs::weakly_canonical(directory, error);
  if (error) return false;
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

}  // namespace dolmen::engine
