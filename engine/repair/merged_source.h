// The readable state of a damaged database.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <queue>
#include <vector>

#include "dolmen/result.h"
#include "engine/repair/log_source.h"
#include "engine/repair/table_source.h"
#include "engine/repair/version.h"

namespace dolmen::engine {

// The latest readable version of each key that is not deleted, in the order of the keys. It merges
// all files without RocksDB, so that damage in one place hides nothing in other places. Keeps one
// block of each table file and the writes of the logs in memory.
class MergedSource : public VersionSource {
 public:
  // Opens the files of the database in `directory` of `system`. Calls `on_gap` for each part of a file that
  // cannot be read, now or while the source moves.
  // - kValidation: the directory holds no database.
  // - kStorage: a file cannot be read.
  static Result<std::unique_ptr<MergedSource>> Open(RepairFiles* system,
                                                    const std::filesystem::path& directory,
                                                    const FileGapHandler& on_gap);

  const Version* current() const override { return has_current_ ? &current_ : nullptr; }
  void Next() override;

  // Returns the part of the table files that was read, from 0 to 1.
  double fraction() const;

 private:
  struct After {
    bool operator()(const VersionSource* a, const VersionSource* b) const {
      return Precedes(*b->current(), *a->current());
    }
  };

  MergedSource() = default;
  // Takes the first version of all sources. Returns false if no version is left.
  bool Take(Version* version);
  bool IsInDeletedRange(const Version& version) const;

  std::vector<std::unique_ptr<TableSource>> tables_;
  LogSource logs_;
  std::vector<DeletedRange> deleted_;
  std::priority_queue<VersionSource*, std::vector<VersionSource*>, After> sources_;
  Version current_;
  Version next_;  // the first version of the next key
  bool has_current_ = false;
  bool has_next_ = false;
};

}  // namespace dolmen::engine
