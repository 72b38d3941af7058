// Parameters that several operations on items have, and parts of their responses.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/capacity.h"
#include "dolmen/operations.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/json_writer.h"
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

// Sets the expression, if the request has it.
template <typename Expression>
void ReadExpression(const JsonObject& request, std::string_view parameter, Expression* expression) {
  if (const std::optional<Json> text = Member(request, parameter)) {
    *expression = Expression(StringOf(*text));
  }
}

// Reads the attributes of the parameter, if the request has it.  kValidation: a value is wrong.
Status ReadItemParameter(const JsonObject& request, std::string_view parameter, Item* item);

// ExpressionAttributeNames and -Values.  kValidation: a map is there and empty, or a value is
// wrong. REQUIRES: CheckExpressionParameters is ok
Status ReadNames(const JsonObject& request, Names* names);
Status ReadValues(const JsonObject& request, Values* values);

// Whether what was spent is written as one number, or as what was read and what was written, too.
enum class CapacityForm { kOperation, kTransaction };

// The member ConsumedCapacity, if there is something to write.  In consumed_capacity.cc.
void WriteCapacity(const std::optional<ConsumedCapacity>& capacity, ReturnConsumedCapacity asked,
                   JsonWriter* response);
void WriteCapacities(const std::vector<ConsumedCapacity>& capacities, ReturnConsumedCapacity asked,
                     CapacityForm form, JsonWriter* response);

}  // namespace dolmen::wire
