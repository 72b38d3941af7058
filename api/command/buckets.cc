#include "command/buckets.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "command/csv_lines.h"
#include "command/export_sink.h"
#include "command/item_lines.h"
#include "command/line_reader.h"
#include "command/output_file.h"
#include "command/table_json.h"
#include "command/text_file.h"
#include "command/write_batch.h"
#include "dolmen/repair.h"
#include "engine/base/status_macros.h"
#include "wire/json_writer.h"
#include "wire/table_description.h"

namespace dolmen::command {
namespace {

namespace fs = std::filesystem;

using wire::ExportedItems;
using wire::ExportTarget;
using wire::ImportedItems;
using wire::ImportSource;
using wire::Proceed;

constexpr std::size_t kLinesBytes = 1 << 16;  // the lines of an export that are written together
constexpr const char* kEnded = "the export or import was ended";

// A log of rejected items, one line of JSON each. The file exists only if an item was rejected.
class RejectionLog {
 public:
  RejectionLog(fs::path path, const ImportSource& source)
      : path_(std::move(path)), source_(source) {}

  Status Add(const std::string& key, std::uint64_t item, std::string_view message) {
    if (!file_) {
      std::error_code error;
      fs::create_directories(path_.parent_path(), error);
      Result<OutputFile> file = OutputFile::Create(path_.string(), {});
      if (!file.ok()) return file.status();
      file_.emplace(*std::move(file));
    }
    std::string line;
    wire::JsonWriter json(&line);
    json.BeginObject();
    json.Key("itemS3Pointer");
    json.BeginObject();
    json.StringField("bucket", source_.bucket);
    json.StringField("key", key);
    json.UnsignedField("itemIndex", item);
    json.EndObject();
    json.StringField("importArn", source_.arn);
    json.Key("errorMessages");
    json.BeginArray();
    json.String(message);
    json.EndArray();
    json.EndObject();
    return file_->Write(line + "\n");
  }

  Status Commit() { return file_ ? file_->Commit() : Status(); }

 private:
  const fs::path path_;
  const ImportSource& source_;
  std::optional<OutputFile> file_;
};

// An import of the files of a bucket into a table.
class BucketImport {
 public:
  BucketImport(const Database& database, const Table& table, const ImportSource& source,
               const Proceed& proceed, RejectionLog* log)
      : database_(database), table_(table), source_(source), proceed_(proceed), log_(*log) {}

  // Imports a file. `key` is its key in the bucket.
  Status AddFile(const fs::path& path, const std::string& key) {
    key_ = key;
    item_ = 0;
    DOLMEN_ASSIGN_OR_RETURN(LineReader reader, LineReader::Open(path.string()));
    const Status read = source_.csv ? ReadRows(&reader) : ReadLines(&reader);
    done_.bytes += reader.position().bytes;
    DOLMEN_RETURN_IF_ERROR(Flush());
    // A line that is no item ends its file, as in DynamoDB.
    return read.code() == StatusCode::kValidation ? Reject(item_, read.message()) : read;
  }

  const ImportedItems& done() const { return done_; }

 private:
  Status ReadLines(LineReader* reader) {
    for (;;) {
      const auto line = reader->Next();
      if (line && !*line) return {};
      if (line && (*line)->find_first_not_of(" \t\r") == std::string_view::npos) continue;
      BeginItem();
      DOLMEN_RETURN_IF_ERROR(line.status());
      DOLMEN_ASSIGN_OR_RETURN(Item item, parser_.Parse(**line));
      DOLMEN_RETURN_IF_ERROR(Put(std::move(item)));
    }
  }

  Status ReadRows(LineReader* reader) {
    CsvRow header = source_.header;
    if (header.empty()) {
      DOLMEN_ASSIGN_OR_RETURN(auto first, ReadCsvRow(reader, source_.delimiter));
      if (!first) return {};
      header = *std::move(first);
    }
    DOLMEN_ASSIGN_OR_RETURN(const TableDescription& described,
                            database_.DescribeTable(table_.name(), ContentSizes::kOmit));
    const CsvItems items(std::move(header), wire::KeysOf(described));
    for (;;) {
      const auto row = ReadCsvRow(reader, source_.delimiter);
      if (row && !*row) return {};
      BeginItem();
      DOLMEN_RETURN_IF_ERROR(row.status());
      DOLMEN_ASSIGN_OR_RETURN(Item item, items.ItemOf(**row));
      DOLMEN_RETURN_IF_ERROR(Put(std::move(item)));
    }
  }

  // Counts an item that was read, valid or not.
  void BeginItem() {
    ++done_.processed;
    ++item_;
  }

  Status Put(Item item) {
    pending_.emplace_back(PutRequest{std::move(item)});
    pending_items_.push_back(item_);
    return pending_.size() < kWritesMax ? Status() : Flush();
  }

  Status Flush() {
    if (pending_.empty()) return {};
    if (!proceed_()) return Status::Storage(kEnded);
    Status put = WriteAsBatch(database_, table_, &pending_,
                              [this](std::size_t i, const Status& status) -> Status {
                                if (status.ok()) ++done_.imported;
                                if (status.code() != StatusCode::kValidation) return status;
                                return Reject(pending_items_[i], status.message());
                              });
    pending_items_.clear();
    return put;
  }

  Status Reject(std::uint64_t item, std::string_view message) {
    ++done_.errors;
    return log_.Add(key_, item, message);
  }

  const Database& database_;
  const Table& table_;
  const ImportSource& source_;
  const Proceed& proceed_;
  RejectionLog& log_;
  ItemLineParser parser_;
  std::string key_;
  std::uint64_t item_ = 0;  // the number of the current item in its file, from 1
  std::vector<WriteRequest> pending_;
  std::vector<std::uint64_t> pending_items_;
  ImportedItems done_;
};

class DirectoryBuckets final : public wire::Buckets {
 public:
  explicit DirectoryBuckets(fs::path root) : root_(std::move(root)), own_(root_ / ".dolmen") {}

  bool Exists(std::string_view bucket) const override {
    std::error_code error;
    return fs::is_directory(fs::symlink_status(root_ / bucket, error));
  }

  Result<ExportedItems> Export(const Database& database, const ExportTarget& target,
                               const Proceed& proceed) override {
    const fs::path bucket = root_ / target.bucket;
    std::error_code error;
    const fs::path directory = fs::weakly_canonical(bucket / target.prefix, error);
    const fs::path root = error ? fs::path() : fs::canonical(bucket, error);
    if (error) return Status::Storage("can't find " + bucket.string() + ": " + error.message());
    if (directory.lexically_relative(root).native().starts_with("..")) {
      return Status::Validation("The prefix leads out of the bucket: " + target.prefix);
    }
    DOLMEN_ASSIGN_OR_RETURN(std::string table_json, TableJson(database, target.table));
    ExportDescription description = {.table = target.table,
                                     .table_json = std::move(table_json),
                                     .time = target.time,
                                     .period = target.period};
    description.id = target.id;
    description.bucket = {.name = target.bucket,
                          .prefix = target.prefix,
                          .table_arn = target.table_arn,
                          .table_id = target.table_id,
                          .export_arn = target.export_arn};
    DOLMEN_ASSIGN_OR_RETURN(const auto& sink, ExportToDirectory(directory.string(), description));
    ExportedItems done;
    DOLMEN_RETURN_IF_ERROR(WriteAll(database, target, proceed, sink.get(), &done));
    DOLMEN_RETURN_IF_ERROR(sink->Commit());
    if (target.period) done.bytes = std::max(done.bytes, wire::kIncrementalBilledBytesMin);
    done.manifest = KeyBelow(target.prefix, "AWSDynamoDB/" + target.id + "/manifest-summary.json");
    return done;
  }

  Result<ImportedItems> Import(const Database& database, const Table& table,
                               const ImportSource& source, const Proceed& proceed) override {
    if (!proceed()) return Status::Storage(kEnded);
    RejectionLog log(own_ / "logs" / (source.id + ".json"), source);
    BucketImport import(database, table, source, proceed, &log);
    const fs::path bucket = root_ / source.bucket;
    DOLMEN_ASSIGN_OR_RETURN(const auto& keys, KeysOf(bucket, source.prefix));
    for (const std::string& key : keys) DOLMEN_RETURN_IF_ERROR(import.AddFile(bucket / key, key));
    DOLMEN_RETURN_IF_ERROR(log.Commit());
    return import.done();
  }

  Status Save(std::string_view kind, std::string_view id, std::string_view json) override {
    std::error_code error;
    fs::create_directories(own_ / kind, error);
    DOLMEN_ASSIGN_OR_RETURN(OutputFile file,
                            OutputFile::Create(PathOf(kind, id).string(), {.overwrite = true}));
    DOLMEN_RETURN_IF_ERROR(file.Write(json));
    return file.Commit();
  }

  Result<std::string> Load(std::string_view kind, std::string_view id) const override {
    std::error_code error;
    if (!fs::exists(PathOf(kind, id), error)) return Status::ResourceNotFound("no such job");
    return ReadTextFile(PathOf(kind, id).string(), "the description");
  }

  Result<std::vector<std::string>> List(std::string_view kind) const override {
    std::vector<std::string> ids;
    std::error_code error;
    for (fs::directory_iterator entry(own_ / kind, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() == ".json") ids.push_back(entry->path().stem().string());
    }
    std::sort(ids.begin(), ids.end(), std::greater<>());
    return ids;
  }

 private:
  static Status WriteAll(const Database& database, const ExportTarget& target,
                         const Proceed& proceed, ExportSink* sink, ExportedItems* done) {
    std::string lines;
    std::uint64_t count = 0;
    const auto write = [&]() -> Status {
      if (!proceed()) return Status::Storage(kEnded);
      done->items += count;
      done->bytes += lines.size();
      DOLMEN_RETURN_IF_ERROR(sink->Write(lines, count));
      lines.clear();
      count = 0;
      return {};
    };
    const auto end_line = [&]() -> Status {
      ++count;
      return lines.size() < kLinesBytes ? Status() : write();
    };
    const auto add = [&](const ItemView& item) {
      AppendItemLine(item, &lines);
      return end_line();
    };
    if (target.period) {
      DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                              database.DescribeTable(target.table, ContentSizes::kOmit));
      DOLMEN_RETURN_IF_ERROR(ReadPeriod(database, target, proceed, [&](const ItemChange& change) {
        AppendChangeLine(change, table, target.period->has_old_images, &lines);
        return end_line();
      }));
    } else {
      DOLMEN_RETURN_IF_ERROR(target.is_past ? ReadPast(database, target, proceed, add)
                                            : ReadPresent(database, target, proceed, add));
    }
    return write();
  }

  static Status ReadPeriod(const Database& database, const ExportTarget& target,
                           const Proceed& proceed, const ItemChangeHandler& on_change) {
    const auto read =
        database.ReadChanges({.table_name = target.table,
                              .from = target.period->from,
                              .to = target.period->to,
                              .on_change = on_change,
                              .progress = [&](const CopyProgress&) { return proceed(); }});
    return read && !read->complete ? Status::Storage(kEnded) : read.status();
  }

  static Status ReadPresent(const Database& database, const ExportTarget& target,
                            const Proceed& proceed, const ItemHandler& on_item) {
    DOLMEN_ASSIGN_OR_RETURN(const Table& table, database.OpenTable(target.table));
    bool has_snapshot = false;
    Status damage;
    DOLMEN_RETURN_IF_ERROR(ReadUndamaged(
        table,
        [&](const ItemView& item) -> Status {
          if (!std::exchange(has_snapshot, true) && !proceed()) return Status::Storage(kEnded);
          return on_item(item);
        },
        [&](const RepairLoss& loss) { damage = Status::Corruption(loss.message); }));
    return damage;
  }

  static Status ReadPast(const Database& database, const ExportTarget& target,
                         const Proceed& proceed, const ItemHandler& on_item) {
    const auto read = database.RestoreTableToPointInTime(
        {.source_table_name = target.table,
         .restore_time = target.time,
         .target = {.progress = [&](const CopyProgress&) { return proceed(); },
                    .on_item = on_item}});
    return read && !read->complete ? Status::Storage(kEnded) : read.status();
  }

  // Returns the keys of the files in the bucket that begin with the prefix, in their order. Omits
  // files and folders whose names begin with a dot, and symbolic links.
  static Result<std::vector<std::string>> KeysOf(const fs::path& bucket, std::string_view prefix) {
    std::vector<std::string> keys;
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(bucket, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (entry->path().filename().native().starts_with(".")) {
        entry.disable_recursion_pending();
        continue;
      }
      if (entry->is_symlink(error) || !entry->is_regular_file(error)) continue;
      std::string key = entry->path().lexically_relative(bucket).generic_string();
      if (key.starts_with(prefix)) keys.push_back(std::move(key));
    }
    if (error) return Status::Storage("can't read " + bucket.string() + ": " + error.message());
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  fs::path PathOf(std::string_view kind, std::string_view id) const {
    return own_ / kind / std::string(id).append(".json");
  }

  const fs::path root_;
  const fs::path own_;
};

}  // namespace

Result<std::shared_ptr<wire::Buckets>> OpenBuckets(const std::string& directory) {
  std::error_code error;
  const fs::path root = fs::canonical(directory, error);
  if (error || !fs::is_directory(root, error)) {
    return Status::Validation("the directory of the buckets does not exist: " + directory);
  }
  return std::shared_ptr<wire::Buckets>(std::make_shared<DirectoryBuckets>(root));
}

}  // namespace dolmen::command
