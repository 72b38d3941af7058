// Parameters that several operations on items share.

#pragma once

#include <optional>
#include <string_view>

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

ReturnConsumedCapacity ReadReturnConsumedCapacity(const JsonObject& request);
ReturnValues ReadReturnValues(const JsonObject& request);
bool ReadReturnItemOnFailure(const JsonObject& request);

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

// Read ExpressionAttributeNames and ExpressionAttributeValues, if the request has them.
// - kValidation: the map is present and empty, or a value is invalid.
//
// REQUIRES: CheckExpressionParameters is ok
Status ReadNames(const JsonObject& request, Names* names);
Status ReadValues(const JsonObject& request, Values* values);

}  // namespace dolmen::wire
