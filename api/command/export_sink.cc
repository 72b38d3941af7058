#include "command/export_sink.h"

#include <nettle/md5.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "command/table_json.h"
#include "database/base64.h"
#include "dolmen/wire.h"
#include "engine/base/status_macros.h"
#include "wire/json_writer.h"
#include "wire/names.h"

namespace dolmen::command {
namespace {

namespace fs = std::filesystem;

// The size of a data file before compression, in bytes. It is small, so that importing a single
// file again is cheap.
constexpr std::uint64_t kDataFileBytes = std::uint64_t{64} << 20U;

Status CantWrite(const fs::path& path, const std::error_code& error) {
  return Status::Storage("can't write " + path.string() + ": " + error.message());
}

class FileSink : public ExportSink {
 public:
  explicit FileSink(OutputFile file) : file_(std::move(file)) {}

  Status Write(std::string_view lines, std::uint64_t) override { return file_.Write(lines); }
  Status Commit() override { return file_.Commit(); }

 private:
  OutputFile file_;
};

// The MD5 digest of a file, as in S3's manifests.
struct Md5 {
  std::string base64 = {};
  std::string etag = {};  // hexadecimal digits, and the number of the parts of an upload: "...-1"
};

Result<Md5> Md5Of(const fs::path& path) {
  md5_ctx context;
  md5_init(&context);
  std::ifstream file(path, std::ios::binary);
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    md5_update(&context, static_cast<std::size_t>(file.gcount()),
               reinterpret_cast<const std::uint8_t*>(buffer.data()));
  }
  if (!file.eof()) return Status::Storage("can't read " + path.string());
  std::array<std::uint8_t, MD5_DIGEST_SIZE> digest{};
  md5_digest(&context, digest.size(), digest.data());
  Md5 md5;
  internal::AppendBase64({reinterpret_cast<const char*>(digest.data()), digest.size()},
                         &md5.base64);
  for (const std::uint8_t byte : digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    md5.etag.append({kDigits[byte >> 4U], kDigits[byte & 15U]});
  }
  md5.etag.append("-1");
  return md5;
}

Status WriteFile(const fs::path& path, std::string_view text) {
  DOLMEN_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path.string(), {}));
  DOLMEN_RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

// A sink that writes a directory. The directory has a hidden name until Commit renames it, so that
// no program takes it for a complete export.
class DirectorySink : public ExportSink {
 public:
  DirectorySink(const fs::path& root, std::string name, ExportDescription description)
      : root_(root / "AWSDynamoDB"),
        name_(std::move(name)),
        partial_(root_ / ("." + name_ + ".partial")),
        description_(std::move(description)) {}

  ~DirectorySink() override {
    if (committed_) return;
    file_.reset();
    std::error_code ignored;
    fs::remove_all(partial_, ignored);
    for (const fs::path& directory : created_) fs::remove(directory, ignored);  // if it is empty
  }

  Status Create() {
    std::error_code error;
    fs::path path = fs::absolute(root_, error);
    for (; !error && !fs::exists(path, error); path = path.parent_path()) created_.push_back(path);
    if (!error) fs::create_directories(partial_ / "data", error);
    return error ? CantWrite(partial_, error) : Status();
  }

  Status Write(std::string_view lines, std::uint64_t items) override {
    if (!file_) {
      std::array<char, 32> name{};
      std::snprintf(name.data(), name.size(), "%05zu.json.gz", ++files_);
      file_name_ = "data/" + (description_.period ? name_ + "-" : std::string()) + name.data();
      Result<OutputFile> file =
          OutputFile::Create((partial_ / file_name_).string(), {.gzip = true});
      if (!file.ok()) return file.status();
      file_.emplace(*std::move(file));
    }
    DOLMEN_RETURN_IF_ERROR(file_->Write(lines));
    file_items_ += items;
    bytes_ += lines.size();
    return file_->bytes() < kDataFileBytes ? Status() : EndFile();
  }

  Status Commit() override {
    DOLMEN_RETURN_IF_ERROR(EndFile());
    DOLMEN_RETURN_IF_ERROR(WriteManifest("manifest-files", manifest_));
    DOLMEN_RETURN_IF_ERROR(WriteManifest("manifest-summary", Summary()));
    if (in_bucket()) DOLMEN_RETURN_IF_ERROR(WriteFile(partial_ / "_started", {}));
    DOLMEN_RETURN_IF_ERROR(WriteFile(partial_ / kTableManifest, description_.table_json + "\n"));
    if (description_.period) DOLMEN_RETURN_IF_ERROR(MoveData());
    std::error_code error;
    fs::rename(partial_, root_ / name_, error);
    if (error) return CantWrite(root_ / name_, error);
    committed_ = true;
    DOLMEN_RETURN_IF_ERROR(SyncDirectory(root_.string()));
    for (const fs::path& directory : created_) {
      DOLMEN_RETURN_IF_ERROR(SyncDirectory(directory.parent_path().string()));
    }
    return {};
  }

 private:
  bool in_bucket() const { return !description_.bucket.name.empty(); }

  // Returns the path that a file would have in the S3 bucket of an export by DynamoDB.
  std::string S3Key(const std::string& name) const {
    return KeyBelow(description_.bucket.prefix, "AWSDynamoDB/" + name_ + "/" + name);
  }

  // Returns the key of a file of items or changes.
  std::string DataKey(const std::string& name) const {
    if (!description_.period) return S3Key(name);
    return KeyBelow(description_.bucket.prefix, "AWSDynamoDB/" + name);
  }

  // Moves the files of changes to the directory that all exports of periods share. A crash or an error
  // before the end of the export leaves files there that no manifest names.
  Status MoveData() const {
    const fs::path shared = root_ / "data";
    std::error_code error;
    fs::create_directory(shared, error);
    if (error || fs::is_symlink(shared, error)) return CantWrite(shared, error);
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(partial_ / "data", error), end; !error && entry != end;
         entry.increment(error)) {
      files.push_back(entry->path());
    }
    for (const fs::path& file : files) {
      if (!error) fs::rename(file, shared / file.filename(), error);
    }
    if (!error) fs::remove(partial_ / "data", error);
    if (error) return CantWrite(shared, error);
    return SyncDirectory(shared.string());
  }

  // Writes a manifest, and in a bucket its checksum.
  Status WriteManifest(const std::string& name, std::string_view text) const {
    const fs::path path = partial_ / (name + ".json");
    DOLMEN_RETURN_IF_ERROR(WriteFile(path, text));
    if (!in_bucket()) return {};
    DOLMEN_ASSIGN_OR_RETURN(const Md5& md5, Md5Of(path));
    return WriteFile(partial_ / (name + ".checksum"), md5.base64);
  }

  Status EndFile() {
    if (!file_) return {};
    Status committed = file_->Commit();
    file_.reset();
    if (!committed.ok()) return committed;
    DOLMEN_ASSIGN_OR_RETURN(const Md5& md5, Md5Of(partial_ / file_name_));
    wire::JsonWriter json(&manifest_);
    json.BeginObject();
    json.UnsignedField("itemCount", file_items_);
    json.StringField("md5Checksum", md5.base64);
    json.StringField("etag", md5.etag);
    json.StringField("dataFileS3Key", DataKey(file_name_));
    json.EndObject();
    manifest_.push_back('\n');
    items_ += std::exchange(file_items_, 0);
    return {};
  }

  std::string Summary() const {
    const std::string time = ToIso8601(description_.time);
    std::string text;
    wire::JsonWriter json(&text);
    json.BeginObject();
    json.StringField("version", description_.period ? "2023-08-01" : "2020-06-30");
    if (in_bucket()) {
      WriteBucket(&json);
    } else {
      json.StringField("tableArn", wire::TableArn({}, description_.table));
    }
    json.StringField("startTime", time);
    if (description_.period) {
      WritePeriod(&json);
    } else {
      json.StringField("exportTime", time);
    }
    json.StringField("manifestFilesS3Key", S3Key("manifest-files.json"));
    json.UnsignedField("itemCount", items_);
    json.StringField("outputFormat", "DYNAMODB_JSON");
    json.EndObject();
    return text + "\n";
  }

  void WritePeriod(wire::JsonWriter* json) const {
    const wire::ExportPeriod& period = *description_.period;
    json->StringField("exportFromTime", ToIso8601(period.from));
    json->StringField("exportToTime", ToIso8601(period.to));
    json->StringField("exportType", "INCREMENTAL_EXPORT");
    json->StringField("outputView", period.has_old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE");
  }

  // Writes the facts about the bucket and the ARNs.
  void WriteBucket(wire::JsonWriter* json) const {
    const ExportBucket& bucket = description_.bucket;
    json->StringField("exportArn", bucket.export_arn);
    json->StringField("endTime", ToIso8601(description_.time));
    json->StringField("tableArn", bucket.table_arn);
    json->StringField("tableId", bucket.table_id);
    json->StringField("s3Bucket", bucket.name);
    json->StringField("s3Prefix", bucket.prefix);
    json->StringField("s3SseAlgorithm", "AES256");
    json->Key("s3SseKmsKeyId");
    json->Raw("null");
    json->UnsignedField("billedSizeBytes", description_.period
                                               ? std::max(bytes_, wire::kIncrementalBilledBytesMin)
                                               : bytes_);
  }

  const fs::path root_;
  const std::string name_;
  const fs::path partial_;
  const ExportDescription description_;
  std::optional<OutputFile> file_;
  std::string file_name_;
  std::size_t files_ = 0;
  std::uint64_t file_items_ = 0;
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;  // of all lines, before compression
  std::string manifest_;
  std::vector<fs::path> created_;  // directories that Create creates, the innermost first
  bool committed_ = false;
};

}  // namespace

std::string KeyBelow(std::string_view prefix, std::string_view name) {
  std::string key(prefix);
  if (!key.empty() && key.back() != '/') key.push_back('/');
  return key.append(name);
}

Result<std::unique_ptr<ExportSink>> ExportToFile(const std::string& path,
                                                 const OutputFileOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, options));
  return std::unique_ptr<ExportSink>(std::make_unique<FileSink>(std::move(file)));
}

Result<std::unique_ptr<ExportSink>> ExportToDirectory(const std::string& directory,
                                                      const ExportDescription& description) {
  std::array<char, 40> name{};
  std::snprintf(name.data(), name.size(), "%014lld-%08x",
                static_cast<long long>(description.time.time_since_epoch().count()),
                std::random_device()());
  auto sink = std::make_unique<DirectorySink>(
      directory, description.id.empty() ? name.data() : description.id, description);
  DOLMEN_RETURN_IF_ERROR(sink->Create());
  return std::unique_ptr<ExportSink>(std::move(sink));
}

}  // namespace dolmen::command
