#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/uuid.h"
#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
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
    .description = "ExportDescription",
    .conflict = "ExportConflictException",
    .conflict_message = "Export conflict: Duplicate request detected with conflicting parameters"};

constexpr Shape kExportTimeShape = {.kind = Kind::kDouble};
constexpr Enumeration kExportFormatShape = {"DYNAMODB_JSON", "ION"};
constexpr Enumeration kExportTypeShape = {"FULL_EXPORT", "INCREMENTAL_EXPORT"};
constexpr Enumeration kExportSseShape = {"AES256", "KMS"};
constexpr Shape kExportTableShape = {.range = {1, 1024}};
constexpr Shape kFilterShape = {.kind = Kind::kStructure, .name = "FilterSpecification"};
constexpr Enumeration kExportViewShape = {"NEW_AND_OLD_IMAGES", "NEW_IMAGE"};
constexpr std::string_view kPeriod = "IncrementalExportSpecification";
constexpr Structure kPeriodShape = {{
    Named(kPeriod),
    {"ExportFromTime", &kExportTimeShape},
    {"ExportToTime", &kExportTimeShape},
    {"ExportViewType", &kExportViewShape},
}};

constexpr Structure kExportInput = {{
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
    {kPeriod, &kPeriodShape},
    {"FilterSpecification", &kFilterShape},
}};
constexpr Structure kDescribeExportInput = {{
    {"ExportArn", &kJobArnShape, true},
}};
constexpr Structure kListExportsInput = {{
    {"TableArn", &kExportTableShape},
    {"MaxResults", &kJobsPageShape},
    {"NextToken", &kString},
}};

// Checks the parts of the request that do not depend on the table.
Status CheckExport(const JsonObject& request) {
  const std::string_view type = StringMember(request, "ExportType");
  const bool incremental = Member(request, kPeriod).has_value();
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
  if (!incremental && type == "INCREMENTAL_EXPORT") {
    return Status::Validation(
        "Invalid Request: Incremental Export Specification expected when export type is set as "
        "Incremental Export");
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

// Returns an error of DynamoDB for a wrong time.
Status InvalidTime(const Context& context, const std::string& message) {
  return Fail(context, "InvalidExportTimeException", message);
}

// Returns the recovery of the table.
// - kPointInTimeRecoveryUnavailable: it is disabled.
Result<PointInTimeRecovery> EnabledRecovery(const Context& context, const std::string& table) {
  DOLMEN_ASSIGN_OR_RETURN(const PointInTimeRecovery recovery,
                          context.database.DescribeContinuousBackups(table));
  if (!recovery.enabled) return Status::PointInTimeRecoveryUnavailable(table);
  return recovery;
}

constexpr const char* kTooEarly =
    "Point in Time Recovery is not available for specified export time";

// Returns the time in the past that the request names, or nothing for the current second.
Result<std::optional<Timestamp>> PastTimeOf(const Context& context, const JsonObject& request,
                                            const std::string& table) {
  using Second = std::chrono::seconds;
  const std::optional<Timestamp> time = TimeMember(request, "ExportTime");
  const Timestamp now = context.database.clock()->Now();
  if (!time || std::chrono::floor<Second>(*time) == std::chrono::floor<Second>(now)) {
    return std::optional<Timestamp>();
  }
  DOLMEN_ASSIGN_OR_RETURN(const PointInTimeRecovery recovery, EnabledRecovery(context, table));
  if (*time > now) return InvalidTime(context, "Export Time is invalid");
  if (*time >= recovery.earliest_restore_time) return time;
  return InvalidTime(context, kTooEarly);
}

// Returns the period of an incremental export.
Result<ExportPeriod> PeriodOf(const Context& context, const JsonObject& specification,
                              const TableDescription& table) {
  DOLMEN_ASSIGN_OR_RETURN(const PointInTimeRecovery recovery, EnabledRecovery(context, table.name));
  const Timestamp now = context.database.clock()->Now();
  const std::optional<Timestamp> from = TimeMember(specification, "ExportFromTime");
  if (!from) {
    return Status::Validation(
        "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification");
  }
  const ExportPeriod period = {
      .from = *from,
      .to = TimeMember(specification, "ExportToTime").value_or(now),
      .has_old_images = StringMember(specification, "ExportViewType") != kExportViewShape.list[1]};
  const std::string difference =
      "Difference between export period from time and export period to time is ";
  if (period.from < table.created_at) {
    return InvalidTime(context,
                       "Incremental export period from time cannot be less than the table "
                       "creation time : " +
                           ToIso8601(table.created_at));
  }
  if (period.to > now) {
    return InvalidTime(context,
                       "Incremental export period to time cannot be greater than the current "
                       "time : " +
                           ToIso8601(now));
  }
  if (period.to - period.from < std::chrono::minutes(15)) {
    return InvalidTime(context, difference + "less than 15 minutes");
  }
  if (period.to - period.from > std::chrono::hours(24)) {
    return InvalidTime(context, difference + "greater than 24 hours");
  }
  if (period.from >= recovery.earliest_restore_time) return period;
  return InvalidTime(context, kTooEarly);
}

// The part of the table that an export reads.
struct ExportedPart {
  std::optional<Timestamp> past = {};       // the items at this time; nothing: the present ones
  std::optional<ExportPeriod> period = {};  // the changes of this period in place of the items
};

Result<ExportedPart> PartOf(const Context& context, const JsonObject& request,
                            const TableDescription& table) {
  ExportedPart part;
  if (const std::optional<Json> specification = Member(request, kPeriod)) {
    DOLMEN_ASSIGN_OR_RETURN(part.period, PeriodOf(context, ObjectOf(*specification), table));
  } else {
    DOLMEN_ASSIGN_OR_RETURN(part.past, PastTimeOf(context, request, table.name));
  }
  return part;
}

Map PlainPeriod(const ExportPeriod& period) {
  Map plain = {
      {"ExportViewType", std::string(kExportViewShape.list[period.has_old_images ? 0 : 1])}};
  SetTime("ExportFromTime", period.from, &plain);
  SetTime("ExportToTime", period.to, &plain);
  return plain;
}

// Returns the description of an export that starts now.
Map DescribeNewExport(const Context& context, const JsonObject& request,
                      const TableDescription& table, const ExportedPart& part,
                      std::string_view id) {
  const Timestamp now = context.database.clock()->Now();
  Map export_of_table;
  for (const MemberShape& member : kExportInput.members) {
    const std::string_view text = StringMember(request, member.name);
    if (!text.empty()) Set(member.name, text, &export_of_table);
  }
  Set("ExportArn", JobArn(context, kExports, table.name, id), &export_of_table);
  Set(kExportStatus, "IN_PROGRESS", &export_of_table);
  Set("TableId", table.table_id, &export_of_table);
  SetTime("StartTime", now, &export_of_table);
  if (part.period) {
    Set(kPeriod, PlainPeriod(*part.period), &export_of_table);
  } else {
    SetTime("ExportTime", part.past.value_or(now), &export_of_table);
  }
  if (!Member(request, "ClientToken")) Set("ClientToken", NewUuid(), &export_of_table);
  if (!Member(request, "ExportFormat"))
    Set("ExportFormat", kExportFormatShape.list[0], &export_of_table);
  if (!Member(request, "S3SseAlgorithm"))
    Set("S3SseAlgorithm", kExportSseShape.list[0], &export_of_table);
  return export_of_table;
}

// Returns the work that exports the table and completes the description of the export.
TransferWork ExportWork(const Context& context, const TableDescription& table,
                        const ExportedPart& part, std::string_view id, const Map& description) {
  ExportTarget target = {.id = std::string(id),
                         .bucket = std::string(TextIn(description, "S3Bucket")),
                         .prefix = std::string(TextIn(description, "S3Prefix")),
                         .table = table.name,
                         .table_arn = std::string(TextIn(description, "TableArn")),
                         .table_id = table.table_id,
                         .export_arn = std::string(TextIn(description, "ExportArn")),
                         .time = part.past.value_or(context.database.clock()->Now()),
                         .is_past = part.past.has_value(),
                         .period = part.period};
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

Status RunExportTable(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(BucketsOf(context).status());
  DOLMEN_RETURN_IF_ERROR(CheckExport(request));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table,
                          DescribeExported(context, StringMember(request, "TableArn")));
  const ClientToken token(context, kExports, kExportInput, request);
  DOLMEN_ASSIGN_OR_RETURN(const std::string& earlier, token.FindJob());
  if (!earlier.empty()) return WriteJob(kExports, earlier, response);
  DOLMEN_ASSIGN_OR_RETURN(const ExportedPart& part, PartOf(context, request, table));
  const std::string id = NewJobId(context);
  const Map description = DescribeNewExport(context, request, table, part, id);
  DOLMEN_RETURN_IF_ERROR(StartJob(context, kExports, id, description,
                                  ExportWork(context, table, part, id, description)));
  DOLMEN_RETURN_IF_ERROR(token.Save(id));
  return WriteJob(kExports, JsonOf(description), response);
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
  return WriteJob(kExports, *json, response);
}

Status RunListExports(const Context& context, const JsonObject& request, JsonWriter* response) {
  constexpr std::array<std::string_view, 3> kSummary = {"ExportArn", kExportStatus, "ExportType"};
  return WriteJobs(context, kExports, "ExportSummaries", kSummary,
                   StringMember(request, "TableArn"),
                   static_cast<std::size_t>(IntegerMember(request, "MaxResults").value_or(25)),
                   StringMember(request, "NextToken"), response);
}

}  // namespace

std::span<const Operation> ExportOperations() {
  static constexpr Operation kOperations[] = {
      {.name = "ExportTableToPointInTime",
       .input = &kExportInput,
       .run = RunExportTable,
       .is_long = true},
      {"DescribeExport", &kDescribeExportInput, RunDescribeExport},
      {"ListExports", &kListExportsInput, RunListExports},
  };
  return kOperations;
}

}  // namespace dolmen::wire
