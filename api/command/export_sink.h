// The output of an export: a file, or a directory in the layout of DynamoDB's exports to S3.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/status.h"

namespace dolmen::command {

// An output for items as lines of JSON. The files have their final names after Commit has
// succeeded. A sink that is destroyed before that leaves no files. Every method may fail with
// kStorage. Not thread-safe.
class ExportSink {
 public:
  virtual ~ExportSink() = default;

  // Writes complete lines, which contain `items` items.
  virtual Status Write(std::string_view lines, std::uint64_t items) = 0;
  virtual Status Commit() = 0;
};

// Creates a sink for a file, or for standard output (OutputFile).
Result<std::unique_ptr<ExportSink>> ExportToFile(const std::string& path, bool gzip);

// The facts in an export's manifest that the files themselves do not contain.
struct ExportDescription {
  std::string table = {};
  Timestamp time = {};
};

// Creates a sink for DIR/AWSDynamoDB/<time>-<random>/. This directory gets data/*.json.gz of some
// ten megabytes each, manifest-files.json and manifest-summary.json. Creates DIR if it does not
// exist.
Result<std::unique_ptr<ExportSink>> ExportToDirectory(const std::string& directory,
                                                      const ExportDescription& description);

}  // namespace dolmen::command
