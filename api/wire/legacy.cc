#include "wire/legacy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/errors.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Range kAttributeNameLength = {0, 65535};

constexpr Shape kAttributeName = {.range = kAttributeNameLength, .in_bytes = true};

constexpr Shape kComparisonOperator = {.values = kComparisonNames};

constexpr Shape kValueList = {.kind = Kind::kList, .element = &kAttributeValueShape};

constexpr Structure kCondition = {{
    Named("Condition"),
    {"AttributeValueList", &kValueList},
    {"ComparisonOperator", &kComparisonOperator, true},
}};

constexpr Structure kExpectedAttribute = {{
    Named("ExpectedAttributeValue"),
    {"Value", &kAttributeValueShape},
    {"Exists", &kBoolean},
    {"ComparisonOperator", &kComparisonOperator},
    {"AttributeValueList", &kValueList},
}};

constexpr Enumeration kAction = {"ADD", "DELETE", "PUT"};

constexpr Structure kAttributeUpdate = {{
    Named("AttributeValueUpdate"),
    {"Value", &kAttributeValueShape},
    {"Action", &kAction},
}};

constexpr std::array<std::string_view, 2> kConditionalOperators = {"OR", "AND"};

}  // namespace

constexpr Shape kAttributesToGetShape = {
    .kind = Kind::kList, .element = &kAttributeName, .range = {.min = 1}};

constexpr Shape kExpectedShape = {
    .kind = Kind::kMap, .element = &kExpectedAttribute, .key = &kAttributeName};

constexpr Shape kAttributeUpdatesShape = {
    .kind = Kind::kMap, .element = &kAttributeUpdate, .key = &kAttributeName};

constexpr Shape kConditionsShape = {
    .kind = Kind::kMap, .element = &kCondition, .key = &kAttributeName};

constexpr Shape kConditionalOperatorShape = {.values = kConditionalOperators};
// DynamoDB's messages misspell AND.
constexpr Shape kWriteOperatorShape = {.values = kConditionalOperators, .anonymous = "[ALL, OR]"};
constexpr Shape kQueryOperatorShape = {
    .values = kConditionalOperators, .anonymous = "[ALL, OR]", .alone = true, .bare = true};

Status ReadAttributesToGet(const JsonObject& request, ProjectionExpression* projection) {
  const std::optional<Json> json = Member(request, "AttributesToGet");
  if (!json) return {};
  std::vector<std::string_view> attributes;
  std::set<std::string_view> names;
  for (const Json element : ArrayOf(*json)) {
    const std::string_view name = StringOf(element);
    if (!names.insert(name).second) {
      return InvalidParameter("Duplicate value in attribute name: " + std::string(name));
    }
    attributes.push_back(name);
  }
  return SetTree(ProjectionTree(attributes), projection);
}

namespace {

bool TakesType(Comparison comparison, AttributeType type) {
  if (comparison == Comparison::kEqual || comparison == Comparison::kNotEqual) return true;
  // EQ and NE take values of all types. BEGINS_WITH takes strings and binaries. All other
  // comparisons take strings, binaries and numbers.
  return type == AttributeType::kS || type == AttributeType::kB ||
         (type == AttributeType::kN && comparison != Comparison::kBeginsWith);
}

template <typename T>
bool IsGreater(const AttributeValue& a, const AttributeValue& b) {
  const T* const x = a.get_if<T>();
  const T* const y = b.get_if<T>();
  return x != nullptr && y != nullptr && *y < *x;
}

bool IsReversed(const AttributeValue& lower, const AttributeValue& upper) {
  return IsGreater<std::string>(lower, upper) || IsGreater<Number>(lower, upper) ||
         IsGreater<Binary>(lower, upper);
}

std::optional<Comparison> ComparisonOf(std::string_view name) {
  const auto found = std::find(kComparisonNames.begin(), kComparisonNames.end(), name);
  if (found == kComparisonNames.end()) return std::nullopt;
  return static_cast<Comparison>(found - kComparisonNames.begin());
}

Status ReadValueList(const JsonArray& json, Checker checker, std::vector<AttributeValue>* values) {
  for (const Json element : json) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(element, &values->emplace_back(), checker));
  }
  return {};
}

Status ReadCondition(const JsonObject& json, Checker checker, LegacyCondition* condition) {
  if (const auto value = Member(json, "Value")) {
    DOLMEN_RETURN_IF_ERROR(ReadValue(*value, &condition->value.emplace(), checker));
  }
  if (const auto values = Member(json, "AttributeValueList")) {
    condition->has_values = true;
    DOLMEN_RETURN_IF_ERROR(ReadValueList(ArrayOf(*values), checker, &condition->values));
  }
  if (const auto exists = Member(json, "Exists")) condition->exists = BooleanOf(*exists);
  condition->comparison = ComparisonOf(StringMember(json, "ComparisonOperator"));
  return {};
}

}  // namespace

Status ReadConditions(const JsonObject& request, std::string_view parameter, Checker checker,
                      std::vector<LegacyCondition>* conditions) {
  const std::optional<Json> json = Member(request, parameter);
  if (!json) return {};
  for (const auto& [attribute, entry] : EntriesOf(ObjectOf(*json))) {
    LegacyCondition& condition = conditions->emplace_back();
    condition.attribute = attribute;
    DOLMEN_RETURN_IF_ERROR(ReadCondition(ObjectOf(entry), checker, &condition));
  }
  return {};
}

Status CheckArguments(const LegacyCondition& condition) {
  const std::vector<AttributeValue>& values = condition.values;
  const std::string name(ComparisonName(*condition.comparison));
  if (!Takes(*condition.comparison, values.size())) {
    return InvalidParameter("Invalid number of argument(s) for the " + name +
                            " ComparisonOperator");
  }
  for (const AttributeValue& value : values) {
    if (value.type() == values[0].type()) continue;
    return InvalidParameter("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!values.empty() && !TakesType(*condition.comparison, values[0].type())) {
    return InvalidParameter("ComparisonOperator " + name + " is not valid for " +
                            std::string(AttributeTypeName(values[0].type())) +
                            " AttributeValue type");
  }
  if (*condition.comparison == Comparison::kBetween && IsReversed(values[0], values[1])) {
    return Status::Validation(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

Status CheckConditionalOperator(const JsonObject& request,
                                const std::vector<LegacyCondition>& conditions) {
  if (conditions.size() > 1 || !Member(request, "ConditionalOperator")) return {};
  return Status::Validation(conditions.empty()
                                ? "ConditionalOperator cannot be used without Filter or Expected"
                                : "ConditionalOperator can only be used when Filter or Expected "
                                  "has two or more elements");
}

ConditionalOperator ConditionalOperatorOf(const JsonObject& request) {
  return StringMember(request, "ConditionalOperator") == "OR" ? ConditionalOperator::kOr
                                                              : ConditionalOperator::kAnd;
}

SyntaxTree<engine::ConditionSyntax> Combine(std::vector<LegacyCondition> conditions,
                                            ConditionalOperator combined) {
  std::vector<AttributeCondition> all;
  all.reserve(conditions.size());
  for (LegacyCondition& condition : conditions) {
    all.push_back({condition.attribute, *condition.comparison, std::move(condition.values)});
  }
  return ConditionTree(all, combined);
}

namespace {

Status InvalidFor(const LegacyCondition& condition, const std::string& what) {
  return InvalidParameter(what + " for Attribute: " + std::string(condition.attribute));
}

// Checks a condition with a ComparisonOperator, and moves Value into the list of values. DynamoDB
// treats Value like an AttributeValueList of one value.
Status NormalizeComparison(LegacyCondition* condition) {
  const Comparison comparison = *condition->comparison;
  if (condition->exists) {
    return InvalidFor(*condition, "Exists and ComparisonOperator cannot be used together");
  }
  const bool takes_values = comparison != Comparison::kNull && comparison != Comparison::kNotNull;
  if (takes_values && !condition->has_values && !condition->value) {
    return InvalidFor(*condition,
                      "Value or AttributeValueList must be used with ComparisonOperator: " +
                          std::string(ComparisonName(comparison)));
  }
  if (condition->value) condition->values.push_back(*std::move(condition->value));
  return CheckArguments(*condition);
}

// Checks a condition without a ComparisonOperator, and adds the comparison to the condition: EQ if
// the attribute must have the value, NULL if the attribute must not exist.
Status NormalizeExistence(LegacyCondition* condition) {
  if (condition->has_values) {
    return InvalidFor(*condition, "AttributeValueList can only be used with a ComparisonOperator");
  }
  const bool exists = condition->exists.value_or(true);
  if (exists && !condition->value) {
    return InvalidFor(*condition, std::string("Value must be provided when Exists is ") +
                                      (condition->exists ? "true" : "null"));
  }
  if (!exists && condition->value) {
    return InvalidFor(*condition, "Value cannot be used when Exists is false");
  }
  condition->comparison = exists ? Comparison::kEqual : Comparison::kNull;
  if (exists) condition->values.push_back(*std::move(condition->value));
  return {};
}

// Converts any form of the condition to a comparison with a list of values.
Status Normalize(LegacyCondition* condition) {
  if (condition->has_values && condition->value) {
    return InvalidFor(*condition, "Value and AttributeValueList cannot be used together");
  }
  return condition->comparison ? NormalizeComparison(condition) : NormalizeExistence(condition);
}

}  // namespace

Status ReadExpected(const JsonObject& request, std::vector<LegacyCondition>* conditions) {
  Status read = ReadConditions(request, "Expected", Checker::kCurrent, conditions);
  if (read.ok()) return read;
  conditions->pop_back();  // the condition that could not be read
  for (LegacyCondition& before : *conditions) {
    DOLMEN_RETURN_IF_ERROR(Normalize(&before));
  }
  return read;
}

Status SetExpected(const JsonObject& request, std::vector<LegacyCondition> conditions,
                   ConditionExpression* condition) {
  for (LegacyCondition& one : conditions) {
    DOLMEN_RETURN_IF_ERROR(Normalize(&one));
  }
  DOLMEN_RETURN_IF_ERROR(CheckConditionalOperator(request, conditions));
  if (conditions.empty()) return {};
  return SetTree(Combine(std::move(conditions), ConditionalOperatorOf(request)), condition);
}

namespace {

Status CheckAll(const std::vector<LegacyCondition>& conditions) {
  for (const LegacyCondition& condition : conditions) {
    DOLMEN_RETURN_IF_ERROR(CheckArguments(condition));
  }
  return {};
}

}  // namespace

Status ReadCheckedConditions(const JsonObject& request, std::string_view parameter, Checker checker,
                             std::vector<LegacyCondition>* conditions) {
  Status read = ReadConditions(request, parameter, checker, conditions);
  if (!read.ok()) conditions->pop_back();  // the condition that could not be read
  DOLMEN_RETURN_IF_ERROR(CheckAll(*conditions));
  return read;
}

Status SetFilter(const JsonObject& request, std::vector<LegacyCondition> conditions,
                 FilterExpression* filter) {
  DOLMEN_RETURN_IF_ERROR(CheckConditionalOperator(request, conditions));
  if (conditions.empty()) return {};
  return SetTree(Combine(std::move(conditions), ConditionalOperatorOf(request)), filter);
}

Status SetKeyConditions(const JsonObject& request, std::vector<LegacyCondition> conditions,
                        KeyConditionExpression* key_condition) {
  if (!Member(request, "KeyConditions")) return {};
  if (conditions.empty()) {
    return Status::Validation("Conditions can be of length 1 or 2 only");
  }
  return SetTree(Combine(std::move(conditions), ConditionalOperator::kAnd), key_condition);
}

namespace {

using UpdateAction = AttributeUpdate::Action;

UpdateAction ActionOf(const JsonObject& update) {
  const std::string_view action = StringMember(update, "Action");
  if (action == "ADD") return UpdateAction::kAdd;
  return action == "DELETE" ? UpdateAction::kDelete : UpdateAction::kPut;
}

bool IsSet(AttributeType type) {
  return type == AttributeType::kSS || type == AttributeType::kNS || type == AttributeType::kBS;
}

bool CanAdd(AttributeType type) {
  return IsSet(type) || type == AttributeType::kN || type == AttributeType::kL;
}

Status Check(const AttributeUpdate& update) {
  if (!update.value) {
    if (update.action == UpdateAction::kDelete) return {};
    return InvalidParameter("Only DELETE action is allowed when no attribute value is specified");
  }
  const AttributeType type = update.value->type();
  const std::string name(AttributeTypeName(type));
  if (update.action == UpdateAction::kDelete && !IsSet(type)) {
    return InvalidParameter("DELETE action with value is not supported for the type " + name);
  }
  if (update.action == UpdateAction::kAdd && !CanAdd(type)) {
    return InvalidParameter("ADD action is not supported for the type " + name);
  }
  return {};
}

Status CheckAll(const std::vector<AttributeUpdate>& updates) {
  for (const AttributeUpdate& update : updates) {
    DOLMEN_RETURN_IF_ERROR(Check(update));
  }
  return {};
}

}  // namespace

Status ReadAttributeUpdates(const JsonObject& request, std::vector<AttributeUpdate>* updates) {
  const std::optional<Json> json = Member(request, "AttributeUpdates");
  if (!json) return {};
  for (const auto& [attribute, entry] : EntriesOf(ObjectOf(*json))) {
    const JsonObject object = ObjectOf(entry);
    AttributeUpdate& read = updates->emplace_back();
    read.attribute = attribute;
    read.action = ActionOf(object);
    const std::optional<Json> value = Member(object, "Value");
    if (!value) continue;
    if (Status s = ReadValue(*value, &read.value.emplace()); !s.ok()) {
      updates->pop_back();
      const Status before = CheckAll(*updates);
      return before.ok() ? s : before;
    }
  }
  return {};
}

Status SetAttributeUpdates(const std::vector<AttributeUpdate>& updates, UpdateExpression* update) {
  DOLMEN_RETURN_IF_ERROR(CheckAll(updates));
  return updates.empty() ? Status() : SetTree(UpdateTree(updates), update);
}

}  // namespace dolmen::wire
