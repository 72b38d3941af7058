#include "engine/repair/repair.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "dolmen/open_options.h"
#include "dolmen/repair.h"
#include "engine/base/status_macros.h"
#include "engine/key/encoded_key.h"
#include "engine/repair/copier.h"
#include "engine/repair/merged_source.h"
#include "engine/repair/repair_files.h"
#include "engine/repair/version.h"
#include "engine/schema/table_schema.h"
#include "engine/storage/encryption/encrypted_files.h"
#include "engine/storage/files/directory.h"
#include "engine/storage/files/directory_lock.h"
#include "engine/storage/files/marker.h"
#include "engine/storage/files/regular_files.h"
#include "engine/storage/rocks_process.h"
#include "engine/storage/store.h"
#include "engine/stream/change_record.h"
#include "engine/stream/stream_arn.h"
#include "engine/verify/key_text.h"

namespace dolmen::engine {
namespace {

// Returns true if keys of the keyspace may lie in the gap.
bool Touches(const FileGap& gap, KeyspaceId keyspace) {
  const KeyRange range = PrefixRange(EncodedKey(keyspace));
  return gap.first < range.upper.bytes() && (!gap.last || *gap.last >= range.lower.bytes());
}

// Returns the range of a gap in a keyspace, such as "items from {PK: "a"} to {PK: "b"}".
template <typename TextOf>
std::string LostRange(std::string what, const FileGap& gap, KeyspaceId keyspace, TextOf text_of) {
  const KeyRange range = PrefixRange(EncodedKey(keyspace));
  const bool has_first = range.Contains(gap.first);
  const bool has_last = gap.last && range.Contains(*gap.last);
  if (has_first) what.append(" from ").append(text_of(gap.first));
  if (has_last) what.append(has_first ? " to " : " up to ").append(text_of(*gap.last));
  if (!has_first && !has_last) what.insert(0, "all ");
  return what.append(" may be lost or out of date: ").append(gap.reason);
}

std::string RecordText(std::string_view key) {
  const std::string_view number = key.substr(kKeyspaceBytes);
  return number.size() == sizeof(SequenceNumber) ? ToText(ReadBigEndian(number))
                                                 : "an unknown record";
}

// The records of the database that belong to no table, and their texts.
struct InternalRecords {
  KeyspaceId keyspace;
  const char* text;
};
constexpr InternalRecords kInternalRecords[] = {
    {KeyspaceId::kMeta, "internal records, such as the positions up to which streams are trimmed,"},
    {KeyspaceId::kCatalog, "descriptions of tables, and thereby whole tables"},
    {KeyspaceId::kTokens, "client request tokens"},
    {KeyspaceId::kPositions, "positions of subscriptions"},
};

void DescribeLoss(const FileGap& gap, std::span<const TableSchema> tables,
                  std::vector<RepairLoss>* losses) {
  if (gap.first.empty() && !gap.last) {
    losses->push_back({.message = "anything may be lost or out of date: " + gap.reason});
    return;
  }
  for (const InternalRecords& records : kInternalRecords) {
    if (!Touches(gap, records.keyspace)) continue;
    losses->push_back(
        {.message = std::string(records.text) + " may be lost or out of date: " + gap.reason});
  }
  for (const TableSchema& table : tables) {
    const auto text_of = [&](std::string_view key) { return KeyText(table.keys, key); };
    if (!table.is_deleted && Touches(gap, table.keyspace)) {
      losses->push_back({table.name, LostRange("items", gap, table.keyspace, text_of)});
    }
    for (const StreamSchema* stream : table.AllStreams()) {
      if (!Touches(gap, stream->keyspace)) continue;
      const std::string records = stream == table.change_logs()[1]
                                      ? "changes for the restore of points in time"
                                      : "records of the stream " + StreamLabel(*stream);
      losses->push_back({table.name, LostRange(records, gap, stream->keyspace, RecordText)});
    }
  }
}

// Returns the losses of each table and each stream that follow from the gaps. A gap in an index is
// no loss, because a repair builds indexes from the items.
std::vector<RepairLoss> DescribeLosses(std::span<const FileGap> gaps,
                                       std::span<const TableSchema> tables) {
  std::vector<RepairLoss> losses;
  for (const FileGap& gap : gaps) DescribeLoss(gap, tables, &losses);
  return losses;
}

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
  const Result<std::string> text = ReadMarker(directory / kMarkerFile);
  if (!text.ok()) return {};
  Status checked = CheckMarker(*text, directory.string(), key);
  return checked.code() == StatusCode::kValidation ? checked : Status();
}

// A directory that is deleted unless Keep() renames it. Its file kRepairMark tells that a repair has
// made it. A repair that a crash has ended leaves the directory, and the next repair begins it anew.
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
    DOLMEN_RETURN_IF_ERROR(Lock());
    DOLMEN_RETURN_IF_ERROR(Clear());
    is_made_ = true;
    return WriteMarker(path_, key, /*lists_logs=*/false);
  }

  Status Keep() {
    std::error_code error;
    fs::rename(path_, final_path_, error);
    if (error) {
      return Status::Storage("can't create " + final_path_.string() + ": " + error.message());
    }
    is_made_ = false;
    fs::remove(final_path_ / kRepairMark, error);  // the mark no longer has a meaning
    const fs::path path = fs::absolute(final_path_, error);
    if (error)
      return Status::Storage("can't sync " + final_path_.string() + ": " + error.message());
    return SyncParentOf(path);
  }

  const fs::path& path() const { return path_; }

 private:
  // Creates the directory, unless an earlier repair has left it, and locks it by its mark.
  Status Lock() {
    std::error_code error;
    const fs::path mark = path_ / kRepairMark;
    const fs::file_type type = fs::symlink_status(path_, error).type();
    const bool is_directory = type == fs::file_type::directory;
    const bool is_new =
        type == fs::file_type::not_found || (is_directory && fs::is_empty(path_, error));
    const bool is_marked = is_directory && fs::is_regular_file(fs::symlink_status(mark, error));
    if (!is_new && !is_marked) {
      return Status::Validation(path_.string() +
                                " exists, and no repair has made it: choose another name for the "
                                "repaired database, or move it away");
    }
    if (is_new) {
      DOLMEN_RETURN_IF_ERROR(CreateForOwner(path_));
      DOLMEN_ASSIGN_OR_RETURN(const int file,
                              OpenRegularFile(mark.string(), O_WRONLY | O_CREAT, "can't create"));
      ::close(file);
    }
    auto lock = DirectoryLock::AcquireMarker(
        mark.string(), "another repair is writing " + path_.string() + ": wait until it ends");
    if (lock.status().code() == StatusCode::kResourceInUse) {
      return Status::Validation(std::string(lock.status().message()));
    }
    DOLMEN_RETURN_IF_ERROR(lock.status());
    lock_.emplace(*std::move(lock));
    return {};
  }

  // Deletes what an earlier repair has left. The mark stays, so that a crash here is one more repair
  // that a crash has ended.
  Status Clear() {
    std::error_code error;
    std::optional<DirectoryLock> opened;  // somebody may have opened what is left
    if (fs::exists(path_ / kMarkerFile, error)) {
      DOLMEN_ASSIGN_OR_RETURN(DirectoryLock lock, DirectoryLock::Acquire(path_.string()));
      opened.emplace(std::move(lock));
    }
    std::vector<fs::path> left;
    for (fs::directory_iterator entry(path_, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().filename() != kRepairMark) left.push_back(entry->path());
    }
    for (const fs::path& each : left) {
      if (!error) fs::remove_all(each, error);
    }
    return error ? Status::Storage("can't delete the files in " + path_.string() + ": " +
                                   error.message())
                 : Status();
  }

  const fs::path final_path_;
  const fs::path path_;
  std::optional<DirectoryLock> lock_;
  bool is_made_ = false;
};

// Copies everything. Returns an output that is not complete if the handler ends the repair.
Result<RepairOutput> CopyAll(const fs::path& from, const fs::path& to,
                             const RepairOptions& options) {
  auto base = RegularFilesIn(from.string());
  if (options.encryption_key) base = EncryptFiles(base, *options.encryption_key);
  RepairProgress progress;
  RepairFiles system(base, [&] { return !options.progress || options.progress(progress); });
  std::vector<FileGap> gaps;
  auto opened = MergedSource::Open(&system, from, [&](const FileGap& gap) { gaps.push_back(gap); });
  if (system.ended()) return RepairOutput{.complete = false};
  DOLMEN_ASSIGN_OR_RETURN(const auto& source, std::move(opened));
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
    if (++keys % kKeysBetweenProgressReports != 0) continue;
    progress = {copier.output().items, source->fraction()};
    if (!system.GoesOn()) break;
  }
  if (system.ended()) {
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
  DOLMEN_RETURN_IF_ERROR(CheckMayOpen());
  // The path must not end with a slash, because the name of the temporary directory extends it.
  const fs::path to = destination.has_filename() ? destination : destination.parent_path();
  DOLMEN_RETURN_IF_ERROR(CheckDestination(from, to));
  std::optional<DirectoryLock> lock;
  std::error_code error;
  if (fs::is_regular_file(fs::symlink_status(from / kMarkerFile, error))) {
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
