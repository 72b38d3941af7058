#include "dolmen/entity/update_steps.h"

#include <array>
#include <string>

#include "engine/expression/compose.h"

namespace dolmen::entity {
namespace {

using engine::UpdateActionSyntax;
using engine::UpdateNode;
using Composer = engine::TreeComposer<engine::UpdateSyntax>;

UpdateActionSyntax::Kind ActionKindOf(const UpdateStep& step) {
  if (step.start) return UpdateActionSyntax::Kind::kSet;  // a = if_not_exists(a, start) + value
  switch (step.kind) {
    case Change::Kind::kSet:
    case Change::Kind::kSetIfAbsent:
      return UpdateActionSyntax::Kind::kSet;
    case Change::Kind::kAdd:
      return UpdateActionSyntax::Kind::kAdd;
    case Change::Kind::kDelete:
      return UpdateActionSyntax::Kind::kDelete;
    case Change::Kind::kRemove:
      return UpdateActionSyntax::Kind::kRemove;
  }
  return {};
}

// Adds the step's action to the syntax tree.
void AddStep(const UpdateStep& step, Composer* composer) {
  const auto or_default = [&](const AttributeValue& value) {
    const PathPart path = std::string(step.attribute);
    const std::array operands = {composer->AddPath({&path, 1}), composer->AddValue(value)};
    return composer->AddParent({.kind = UpdateNode::Kind::kIfNotExists}, operands);
  };
  UpdateActionSyntax action;
  action.kind = ActionKindOf(step);
  action.target = composer->parts().AddAttribute(step.attribute);
  if (step.kind == Change::Kind::kSetIfAbsent) {
    action.value = or_default(step.value);
  } else if (step.start) {
    const std::array operands = {or_default(*step.start), composer->AddValue(step.value)};
    action.value = composer->AddParent({.kind = UpdateNode::Kind::kPlus}, operands);
  } else if (step.kind != Change::Kind::kRemove) {
    action.value = composer->AddValue(step.value);
  }
  composer->syntax().actions.push_back(action);
}

}  // namespace

UpdateExpression ComposeUpdate(std::span<const UpdateStep> steps) {
  if (steps.empty()) return {};
  Composer composer;
  for (const UpdateStep& step : steps) AddStep(step, &composer);
  return UpdateExpression(composer.Finish());
}

}  // namespace dolmen::entity
