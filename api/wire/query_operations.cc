#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/consumed_capacity.h"
#include "wire/enum_names.h"
#include "wire/errors.h"
#include "wire/extensions.h"
#include "wire/legacy.h"
#include "wire/operation.h"
#include "wire/parameters.h"
#include "wire/table_names.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Enumeration kSelectShape = {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES",
                                      "ALL_PROJECTED_ATTRIBUTES"};
constexpr Shape kQueryLimitShape = {
    .kind = Kind::kInteger, .range = kLimitShape.range, .unquoted = true};
constexpr Shape kSegmentShape = {.kind = Kind::kInteger, .range = {0, 999'999}};
constexpr Shape kTotalSegmentsShape = {.kind = Kind::kInteger, .range = {1, 1'000'000}};

constexpr Structure kQueryInput = {{
    {"TableName", &kTableNameShape, true},
    {"IndexName", &kIndexNameShape},
    {"Select", &kSelectShape},
    {"AttributesToGet", &kAttributesToGetShape},
    {"Limit", &kQueryLimitShape},
    {"ConsistentRead", &kBoolean},
    {"KeyConditions", &kConditionsShape},
    {"QueryFilter", &kConditionsShape},
    {"ConditionalOperator", &kConditionalOperatorShape},
    {"ScanIndexForward", &kBoolean},
    {"ExclusiveStartKey", &kAttributeMapShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"ProjectionExpression", &kString},
    {"FilterExpression", &kString},
    {"KeyConditionExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {kExtensions, &kReadExtensionsShape},
}};

constexpr Structure kScanInput = {{
    {"TableName", &kTableNameShape, true},
    {"IndexName", &kIndexNameShape},
    {"AttributesToGet", &kAttributesToGetShape},
    {"Limit", &kLimitShape},
    {"Select", &kSelectShape},
    {"ScanFilter", &kConditionsShape},
    {"ConditionalOperator", &kConditionalOperatorShape},
    {"ExclusiveStartKey", &kAttributeMapShape},
    {"ReturnConsumedCapacity", &kReturnConsumedCapacityShape},
    {"TotalSegments", &kTotalSegmentsShape},
    {"Segment", &kSegmentShape},
    {"ProjectionExpression", &kString},
    {"FilterExpression", &kString},
    {"ExpressionAttributeNames", &kNamesShape},
    {"ExpressionAttributeValues", &kAttributeMapShape},
    {"ConsistentRead", &kBoolean},
    {kExtensions, &kReadExtensionsShape},
}};

// Returns true if DynamoDB puts "The provided starting key is invalid: " before the message `fault`
// about an invalid value. DynamoDB does not do this for invalid numbers, duplicates in sets and
// empty number sets.
bool IsStartKeyFault(std::string_view fault) {
  if (fault.starts_with(kSuppliedValue)) return true;
  if (!fault.starts_with(kInvalidParameter)) return false;
  fault.remove_prefix(kInvalidParameter.size());
  return !fault.starts_with(kInputCollection) && fault != kEmptyNumberSet;
}

Status ReadStartKey(const JsonObject& request, Item* key) {
  constexpr std::string_view kParameter = "ExclusiveStartKey";
  if (!Member(request, kParameter)) return {};
  if (Status read = ReadItemParameter(request, kParameter, key); !read.ok()) {
    if (!IsStartKeyFault(read.message())) return read;
    return Status::Validation("The provided starting key is invalid: " + read.message());
  }
  // Makes the engine reject an empty key, as DynamoDB does. The engine would read from the start of
  // the range if the key were empty. Therefore, this function adds an attribute of type NULL to an
  // empty key. The key is then invalid, because no key attribute can have the type NULL.
  if (key->empty()) (*key)["{}"] = Null{};
  return {};
}

// Reads the parameters that Query and Scan share, after all values have been read. Expression names
// and values are read last.
template <typename Input>
Status ReadOptions(const JsonObject& request, std::vector<LegacyCondition> filter, Input* input) {
  input->index = StringMember(request, "IndexName");
  input->select = kNames<Select>.ValueOf(StringMember(request, "Select"));
  input->limit = ReadCount(request, "Limit");
  input->consistent_read = BooleanMember(request, "ConsistentRead");
  input->options.return_consumed_capacity = ReadReturnConsumedCapacity(request);
  DOLMEN_RETURN_IF_ERROR(SetFilter(request, std::move(filter), &input->filter));
  ReadExpression(request, "FilterExpression", &input->filter);
  ReadExpression(request, "ProjectionExpression", &input->projection);
  return ReadNamesAndValues(request, &input->names, &input->values);
}

Status Read(const JsonObject& request, QueryInput* input) {
  std::vector<LegacyCondition> keys;
  std::vector<LegacyCondition> filter;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kQueryInput, request));
  DOLMEN_RETURN_IF_ERROR(ReadCheckedConditions(request, "QueryFilter", &filter));
  DOLMEN_RETURN_IF_ERROR(ReadAttributesToGet(request, &input->projection));
  DOLMEN_RETURN_IF_ERROR(ReadStartKey(request, &input->exclusive_start_key));
  DOLMEN_RETURN_IF_ERROR(ReadCheckedConditions(request, "KeyConditions", &keys));
  KeyConditionExpression range;
  DOLMEN_RETURN_IF_ERROR(SetKeyConditions(request, std::move(keys), &range));
  DOLMEN_RETURN_IF_ERROR(ReadOptions(request, std::move(filter), input));
  ReadExpression(request, "KeyConditionExpression", &range);
  input->key_condition = std::move(range);
  if (const std::optional<Json> forward = Member(request, "ScanIndexForward")) {
    input->forward = BooleanOf(*forward);
  }
  return {};
}

Status Read(const JsonObject& request, ScanInput* input) {
  std::vector<LegacyCondition> filter;
  DOLMEN_RETURN_IF_ERROR(CheckExpressionParameters(kScanInput, request));
  DOLMEN_RETURN_IF_ERROR(ReadAttributesToGet(request, &input->projection));
  DOLMEN_RETURN_IF_ERROR(ReadCheckedConditions(request, "ScanFilter", &filter));
  DOLMEN_RETURN_IF_ERROR(ReadStartKey(request, &input->exclusive_start_key));
  DOLMEN_RETURN_IF_ERROR(ReadOptions(request, std::move(filter), input));
  input->segment = ReadCount(request, "Segment");
  input->total_segments = ReadCount(request, "TotalSegments");
  return {};
}

void WritePage(const JsonObject& request, const QueryOutput& page, Select select,
               ReturnConsumedCapacity asked, JsonWriter* response) {
  response->BeginObject();
  response->UnsignedField("Count", page.count());
  response->UnsignedField("ScannedCount", page.scanned_count());
  if (select != Select::kCount) {
    response->Key("Items");
    response->BeginArray();
    for (const ItemView item : page) response->Attributes(item);
    response->EndArray();
  }
  if (!page.last_evaluated_key().empty()) {
    response->Key("LastEvaluatedKey");
    response->KeyAttributes(page.last_evaluated_key());
  }
  WriteCapacity(page.consumed_capacity(), asked, response);
  // Most requests do not ask for the capacity. They need no search for a further member.
  if (asked != ReturnConsumedCapacity::kNone && ReadReturnScannedBytes(request)) {
    WriteScannedBytes(page.scanned_bytes(), response);
  }
  response->EndObject();
}

template <typename Input>
Status RunRead(const Context& context, const JsonObject& request,
               Status (Table::*read)(const Input&, QueryOutput*) const, JsonWriter* response) {
  Input input;
  DOLMEN_RETURN_IF_ERROR(Read(request, &input));
  DOLMEN_ASSIGN_OR_RETURN(const Table& table, OpenTableFor(context, request, input));
  static thread_local QueryOutput page;  // keeps its buffers between requests
  DOLMEN_RETURN_IF_ERROR((table.*read)(input, &page));
  WritePage(request, page, input.select, input.options.return_consumed_capacity, response);
  return {};
}

Status RunQuery(const Context& context, const JsonObject& request, JsonWriter* response) {
  return RunRead<QueryInput>(context, request, &Table::Query, response);
}

Status RunScan(const Context& context, const JsonObject& request, JsonWriter* response) {
  return RunRead<ScanInput>(context, request, &Table::Scan, response);
}

}  // namespace

std::span<const Operation> QueryOperations() {
  static constexpr Operation kOperations[] = {
      {"Query", &kQueryInput, RunQuery},
      {"Scan", &kScanInput, RunScan},
  };
  return kOperations;
}

}  // namespace dolmen::wire
