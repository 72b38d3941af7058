#include "wire/parameters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/enum_names.h"
#include "wire/java_text.h"
#include "wire/read_map.h"

namespace dolmen::wire {
namespace {

constexpr std::array<std::string_view, 3> kConsumedCapacity = {"INDEXES", "TOTAL", "NONE"};
constexpr std::array<std::string_view, 2> kCollectionMetrics = {"SIZE", "NONE"};
constexpr std::array<std::string_view, 5> kReturnValues = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD",
                                                           "NONE", "UPDATED_NEW"};
constexpr std::array<std::string_view, 2> kReturnValuesOnFailure = {"ALL_OLD", "NONE"};

Status NotEmpty(std::string_view parameter) {
  return Status::Validation(std::string(parameter).append(" must not be empty"));
}

}  // namespace

constexpr Shape kReturnConsumedCapacityShape = {.values = kConsumedCapacity};
constexpr Shape kReturnItemCollectionMetricsShape = {.values = kCollectionMetrics};
constexpr Shape kReturnValuesShape = {.values = kReturnValues};
constexpr Shape kReturnValuesOnFailureShape = {.values = kReturnValuesOnFailure};
constexpr Shape kNamesShape = {.kind = Shape::Kind::kMap, .element = &kString};

ReturnConsumedCapacity ReadReturnConsumedCapacity(const JsonObject& request) {
  return kNames<ReturnConsumedCapacity>.ValueOf(StringMember(request, "ReturnConsumedCapacity"));
}

ReturnValues ReadReturnValues(const JsonObject& request) {
  return kNames<ReturnValues>.ValueOf(StringMember(request, "ReturnValues"));
}

bool ReadReturnItemOnFailure(const JsonObject& request) {
  return StringMember(request, "ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
}

std::optional<std::uint32_t> ReadCount(const JsonObject& request, std::string_view parameter) {
  const std::optional<std::int64_t> count = IntegerMember(request, parameter);
  if (!count) return std::nullopt;
  return static_cast<std::uint32_t>(
      std::min<std::int64_t>(*count, std::numeric_limits<std::uint32_t>::max()));
}

Status ReadItemParameter(const JsonObject& request, std::string_view parameter, Item* item) {
  const std::optional<Json> json = Member(request, parameter);
  return json ? ReadAttributes(ObjectOf(*json), item) : Status();
}

Status ReadNames(const JsonObject& request, Names* names) {
  constexpr std::string_view kParameter = "ExpressionAttributeNames";
  const std::optional<Json> json = Member(request, kParameter);
  if (!json) return {};
  DOLMEN_RETURN_IF_ERROR(ReadMap(
      ObjectOf(*json),
      [](std::string_view, const Json& name, std::string* read) {
        *read = StringOf(name);
        return Status();
      },
      names));
  return names->empty() ? NotEmpty(kParameter) : Status();
}

namespace {

Status ReadValues(const JsonObject& request, Values* values) {
  constexpr std::string_view kParameter = "ExpressionAttributeValues";
  const std::optional<Json> json = Member(request, kParameter);
  if (!json) return {};
  DOLMEN_RETURN_IF_ERROR(ReadMap(
      ObjectOf(*json),
      [&](std::string_view token, const Json& given, AttributeValue* value) {
        Status read = ReadValue(given, value);
        if (read.ok()) return read;
        return Status::Validation(std::string(kParameter)
                                      .append(" contains invalid value: ")
                                      .append(read.message())
                                      .append(" for key ")
                                      .append(Truncated(token)));
      },
      values));
  return values->empty() ? NotEmpty(kParameter) : Status();
}

}  // namespace

Status ReadNamesAndValues(const JsonObject& request, Names* names, Values* values) {
  DOLMEN_RETURN_IF_ERROR(ReadNames(request, names));
  Status read = ReadValues(request, values);
  // The operation checks the names later. DynamoDB reports an invalid name before an invalid value.
  if (!read.ok()) DOLMEN_RETURN_IF_ERROR(ValidateNames(*names));
  return read;
}

namespace {

// The parameters of requests, in the order in which DynamoDB's messages list them.
constexpr std::array<std::string_view, 14> kParameters = {"UpdateExpression",
                                                          "ProjectionExpression",
                                                          "ConditionExpression",
                                                          "FilterExpression",
                                                          "KeyConditionExpression",
                                                          "AttributesToGet",
                                                          "AttributeUpdates",
                                                          "ScanFilter",
                                                          "QueryFilter",
                                                          "Expected",
                                                          "ConditionalOperator",
                                                          "KeyConditions",
                                                          "ExpressionAttributeNames",
                                                          "ExpressionAttributeValues"};

// A set of parameters: bit i stands for kParameters[i].
using ParameterSet = std::uint32_t;

constexpr ParameterSet SetOf(std::string_view parameter) {
  const auto found = std::ranges::find(kParameters, parameter);
  return found == kParameters.end() ? 0 : ParameterSet{1} << (found - kParameters.begin());
}

constexpr ParameterSet kExpressionsWithValues =
    SetOf("UpdateExpression") | SetOf("ConditionExpression") | SetOf("FilterExpression") |
    SetOf("KeyConditionExpression");
constexpr ParameterSet kExpressions = kExpressionsWithValues | SetOf("ProjectionExpression");
constexpr ParameterSet kLegacyParameters = SetOf("AttributesToGet") | SetOf("AttributeUpdates") |
                                           SetOf("ScanFilter") | SetOf("QueryFilter") |
                                           SetOf("Expected") | SetOf("ConditionalOperator") |
                                           SetOf("KeyConditions");

bool Declares(const Shape& shape, std::string_view parameter) {
  return FindMember(shape.members, parameter) != nullptr;
}

// Returns the parameters that a request contains and that its shape declares.
ParameterSet GivenIn(const JsonObject& request, const Shape& shape) {
  ParameterSet given = 0;
  for (const simdjson::dom::key_value_pair member : request) {
    const ParameterSet parameter = SetOf(member.key);
    if (parameter == 0 || !Declares(shape, member.key)) continue;
    // If the request repeats a name, only the last member with this name counts.
    given = member.value.is_null() ? given & ~parameter : given | parameter;
  }
  return given;
}

// Returns the names of the parameters, separated by commas.
std::string ListOf(ParameterSet parameters) {
  std::string list;
  for (const std::string_view parameter : kParameters) {
    if ((parameters & SetOf(parameter)) == 0) continue;
    list.append(list.empty() ? "" : ", ").append(parameter);
  }
  return list;
}

// Returns the names of the expressions that the shape declares and that could use values, as in
// "UpdateExpression and ConditionExpression are null".
std::string MissingExpressions(const Shape& shape) {
  std::string text;
  int count = 0;
  for (const std::string_view parameter : kParameters) {
    const bool uses_values = (SetOf(parameter) & kExpressionsWithValues) != 0;
    if (!uses_values || !Declares(shape, parameter)) continue;
    text.append(count++ > 0 ? " and " : "").append(parameter);
  }
  return text + (count == 1 ? " is null" : " are null");
}

}  // namespace

Status CheckExpressionParameters(const Shape& shape, const JsonObject& request) {
  const ParameterSet given = GivenIn(request, shape);
  const ParameterSet expressions = given & kExpressions;
  ParameterSet legacy = given & kLegacyParameters;
  // KeyConditions is in conflict only with a KeyConditionExpression.
  if ((given & SetOf("KeyConditionExpression")) == 0) legacy &= ~SetOf("KeyConditions");
  if (expressions != 0 && legacy != 0) {
    return Status::Validation(
        "Can not use both expression and non-expression parameters in the same request: "
        "Non-expression parameters: {" +
        ListOf(legacy) + "} Expression parameters: {" + ListOf(expressions) + "}");
  }
  if (expressions == 0 && (given & SetOf("ExpressionAttributeNames")) != 0) {
    return Status::Validation(
        "ExpressionAttributeNames can only be specified when using expressions");
  }
  const bool has_values = (given & SetOf("ExpressionAttributeValues")) != 0;
  if (has_values && (given & kExpressionsWithValues) == 0) {
    return Status::Validation(
        "ExpressionAttributeValues can only be specified when using expressions: " +
        MissingExpressions(shape));
  }
  return {};
}

}  // namespace dolmen::wire
