// The versions in write-ahead logs that may be damaged.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dolmen/result.h"
#include "engine/repair/file_list.h"
#include "engine/repair/version.h"
#include "engine/storage/logs/log_list.h"

namespace dolmen::engine {

// A record of a log, and its place in the file.
struct LogRecordPlace {
  std::string file = {};  // name
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t first_number = 0;
  std::uint64_t last_number = 0;
};

// The versions in all readable records of some logs. Keeps them in memory: logs are as large as the
// write buffers, at most.
class LogSource : public VersionSource {
 public:
  // Reads the logs of the database in `directory`. Calls `on_gap` for each part that cannot be
  // read, and if writes are missing. Compares the logs with the list of the logs.
  void Read(rocksdb::FileSystem* system, const std::filesystem::path& directory,
            const DataFiles& files, const FileGapHandler& on_gap);

  const Version* current() const override {
    return next_ < versions_.size() ? &versions_[next_] : nullptr;
  }
  void Next() override { ++next_; }

  // Returns the ranges that the logs delete.
  const std::vector<DeletedRange>& deleted() const { return deleted_; }
  // Returns the records in the order of the logs.
  const std::vector<LogRecordPlace>& records() const { return records_; }

 private:
  void ReportMissingWrites(const Result<LogList>& listed, const std::filesystem::path& directory,
                           std::uint64_t oldest_log, const FileGapHandler& on_gap);

  std::vector<Version> versions_;
  std::vector<DeletedRange> deleted_;
  std::vector<LogRecordPlace> records_;
  std::size_t next_ = 0;
};

}  // namespace dolmen::engine
