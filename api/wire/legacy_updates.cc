#include "wire/legacy_updates.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/errors.h"
#include "wire/legacy.h"

namespace dolmen::wire {
namespace {

using Action = AttributeUpdate::Action;

Action ActionOf(const JsonObject& update) {
  const std::string_view action = StringMember(update, "Action");
  if (action == "ADD") return Action::kAdd;
  return action == "DELETE" ? Action::kDelete : Action::kPut;
}

bool IsSet(AttributeType type) {
  return type == AttributeType::kSS || type == AttributeType::kNS || type == AttributeType::kBS;
}

bool CanAdd(AttributeType type) {
  return IsSet(type) || type == AttributeType::kN || type == AttributeType::kL;
}

Status Check(const AttributeUpdate& update) {
  if (!update.value) {
    if (update.action == Action::kDelete) return {};
    return InvalidParameter("Only DELETE action is allowed when no attribute value is specified");
  }
  const AttributeType type = update.value->type();
  const std::string name(AttributeTypeName(type));
  if (update.action == Action::kDelete && !IsSet(type)) {
    return InvalidParameter("DELETE action with value is not supported for the type " + name);
  }
  if (update.action == Action::kAdd && !CanAdd(type)) {
    return InvalidParameter("ADD action is not supported for the type " + name);
  }
  return {};
}

Status CheckAll(const std::vector<AttributeUpdate>& updates) {
  for (const AttributeUpdate& update : updates) {
    DOLMEN_RETURN_IF_ERROR(Check(update));
  }
  return {};
}

}  // namespace

Status ReadAttributeUpdates(const JsonObject& request, std::vector<AttributeUpdate>* updates) {
  const std::optional<Json> json = Member(request, "AttributeUpdates");
  if (!json) return {};
  for (const auto& [attribute, entry] : EntriesOf(ObjectOf(*json))) {
    const JsonObject object = ObjectOf(entry);
    AttributeUpdate& read = updates->emplace_back();
    read.attribute = attribute;
    read.action = ActionOf(object);
    const std::optional<Json> value = Member(object, "Value");
    if (!value) continue;
    if (Status s = ReadValue(*value, &read.value.emplace()); !s.ok()) {
      updates->pop_back();
      const Status before = CheckAll(*updates);
      return before.ok() ? s : before;
    }
  }
  return {};
}

Status SetAttributeUpdates(const std::vector<AttributeUpdate>& updates, UpdateExpression* update) {
  DOLMEN_RETURN_IF_ERROR(CheckAll(updates));
  return updates.empty() ? Status() : SetTree(UpdateTree(updates), update);
}

}  // namespace dolmen::wire
