// Values of requests in the format of Java, which DynamoDB's messages use.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// The largest number of bytes of a value that a message prints, to keep messages short.
inline constexpr std::size_t kShownMax = 16 << 10;

// Returns the beginning of a UTF-8 text: whole characters, `bytes_max` bytes at most.
std::string_view Truncated(std::string_view text, std::size_t bytes_max = kShownMax);

// Returns the value in Java's format, cut to kShownMax bytes: "[KeySchemaElement(attributeName=id,
// keyType=HASH)]".
std::string JavaText(const Json& json, const Shape& shape);

// Returns the name with its first letter in lower case: "tableName" for "TableName".
std::string LowerFirst(std::string_view name);

}  // namespace dolmen::wire
