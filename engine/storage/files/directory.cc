#include "engine/storage/files/directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/cannot_answer.h"
#include "engine/base/status_macros.h"
#include "engine/storage/files/marker.h"
#include "engine/storage/files/owner_only.h"
#include "engine/storage/files/process_limits.h"
#include "engine/storage/files/regular_files.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

Status FileError(std::string_view doing, const fs::path& path, const std::error_code& error) {
  return Status::Storage(std::string(doing)
                             .append(" ")
                             .append(path.string())
                             .append(": ")
                             .append(ErrorText(error.value())));
}

std::error_code LastError() { return {errno, std::generic_category()}; }

constexpr const char* kNewMarkerFile = "DOLMEN.new";
constexpr const char* kNewBackupMarkerFile = "DOLMEN.backup.new";

// Opens the directory and calls `sync`. Does nothing if the file system cannot do so.
Status Sync(const fs::path& directory, int (*sync)(int)) {
  const int file = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return FileError("can't read", directory, LastError());
  const bool synced = sync(file) == 0 || CannotAnswer(errno);
  const std::error_code error = LastError();
  ::close(file);
  return synced ? Status() : FileError("can't sync", directory, error);
}

// Creates the directory and its missing ancestors, and syncs the parent of each created directory.
// REQUIRES: the path is absolute.
Status CreateDirectories(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory, error)) return {};
  DOLMEN_RETURN_IF_ERROR(CreateDirectories(directory.parent_path()));
  fs::create_directory(directory, error);
  if (error) return FileError("can't create", directory, error);
  return SyncParentOf(directory);
}

// Returns true if the directory holds nothing except the temporary marker file of an interrupted
// creation of a database or of a backup. Returns false after an error.
bool IsEmptyExceptNewMarker(const fs::path& directory, std::error_code* error) {
  for (fs::directory_iterator entry(directory, *error), end; !*error && entry != end;
       entry.increment(*error)) {
    const fs::path name = entry->path().filename();
    if (name != kNewMarkerFile && name != kNewBackupMarkerFile) return false;
  }
  return !*error;
}

// Checks that RocksDB's file CURRENT exists if there is data. RocksDB would treat a directory
// without the file CURRENT as a new database, and would delete the data.
Status CheckCurrentFile(const fs::path& directory, bool create) {
  std::error_code error;
  if (fs::exists(directory / "CURRENT", error)) return {};
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path kind = entry->path().extension();
    if (kind != ".sst" && kind != ".log") continue;
    return Status::Corruption(directory.string() +
                              " holds data, but RocksDB's file CURRENT is missing: restore the "
                              "directory from a backup");
  }
  if (error) return FileError("can't read", directory, error);
  return create ? Status()
                : Status::Validation("there is no database in " + directory.string() +
                                     ": its creation was interrupted");
}

}  // namespace

Status SyncParentOf(const fs::path& directory) {
  const fs::path parent = directory.parent_path();
  const bool is_readable =
      ::faccessat(AT_FDCWD, parent.c_str(), R_OK, AT_EACCESS) == 0 || errno != EACCES;
  // If the directory is a mount point, its file system is not the parent's. The directory is then older
  // than the mount.
  return is_readable ? Sync(parent, ::fsync) : Sync(directory, ::syncfs);
}

Status CreateForOwner(const fs::path& directory) {
  std::error_code error;
  const fs::path name = fs::absolute(directory, error);
  const bool is_new = !error && !fs::exists(name, error);
  if (error) return FileError("can't create", directory, error);
  DOLMEN_RETURN_IF_ERROR(CreateDirectories(name));
  if (is_new) RestrictDirectoryToOwner(name.string());
  return {};
}

Result<std::string> ReadMarker(const fs::path& marker) {
  std::array<char, kMarkerBytesMax> text;
  DOLMEN_ASSIGN_OR_RETURN(const int file, OpenRegularFile(marker.string(), O_RDONLY, "can't read"));
  const ssize_t size = ::read(file, text.data(), text.size());
  const std::error_code read_error = LastError();
  ::close(file);
  if (size < 0) return FileError("can't read", marker, read_error);
  return std::string(text.data(), static_cast<std::size_t>(size));
}

namespace {

// Checks that this release reads the database with `key`.
Status CheckMarkerFile(const fs::path& directory, const std::optional<EncryptionKey>& key) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string text, ReadMarker(directory / kMarkerFile));
  return CheckMarker(text, directory.string(), key);
}

// Returns true if the directory, which exists, has a marker file. Returns false if it is empty.
// - kValidation: the directory holds other files.
Result<bool> HasMarker(const fs::path& directory) {
  std::error_code error;
  const bool marked = fs::exists(directory / kMarkerFile, error);
  if (error) return FileError("can't read", directory, error);
  if (marked) return true;
  const bool empty = IsEmptyExceptNewMarker(directory, &error);
  if (error) return FileError("can't read", directory, error);
  if (fs::exists(directory / kBackupMarkerFile, error)) {
    return Status::Validation(directory.string() +
                              " holds a backup, not a database: restore it into another "
                              "directory, and open that directory");
  }
  if (!empty) {
    return Status::Validation(directory.string() +
                              " is not empty and holds no Dolmen database: choose an empty "
                              "directory, or one that does not exist");
  }
  return false;
}

}  // namespace

Status PrepareDirectory(const fs::path& directory, bool create,
                        const std::optional<EncryptionKey>& key) {
  if (directory.empty()) {
    return Status::Validation("no directory is given for the database: its path is empty");
  }
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::status_known(status)) return FileError("can't read", directory, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    return Status::Validation(directory.string() + " is a file, not a database's directory");
  }
  if (fs::exists(status)) {
    DOLMEN_ASSIGN_OR_RETURN(const bool marked, HasMarker(directory));
    if (marked) {
      DOLMEN_RETURN_IF_ERROR(CheckMarkerFile(directory, key));
      return CheckCurrentFile(directory, create);
    }
  }
  if (!create) return Status::Validation("there is no database in " + directory.string());
  DOLMEN_RETURN_IF_ERROR(CreateForOwner(directory));
  DOLMEN_ASSIGN_OR_RETURN(const DirectoryLock lock,
                          DirectoryLock::AcquireToCreate(directory.string()));
  // Checks again: the directory may have been filled before it was locked.
  DOLMEN_ASSIGN_OR_RETURN(const bool marked, HasMarker(directory));
  return marked ? CheckMarkerFile(directory, key)
                : WriteMarker(directory, key, /*lists_logs=*/false);
}

void MarkThatLogsAreListed(const fs::path& directory) {
  const fs::path marker = directory / kMarkerFile;
  const Result<std::string> text = ReadMarker(marker);
  if (!text.ok() || text->ends_with(kListNote)) return;
  const Result<int> opened = OpenRegularFile(marker.string(), O_WRONLY, "can't write");
  if (!opened.ok()) return;
  const int file = *opened;
  const std::string_view before = WithoutListNote(*text);
  const std::string note = (before.ends_with('\n') ? "" : "\n") + std::string(kListNote);
  if (CheckFileBytes(marker.string(), before.size() + note.size()).ok() &&
      ::pwrite(file, note.data(), note.size(), static_cast<off_t>(before.size())) > 0) {
    ::fsync(file);
  }
  ::close(file);
}

bool AreLogsListed(const fs::path& directory) {
  const Result<std::string> text = ReadMarker(directory / kMarkerFile);
  return text.ok() && text->ends_with(kListNote);
}

Result<DirectoryLock> CreateEmptyDirectory(const fs::path& directory) {
  if (directory.empty()) return Status::Validation("the path of the directory is empty");
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::status_known(status)) return FileError("can't read", directory, error);
  if (!fs::exists(status)) DOLMEN_RETURN_IF_ERROR(CreateForOwner(directory));
  DOLMEN_ASSIGN_OR_RETURN(DirectoryLock lock, DirectoryLock::AcquireToCreate(directory.string()));
  const bool empty =
      fs::is_directory(directory, error) && IsEmptyExceptNewMarker(directory, &error);
  if (error) return FileError("can't read", directory, error);
  if (empty) return lock;
  return Status::Validation(directory.string() +
                            " is not an empty directory: choose an empty directory, or one that "
                            "does not exist");
}

// First writes and syncs a temporary file, and then renames it, so that the marker file is never
// incomplete.
Status WriteMarker(const fs::path& directory, const std::optional<EncryptionKey>& key,
                   bool lists_logs) {
  std::error_code error;
  // The path may end with "/" or "/.". Only the canonical path names the parent.
  const fs::path name = fs::canonical(directory, error);
  if (error) return FileError("can't create", directory, error);
  const fs::path temporary = name / kNewMarkerFile;
  DOLMEN_ASSIGN_OR_RETURN(std::string text, NewMarker(key));
  if (lists_logs) text += kListNote;
  DOLMEN_RETURN_IF_ERROR(CheckFileBytes(temporary.string(), text.size()));
  // What an interrupted creation has left, or a link, is not written into.
  fs::remove(temporary, error);
  DOLMEN_ASSIGN_OR_RETURN(
      const int file,
      OpenRegularFile(temporary.string(), O_WRONLY | O_CREAT | O_EXCL, "can't write"));
  const bool written =
      ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      ::fsync(file) == 0;
  const std::error_code write_error = LastError();
  ::close(file);
  if (!written) return FileError("can't write", temporary, write_error);
  fs::rename(temporary, name / kMarkerFile, error);
  if (error) return FileError("can't write", name / kMarkerFile, error);
  DOLMEN_RETURN_IF_ERROR(Sync(name, ::fsync));
  // An interrupted creation may have left the directory without a sync of its parent.
  return SyncParentOf(name);
}

}  // namespace dolmen::engine
