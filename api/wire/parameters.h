// Parameters that several operations on items share.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "dolmen/consumed_capacity.h"
#include "dolmen/operations.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

extern const Shape kReturnConsumedCapacityShape;
extern const Shape kReturnItemCollectionMetricsShape;
extern const Shape kReturnValuesShape;
extern const Shape kReturnValuesOnFailureShape;
extern const Shape kNamesShape;

// The shape of a limit of items: an integer of at least 1.
inline constexpr Shape kLimitShape = {.kind = Shape::Kind::kInteger,
                                      .range = {1, std::numeric_limits<std::int64_t>::max()}};

ReturnConsumedCapacity ReadReturnConsumedCapacity(const JsonObject& request);
ReturnValues ReadReturnValues(const JsonObject& request);
bool ReadReturnItemOnFailure(const JsonObject& request);

// Reads an integer, if the request has the parameter. An integer beyond the range of the result
// becomes the largest one.
std::optional<std::uint32_t> ReadCount(const JsonObject& request, std::string_view parameter);

// Sets the expression if the request has the parameter.
template <typename Expression>
void ReadExpression(const JsonObject& request, std::string_view parameter, Expression* expression) {
  if (const std::optional<Json> text = Member(request, parameter)) {
    *expression = Expression(StringOf(*text));
  }
}

// Reads the attributes of the parameter, if the request has it.
// - kValidation: a value is invalid.
Status ReadItemParameter(const JsonObject& request, std::string_view parameter, Item* item);

// Reads ExpressionAttributeNames, if the request has it. Does not check the names.
// - kValidation: the map is present and empty.
//
// REQUIRES: CheckExpressionParameters is ok
Status ReadNames(const JsonObject& request, Names* names);
// Reads ExpressionAttributeNames and ExpressionAttributeValues, if the request has them.
// - kValidation: a map is present and empty.
// - kValidation: a value is invalid. An invalid name is reported first.
//
// REQUIRES: CheckExpressionParameters is ok
Status ReadNamesAndValues(const JsonObject& request, Names* names, Values* values);

// Checks the parameters of `request` that its shape declares.
// - kValidation: the request has both an expression and a legacy parameter (legacy.h). The legacy
//   parameter KeyConditions is allowed with every expression except KeyConditionExpression.
// - kValidation: the request has expression names or values, and no expression that could use them.
Status CheckExpressionParameters(const Shape& shape, const JsonObject& request);

}  // namespace dolmen::wire
