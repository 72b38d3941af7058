#include "engine/storage/backup/new_database.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/logs/log_check.h"
#include "engine/storage/logs/log_list.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

// Makes the copied files a database. The marker file comes last.
Status Complete(const CopyPlace& place, rocksdb::FileSystem* files, const std::string& logs) {
  const std::string& to = place.directory;
  DOLMEN_RETURN_IF_ERROR(
      FromRocks(ReplaceFile(files, to + "/" + kLogListFile, logs), "writing " + to));
  DOLMEN_RETURN_IF_ERROR(CheckLogs(files, to, place.encryption_key.has_value()).status());
  return WriteMarker(to, place.encryption_key, ListsAnything(logs));
}

// Deletes the files of a copy that failed. Ignores errors: the files that remain have no marker
// file, so they are no database.
void DeleteFilesIn(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    files.push_back(entry->path());
  }
  for (const fs::path& file : files) fs::remove(file, error);
}

}  // namespace

Status CreateDatabaseFrom(const CopyPlace& place, rocksdb::FileSystem* files,
                          const std::function<Result<std::string>()>& copy) {
  std::error_code error;
  const bool existed = fs::exists(place.directory, error);
  DOLMEN_ASSIGN_OR_RETURN(const DirectoryLock lock, CreateEmptyDirectory(place.directory));
  const Result<std::string> logs = copy();
  Status created = logs.ok() ? Complete(place, files, *logs) : logs.status();
  if (created.ok()) return {};
  DeleteFilesIn(place.directory);
  if (!existed) fs::remove(place.directory, error);
  return created;
}

}  // namespace dolmen::engine
