// Items as lines of JSON, in the format of DynamoDB's own exports: {"Item":{"PK":{"S":"a"}}}

#pragma once

#include <simdjson.h>

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen::command {

// {"Item":{...}} and the line's end.
void AppendItemLine(const ItemView& item, std::string* out);

// For one thread; keeps its buffers.
class ItemLineParser {
 public:
  // The item of a line; attributes without the "Item" around them, too.  kValidation: there is
  // none.
  Result<Item> Parse(std::string_view line);

 private:
  simdjson::dom::parser parser_;
};

}  // namespace dolmen::command
