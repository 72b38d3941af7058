// Conversions between DynamoDB's JSON and Dolmen's attribute values and items.

#pragma once

#include <dolmen/dolmen.h>

#include <nlohmann/json.hpp>

namespace dolmen::differential {

using Json = nlohmann::json;

// Reads an attribute value, or a map of attribute values, from DynamoDB's JSON. Throws an exception
// for any other JSON.
//
// Errors:
// - kValidation: a number is invalid, has too many digits or is out of range.
Result<AttributeValue> ValueFromJson(const Json& json);
Result<Map> MapFromJson(const Json& json);

Json ToJson(const AttributeValue& value);
Json ToJson(const Map& map);

}  // namespace dolmen::differential
