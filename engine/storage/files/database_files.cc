#include "engine/storage/files/database_files.h"

#include <algorithm>
#include <utility>

#include "engine/base/standard_descriptors.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/owner_only.h"
#include "engine/storage/files/table_bytes.h"
#include "engine/storage/files/table_tail.h"
#include "engine/storage/files/whole_file.h"
#include "engine/storage/options.h"
#include "engine/storage/rocks_status.h"

namespace dolmen::engine {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// RocksDB needs at most one log for the active memtable and one for each memtable that waits for its
// flush. The list has one log more: if it is missing but the manifest still needs it, the manifest
// has lost its last records.
constexpr std::size_t kListedMax = kWriteBuffers + 2;

// A log begins with the number of its first write, and with keys and values.
constexpr std::uint64_t kLogStartBytes = 4096;

// The size of the parts in which a whole file is read.
constexpr std::size_t kReadBytes = std::size_t{256} << 10;

// A log that ends after `bytes` bytes.
class TornLog : public rocksdb::FSSequentialFile {
 public:
  TornLog(std::unique_ptr<rocksdb::FSSequentialFile> file, std::uint64_t bytes)
      : file_(std::move(file)), left_(bytes) {}

  IOStatus Read(std::size_t size, const IOOptions& options, rocksdb::Slice* result, char* scratch,
                IODebugContext* debug) override {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
    const IOStatus read = file_->Read(part, options, result, scratch, debug);
    if (read.ok()) left_ -= result->size();
    return read;
  }
  IOStatus Skip(std::uint64_t size) override {
    const std::uint64_t part = std::min(size, left_);
    left_ -= part;
    return file_->Skip(part);
  }

 private:
  const std::unique_ptr<rocksdb::FSSequentialFile> file_;
  std::uint64_t left_;  // the number of bytes that were not read
};

// Replaces the file of `size` bytes by its bytes in memory.
IOStatus KeepInMemory(std::unique_ptr<rocksdb::FSRandomAccessFile>* file, std::uint64_t size) {
  const auto bytes = std::make_shared<TableBytes>();
  const std::unique_ptr<char[]> buffer = std::make_unique_for_overwrite<char[]>(kReadBytes);
  while (bytes->size_bytes() < size) {
    rocksdb::Slice read;
    const auto part =
        static_cast<std::size_t>(std::min<std::uint64_t>(kReadBytes, size - bytes->size_bytes()));
    const IOStatus status =
        (*file)->Read(bytes->size_bytes(), part, {}, &read, buffer.get(), nullptr);
    if (!status.ok()) return status;
    if (read.empty()) return IOStatus::Corruption("the file is shorter than its size");
    bytes->Append({read.data(), read.size()});
  }
  *file = TableBytes::Reader(bytes);
  return IOStatus::OK();
}

}  // namespace

std::string ImportsIn(const std::string& directory) { return directory + "/imports"; }

DatabaseFiles::DatabaseFiles(const std::shared_ptr<rocksdb::FileSystem>& base,
                             std::string directory, CheckedLogs logs)
    : FileSystemWrapper(base),
      directory_(std::move(directory)),
      torn_(std::move(logs.torn)),
      listed_(std::move(logs.list)) {}

Status DatabaseFiles::Opened(std::function<std::uint64_t()> last_write) {
  const std::lock_guard lock(mutex_);
  last_write_ = std::move(last_write);
  if (!unlisted_) return {};
  const IOStatus listed = BeginLog(*std::exchange(unlisted_, std::nullopt));
  if (listed.ok()) {
    MarkThatLogsAreListed(directory_);
    RemoveUnlistedLogs();
  } else {
    last_write_ = nullptr;  // so that Closing() does not end another log
  }
  return FromRocks(listed, "listing the logs");
}

LogList DatabaseFiles::LogsNow() {
  const std::lock_guard lock(mutex_);
  LogList list{.logs = listed_.logs};
  if (!list.logs.empty() && last_write_ != nullptr) list.logs.back().end = last_write_();
  std::erase_if(list.logs, [](const ListedLog& log) { return log.end == log.start; });
  return list;
}

void DatabaseFiles::Closing() {
  const std::lock_guard lock(mutex_);
  if (listed_.logs.empty() || last_write_ == nullptr) return;
  if (EndNewestLog().ok()) WriteList().PermitUncheckedError();
}

IOStatus DatabaseFiles::NewWritableFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSWritableFile>* file,
                                        IODebugContext* debug) {
  const std::optional<std::uint64_t> log = LogNumberOf(path);
  if (!log) return MakeFile(path, options, file, debug);
  const std::lock_guard lock(mutex_);
  const bool is_first = last_write_ == nullptr;
  if (is_first) unlisted_ = log;
  if (IOStatus ended = is_first ? IOStatus::OK() : EndNewestLog(); !ended.ok()) return ended;
  IOStatus made = MakeFile(path, options, file, debug);
  // Syncs the prefix of an encrypted log. Without it the log could not be read after a power cut.
  if (made.ok()) made = (*file)->Sync({}, debug);
  return made.ok() && !is_first ? BeginLog(*log) : made;
}

IOStatus DatabaseFiles::MakeFile(const std::string& path, const rocksdb::FileOptions& options,
                                 std::unique_ptr<rocksdb::FSWritableFile>* file,
                                 IODebugContext* debug) {
  OpenStandardDescriptors();  // the program may have closed them after it opened the database
  IOStatus made = target()->NewWritableFile(path, options, file, debug);
  if (made.ok()) RestrictFileToOwner(path);
  return made;
}

IOStatus DatabaseFiles::NewSequentialFile(const std::string& path,
                                          const rocksdb::FileOptions& options,
                                          std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                          IODebugContext* debug) {
  IOStatus opened = target()->NewSequentialFile(path, options, file, debug);
  const auto torn = torn_.find(path.substr(path.rfind('/') + 1));
  if (!opened.ok() || torn == torn_.end()) return opened;
  *file = std::make_unique<TornLog>(std::move(*file), torn->second);
  return opened;
}

IOStatus DatabaseFiles::NewRandomAccessFile(const std::string& path,
                                            const rocksdb::FileOptions& options,
                                            std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                            IODebugContext* debug) {
  IOStatus status = target()->NewRandomAccessFile(path, options, file, debug);
  if (!status.ok() || !path.ends_with(".sst")) return status;
  std::uint64_t size = 0;
  status = target()->GetFileSize(path, {}, &size, debug);
  if (status.ok()) status = CheckTableTail(**file, size);
  if (status.ok() && path.starts_with(ImportsIn(directory_))) status = KeepInMemory(file, size);
  return status.IsCorruption() ? IOStatus::Corruption(path, status.ToString()) : status;
}

IOStatus DatabaseFiles::FileExists(const std::string& path, const IOOptions& options,
                                   IODebugContext* debug) {
  IOStatus exists = target()->FileExists(path, options, debug);
  return !exists.ok() && path.ends_with("/archive") ? IOStatus::NotFound(path) : exists;
}

IOStatus DatabaseFiles::LinkFile(const std::string& from, const std::string& to,
                                 const IOOptions& options, IODebugContext* debug) {
  IOStatus status = target()->LinkFile(from, to, options, debug);
  if (status.ok() || !from.starts_with(ImportsIn(directory_))) return status;
  // Many file systems have no links. If the link was created nevertheless, a copy would overwrite its source.
  target()->DeleteFile(to, options, debug).PermitUncheckedError();
  std::uint64_t size = 0;
  status = target()->GetFileSize(from, options, &size, debug);
  if (status.ok()) status = CopyFile(target(), from, target(), to, size);
  if (status.ok()) RestrictFileToOwner(to);
  return status;
}

IOStatus DatabaseFiles::DeleteFile(const std::string& path, const IOOptions& options,
                                   IODebugContext* debug) {
  if (path.ends_with(".sst") && !path.starts_with(ImportsIn(directory_))) {
    const std::lock_guard lock(mutex_);
    if (keeps_tables_) {
      kept_tables_.push_back(path);
      return IOStatus::OK();
    }
  }
  return target()->DeleteFile(path, options, debug);
}

void DatabaseFiles::BeginToKeepTableFiles() {
  const std::lock_guard lock(mutex_);
  keeps_tables_ = true;
}

void DatabaseFiles::EndToKeepTableFiles() {
  const std::lock_guard lock(mutex_);
  keeps_tables_ = false;
  for (const std::string& path : std::exchange(kept_tables_, {})) {
    target()->DeleteFile(path, {}, nullptr).PermitUncheckedError();
  }
}

IOStatus DatabaseFiles::RenameFile(const std::string& from, const std::string& to,
                                   const IOOptions& options, IODebugContext* debug) {
  if (!to.ends_with("/CURRENT")) return target()->RenameFile(from, to, options, debug);
  IOStatus status = SyncDirectory(target(), directory_);
  const std::lock_guard lock(mutex_);
  ListedManifest next;
  if (status.ok()) status = BeginManifest(from, &next);
  if (status.ok()) status = target()->RenameFile(from, to, options, debug);
  if (status.ok()) listed_.manifests = {next};
  return status;
}

IOStatus DatabaseFiles::LockFile(const std::string& path, const IOOptions& options,
                                 rocksdb::FileLock** lock, IODebugContext* debug) {
  IOStatus locked = target()->LockFile(path, options, lock, debug);
  if (locked.ok()) RestrictFileToOwner(path);
  return locked;
}

IOStatus DatabaseFiles::BeginManifest(const std::string& current, ListedManifest* next) {
  std::string name;
  IOStatus status = rocksdb::ReadFileToString(target(), current, &name);
  if (!status.ok()) return status;
  name = name.substr(0, name.find('\n'));
  const std::string path = directory_ + "/" + name;
  next->manifest = ManifestNumberOf(name).value_or(0);
  status = target()->GetFileSize(path, {}, &next->bytes, nullptr);
  if (status.ok()) status = ReadStart(target(), path, next->bytes, &next->begins);
  // A list that names no manifest is valid with each of them.
  if (!status.ok() || listed_.manifests.empty()) return status;
  listed_.manifests.push_back(*next);
  status = WriteList();
  listed_.manifests.pop_back();
  return status;
}

IOStatus DatabaseFiles::SyncFile(const std::string& path) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  // ReopenWritableFile creates a missing file.
  IOStatus status = target()->FileExists(path, {}, nullptr);
  if (status.ok()) status = target()->ReopenWritableFile(path, {}, &file, nullptr);
  if (status.ok()) status = file->Sync({}, nullptr);
  return status.ok() ? file->Close({}, nullptr) : status;
}

IOStatus DatabaseFiles::EndNewestLog() {
  if (listed_.logs.empty()) return IOStatus::OK();
  ListedLog& log = listed_.logs.back();
  const std::string path = directory_ + "/" + LogFileName(log.log);
  IOStatus status = SyncFile(path);
  FileStart begins;
  if (status.ok()) status = ReadStart(target(), path, kLogStartBytes, &begins);
  if (!status.ok()) return status;
  log.end = last_write_();
  log.begins = begins;
  return status;
}

IOStatus DatabaseFiles::BeginLog(std::uint64_t log) {
  // The list must not name a log that a power cut may still remove.
  if (IOStatus synced = SyncDirectory(target(), directory_); !synced.ok()) return synced;
  const std::uint64_t last_write = last_write_();
  if (listed_.logs.size() == kListedMax) listed_.logs.erase(listed_.logs.begin());
  listed_.logs.push_back({.log = log, .start = last_write, .end = last_write});
  return WriteList();
}

void DatabaseFiles::RemoveUnlistedLogs() {
  std::vector<std::string> names;
  target()->GetChildren(directory_, {}, &names, nullptr).PermitUncheckedError();
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> log = LogNumberOf(name);
    if (!log || *log >= listed_.logs.front().log) continue;
    target()->DeleteFile(directory_ + "/" + name, {}, nullptr).PermitUncheckedError();
  }
}

IOStatus DatabaseFiles::WriteList() {
  for (ListedManifest& manifest : listed_.manifests) {
    const std::string path = directory_ + "/" + ManifestFileName(manifest.manifest);
    IOStatus status = target()->GetFileSize(path, {}, &manifest.bytes, nullptr);
    if (status.ok()) status = SyncFile(path);
    if (!status.ok()) return status;
  }
  return ReplaceFile(target(), directory_ + "/" + kLogListFile, FormatLogList(listed_));
}

}  // namespace dolmen::engine
