// The output of an export: a file, or a directory in the layout of DynamoDB's exports to S3.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "command/output_file.h"
#include "dolmen/clock.h"
#include "dolmen/result.h"

namespace dolmen::command {

// An output for items as lines of JSON. Commit gives the files their final names. A sink that is
// destroyed before Commit has succeeded leaves no files. Every method may fail with kStorage. Not
// thread-safe.
class ExportSink {
 public:
  virtual ~ExportSink() = default;

  // Writes complete lines. `items` is the number of items in these lines.
  virtual Status Write(std::string_view lines, std::uint64_t items) = 0;
  virtual Status Commit() = 0;
};

// Creates a sink that writes to the OutputFile with this path, which may be standard output. Fails
// as OutputFile::Create does.
Result<std::unique_ptr<ExportSink>> ExportToFile(const std::string& path,
                                                 const OutputFileOptions& options);

// The facts that an export's manifest contains and that the files of items do not contain.
struct ExportDescription {
  std::string table = {};
  std::string table_json = {};  // TableJson
  Timestamp time = {};
};

// Creates a sink for the directory DIR/AWSDynamoDB/<time>-<random>/, where DIR is `directory`.
// Creates DIR if it does not exist. The sink writes the files data/*.json.gz (each some ten
// megabytes large), manifest-files.json, manifest-summary.json and, unlike DynamoDB,
// manifest-table.json.
Result<std::unique_ptr<ExportSink>> ExportToDirectory(const std::string& directory,
                                                      const ExportDescription& description);

}  // namespace dolmen::command
