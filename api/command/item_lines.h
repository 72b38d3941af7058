// Items and changes of items as lines of JSON, in the format of DynamoDB's exports:
// {"Item":{"PK":{"S":"a"}}}.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/describe_table.h"
#include "dolmen/item_view.h"
#include "dolmen/point_in_time.h"
#include "dolmen/result.h"
#include "wire/untyped_json.h"

namespace dolmen::command {

// Appends {"Item":{...}} and a line end.
void AppendItemLine(const ItemView& item, std::string* out);

// Appends the line of an incremental export for the change of an item, with a line end: {"Metadata":
// {"WriteTimestampMicros":{"N":"..."}},"Keys":{...},"OldImage":{...},"NewImage":{...}}. `table` is the
// table of the item. Omits the old image unless `has_old_image`.
void AppendChangeLine(const ItemChange& change, const TableDescription& table, bool has_old_image,
                      std::string* out);

// A parser of lines. It keeps its buffers for the next line. Not thread-safe.
class ItemLineParser {
 public:
  // Returns the item of a line, with or without "Item" around the attributes. The values have their
  // types, as in {"PK":{"S":"a"}}, or none has, as in {"PK":"a"}.
  // - kValidation: the line is not an item. The message names the attribute that is invalid.
  Result<Item> Parse(std::string_view line);

 private:
  wire::UntypedJson parser_;
};

}  // namespace dolmen::command
