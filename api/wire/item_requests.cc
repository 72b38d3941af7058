#include "wire/item_requests.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "database/validate.h"
#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/java_text.h"

namespace dolmen::wire {
namespace {

Status NotEmpty(std::string_view parameter) {
  return Status::Validation(std::string(parameter).append(" must not be empty"));
}

}  // namespace

Status ReadNames(const Json& json, Names* names) {
  DOLMEN_RETURN_IF_ERROR(members::ReadTo(json, names));
  return names->empty() ? NotEmpty(kNamesParameter) : Status();
}

Status ReadValues(const Json& json, const Names& names, Checker checker, Values* values) {
  // The older checker lets a value nest one level deeper than an item. The operation decides, because only
  // transactions accept such a value.
  const int containers_max = kContainersMax + (checker == Checker::kOlder ? 1 : 0);
  Status read = ReadMap(
      ObjectOf(json),
      [&](std::string_view token, const Json& given, AttributeValue* value) {
        Status valid = ReadValue(given, value, checker, containers_max);
        if (valid.ok() || checker == Checker::kCurrent) return valid;
        return ExpressionValueFault(token, valid);
      },
      values);
  if (read.ok() && values->empty()) read = NotEmpty(kValuesParameter);
  // The operation checks the names later. DynamoDB reports an invalid name before an invalid value.
  if (!read.ok()) DOLMEN_RETURN_IF_ERROR(ValidateNames(names));
  return read;
}

Status ReadItems(const Json& json, Checker checker, std::vector<Item>* items) {
  for (const Json item : ArrayOf(json)) {
    DOLMEN_RETURN_IF_ERROR(ReadAttributes(ObjectOf(item), &items->emplace_back(), checker));
  }
  return {};
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
std::string ListOfMissing(const Shape& shape) {
  std::string text;
  int count = 0;
  for (const std::string_view parameter : kParameters) {
    const bool uses_values = (SetOf(parameter) & kExpressionsWithValues) != 0;
    if (!uses_values || !Declares(shape, parameter)) continue;
    text.append(count++ > 0 ? " and " : "").append(parameter);
  }
  return text + (count == 1 ? " is null" : " are null");
}

// Checks that the parameters do not mix expressions and legacy parameters.
Status CheckUnmixed(ParameterSet given) {
  const ParameterSet expressions = given & kExpressions;
  ParameterSet legacy = given & kLegacyParameters;
  // KeyConditions is in conflict only with a KeyConditionExpression.
  if ((given & SetOf("KeyConditionExpression")) == 0) legacy &= ~SetOf("KeyConditions");
  if (expressions == 0 || legacy == 0) return {};
  return Status::Validation(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {" +
      ListOf(legacy) + "} Expression parameters: {" + ListOf(expressions) + "}");
}

}  // namespace

Status CheckUnmixed(const Shape& shape, std::span<const JsonObject> parts) {
  ParameterSet given = 0;
  for (const JsonObject& part : parts) given |= GivenIn(part, shape);
  return CheckUnmixed(given);
}

Status CheckExpressionParameters(const Shape& shape, const JsonObject& request,
                                 MissingExpressions missing) {
  const ParameterSet given = GivenIn(request, shape);
  const ParameterSet expressions = given & kExpressions;
  DOLMEN_RETURN_IF_ERROR(CheckUnmixed(given));
  if (expressions == 0 && (given & SetOf("ExpressionAttributeNames")) != 0) {
    return Status::Validation(
        "ExpressionAttributeNames can only be specified when using expressions");
  }
  const bool has_values = (given & SetOf("ExpressionAttributeValues")) != 0;
  if (has_values && (given & kExpressionsWithValues) == 0) {
    return Status::Validation(
        "ExpressionAttributeValues can only be specified when using expressions" +
        (missing == MissingExpressions::kNamed ? ": " + ListOfMissing(shape) : ""));
  }
  return {};
}

}  // namespace dolmen::wire
