#include "engine/repair/repair.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "dolmen/open_options.h"
#include "engine/base/status_macros.h"
#include "engine/repair/copier.h"
#include "engine/repair/losses.h"
#include "engine/repair/merged_source.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/directory_lock.h"
#include "engine/storage/files/marker.h"
#include "engine/storage/store.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kKeysBetweenProgressReports = 1000;

// Checks that `to` can be created without a change of `from` or of other files.
Status CheckDestination(const fs::path& from, const fs::path& to) {
  if (to.empty()) return Status::Validation("no directory is given for the repaired database");
  std::error_code error;
  if (fs::exists(to, error) && (!fs::is_directory(to, error) || !fs::is_empty(to, error))) {
    return Status::Validation(to.string() +
                              " exists: choose an empty directory, or one that does not exist");
  }
  const fs::path inner = fs::weakly_canonical(to, error);
  const fs::path outer = fs::weakly_canonical(from, error);
  if (std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end()) {
    return Status::Validation(to.string() + " is in " + from.string() +
                              ": choose a directory outside the damaged database");
  }
  return {};
}

// Checks that the key is that of the database. Ignores a damaged marker file: a wrong key is then
// found by the other files.
Status CheckKey(const fs::path& directory, const std::optional<EncryptionKey>& key) {
  std::string text;
  const rocksdb::IOStatus read = rocksdb::ReadFileToString(
      rocksdb::FileSystem::Default().get(), (directory / kMarkerFile).string(), &text);
  if (!read.ok()) return {};
  Status checked = CheckMarker(text, directory.string(), key);
  return checked.code() == StatusCode::kValidation ? checked : Status();
}

// A directory that is deleted unless Keep() renames it.
class NewDirectory {
 public:
  explicit NewDirectory(fs::path final_path)
      : final_path_(std::move(final_path)), path_(final_path_.string() + ".repairing") {}
  ~NewDirectory() {
    std::error_code ignored;
    if (is_made_) fs::remove_all(path_, ignored);
  }
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

  Status Make(const std::optional<EncryptionKey>& key) {
    std::error_code error;
    if (fs::exists(path_, error)) {
      return Status::Validation(path_.string() +
                                " exists: an earlier repair did not end; delete the directory");
    }
    is_made_ = true;
    return PrepareDirectory(path_, true, key);
  }

  Status Keep() {
    std::error_code error;
    fs::rename(path_, final_path_, error);
    if (error) {
      return Status::Storage("can't create " + final_path_.string() + ": " + error.message());
    }
    is_made_ = false;
    const int parent =
        ::open(fs::absolute(final_path_).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = parent >= 0 && ::fsync(parent) == 0;
    if (parent >= 0) ::close(parent);
    return synced ? Status()
                  : Status::Storage("can't sync the directory of " + final_path_.string());
  }

  const fs::path& path() const { return path_; }

 private:
  const fs::path final_path_;
  const fs::path path_;
  bool is_made_ = false;
};

// Copies everything. Returns an output that is not complete if the handler ends the repair.
Result<RepairOutput> CopyAll(const fs::path& from, const fs::path& to,
                             const RepairOptions& options) {
  const auto system = options.encryption_key
                          ? EncryptFiles(rocksdb::FileSystem::Default(), *options.encryption_key)
                          : rocksdb::FileSystem::Default();
  std::vector<FileGap> gaps;
  DOLMEN_ASSIGN_OR_RETURN(
      const auto& source,
      MergedSource::Open(system.get(), from, [&](const FileGap& gap) { gaps.push_back(gap); }));
  // Closing the store brings all writes to the disk, so that no single write has to wait for it.
  const OpenOptions defaults;
  DOLMEN_ASSIGN_OR_RETURN(const auto& store,
                          Store::Open({.directory = to.string(),
                                       .sync = false,
                                       .cache_bytes = defaults.cache_bytes,
                                       .write_buffer_bytes = defaults.write_buffer_bytes,
                                       .encryption_key = options.encryption_key}));
  Copier copier(store.get());
  for (std::uint64_t keys = 0; source->current() != nullptr; source->Next()) {
    DOLMEN_RETURN_IF_ERROR(copier.Copy(source->current()->key, *source->current()->value));
    if (++keys % kKeysBetweenProgressReports != 0 || !options.progress) continue;
    if (options.progress({copier.output().items, source->fraction()})) continue;
    copier.output().complete = false;
    return std::move(copier.output());
  }
  DOLMEN_RETURN_IF_ERROR(copier.Finish());
  DOLMEN_RETURN_IF_ERROR(store->Sync());
  RepairOutput output = std::move(copier.output());
  std::vector<RepairLoss> losses = DescribeLosses(gaps, copier.tables());
  output.losses.insert(output.losses.begin(), losses.begin(), losses.end());
  return output;
}

}  // namespace

Result<RepairOutput> Repair(const fs::path& from, const fs::path& destination,
                            const RepairOptions& options) {
  // The path must not end with a slash, because the name of the temporary directory extends it.
  const fs::path to = destination.has_filename() ? destination : destination.parent_path();
  DOLMEN_RETURN_IF_ERROR(CheckDestination(from, to));
  std::optional<DirectoryLock> lock;
  std::error_code error;
  if (fs::is_regular_file(from / kMarkerFile, error)) {
    DOLMEN_ASSIGN_OR_RETURN(DirectoryLock acquired, DirectoryLock::Acquire(from.string()));
    lock.emplace(std::move(acquired));
    DOLMEN_RETURN_IF_ERROR(CheckKey(from, options.encryption_key));
  }
  NewDirectory directory(to);
  DOLMEN_RETURN_IF_ERROR(directory.Make(options.encryption_key));
  DOLMEN_ASSIGN_OR_RETURN(RepairOutput output, CopyAll(from, directory.path(), options));
  if (output.complete) DOLMEN_RETURN_IF_ERROR(directory.Keep());
  return output;
}

}  // namespace dolmen::engine
