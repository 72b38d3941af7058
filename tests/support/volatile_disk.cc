#include "tests/support/volatile_disk.h"

#include <algorithm>
#include <fstream>
#include <string_view>

namespace dolmen::test {

namespace fs = std::filesystem;
using rocksdb::IOStatus;

namespace {

constexpr std::uint64_t kDiskPageBytes = 4096;
constexpr std::uint64_t kDiskSectorBytes = 512;  // is lost as a whole

// Replaces bytes of the file by zeros, but only bytes from `from` on. Loses each page, or each sector, with a probability
// of 1/2. A page may also lose what was written after one of the `writes`, which are the sizes of the file after each write.
void LosePages(const fs::path& path, std::uint64_t from, const std::vector<std::uint64_t>& writes,
               Random* random) {
  const std::uint64_t end = fs::file_size(path);
  const std::uint64_t unit = random->OneIn(2) ? kDiskSectorBytes : kDiskPageBytes;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  for (std::uint64_t at = from; at < end;) {
    const std::uint64_t unit_end = std::min(end, (at / unit + 1) * unit);
    std::uint64_t lost = unit_end;
    if (random->OneIn(2)) lost = at;
    if (unit == kDiskPageBytes && random->OneIn(2)) {
      const auto first = std::ranges::lower_bound(writes, at);
      const auto last = std::ranges::lower_bound(writes, unit_end);
      if (first != last) lost = first[random->Below(last - first)];
    }
    file.seekp(static_cast<std::streamoff>(lost));
    file << std::string(unit_end - lost, '\0');
    at = unit_end;
  }
}

}  // namespace

void VolatileDisk::CutPower() {
  const std::lock_guard lock(mutex_);
  is_off_ = true;
}

void VolatileDisk::CutPowerAfter(std::size_t calls, Random* random) {
  const std::lock_guard lock(mutex_);
  calls_left_ = calls;
  has_effect_ = random->OneIn(2);
}

IOStatus VolatileDisk::Intercept(const DiskCall& call, const PerformCall& perform) {
  if (!call.Changes()) return perform(call.bytes);
  const std::lock_guard lock(mutex_);
  const IOStatus off = IOStatus::IOError("the power is off");
  if (is_off_) {
    // A file stays open if its close is not executed.
    if (call.kind == DiskCall::Kind::kClose) perform(0).PermitUncheckedError();
    return off;
  }
  ++calls_;
  is_off_ = calls_left_-- == 0;
  if (!is_off_) return Perform(call, perform);
  if (has_effect_) Perform(call, perform).PermitUncheckedError();
  return off;
}

// Only notes what is synced. A real sync would make the test slow.
IOStatus VolatileDisk::Perform(const DiskCall& call, const PerformCall& perform) {
  switch (call.kind) {
    case DiskCall::Kind::kSync:
      synced_.at(Find(call.path)) = fs::file_size(call.path);
      return IOStatus::OK();
    case DiskCall::Kind::kSyncDirectory:
      SyncNames();
      return IOStatus::OK();
    case DiskCall::Kind::kCreate: {
      // The disk may still hold the old file of this name, so the new file is another one.
      if (fs::exists(call.path)) Find(call.path);
      fs::remove(call.path);
      const IOStatus made = perform(0);
      if (made.ok()) AddName(synced_.size(), call.path);
      return made;
    }
    case DiskCall::Kind::kRename:
    case DiskCall::Kind::kLink:
    case DiskCall::Kind::kDelete: {
      // Two threads of RocksDB may delete the same file.
      if (!fs::exists(call.path)) return perform(0);
      const bool is_link = call.kind == DiskCall::Kind::kLink;
      const bool adds = is_link || call.kind == DiskCall::Kind::kRename;
      const Change change{Find(call.path), adds ? call.new_path : "", is_link ? "" : call.path};
      if (adds && fs::exists(call.new_path)) Find(call.new_path);
      IOStatus done = perform(0);
      if (!done.ok()) return done;
      Apply(change, &names_);
      changes_.push_back(change);
      return done;
    }
    case DiskCall::Kind::kWrite: {
      const IOStatus written = perform(call.bytes);
      if (written.ok()) writes_[Find(call.path)].push_back(fs::file_size(call.path));
      return written;
    }
    default:
      return perform(call.bytes);
  }
}

// Frees the data of the files whose last name is gone.
void VolatileDisk::SyncNames() {
  synced_names_ = names_;
  for (const Change& change : changes_) {
    const auto is_file = [&](const auto& name) { return name.second == change.file; };
    if (std::ranges::none_of(names_, is_file)) fs::remove(DataOf(change.file));
  }
  changes_.clear();
}

VolatileDisk::FileId VolatileDisk::Find(const std::string& path) {
  if (const auto known = names_.find(path); known != names_.end()) return known->second;
  const FileId file = synced_.size();
  fs::create_hard_link(path, DataOf(file));
  synced_.push_back(fs::file_size(path));
  names_[path] = file;
  synced_names_[path] = file;
  return file;
}

void VolatileDisk::AddName(FileId file, const std::string& path) {
  fs::create_hard_link(path, DataOf(file));
  synced_.push_back(0);
  changes_.push_back({file, path, ""});
  names_[path] = file;
}

// Ignores the removal of a name that another file has: an earlier change of the name is lost.
void VolatileDisk::Apply(const Change& change, Names* names) const {
  const auto removed = names->find(change.removed);
  const bool has_name = removed != names->end() && removed->second == change.file;
  if (!change.removed.empty() && !has_name) return;
  if (has_name) names->erase(removed);
  if (!change.added.empty()) (*names)[change.added] = change.file;
}

VolatileDisk::Names VolatileDisk::NamesAfterTheCut(Random* random) const {
  Names names = synced_names_;
  const bool in_order = random->OneIn(2);  // as a journaling file system keeps the changes
  const std::size_t kept = random->Below(changes_.size() + 1);
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (in_order ? i < kept : random->OneIn(2)) Apply(changes_[i], &names);
  }
  return names;
}

void VolatileDisk::CopyFile(FileId file, const fs::path& path, Random* random) const {
  fs::copy_file(DataOf(file), path);
  const std::uint64_t size = fs::file_size(path);
  const std::uint64_t synced = std::min(synced_.at(file), size);
  // Loses all bytes behind the synced ones, or none of them, or cuts the file at any byte behind them.
  const std::uint64_t kept = random->OneIn(4)   ? 0
                             : random->OneIn(3) ? size - synced
                                                : random->Below(size - synced + 1);
  fs::resize_file(path, synced + kept);
  const auto writes = writes_.find(file);
  if (random->OneIn(2)) {
    LosePages(path, synced, writes == writes_.end() ? std::vector<std::uint64_t>() : writes->second,
              random);
  }
}

void VolatileDisk::CopyRemains(const fs::path& from, const fs::path& to, Random* random) {
  const std::lock_guard lock(mutex_);
  fs::remove_all(to);
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    const std::string path = entry.path().string();
    if (entry.is_regular_file() && !names_.contains(path))
      fs::copy_file(entry.path(), to / entry.path().filename());
  }
  for (const auto& [path, file] : NamesAfterTheCut(random)) {
    const fs::path copy = to / fs::path(path).lexically_relative(from);
    fs::create_directories(copy.parent_path());
    CopyFile(file, copy, random);
  }
}

}  // namespace dolmen::test
