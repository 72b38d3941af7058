#include "wire/export_operations.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/internal/status_macros.h"
#include "wire/errors.h"
#include "wire/managed_table.h"
#include "wire/table_description.h"
#include "wire/table_settings.h"
#include "wire/transfer_jobs.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kExportStatus = "ExportStatus";
constexpr JobKind kExports = {
    .folder = "exports",
    .arn_part = "export",
    .arn_name = "ExportArn",
    .status = kExportStatus,
    .conflict = "ExportConflictException",
    .conflict_message = "Export conflict: Duplicate request detected with conflicting parameters"};

constexpr Shape kExportTimeShape = {.kind = Kind::kDouble};
constexpr std::array<std::string_view, 2> kExportFormats = {"DYNAMODB_JSON", "ION"};
constexpr Shape kExportFormatShape = {.values = kExportFormats};
constexpr std::array<std::string_view, 2> kExportTypes = {"FULL_EXPORT", "INCREMENTAL_EXPORT"};
constexpr Shape kExportTypeShape = {.values = kExportTypes};
constexpr std::array<std::string_view, 2> kExportSses = {"AES256", "KMS"};
constexpr Shape kExportSseShape = {.values = kExportSses};
constexpr Shape kExportTableShape = {.range = {1, 1024}};
constexpr Shape kAnyStructure = {.kind = Kind::kStructure, .name = "FilterSpecification"};

constexpr std::array<MemberShape, 12> kExportMembers = {{
    {"TableArn", &kExportTableShape, true},
    {"ExportTime", &kExportTimeShape},
    {"ClientToken", &kString},
    {"S3Bucket", &kBucketShape, true},
    {"S3BucketOwner", &kString},
    {"S3Prefix", &kBucketPrefixShape},
    {"S3SseAlgorithm", &kExportSseShape},
    {"S3SseKmsKeyId", &kString},
    {"ExportFormat", &kExportFormatShape},
    {"ExportType", &kExportTypeShape},
    {"IncrementalExportSpecification", &kAnyStructure},
    {"FilterSpecification", &kAnyStructure},
}};
constexpr Shape kExportInput = {.kind = Kind::kStructure, .members = kExportMembers};
constexpr std::array<MemberShape, 1> kDescribeExportMembers = {
    {{"ExportArn", &kJobArnShape, true}}};
constexpr Shape kDescribeExportInput = {.kind = Kind::kStructure,
                                        .members = kDescribeExportMembers};
constexpr std::array<MemberShape, 3> kListExportsMembers = {{
    {"TableArn", &kExportTableShape},
    {"MaxResults", &kJobsPageShape},
    {"NextToken", &kString},
}};
constexpr Shape kListExportsInput = {.kind = Kind::kStructure, .members = kListExportsMembers};

// Checks the parts of the request that do not depend on the table.
Status CheckExport(const JsonObject& request) {
  const std::string_view type = StringMember(request, "ExportType");
  const bool incremental = Member(request, "IncrementalExportSpecification").has_value();
  if (incremental && type.empty()) {
    return Status::Validation(
        "Invalid Request: Export Type expected to be Incremental Export when incremental export "
        "specification is provided");
  }
  if (incremental && type == "FULL_EXPORT") {
    return Status::Validation(
        "Invalid Request: When Export Type is Full Export , Incremental Export Specification "
        "should not be provided");
  }
  if (type == "INCREMENTAL_EXPORT") {
    return InvalidParameter("Dolmen does not support incremental exports: export the full table");
  }
  if (StringMember(request, "ExportFormat") == "ION") {
    return InvalidParameter("Dolmen does not support the format ION: use DYNAMODB_JSON");
  }
  constexpr std::array<std::string_view, 1> kFilter = {"FilterSpecification"};
  DOLMEN_RETURN_IF_ERROR(CheckUnsupported(request, kFilter));
  if (Member(request, "S3SseKmsKeyId") && StringMember(request, "S3SseAlgorithm") != "KMS") {
    return Status::Validation(
        "Invalid Request: KMS Key Id is not supported for this encryption type");
  }
  return CheckBucket(StringMember(request, "S3Bucket"), StringMember(request, "S3Prefix"));
}

Result<TableDescription> DescribeExported(const Context& context, std::string_view arn) {
  if (!arn.starts_with("arn:")) return InvalidParameter("tableArn is not a valid ARN");
  const std::optional<std::string_view> name = TableOfArn(arn);
  if (!name) return Status::Validation("Invalid Request: Table ARN is invalid.");
  Result<TableDescription> table = context.database.DescribeTable(*name, ContentSizes::kOmit);
  if (table.status().code() != StatusCode::kResourceNotFound) return table;
  return Fail(context, "TableNotFoundException", std::string("Table not found: ").append(arn));
}

// Returns the time in the past that the request names, or nothing for the current second.
Result<std::optional<Timestamp>> PastTimeOf(const Context& context, const JsonObject& request,
                                            const std::string& table) {
  using Second = std::chrono::seconds;
  const std::optional<Timestamp> time = TimeMember(request, "ExportTime");
  const Timestamp now = context.database.clock()->Now();
  if (!time || std::chrono::floor<Second>(*time) == std::chrono::floor<Second>(now)) {
    return std::optional<Timestamp>();
  }
  DOLMEN_ASSIGN_OR_RETURN(const PointInTimeRecovery recovery,
                          context.database.DescribeContinuousBackups(table));
  if (!recovery.enabled) return Status::PointInTimeRecoveryUnavailable(table);
  if (*time > now) return Fail(context, "InvalidExportTimeException", "Export Time is invalid");
  if (*time >= recovery.earliest_restore_time) return time;
  return Fail(context, "InvalidExportTimeException",
              "Point in Time Recovery is not available for specified export time");
}

// Returns the description of an export that starts now.
Map DescribeNewExport(const Context& context, const JsonObject& request,
                      const TableDescription& table, Timestamp time, std::string_view id) {
  const Timestamp now = context.database.clock()->Now();
  Map export_of_table;
  for (const MemberShape& member : kExportMembers) {
    const std::string_view text = StringMember(request, member.name);
    if (!text.empty()) Set(member.name, text, &export_of_table);
  }
  Set("ExportArn", JobArn(context, kExports, table.name, id), &export_of_table);
  Set(kExportStatus, "IN_PROGRESS", &export_of_table);
  Set("TableId", TableId(table), &export_of_table);
  SetTime("StartTime", now, &export_of_table);
  SetTime("ExportTime", time, &export_of_table);
  if (!Member(request, "ClientToken")) Set("ClientToken", NewUuid(), &export_of_table);
  if (!Member(request, "ExportFormat")) Set("ExportFormat", kExportFormats[0], &export_of_table);
  if (!Member(request, "S3SseAlgorithm")) Set("S3SseAlgorithm", kExportSses[0], &export_of_table);
  return export_of_table;
}

// Returns the work that exports the table and completes the description of the export.
TransferWork ExportWork(const Context& context, const TableDescription& table,
                        std::optional<Timestamp> past, std::string_view id,
                        const Map& description) {
  ExportTarget target = {.id = std::string(id),
                         .bucket = std::string(TextIn(description, "S3Bucket")),
                         .prefix = std::string(TextIn(description, "S3Prefix")),
                         .table = table.name,
                         .table_arn = std::string(TextIn(description, "TableArn")),
                         .table_id = TableId(table),
                         .export_arn = std::string(TextIn(description, "ExportArn")),
                         .time = past.value_or(context.database.clock()->Now()),
                         .is_past = past.has_value()};
  return [database = context.database, buckets = context.buckets, target = std::move(target)](
             Job* job, Map* done) -> Status {
    if (!buckets->Exists(target.bucket)) {
      SetNoSuchBucket(kExports, done);
      return {};
    }
    DOLMEN_ASSIGN_OR_RETURN(const ExportedItems& exported,
                            buckets->Export(database, target, [job] { return job->Proceed(); }));
    Set(kExportStatus, "COMPLETED", done);
    Set("ExportManifest", exported.manifest, done);
    Set("ItemCount", exported.items, done);
    Set("BilledSizeBytes", exported.bytes, done);
    return {};
  };
}

void WriteExport(std::string_view json, JsonWriter* response) {
  response->BeginObject();
  response->Key("ExportDescription");
  response->Raw(json);
  response->EndObject();
}

Status RunExportTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(BucketsOf(context).status());
  DOLMEN_RETURN_IF_ERROR(CheckExport(request));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          DescribeExported(context, StringMember(request, "TableArn")));
  const ClientToken token(context, kExports, kExportInput, request);
  DOLMEN_ASSIGN_OR_RETURN(const std::string& earlier, token.FindJob());
  if (!earlier.empty()) {
    WriteExport(earlier, response);
    return {};
  }
  DOLMEN_ASSIGN_OR_RETURN(const std::optional<Timestamp> past,
                          PastTimeOf(context, request, table.name));
  const std::string id = NewJobId(context);
  const Map description = DescribeNewExport(context, request, table,
                                            past.value_or(context.database.clock()->Now()), id);
  DOLMEN_RETURN_IF_ERROR(StartJob(context, kExports, id, description,
                                  ExportWork(context, table, past, id, description)));
  WriteExport(JsonOf(description), response);
  return token.Save(id);
}

Status RunDescribeExport(const Context& context, const JsonObject& request, JsonWriter* response) {
  const std::string_view arn = StringMember(request, "ExportArn");
  if (JobIdOf(kExports, arn).empty()) return Status::Validation("Invalid Export ARN");
  const Result<std::string> json = LoadJob(context, kExports, arn);
  if (json.status().code() == StatusCode::kResourceNotFound) {
    return Fail(context, "ExportNotFoundException",
                std::string("Export not found: Export not found: ").append(arn));
  }
  if (!json.ok()) return json.status();
  WriteExport(*json, response);
  return {};
}

Status RunListExports(const Context& context, const JsonObject& request, JsonWriter* response) {
  constexpr std::array<std::string_view, 3> kSummary = {"ExportArn", kExportStatus, "ExportType"};
  return WriteJobs(context, kExports, "ExportSummaries", kSummary,
                   StringMember(request, "TableArn"),
                   static_cast<std::size_t>(IntegerMember(request, "MaxResults").value_or(25)),
                   StringMember(request, "NextToken"), response);
}

}  // namespace

const Operation kExportTableToPointInTime = {.name = "ExportTableToPointInTime",
                                             .input = &kExportInput,
                                             .run = RunExportTable,
                                             .is_long = true};
const Operation kDescribeExport = {"DescribeExport", &kDescribeExportInput, RunDescribeExport};
const Operation kListExports = {"ListExports", &kListExportsInput, RunListExports};

}  // namespace dolmen::wire
