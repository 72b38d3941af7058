#include "command/item_lines.h"

#include "dolmen/internal/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::command {
namespace {

using wire::Json;
using wire::JsonObject;

// Returns true for the value of a key attribute, such as {"S": "..."}.
bool IsKeyValue(const JsonObject& object) {
  for (const std::string_view type : {"S", "N", "B"}) {
    const auto value = wire::Member(object, type);
    if (value && value->is_string()) return object.size() == 1;
  }
  return false;
}

// Returns the member "Item" of a line like {"Item": {...}}. Returns the whole line if the line is
// itself an item: it has other members, or "Item" is the name of its key attribute.
Json ItemOf(const Json& line, const JsonObject& members) {
  const auto inner = wire::Member(members, "Item");
  if (!inner || members.size() != 1) return line;
  JsonObject attributes;
  const bool object = inner->get(attributes) == simdjson::SUCCESS;
  return object && IsKeyValue(attributes) ? line : *inner;
}

bool IsIncrementalChange(const JsonObject& members) {
  return wire::Member(members, "Metadata") && wire::Member(members, "Keys");
}

}  // namespace

void AppendItemLine(const ItemView& item, std::string* out) {
  out->append(R"({"Item":)");
  wire::JsonWriter(out).Attributes(item);
  out->append("}\n");
}

Result<Item> ItemLineParser::Parse(std::string_view line) {
  DOLMEN_ASSIGN_OR_RETURN(const Json json, wire::ParseJson(line, "the line", &parser_));
  JsonObject members;
  if (json.get(members) != simdjson::SUCCESS) {
    return Status::Validation("the line is not an item: an item is a JSON object");
  }
  if (IsIncrementalChange(members)) {
    return Status::Validation(
        "the line is a change of an incremental export; import a full export");
  }
  return wire::ReadItem(ItemOf(json, members));
}

}  // namespace dolmen::command
