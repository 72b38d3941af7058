#include "wire/accessed_keys.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wire/attribute_json.h"

namespace dolmen::wire {
namespace {

// Calls `visit` with the item or the key of a structure that has one.
void VisitItem(std::string_view table, const JsonObject& json, const VisitAttributes& visit) {
  for (const std::string_view name : {"Key", "Item"}) {
    if (const std::optional<Json> attributes = Member(json, name)) {
      visit(table, ObjectOf(*attributes));
    }
  }
}

// Visits {"Keys": [...]} of BatchGetItem, or [{"PutRequest": {"Item": ...}}, ...] of BatchWriteItem.
void VisitBatch(std::string_view table, const Json& batch, const VisitAttributes& visit) {
  if (batch.is_object()) {
    if (const std::optional<Json> keys = Member(ObjectOf(batch), "Keys")) {
      for (const Json key : ArrayOf(*keys)) visit(table, ObjectOf(key));
    }
  }
  for (const Json write : ArrayOf(batch)) {
    for (const auto& [kind, request] : EntriesOf(ObjectOf(write))) {
      VisitItem(table, ObjectOf(request), visit);
    }
  }
}

// Returns the first token of the text, and removes it from the text: a name, a placeholder, or a
// sequence of operators. Returns "" at the end.
std::string_view NextToken(std::string_view* text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '#' || c == ':' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  };
  const auto is_comparison = [](char c) { return c == '<' || c == '>' || c == '='; };
  const std::size_t begin = text->find_first_not_of(" \t\r\n");
  if (begin == text->npos) return {};
  text->remove_prefix(begin);
  std::size_t end = 1;
  for (const auto& belongs : {+is_word, +is_comparison}) {
    if (!belongs(text->front())) continue;
    while (end < text->size() && belongs((*text)[end])) ++end;
  }
  const std::string_view token = text->substr(0, end);
  text->remove_prefix(end);
  return token;
}

void AddValue(std::string_view name, const std::optional<Json>& json, Map* values) {
  AttributeValue value;
  if (!json || !ReadValue(*json, &value).ok()) return;
  values->insert_or_assign(std::string(name), std::move(value));
}

void AddExpression(const JsonObject& request, std::string_view expression, Map* values) {
  const auto member_of = [&](std::string_view map, std::string_view name) {
    const std::optional<Json> given = Member(request, map);
    return given ? Member(ObjectOf(*given), name) : std::nullopt;
  };
  std::array<std::string_view, 3> last;  // the last three tokens
  for (;;) {
    last = {last[1], last[2], NextToken(&expression)};
    if (last[2].empty()) return;
    if (last[1] != "=" || !last[2].starts_with(':')) continue;
    std::string_view name = last[0];
    if (name.starts_with('#')) {
      const std::optional<Json> given = member_of("ExpressionAttributeNames", name);
      name = given ? StringOf(*given) : std::string_view();
    }
    AddValue(name, member_of("ExpressionAttributeValues", last[2]), values);
  }
}

}  // namespace

void VisitItems(const JsonObject& request, const VisitAttributes& visit) {
  VisitItem(StringMember(request, "TableName"), request, visit);
  for (const std::string_view name : {"RequestItems", "UnprocessedKeys", "UnprocessedItems"}) {
    const std::optional<Json> tables = Member(request, name);
    if (!tables) continue;
    for (const auto& [table, batch] : EntriesOf(ObjectOf(*tables))) {
      VisitBatch(table, batch, visit);
    }
  }
  const std::optional<Json> actions = Member(request, "TransactItems");
  if (!actions) return;
  for (const Json action : ArrayOf(*actions)) {
    for (const auto& [kind, part] : EntriesOf(ObjectOf(action))) {
      VisitItem(StringMember(ObjectOf(part), "TableName"), ObjectOf(part), visit);
    }
  }
}

Map KeysOfQuery(const JsonObject& request) {
  Map values;
  AddExpression(request, StringMember(request, "KeyConditionExpression"), &values);
  const std::optional<Json> conditions = Member(request, "KeyConditions");
  if (!conditions) return values;
  for (const auto& [name, condition] : EntriesOf(ObjectOf(*conditions))) {
    const JsonObject json = ObjectOf(condition);
    const std::optional<Json> operands = Member(json, "AttributeValueList");
    if (!operands || StringMember(json, "ComparisonOperator") != "EQ") continue;
    for (const Json operand : ArrayOf(*operands)) AddValue(name, operand, &values);
  }
  return values;
}

}  // namespace dolmen::wire
