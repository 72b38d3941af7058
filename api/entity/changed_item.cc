#include "entity/changed_item.h"

#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/item.h"
#include "dolmen/entity/update_steps.h"
#include "engine/base/status_macros.h"
#include "entity/evaluate.h"

namespace dolmen::entity {
namespace {

// DynamoDB allows 300 operators in an expression. The condition on n attributes has 2n - 1.
constexpr std::size_t kComparedMax = 150;

// Returns the condition that the item is as before, and lacks the attributes of `added`.
Result<ConditionBuilder> IsUnchanged(const EntitySpec& entity, const Item& before,
                                     const std::vector<std::string>& added) {
  if (before.size() + added.size() > kComparedMax) {
    if (const AttributeSpec* const version = entity.version()) {
      const auto found = before.find(version->name);
      const Attr attribute(version->name);
      return AttributeExists(entity.primary().partition_name) &&
             (found == before.end() ? AttributeNotExists(attribute) : attribute == found->second);
    }
    return Status::Validation(
        DescribeKeyParts(entity, before) + " has more than " + std::to_string(kComparedMax) +
        " attributes, so that no condition can compare them. Give the entity a version.");
  }
  std::vector<ConditionBuilder> conditions;
  for (const auto& [name, value] : before) conditions.push_back(Attr(name) == value);
  for (const std::string& name : added) conditions.push_back(AttributeNotExists(name));
  return All(conditions);
}

}  // namespace

Result<Action> ChangeOfItem(const EntitySpec& entity, const std::optional<Item>& before,
                            const Item& after) {
  if (!before) {
    return Action(PutItemInput{.item = after,
                               .condition = AttributeNotExists(entity.primary().partition_name),
                               .return_item_on_condition_failure = true});
  }
  std::vector<UpdateStep> steps;
  std::vector<std::string> added;
  for (const auto& [name, value] : after) {
    const auto old = before->find(name);
    if (old != before->end() && old->second == value) continue;
    steps.push_back({.kind = Change::Kind::kSet, .attribute = name, .value = value});
    if (old == before->end()) added.push_back(name);
  }
  for (const auto& [name, value] : *before) {
    if (!after.contains(name)) {
      steps.push_back({.kind = Change::Kind::kRemove, .attribute = name});
    }
  }
  DOLMEN_ASSIGN_OR_RETURN(const ConditionBuilder is_unchanged, IsUnchanged(entity, *before, added));
  Item key = KeyOf(entity, *before);
  if (steps.empty()) {
    return Action(ConditionCheckInput{.key = std::move(key),
                                      .condition = is_unchanged,
                                      .return_item_on_condition_failure = true});
  }
  return Action(UpdateItemInput{.key = std::move(key),
                                .update = ComposeUpdate(steps),
                                .condition = is_unchanged,
                                .return_item_on_condition_failure = true});
}

}  // namespace dolmen::entity
