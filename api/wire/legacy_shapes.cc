#include "wire/legacy_shapes.h"

#include <array>
#include <string_view>

#include "wire/legacy_condition.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr Range kAttributeNameLength = {0, 65535};

constexpr Shape kAttributeName = {.range = kAttributeNameLength, .in_bytes = true};

constexpr Shape kComparisonOperator = {.values = kComparisonNames};

constexpr Shape kValueList = {.kind = Kind::kList, .element = &kAttributeValueShape};

constexpr std::array<MemberShape, 2> kConditionMembers = {{
    {"AttributeValueList", &kValueList},
    {"ComparisonOperator", &kComparisonOperator, true},
}};
constexpr Shape kCondition = {
    .kind = Kind::kStructure, .name = "Condition", .members = kConditionMembers};

constexpr std::array<MemberShape, 4> kExpectedMembers = {{
    {"Value", &kAttributeValueShape},
    {"Exists", &kBoolean},
    {"ComparisonOperator", &kComparisonOperator},
    {"AttributeValueList", &kValueList},
}};
constexpr Shape kExpectedAttribute = {
    .kind = Kind::kStructure, .name = "ExpectedAttributeValue", .members = kExpectedMembers};

constexpr std::array<std::string_view, 3> kActions = {"ADD", "DELETE", "PUT"};
constexpr Shape kAction = {.values = kActions};

constexpr std::array<MemberShape, 2> kAttributeUpdateMembers = {{
    {"Value", &kAttributeValueShape},
    {"Action", &kAction},
}};
constexpr Shape kAttributeUpdate = {
    .kind = Kind::kStructure, .name = "AttributeValueUpdate", .members = kAttributeUpdateMembers};

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

}  // namespace dolmen::wire
