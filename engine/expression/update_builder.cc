#include "dolmen/update_builder.h"

#include <array>
#include <memory>
#include <utility>

#include "engine/expression/compose.h"

namespace dolmen {
namespace {

using engine::UpdateActionSyntax;
using engine::UpdateNode;
using engine::UpdateSyntax;
using Tree = SyntaxTree<UpdateSyntax>;
using Composer = engine::TreeComposer<UpdateSyntax>;

// Returns the tree of an operator on two operands.
Tree Combine(UpdateNode::Kind kind, const Tree& left, const Tree& right) {
  Composer composer;
  const std::array operands = {composer.AddTree(left), composer.AddTree(right)};
  composer.AddParent({.kind = kind}, operands);
  return composer.Finish();
}

Tree PathTree(const Attr& attribute) {
  Composer composer;
  composer.AddPath(attribute.path());
  return composer.Finish();
}

Tree ValueTree(const AttributeValue& value) {
  Composer composer;
  composer.AddValue(value);
  return composer.Finish();
}

// Returns the update with one more action. `value` is null for Remove.
Tree WithAction(Tree update, UpdateActionSyntax::Kind kind, const Attr& attribute,
                const Tree* value) {
  if (!update.ok() || *update == nullptr) return update;
  Composer composer(std::move(update));
  UpdateActionSyntax action;
  action.kind = kind;
  action.target = composer.parts().AddPath(attribute.path());
  if (value != nullptr) action.value = composer.AddTree(*value);
  composer.syntax().actions.push_back(action);
  return composer.Finish();
}

}  // namespace

UpdateOperand::UpdateOperand(const Attr& attribute) : tree_(PathTree(attribute)) {}

UpdateOperand UpdateOperand::OfValue(const AttributeValue& value) {
  return UpdateOperand(ValueTree(value));
}

UpdateOperand IfNotExists(const Attr& attribute, const UpdateOperand& otherwise) {
  return UpdateOperand(
      Combine(UpdateNode::Kind::kIfNotExists, PathTree(attribute), otherwise.tree_));
}

UpdateValue ListAppend(const UpdateOperand& first, const UpdateOperand& second) {
  return UpdateValue(Combine(UpdateNode::Kind::kListAppend, first.tree_, second.tree_));
}

UpdateValue operator+(const UpdateOperand& a, const UpdateOperand& b) {
  return UpdateValue(Combine(UpdateNode::Kind::kPlus, a.tree_, b.tree_));
}

UpdateValue operator-(const UpdateOperand& a, const UpdateOperand& b) {
  return UpdateValue(Combine(UpdateNode::Kind::kMinus, a.tree_, b.tree_));
}

UpdateBuilder UpdateBuilder::SetTree(const Attr& attribute, const Tree& value) && {
  return UpdateBuilder(
      WithAction(std::move(tree_), UpdateActionSyntax::Kind::kSet, attribute, &value));
}

UpdateBuilder UpdateBuilder::Remove(const Attr& attribute) && {
  return UpdateBuilder(
      WithAction(std::move(tree_), UpdateActionSyntax::Kind::kRemove, attribute, nullptr));
}

UpdateBuilder UpdateBuilder::AddValue(const Attr& attribute, const AttributeValue& value) && {
  const Tree tree = ValueTree(value);
  return UpdateBuilder(
      WithAction(std::move(tree_), UpdateActionSyntax::Kind::kAdd, attribute, &tree));
}

UpdateBuilder UpdateBuilder::DeleteValue(const Attr& attribute, const AttributeValue& value) && {
  const Tree tree = ValueTree(value);
  return UpdateBuilder(
      WithAction(std::move(tree_), UpdateActionSyntax::Kind::kDelete, attribute, &tree));
}

UpdateBuilder::operator UpdateExpression() const {
  const bool none = tree_.ok() && *tree_ != nullptr && (*tree_)->actions.empty();
  return none ? UpdateExpression() : UpdateExpression(tree_);
}

UpdateBuilder Update() { return UpdateBuilder(Composer().Finish()); }

}  // namespace dolmen
