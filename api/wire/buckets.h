// The interface to the buckets of exports and imports. A bucket of Amazon S3 is a folder here. The
// command implements the interface, because it reads and writes the same files for its users.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/database.h"
#include "dolmen/result.h"

namespace dolmen::wire {

// The period of an incremental export: from `from` to before `to`.
struct ExportPeriod {
  Timestamp from = {};
  Timestamp to = {};
  bool has_old_images = true;  // false: the lines have only the new images
};
// The least size in bytes that DynamoDB bills for an incremental export.
inline constexpr std::uint64_t kIncrementalBilledBytesMin = 10'000'000;

// The place and the facts of an export.
struct ExportTarget {
  std::string id = {};      // the last part of the ARN: "01693685827463-2d8752fd"
  std::string bucket = {};  // an existing bucket
  std::string prefix = {};  // of the keys of all files; may be empty
  std::string table = {};   // the name of the table
  std::string table_arn = {};
  std::string table_id = {};
  std::string export_arn = {};
  Timestamp time = {};
  bool is_past = false;  // the items are those at `time`; false: the present ones
  std::optional<ExportPeriod> period = {};  // the changes of a period in place of all items
};

struct ExportedItems {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;    // of the lines of JSON
  std::string manifest = {};  // the key of manifest-summary.json in the bucket
};

// The files of an import and their format.
struct ImportSource {
  std::string id = {};      // the last part of the import's ARN; names the log of the errors
  std::string arn = {};     // for the log
  std::string bucket = {};  // an existing bucket
  std::string prefix = {};  // of the keys of the files to read
  bool csv = false;         // false: lines of DynamoDB's JSON
  char delimiter = ',';     // of CSV
  std::vector<std::string> header = {};  // the names of CSV columns; empty: the first line has them
};

struct ImportedItems {
  std::uint64_t bytes = 0;      // of the files, uncompressed
  std::uint64_t processed = 0;  // items that were read, valid or not
  std::uint64_t imported = 0;
  std::uint64_t errors = 0;
};

// A function that an export or an import calls repeatedly, in its thread: an export when it has the
// snapshot of the table, an import before it reads the first file, and both after each part. Returns
// true to continue, and false to end with an error.
using Proceed = std::function<bool()>;

// The folders of one directory, and the descriptions of the exports and imports that used them.
// Every method is thread-safe, and fails with kStorage if a file cannot be read or written.
class Buckets {
 public:
  virtual ~Buckets() = default;

  virtual bool Exists(std::string_view bucket) const = 0;

  // Writes all items of the table, or the changes of target.period, in the layout of DynamoDB's exports.
  // The items are those of target.time if it is past, otherwise those of the moment before the first
  // call of `proceed`.
  // - kValidation: the prefix leads out of the bucket.
  // - kResourceNotFound: the table does not exist.
  // - kCorruption: an item of the table is damaged.
  // - The errors of RestoreTableToPointInTime, if target.time is past, or of ReadChanges.
  virtual Result<ExportedItems> Export(const Database& database, const ExportTarget& target,
                                       const Proceed& proceed) = 0;

  // Puts the items of all files whose keys begin with the prefix into the table. An item that the
  // table rejects is counted, and described in a log. A line that is no item ends its file.
  virtual Result<ImportedItems> Import(const Database& database, const Table& table,
                                       const ImportSource& source, const Proceed& proceed) = 0;

  // Stores a description, which is a JSON object, under the kind "exports", "imports", "bulk" or
  // "tokens" and the ID.
  virtual Status Save(std::string_view kind, std::string_view id, std::string_view json) = 0;
  // Returns a stored description.
  // - kResourceNotFound: there is none.
  virtual Result<std::string> Load(std::string_view kind, std::string_view id) const = 0;
  // Returns the IDs of the stored descriptions of this kind, the newest first.
  virtual Result<std::vector<std::string>> List(std::string_view kind) const = 0;
};

}  // namespace dolmen::wire
