#include "command/item_lines.h"

#include <chrono>

#include "engine/base/status_macros.h"
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

// Returns true if the members are those of an item without types: the value of an attribute with its
// type is an object, and the value of a key attribute without its type is none.
bool IsUntyped(const JsonObject& members) {
  for (const auto& member : members) {
    if (!member.value.is_object()) return true;
  }
  return false;
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

void AppendChangeLine(const ItemChange& change, const TableDescription& table, bool has_old_image,
                      std::string* out) {
  const std::chrono::microseconds time = change.time.time_since_epoch();
  const ItemView& image = change.new_image ? *change.new_image : *change.old_image;
  wire::JsonWriter json(out);
  json.BeginObject();
  json.Key("Metadata");
  json.Raw(R"({"WriteTimestampMicros":{"N":")" + std::to_string(time.count()) + R"("}})");
  json.Key("Keys");
  json.BeginObject();
  json.Key(table.partition_key.name);
  json.Value(image[table.partition_key.name]);
  if (table.sort_key) {
    json.Key(table.sort_key->name);
    json.Value(image[table.sort_key->name]);
  }
  json.EndObject();
  if (has_old_image && change.old_image) {
    json.Key("OldImage");
    json.Attributes(*change.old_image);
  }
  if (change.new_image) {
    json.Key("NewImage");
    json.Attributes(*change.new_image);
  }
  json.EndObject();
  out->push_back('\n');
}

Result<Item> ItemLineParser::Parse(std::string_view line) {
  DOLMEN_ASSIGN_OR_RETURN(const Json json, parser_.Parse(line, "the line"));
  JsonObject members;
  if (json.get(members) != simdjson::SUCCESS) {
    return Status::Validation("the line is not an item: an item is a JSON object");
  }
  if (IsIncrementalChange(members)) {
    return Status::Validation(
        "the line is a change of an incremental export; import a full export");
  }
  const Json item = ItemOf(json, members);
  JsonObject attributes;
  if (item.get(attributes) == simdjson::SUCCESS && IsUntyped(attributes)) {
    return parser_.ItemOf(attributes);
  }
  return wire::ReadNamedItem(item);
}

}  // namespace dolmen::command
