// DynamoDB's JSON for attribute values and items, to and from Dolmen's.

#pragma once

#include <dolmen/dolmen.h>

#include <nlohmann/json.hpp>

namespace dolmen::differential {

using Json = nlohmann::json;

// kValidation: a number that is none, or has too many digits or a magnitude out of range.
// Anything else that is no DynamoDB JSON is an exception of nlohmann's.
Result<AttributeValue> ValueFromJson(const Json& json);
Result<Map> MapFromJson(const Json& json);

Json ToJson(const AttributeValue& value);
Json ToJson(const Map& map);

}  // namespace dolmen::differential
