// Where an export goes: one file, or a directory in the layout of an export of DynamoDB's to S3.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/status.h"

namespace dolmen::command {

// Takes items as lines of JSON, and has them under their names when Commit has succeeded.  One that
// is destroyed before leaves nothing behind.  Every method may fail with kStorage.
class ExportSink {
 public:
  virtual ~ExportSink() = default;

  // Whole lines, of so many items.
  virtual Status Write(std::string_view lines, std::uint64_t items) = 0;
  virtual Status Commit() = 0;
};

// One file, or standard output (OutputFile).
Result<std::unique_ptr<ExportSink>> ExportToFile(const std::string& path, bool gzip);

// What a manifest says beside what is in it.
struct ExportDescription {
  std::string table = {};
  Timestamp time = {};
};

// DIR/AWSDynamoDB/<time>-<random>/ with data/*.json.gz of some ten megabytes each,
// manifest-files.json and manifest-summary.json.  The directory is made if there is none.
Result<std::unique_ptr<ExportSink>> ExportToDirectory(const std::string& directory,
                                                      const ExportDescription& description);

}  // namespace dolmen::command
