#include "engine/repair/merged_source.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/repair/file_list.h"

namespace dolmen::engine {

Result<std::unique_ptr<MergedSource>> MergedSource::Open(RepairFiles* system,
                                                         const std::filesystem::path& directory,
                                                         const FileGapHandler& on_gap) {
  DOLMEN_ASSIGN_OR_RETURN(const DataFiles& files, FindDataFiles(system, directory, on_gap));
  std::unique_ptr<MergedSource> merged(new MergedSource());
  for (const TableFileToRead& file : files.tables) {
    std::unique_ptr<TableSource> table = TableSource::Open(system, file, on_gap);
    const std::vector<DeletedRange>& deleted = table->deleted();
    merged->deleted_.insert(merged->deleted_.end(), deleted.begin(), deleted.end());
    if (table->current() != nullptr) merged->sources_.push(table.get());
    merged->tables_.push_back(std::move(table));
  }
  merged->logs_.Read(system, directory, files, on_gap);
  const std::vector<DeletedRange>& deleted = merged->logs_.deleted();
  merged->deleted_.insert(merged->deleted_.end(), deleted.begin(), deleted.end());
  if (merged->logs_.current() != nullptr) merged->sources_.push(&merged->logs_);
  merged->has_next_ = merged->Take(&merged->next_);
  merged->Next();
  return merged;
}

void MergedSource::Next() {
  has_current_ = false;
  while (has_next_ && !has_current_) {
    std::swap(current_, next_);
    do {
      has_next_ = Take(&next_);
    } while (has_next_ && next_.key == current_.key);
    has_current_ = current_.value.has_value() && !IsInDeletedRange(current_);
  }
}

bool MergedSource::Take(Version* version) {
  if (sources_.empty()) return false;
  VersionSource* const source = sources_.top();
  sources_.pop();
  *version = *source->current();
  source->Next();
  if (source->current() != nullptr) sources_.push(source);
  return true;
}

bool MergedSource::IsInDeletedRange(const Version& version) const {
  return std::ranges::any_of(deleted_, [&](const DeletedRange& range) {
    return range.begin <= version.key && version.key < range.end && range.number > version.number;
  });
}

double MergedSource::fraction() const {
  std::uint64_t all = 1;
  std::uint64_t read = 0;
  for (const auto& table : tables_) {
    all += table->file_bytes();
    read += table->bytes_read();
  }
  return static_cast<double>(read) / static_cast<double>(all);
}

}  // namespace dolmen::engine
