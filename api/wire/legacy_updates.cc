#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/update_builder.h"
#include "wire/attribute_json.h"
#include "wire/legacy.h"
#include "wire/legacy_condition.h"

namespace dolmen::wire {
namespace {

struct AttributeUpdate {
  std::string_view attribute;
  std::string_view action;
  std::optional<AttributeValue> value = {};
};

std::string_view ActionOf(const JsonObject& update) {
  const std::string_view action = StringMember(update, "Action");
  return action.empty() ? "PUT" : action;
}

bool IsSet(AttributeType type) {
  return type == AttributeType::kSS || type == AttributeType::kNS || type == AttributeType::kBS;
}

bool CanAdd(AttributeType type) {
  return IsSet(type) || type == AttributeType::kN || type == AttributeType::kL;
}

Status Check(const AttributeUpdate& update) {
  if (!update.value) {
    if (update.action == "DELETE") return {};
    return InvalidParameter("Only DELETE action is allowed when no attribute value is specified");
  }
  const AttributeType type = update.value->type();
  const std::string name(AttributeTypeName(type));
  if (update.action == "DELETE" && !IsSet(type)) {
    return InvalidParameter("DELETE action with value is not supported for the type " + name);
  }
  if (update.action == "ADD" && !CanAdd(type)) {
    return InvalidParameter("ADD action is not supported for the type " + name);
  }
  return {};
}

// REQUIRES: Check(update) is ok
UpdateBuilder With(UpdateBuilder before, const AttributeUpdate& update) {
  const Attr attribute(update.attribute);
  if (!update.value) return std::move(before).Remove(attribute);
  const AttributeValue& value = *update.value;
  if (update.action == "DELETE") return std::move(before).Delete(attribute, value);
  if (update.action == "PUT") return std::move(before).Set(attribute, value);
  if (value.type() != AttributeType::kL) return std::move(before).Add(attribute, value);
  // An ADD of expressions knows no lists.
  return std::move(before).Set(attribute, ListAppend(IfNotExists(attribute, List()), value));
}

}  // namespace

Status ReadAttributeUpdates(const JsonObject& request, UpdateExpression* update) {
  const std::optional<Json> json = Member(request, "AttributeUpdates");
  if (!json) return {};
  std::vector<AttributeUpdate> updates;
  for (const auto& [attribute, entry] : EntriesOf(ObjectOf(*json))) {
    const JsonObject object = ObjectOf(entry);
    AttributeUpdate& read = updates.emplace_back(AttributeUpdate{attribute, ActionOf(object)});
    const std::optional<Json> value = Member(object, "Value");
    if (!value) continue;
    if (Status s = ReadValue(*value, &read.value.emplace()); !s.ok()) return s;
  }
  UpdateBuilder builder = Update();
  for (const AttributeUpdate& read : updates) {
    if (Status s = Check(read); !s.ok()) return s;
    builder = With(std::move(builder), read);
  }
  *update = builder;
  return {};
}

bool OnlyDeletes(const JsonObject& request) {
  const std::optional<Json> json = Member(request, "AttributeUpdates");
  if (!json) return false;
  const auto updates = EntriesOf(ObjectOf(*json));
  return !updates.empty() && std::all_of(updates.begin(), updates.end(), [](const auto& entry) {
    return ActionOf(ObjectOf(entry.second)) == "DELETE";
  });
}

}  // namespace dolmen::wire
