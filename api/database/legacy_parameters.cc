#include "database/legacy_parameters.h"

#include <array>
#include <cassert>
#include <memory>
#include <string>
#include <utility>

#include "engine/expression/compose.h"

namespace dolmen {
namespace {

using engine::ConditionNode;
using engine::ConditionOperator;
using engine::ConditionSyntax;
using engine::Dialect;
using engine::ProjectionSyntax;
using engine::UpdateActionSyntax;
using engine::UpdateNode;
using engine::UpdateSyntax;

PathPart Name(std::string_view attribute) { return std::string(attribute); }

ConditionOperator OperatorOf(Comparison comparison) {
  switch (comparison) {
    case Comparison::kIn:
      return ConditionOperator::kIn;
    case Comparison::kNull:
      return ConditionOperator::kAttributeNotExists;
    case Comparison::kNotNull:
      return ConditionOperator::kAttributeExists;
    case Comparison::kBetween:
      return ConditionOperator::kBetween;
    case Comparison::kLess:
      return ConditionOperator::kLess;
    case Comparison::kLessOrEqual:
      return ConditionOperator::kLessOrEqual;
    case Comparison::kGreater:
      return ConditionOperator::kGreater;
    case Comparison::kGreaterOrEqual:
      return ConditionOperator::kGreaterOrEqual;
    case Comparison::kNotEqual:
      return ConditionOperator::kNotEqual;
    case Comparison::kBeginsWith:
      return ConditionOperator::kBeginsWith;
    case Comparison::kContains:
      return ConditionOperator::kContains;
    case Comparison::kNotContains:
      return ConditionOperator::kNotContains;
    case Comparison::kEqual:
      break;
  }
  return ConditionOperator::kEqual;
}

using ConditionComposer = engine::TreeComposer<ConditionSyntax>;

std::uint16_t Add(const AttributeCondition& condition, ConditionComposer* composer) {
  if (!Takes(condition.comparison, condition.values.size())) {
    composer->parts().Fail(
        Status::Validation("A condition does not have as many values as its comparison takes"));
    return 0;
  }
  const PathPart name = Name(condition.attribute);
  std::vector<std::uint16_t> operands = {composer->AddPath({&name, 1})};
  for (const AttributeValue& value : condition.values) {
    operands.push_back(composer->AddValue(value));
  }
  return composer->AddParent(
      {.kind = ConditionNode::Kind::kPredicate, .op = OperatorOf(condition.comparison)}, operands);
}

using UpdateComposer = engine::TreeComposer<UpdateSyntax>;

Status CheckValue(const AttributeUpdate& update) {
  if (update.value || update.action == AttributeUpdate::Action::kDelete) return {};
  return Status::Validation("An attribute is put or added without a value");
}

UpdateActionSyntax::Kind KindOf(const AttributeUpdate& update) {
  if (!update.value) return UpdateActionSyntax::Kind::kRemove;
  if (update.action == AttributeUpdate::Action::kDelete) return UpdateActionSyntax::Kind::kDelete;
  // The ADD of an UpdateExpression does not accept a list. AddValue() therefore appends the list
  // with a SET.
  const bool adds =
      update.action == AttributeUpdate::Action::kAdd && update.value->type() != AttributeType::kL;
  return adds ? UpdateActionSyntax::Kind::kAdd : UpdateActionSyntax::Kind::kSet;
}

// Adds the value of a PUT, ADD or DELETE to the tree and returns its node. An ADD of a list
// becomes list_append(if_not_exists(attribute, []), value).
std::uint16_t AddValue(const AttributeUpdate& update, UpdateComposer* composer) {
  const bool appends =
      update.action == AttributeUpdate::Action::kAdd && update.value->type() == AttributeType::kL;
  if (!appends) return composer->AddValue(*update.value);
  const PathPart name = Name(update.attribute);
  const std::array otherwise = {composer->AddPath({&name, 1}), composer->AddValue(List())};
  const std::array lists = {
      composer->AddParent({.kind = UpdateNode::Kind::kIfNotExists}, otherwise),
      composer->AddValue(*update.value)};
  return composer->AddParent({.kind = UpdateNode::Kind::kListAppend}, lists);
}

}  // namespace

bool Takes(Comparison comparison, std::size_t values) {
  switch (comparison) {
    case Comparison::kNull:
    case Comparison::kNotNull:
      return values == 0;
    case Comparison::kBetween:
      return values == 2;
    case Comparison::kIn:
      return values > 0;
    default:
      return values == 1;
  }
}

SyntaxTree<ConditionSyntax> ConditionTree(std::span<const AttributeCondition> conditions,
                                          ConditionalOperator combined) {
  assert(!conditions.empty());
  ConditionComposer composer(Dialect::kLegacy);
  std::vector<std::uint16_t> roots;
  for (const AttributeCondition& condition : conditions) {
    if (!composer.parts().status().ok()) break;
    roots.push_back(Add(condition, &composer));
  }
  const ConditionNode::Kind kind =
      combined == ConditionalOperator::kOr ? ConditionNode::Kind::kOr : ConditionNode::Kind::kAnd;
  composer.syntax().root = roots.size() == 1 ? roots[0] : composer.AddParent({.kind = kind}, roots);
  return composer.Finish();
}

SyntaxTree<UpdateSyntax> UpdateTree(std::span<const AttributeUpdate> updates) {
  UpdateComposer composer(Dialect::kLegacy);
  for (const AttributeUpdate& update : updates) {
    if (Status valid = CheckValue(update); !valid.ok()) composer.parts().Fail(std::move(valid));
    if (!composer.parts().status().ok()) break;
    const PathPart name = Name(update.attribute);
    UpdateActionSyntax action;
    action.kind = KindOf(update);
    action.target = composer.parts().AddPath({&name, 1});
    if (update.value) action.value = AddValue(update, &composer);
    composer.syntax().actions.push_back(action);
  }
  return composer.Finish();
}

SyntaxTree<ProjectionSyntax> ProjectionTree(std::span<const std::string_view> attributes) {
  auto syntax = std::make_shared<ProjectionSyntax>();
  syntax->dialect = Dialect::kLegacy;
  engine::PartComposer parts(syntax.get());
  for (const std::string_view attribute : attributes) {
    if (!parts.status().ok()) break;
    const PathPart name = Name(attribute);
    syntax->paths.push_back(parts.AddPath({&name, 1}));
  }
  if (!parts.status().ok()) return parts.status();
  return std::shared_ptr<const ProjectionSyntax>(syntax);
}

}  // namespace dolmen
