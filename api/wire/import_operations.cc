#include <array>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"
#include "engine/value/violation.h"
#include "wire/constraints.h"
#include "wire/errors.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_description.h"
#include "wire/table_requests.h"
#include "wire/table_settings.h"
#include "wire/transfer_jobs.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kImportStatus = "ImportStatus";
constexpr JobKind kImports = {
    .folder = "imports",
    .arn_part = "import",
    .arn_name = "ImportArn",
    .status = kImportStatus,
    .description = "ImportTableDescription",
    .conflict = "ImportConflictException",
    .conflict_message = "Import conflict: Duplicate request detected with conflicting parameters"};

constexpr Structure kImportBucketShape = {{
    Named("S3BucketSource"),
    {"S3BucketOwner", &kString},
    {"S3Bucket", &kBucketShape, true},
    {"S3KeyPrefix", &kBucketPrefixShape},
}};
constexpr Enumeration kImportFormatShape = {"DYNAMODB_JSON", "ION", "CSV"};
constexpr Enumeration kCompressionShape = {"ZSTD", "NONE", "GZIP"};
constexpr Shape kDelimiterShape = {.range = {1, 1}};
constexpr Shape kHeaderShape = {.range = {1, 65536}};
constexpr Shape kHeaderListShape = {
    .kind = Kind::kList, .element = &kHeaderShape, .range = {1, 255}};
constexpr Structure kCsvShape = {{
    Named("CsvOptions"),
    {"Delimiter", &kDelimiterShape},
    {"HeaderList", &kHeaderListShape},
}};
constexpr Structure kFormatOptionsShape = {{
    Named("InputFormatOptions"),
    {"Csv", &kCsvShape},
}};
constexpr Structure kImportInput = {{
    {"ClientToken", &kString},
    {"S3BucketSource", &kImportBucketShape, true},
    {"InputFormat", &kImportFormatShape, true},
    {"InputFormatOptions", &kFormatOptionsShape},
    {"InputCompressionType", &kCompressionShape},
    {"TableCreationParameters", &kCreateTableInput, true},
}};
constexpr Structure kDescribeImportInput = {{
    {"ImportArn", &kJobArnShape, true},
}};
constexpr Shape kImportTableShape = {.range = {1, 1024}};
constexpr Structure kListImportsInput = {{
    {"TableArn", &kImportTableShape},
    {"PageSize", &kJobsPageShape},
    {"NextToken", &kString},
}};

constexpr std::string_view kDelimiters = ",;:|\t ";

// Returns the options of CSV in the request, or nothing.
std::optional<JsonObject> CsvOptionsOf(const JsonObject& request) {
  const std::optional<Json> options = Member(request, "InputFormatOptions");
  const std::optional<Json> csv = options ? Member(ObjectOf(*options), "Csv") : std::nullopt;
  return csv ? std::optional(ObjectOf(*csv)) : std::nullopt;
}

std::string_view DelimiterOf(const JsonObject& request) {
  const std::optional<JsonObject> csv = CsvOptionsOf(request);
  return csv ? StringMember(*csv, "Delimiter") : std::string_view();
}

Status CheckImport(const JsonObject& request) {
  const std::string_view format = StringMember(request, "InputFormat");
  if (format == "ION") {
    return InvalidParameter("Dolmen does not support the format ION: use DYNAMODB_JSON or CSV");
  }
  if (StringMember(request, "InputCompressionType") == "ZSTD") {
    return InvalidParameter("Dolmen does not support the compression ZSTD: use GZIP or NONE");
  }
  if (format != "CSV" && Member(request, "InputFormatOptions")) {
    return Status::Validation(
        std::string("Invalid Request: Unsupported InputFormatOptions for the given input format: ")
            .append(format)
            .append("."));
  }
  const std::string_view delimiter = DelimiterOf(request);
  if (!delimiter.empty() && kDelimiters.find(delimiter) == kDelimiters.npos) {
    return engine::DetectedOne(engine::Violation(delimiter, "inputFormatOptions.csv.delimiter",
                                                 engine::MustMatch(R"([,;:|\t ])")));
  }
  const JsonObject source = ObjectOf(*Member(request, "S3BucketSource"));
  return CheckBucket(StringMember(source, "S3Bucket"), StringMember(source, "S3KeyPrefix"));
}

ImportSource SourceOf(const JsonObject& request, std::string_view id, std::string_view arn) {
  const JsonObject bucket = ObjectOf(*Member(request, "S3BucketSource"));
  ImportSource source = {.id = std::string(id),
                         .arn = std::string(arn),
                         .bucket = std::string(StringMember(bucket, "S3Bucket")),
                         .prefix = std::string(StringMember(bucket, "S3KeyPrefix")),
                         .csv = StringMember(request, "InputFormat") == "CSV"};
  const std::optional<JsonObject> csv = CsvOptionsOf(request);
  if (!csv) return source;
  const std::string_view delimiter = DelimiterOf(request);
  if (!delimiter.empty()) source.delimiter = delimiter.front();
  if (const std::optional<Json> header = Member(*csv, "HeaderList")) {
    for (const Json name : ArrayOf(*header)) source.header.emplace_back(StringOf(name));
  }
  return source;
}

// Returns the description of an import that starts now.
Map DescribeNewImport(const Context& context, const JsonObject& request, const std::string& table,
                      std::string_view id) {
  Map import = PlainOf(kImportInput, request);
  Set("ImportArn", JobArn(context, kImports, table, id), &import);
  Set(kImportStatus, "IN_PROGRESS", &import);
  Set("TableArn", TableArn(context.place, table), &import);
  SetTime("StartTime", context.database.clock()->Now(), &import);
  import.emplace("ClientToken", NewUuid());
  import.emplace("InputCompressionType", "NONE");
  Map& bucket = MapToChange(&import, "S3BucketSource");
  bucket.emplace("S3BucketOwner", context.place.account);
  Set("CloudWatchLogGroupArn",
      std::string("arn:aws:logs:")
          .append(context.place.region)
          .append(":")
          .append(context.place.account)
          .append(":log-group:/aws-dynamodb/imports:*"),
      &import);
  return import;
}

void SetImported(const ImportedItems& imported, Map* description) {
  Set("ProcessedSizeBytes", imported.bytes, description);
  Set("ProcessedItemCount", imported.processed, description);
  Set("ImportedItemCount", imported.imported, description);
  Set("ErrorCount", imported.errors, description);
  Set(kImportStatus, imported.errors == 0 ? "COMPLETED" : "FAILED", description);
  if (imported.errors == 0) return;
  Set("FailureCode", "ItemValidationError", description);
  Set("FailureMessage",
      "Some of the items failed validation checks and were not imported. Please check CloudWatch "
      "error logs for more details.",
      description);
}

// Creates the table of the import `id`, and adds its ID to the description.
Status CreateImportedTable(const Context& context, CreateTableInput input, const std::string& id,
                           Map* description) {
  SetImport(id, &input.annotations);
  const Status created = context.database.CreateTable(input).status();
  if (created.code() == StatusCode::kResourceInUse) {
    return created.WithMessage("Table already exists: " + input.name);
  }
  DOLMEN_RETURN_IF_ERROR(created);
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          context.database.DescribeTable(input.name, ContentSizes::kOmit));
  Set("TableId", table.table_id, description);
  return {};
}

// Creates the table and starts the import. If the import cannot start, the table does not exist.
Status StartImport(const Context& context, const JsonObject& request, const std::string& id,
                   const CreateTableInput& input, Map* description) {
  ImportSource source = SourceOf(request, id, TextIn(*description, "ImportArn"));
  const bool creates = context.buckets->Exists(source.bucket);
  if (creates) DOLMEN_RETURN_IF_ERROR(CreateImportedTable(context, input, id, description));
  Status started =
      StartJob(context, kImports, id, *description,
               PutItemsWork(context, kImports, input.name, std::move(source), SetImported));
  if (!started.ok() && creates) context.database.DeleteTable(input.name).IgnoreError();
  return started;
}

Status RunImportTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(BucketsOf(context).status());
  DOLMEN_RETURN_IF_ERROR(CheckImport(request));
  CreateTableInput input;
  DOLMEN_RETURN_IF_ERROR(
      ReadCreateTable(ObjectOf(*Member(request, "TableCreationParameters")), &input));
  const ClientToken token(context, kImports, kImportInput, request);
  DOLMEN_ASSIGN_OR_RETURN(const std::string& earlier, token.FindJob());
  if (!earlier.empty()) return WriteJob(kImports, earlier, response);
  const std::string id = NewJobId(context);
  Map description = DescribeNewImport(context, request, input.name, id);
  DOLMEN_RETURN_IF_ERROR(StartImport(context, request, id, input, &description));
  DOLMEN_RETURN_IF_ERROR(token.Save(id));
  return WriteJob(kImports, JsonOf(description), response);
}

Status RunDescribeImport(const Context& context, const JsonObject& request, JsonWriter* response) {
  const std::string_view arn = StringMember(request, "ImportArn");
  if (JobIdOf(kImports, arn).empty()) return Status::Validation("Invalid Import ARN");
  const Result<std::string> json = LoadJob(context, kImports, arn);
  if (json.status().code() == StatusCode::kResourceNotFound) {
    return Fail(context, "ImportNotFoundException", std::string("Import not found: ").append(arn));
  }
  if (!json.ok()) return json.status();
  return WriteJob(kImports, *json, response);
}

Status RunListImports(const Context& context, const JsonObject& request, JsonWriter* response) {
  constexpr std::array<std::string_view, 8> kSummary = {
      "ImportArn",   kImportStatus, "TableArn", "S3BucketSource", "CloudWatchLogGroupArn",
      "InputFormat", "StartTime",   "EndTime"};
  return WriteJobs(context, kImports, "ImportSummaryList", kSummary,
                   StringMember(request, "TableArn"),
                   static_cast<std::size_t>(IntegerMember(request, "PageSize").value_or(25)),
                   StringMember(request, "NextToken"), response);
}

}  // namespace

std::span<const Operation> ImportOperations() {
  static constexpr Operation kOperations[] = {
      {.name = "ImportTable", .input = &kImportInput, .run = RunImportTable, .is_long = true},
      {"DescribeImport", &kDescribeImportInput, RunDescribeImport},
      {"ListImports", &kListImportsInput, RunListImports},
  };
  return kOperations;
}

}  // namespace dolmen::wire
