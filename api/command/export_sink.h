// The output of an export: a file, or a directory in the layout of DynamoDB's exports to S3.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "command/output_file.h"
#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "wire/buckets.h"

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

// The bucket that has the directory of an export, and the ARNs in the export's manifest.
struct ExportBucket {
  std::string name = {};  // empty: the directory belongs to no bucket
  std::string prefix = {};
  std::string table_arn = {};
  std::string table_id = {};
  std::string export_arn = {};
};

// Returns the key of a file below a prefix of a bucket.
std::string KeyBelow(std::string_view prefix, std::string_view name);

// The facts that an export's manifest contains and that the files of items do not contain.
struct ExportDescription {
  std::string table = {};
  std::string table_json = {};  // TableJson
  Timestamp time = {};
  std::string id = {};  // the name of the directory; empty: the time and random digits
  ExportBucket bucket = {};
  std::optional<wire::ExportPeriod> period = {};  // the files have the changes of a period
};

// Creates a sink for the directory DIR/AWSDynamoDB/<time>-<random>/, where DIR is `directory`.
// Creates DIR if it does not exist. The sink writes the files data/*.json.gz (each some ten
// megabytes large), manifest-files.json, manifest-summary.json and, unlike DynamoDB,
// manifest-table.json. In a bucket it
// also writes the empty file _started and the checksums of the manifests. All exports of periods share
// one directory for the files of their changes, DIR/AWSDynamoDB/data/.
Result<std::unique_ptr<ExportSink>> ExportToDirectory(const std::string& directory,
                                                      const ExportDescription& description);

}  // namespace dolmen::command
