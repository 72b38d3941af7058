#include "wire/expression_parameters.h"

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <span>
#include <string>
#include <string_view>

namespace dolmen::wire {
namespace {

using NameList = std::span<const std::string_view>;

// The parameters of requests. Each list has the order in which DynamoDB's messages list the
// parameters.
constexpr std::array<std::string_view, 5> kExpressions = {
    "UpdateExpression", "ProjectionExpression", "ConditionExpression", "FilterExpression",
    "KeyConditionExpression"};
constexpr std::array<std::string_view, 4> kExpressionsWithValues = {
    "UpdateExpression", "ConditionExpression", "FilterExpression", "KeyConditionExpression"};
constexpr std::array<std::string_view, 7> kLegacyParameters = {
    "AttributesToGet", "AttributeUpdates",    "ScanFilter",   "QueryFilter",
    "Expected",        "ConditionalOperator", "KeyConditions"};

bool Declares(const Shape& shape, std::string_view parameter) {
  return FindMember(shape.members, parameter) != nullptr;
}

bool Contains(NameList list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// The names of the parameters for expressions and legacy conditions that a request contains and
// that its shape declares.
class GivenParameters {
 public:
  GivenParameters(const Shape& shape, const JsonObject& request) {
    for (const simdjson::dom::key_value_pair member : request) {
      const bool known = Contains(kExpressions, member.key) ||
                         Contains(kLegacyParameters, member.key) ||
                         member.key.starts_with("ExpressionAttribute");
      if (!known || !Declares(shape, member.key)) continue;
      // If the request repeats a name, only the last member with this name counts.
      names_.erase(std::remove(names_.begin(), names_.end(), member.key), names_.end());
      if (!member.value.is_null()) names_.push_back(member.key);
    }
  }

  bool empty() const { return names_.empty(); }
  bool Has(std::string_view parameter) const {
    return Contains({names_.data(), names_.size()}, parameter);
  }
  bool HasAny(NameList parameters) const {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](std::string_view parameter) { return Has(parameter); });
  }
  std::string List(NameList parameters) const {
    std::string list;
    for (const std::string_view parameter : parameters) {
      if (!Has(parameter) || !Conflicts(parameter)) continue;
      list.append(list.empty() ? "" : ", ").append(parameter);
    }
    return list;
  }

 private:
  // Returns true if `parameter` takes part in a conflict between expressions and legacy parameters.
  // KeyConditions takes part only if the request has a KeyConditionExpression.
  bool Conflicts(std::string_view parameter) const {
    return parameter != "KeyConditions" || Has("KeyConditionExpression");
  }

  boost::container::small_vector<std::string_view, 8> names_;
};

// Returns the names of the expressions that the shape declares and that could use values, as in
// "UpdateExpression and ConditionExpression are null".
std::string MissingExpressions(const Shape& shape) {
  std::string text;
  int count = 0;
  for (const std::string_view parameter : kExpressionsWithValues) {
    if (!Declares(shape, parameter)) continue;
    text.append(count++ > 0 ? " and " : "").append(parameter);
  }
  return text + (count == 1 ? " is null" : " are null");
}

}  // namespace

Status CheckExpressionParameters(const Shape& shape, const JsonObject& request) {
  const GivenParameters given(shape, request);
  if (given.empty()) return {};
  const bool has_expressions = given.HasAny(kExpressions);
  if (has_expressions && given.HasAny(kLegacyParameters)) {
    const std::string legacy = given.List(kLegacyParameters);
    if (!legacy.empty()) {
      return Status::Validation(
          "Can not use both expression and non-expression parameters in the same request: "
          "Non-expression parameters: {" +
          legacy + "} Expression parameters: {" + given.List(kExpressions) + "}");
    }
  }
  if (!has_expressions && given.Has("ExpressionAttributeNames")) {
    return Status::Validation(
        "ExpressionAttributeNames can only be specified when using expressions");
  }
  if (given.Has("ExpressionAttributeValues") && !given.HasAny(kExpressionsWithValues)) {
    return Status::Validation(
        "ExpressionAttributeValues can only be specified when using expressions: " +
        MissingExpressions(shape));
  }
  return {};
}

}  // namespace dolmen::wire
