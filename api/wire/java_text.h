// Values of requests as DynamoDB's messages print them: as Java does.

#pragma once

#include <string>
#include <string_view>

#include "wire/json.h"
#include "wire/shape.h"

namespace dolmen::wire {

// "[KeySchemaElement(attributeName=id, keyType=HASH)]"
std::string JavaText(const Json& json, const Shape& shape);

// "tableName" of "TableName".
std::string LowerFirst(std::string_view name);

}  // namespace dolmen::wire
