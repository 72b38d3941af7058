// Attribute values and items out of DynamoDB's JSON.

#pragma once

#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "dolmen/status.h"
#include "wire/json.h"

namespace dolmen::wire {

// Reads a value whose JSON types are right (shape.h).  kValidation, with DynamoDB's message, if it
// is no value that can be stored: a number that is none, an empty set, null or a duplicate in one,
// no type or two.
// Then `value` is unspecified.
Status ReadValue(const Json& json, AttributeValue* value);

// How the message begins if the value has no type, or two types.
inline constexpr std::string_view kSuppliedValue = "Supplied AttributeValue ";
// How it goes on behind kInvalidParameter if a set has doubles, and all of it if it has no numbers.
inline constexpr std::string_view kInputCollection = "Input collection ";
inline constexpr std::string_view kEmptyNumberSet = "An number set  may not be empty";
// Two types; of other structures of which one member is to be there, DynamoDB says the same.
Status SeveralDatatypes();

// Reads attributes by name; as ReadValue.
Status ReadAttributes(const JsonObject& json, Map* attributes);

// An item of which nothing is known: kValidation, too, with the message of DynamoDB's
// SerializationException, if the JSON's types are wrong.
Result<Item> ReadItem(const Json& json);

}  // namespace dolmen::wire
