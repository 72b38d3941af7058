// Values of requests as DynamoDB's messages print them: as Java does.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// Messages are for people: what is longer than this is of no use to them.
inline constexpr std::size_t kShownMax = 16 << 10;

// As much of a text of UTF-8 as is shown: whole characters, of `bytes_max` bytes at most.
std::string_view Shown(std::string_view text, std::size_t bytes_max = kShownMax);

// "[KeySchemaElement(attributeName=id, keyType=HASH)]", or the beginning of it.
std::string JavaText(const Json& json, const Shape& shape);

// "tableName" of "TableName".
std::string LowerFirst(std::string_view name);

}  // namespace dolmen::wire
