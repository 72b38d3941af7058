#include <array>
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

constexpr std::string_view kBulkStatus = "BulkOperationStatus";
constexpr std::string_view kBulkArn = "BulkOperationArn";
constexpr JobKind kBulk = {
    .folder = "bulk",
    .arn_part = "bulk-operation",
    .arn_name = kBulkArn,
    .status = kBulkStatus,
    .description = "BulkOperationDescription",
    .conflict = "IdempotentParameterMismatchException",
    .conflict_message = "Duplicate request detected with conflicting parameters"};

constexpr Enumeration kBulkFormatShape = {"DYNAMODB_JSON", "ION"};
constexpr Enumeration kBulkCompressionShape = {"GZIP", "ZSTD", "NONE"};
constexpr Structure kBulkInputShape = {{
    Named("InputS3Configuration"),
    {"S3BucketOwner", &kString},
    {"S3Bucket", &kBucketShape, true},
    {"S3KeyPrefix", &kBucketPrefixShape},
    {"InputFormat", &kBulkFormatShape, true},
    {"InputCompressionType", &kBulkCompressionShape},
}};
constexpr Enumeration kBulkOutputTypeShape = {"ERROR", "CONDITION_CHECK_FAILURE"};
constexpr Shape kBulkOutputTypesShape = {.kind = Kind::kList, .element = &kBulkOutputTypeShape};
constexpr Structure kBulkOutputShape = {{
    Named("OutputS3Configuration"),
    {"S3BucketOwner", &kString},
    {"S3Bucket", &kBucketShape},
    {"S3KeyPrefix", &kBucketPrefixShape},
    {"OutputType", &kBulkOutputTypesShape, true},
}};
constexpr Shape kBulkUnitsShape = {.kind = Kind::kLong, .range = {.min = 1024}};
constexpr Enumeration kBulkTierShape = {"STANDARD", "ACCELERATED"};
constexpr Structure kStartBulkInput = {{
    {"ClientToken", &kString},
    {"InputS3Configuration", &kBulkInputShape, true},
    {"OutputS3Configuration", &kBulkOutputShape, true},
    {"TableName", &kTableNameShape, true},
    {"MaxWriteRequestUnits", &kBulkUnitsShape},
    {"PerformanceTier", &kBulkTierShape},
}};
constexpr Structure kBulkArnInput = {{
    {kBulkArn, &kJobArnShape, true},
}};
constexpr Structure kListBulkInput = {{
    {"MaxResults", &kJobsPageShape},
    {"NextToken", &kString},
}};

Status CheckBulk(const JsonObject& input) {
  if (StringMember(input, "InputFormat") == "ION") {
    return InvalidParameter("Dolmen does not support the format ION: use DYNAMODB_JSON");
  }
  if (StringMember(input, "InputCompressionType") == "ZSTD") {
    return InvalidParameter("Dolmen does not support the compression ZSTD: use GZIP or NONE");
  }
  return CheckBucket(StringMember(input, "S3Bucket"), StringMember(input, "S3KeyPrefix"));
}

// Returns the description of a bulk operation that starts now.
Map DescribeNewBulk(const Context& context, const JsonObject& request,
                    const TableDescription& table, std::string_view id) {
  Map bulk = PlainOf(kStartBulkInput, request);
  Remove("TableName", &bulk);
  Set(kBulkArn, JobArn(context, kBulk, table.name, id), &bulk);
  Set(kBulkStatus, "IN_PROGRESS", &bulk);
  Set("TableDetails", List{Map{{"TableName", table.name}, {"TableId", table.table_id}}}, &bulk);
  SetTime("StartTime", context.database.clock()->Now(), &bulk);
  bulk.emplace("ClientToken", NewUuid());
  bulk.emplace("PerformanceTier", kBulkTierShape.list[0]);
  return bulk;
}

ImportSource SourceOfBulk(const Map& description, std::string_view id) {
  const Map& input = MapIn(description, "InputS3Configuration");
  return {.id = std::string(id),
          .arn = std::string(TextIn(description, kBulkArn)),
          .bucket = std::string(TextIn(input, "S3Bucket")),
          .prefix = std::string(TextIn(input, "S3KeyPrefix"))};
}

void SetPutItems(const ImportedItems& put, Map* description) {
  Set("ProcessedInputBytes", put.bytes, description);
  Set("TotalInputBytes", put.bytes, description);
  Set("ProcessedItemCount", put.processed, description);
  Set("FailedItemCount", put.errors, description);
  Set(kBulkStatus, put.errors == 0 ? "COMPLETED" : "COMPLETED_WITH_ERRORS", description);
  const Map bytes{{"BulkPutBytes", put.bytes}};
  Map usage = bytes;
  Set("Table", bytes, &usage);
  const std::string_view arn = TextIn(*description, kBulkArn);
  if (const auto table = TableOfArn(arn.substr(0, arn.find("/" + std::string(kBulk.arn_part))))) {
    Set("TableName", *table, &usage);
  }
  Set("BulkOperationUsage", List{std::move(usage)}, description);
}

Status RunStartBulk(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_RETURN_IF_ERROR(BucketsOf(context).status());
  DOLMEN_RETURN_IF_ERROR(CheckBulk(ObjectOf(*Member(request, "InputS3Configuration"))));
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  const ClientToken token(context, kBulk, kStartBulkInput, request);
  DOLMEN_ASSIGN_OR_RETURN(const std::string& earlier, token.FindJob());
  if (!earlier.empty()) return WriteJob(kBulk, earlier, response);
  const std::string id = NewJobId(context);
  const Map description = DescribeNewBulk(context, request, table, id);
  DOLMEN_RETURN_IF_ERROR(StartJob(
      context, kBulk, id, description,
      PutItemsWork(context, kBulk, table.name, SourceOfBulk(description, id), SetPutItems)));
  DOLMEN_RETURN_IF_ERROR(token.Save(id));
  return WriteJob(kBulk, JsonOf(description), response);
}

// Returns the description of the bulk operation that the request names.
Result<std::string> FindBulk(const Context& context, const JsonObject& request) {
  const std::string_view arn = StringMember(request, kBulkArn);
  Result<std::string> json = LoadJob(context, kBulk, arn);
  if (json.status().code() != StatusCode::kResourceNotFound) return json;
  return Status::ResourceNotFound(std::string("Requested resource not found: BulkOperation: ")
                                      .append(arn)
                                      .append(" not found"));
}

Status RunDescribeBulk(const Context& context, const JsonObject& request, JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const std::string& json, FindBulk(context, request));
  return WriteJob(kBulk, json, response);
}

// An operation that has ended keeps its status.
Status RunCancelBulk(const Context& context, const JsonObject& request, JsonWriter* response) {
  context.jobs.Cancel(JobIdOf(kBulk, StringMember(request, kBulkArn)), kBulkStatus);
  DOLMEN_ASSIGN_OR_RETURN(const std::string& json, FindBulk(context, request));
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json bulk, ParseJson(json, "the description", &parser));
  response->BeginObject();
  response->StringField(kBulkArn, StringMember(request, kBulkArn));
  response->StringField(kBulkStatus, StringMember(ObjectOf(bulk), kBulkStatus));
  response->EndObject();
  return {};
}

Status RunListBulk(const Context& context, const JsonObject& request, JsonWriter* response) {
  constexpr std::array<std::string_view, 4> kSummary = {kBulkArn, kBulkStatus, "StartTime",
                                                        "EndTime"};
  return WriteJobs(context, kBulk, "BulkOperationsSummaryList", kSummary, {},
                   static_cast<std::size_t>(IntegerMember(request, "MaxResults").value_or(10)),
                   StringMember(request, "NextToken"), response);
}

}  // namespace

std::span<const Operation> BulkOperations() {
  static constexpr Operation kOperations[] = {
      {.name = "StartBulkPutItems",
       .input = &kStartBulkInput,
       .run = RunStartBulk,
       .is_long = true},
      {"DescribeBulkOperation", &kBulkArnInput, RunDescribeBulk},
      {"ListBulkOperations", &kListBulkInput, RunListBulk},
      {"CancelBulkOperation", &kBulkArnInput, RunCancelBulk},
  };
  return kOperations;
}

}  // namespace dolmen::wire
