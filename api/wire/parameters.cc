#include "wire/parameters.h"

#include <algorithm>
#include <array>

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

}  // namespace dolmen::wire
