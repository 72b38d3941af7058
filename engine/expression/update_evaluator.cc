#include "engine/expression/update_evaluator.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <iterator>
#include <span>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/bytes.h"
#include "engine/value/codec.h"
#include "engine/value/patch.h"

namespace dolmen::engine {
namespace {

using ActionKind = UpdateActionSyntax::Kind;
using NodeKind = UpdateNode::Kind;

Status InvalidTarget() {
  return Status::Validation(
      "The document path provided in the update expression is invalid for update");
}

Status WrongType(Dialect dialect) {
  return Status::Validation(dialect == Dialect::kLegacy
                                ? "Type mismatch for attribute to update"
                                : "An operand in the update expression has an incorrect data type");
}

// Returns the element at `step` of the map or list `value`. Returns null if the element does not
// exist.
AttributeValue* FindElement(AttributeValue* value, const PathStep& step) {
  if (step.is_index()) {
    List* const list = value->get_if<List>();
    return list != nullptr && step.index() < list->size() ? &(*list)[step.index()] : nullptr;
  }
  Map* const map = value->get_if<Map>();
  if (map == nullptr) return nullptr;
  const auto found = map->find(step.name());
  return found == map->end() ? nullptr : &found->second;
}

// Returns the value at the path without the path's last step, or null if that value does not exist.
// REQUIRES: path.is_nested()
AttributeValue* FindParent(Item* item, const DocumentPath& path) {
  const auto found = item->find(path.attribute());
  if (found == item->end()) return nullptr;
  AttributeValue* parent = &found->second;
  for (const PathStep& step : path.nested().first(path.nested().size() - 1)) {
    parent = FindElement(parent, step);
    if (parent == nullptr) return nullptr;
  }
  return parent;
}

// Sets the value at the path. An index at or after the end of a list appends to the list.
Status Set(Item* item, const DocumentPath& path, AttributeValue value) {
  if (!path.is_nested()) {
    item->insert_or_assign(std::string(path.attribute()), std::move(value));
    return {};
  }
  AttributeValue* const parent = FindParent(item, path);
  if (parent == nullptr) return InvalidTarget();
  const PathStep& last = path.nested().back();
  if (List* const list = parent->get_if<List>(); list != nullptr && last.is_index()) {
    if (last.index() < list->size()) {
      (*list)[last.index()] = std::move(value);
    } else {
      list->push_back(std::move(value));
    }
  } else if (Map* const map = parent->get_if<Map>(); map != nullptr && !last.is_index()) {
    map->insert_or_assign(std::string(last.name()), std::move(value));
  } else {
    return InvalidTarget();
  }
  return {};
}

// Removes the value at the path. REQUIRES: the value exists.
void Remove(Item* item, const DocumentPath& path) {
  if (!path.is_nested()) {
    item->erase(item->find(path.attribute()));
    return;
  }
  AttributeValue* const parent = FindParent(item, path);
  const PathStep& last = path.nested().back();
  if (List* const list = parent->get_if<List>()) {
    list->erase(list->begin() + last.index());
  } else if (Map* const map = parent->get_if<Map>()) {
    map->erase(map->find(last.name()));
  }
}

bool IsSet(const AttributeView& value) {
  return value.Is(AttributeType::kSS) || value.Is(AttributeType::kNS) ||
         value.Is(AttributeType::kBS);
}

using Members = std::vector<std::string_view>;

// Returns the payloads of the set's members, in ascending order.
Members MembersOf(const AttributeView& set) {
  Members members;
  members.reserve(set.AsSet().size());
  for (const AttributeView member : set.AsSet()) members.push_back(member.payload());
  return members;
}

// Returns the payload of a set with these members.
std::string SetPayload(const Members& members) {
  std::string payload;
  AppendVarint(static_cast<std::uint32_t>(members.size()), &payload);
  for (const std::string_view member : members) AppendBlock(member, &payload);
  return payload;
}

// Returns the bytes of the list's elements, without the element count that precedes them.
std::string_view ElementBytes(const AttributeView& list) {
  const auto count = static_cast<std::uint32_t>(list.AsList().size());
  return list.payload().substr(VarintBytes(count));
}

}  // namespace

Status UpdateEvaluator::ApplyToBytes(std::string* out) {
  DOLMEN_RETURN_IF_ERROR(ComputeChanges());
  boost::container::small_vector<AttributeChange, 8> attributes;
  for (const Change& change : changes_) {
    if (update_.has_deep_value_) DOLMEN_RETURN_IF_ERROR(CheckDepth(change.value));
    attributes.push_back({change.target->attribute(), change.value});
  }
  return PatchItem(old_, {attributes.data(), attributes.size()}, out);
}

Status UpdateEvaluator::ApplyToItem(std::string* out) {
  DOLMEN_RETURN_IF_ERROR(ComputeChanges());
  DOLMEN_ASSIGN_OR_RETURN(Item item, old_.Copy());
  DOLMEN_RETURN_IF_ERROR(ChangeItem(&item));
  Status encoded = EncodeItem(item, out);
  return encoded.message() == NestedTooDeep().message() ? NestsTooDeep() : encoded;
}

Status UpdateEvaluator::CheckDepth(const AttributeView& value) const {
  if (!value.exists()) return {};
  DOLMEN_ASSIGN_OR_RETURN(const AttributeValue copy, value.Copy());
  std::string bytes;
  return EncodeValue(copy, &bytes).ok() ? Status() : NestsTooDeep();
}

// The reason of a cancelled transaction has only the beginning of the message.
Status UpdateEvaluator::NestsTooDeep() const {
  return update_.in_transaction_
             ? Status::Validation("Nesting Levels have exceeded supported limits")
             : NestedTooDeep();
}

// Applies the changes in an order that keeps indexes valid, because all indexes refer to the old
// item. All values are set before any value is removed. Elements of a list are removed from the
// end of the list to its start. Values are set in ascending order of their paths, so values that
// are appended to a list have the order of their indexes.
Status UpdateEvaluator::ChangeItem(Item* item) {
  for (const Change& change : changes_) {
    if (!change.value) continue;
    DOLMEN_ASSIGN_OR_RETURN(AttributeValue value, change.value.Copy());
    DOLMEN_RETURN_IF_ERROR(Set(item, *change.target, std::move(value)));
  }
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    if (change->value) continue;
    DOLMEN_RETURN_IF_ERROR(CheckRemovable(*change->target));
    // Removes only elements of the old item. If a SET has appended a value at the same index, that
    // value stays.
    if (change->target->Find(old_).exists()) Remove(item, *change->target);
  }
  return {};
}

// Checks that the map or list that contains a removed element exists. The element itself need not
// exist.
Status UpdateEvaluator::CheckRemovable(const DocumentPath& target) const {
  if (!target.is_nested()) return {};
  const AttributeType parent =
      target.nested().back().is_index() ? AttributeType::kL : AttributeType::kM;
  return target.FindParent(old_).Is(parent) ? Status() : InvalidTarget();
}

Status UpdateEvaluator::ComputeChanges() {
  changes_.reserve(update_.actions_.size());
  for (std::size_t i = 0; i < update_.actions_.size(); ++i) {
    DOLMEN_ASSIGN_OR_RETURN(const AttributeView value, ComputeValue(i));
    changes_.push_back({&update_.targets_[i], value});
  }
  std::sort(changes_.begin(), changes_.end(),
            [](const Change& a, const Change& b) { return *a.target < *b.target; });
  return {};
}

// Returns the new value of the action's target, or an absent view if the action removes the target.
Result<AttributeView> UpdateEvaluator::ComputeValue(std::size_t i) {
  const Update::Action& action = update_.actions_[i];
  const DocumentPath& target = update_.targets_[i];
  switch (action.kind) {
    case ActionKind::kRemove:
      return AttributeView();
    case ActionKind::kSet:
      return Evaluate(action.value);
    case ActionKind::kAdd:
      return Add(target.Find(old_), update_.nodes_[action.value].value);
    case ActionKind::kDelete:
      return Delete(target.Find(old_), update_.nodes_[action.value].value);
  }
  return AttributeView();
}

// An expression may nest 300 operators, so this is a loop: it goes down to a path or a value, and then up as
// long as both operands of an operator are known.
Result<AttributeView> UpdateEvaluator::Evaluate(std::uint16_t index) {
  struct Operator {
    const Update::Node* node;
    AttributeView left;
  };
  boost::container::small_vector<Operator, 4> operators;
  for (;;) {
    const Update::Node& node = update_.nodes_[index];
    if (node.kind == NodeKind::kListAppend || node.kind == NodeKind::kPlus ||
        node.kind == NodeKind::kMinus) {
      operators.push_back({&node, {}});
      index = node.left;
      continue;
    }
    AttributeView existing;
    if (node.kind == NodeKind::kIfNotExists) {
      existing = update_.nodes_[node.left].path.Find(old_);
      if (!existing.exists()) {
        index = node.right;
        continue;
      }
    } else if (node.kind == NodeKind::kPath) {
      existing = node.path.Find(old_);
    }
    Result<AttributeView> value =
        node.kind == NodeKind::kValue ? ReadOperand(node.value) : ReadOld(existing);
    for (;;) {
      if (!value.ok() || operators.empty()) return value;
      Operator& last = operators.back();
      const bool appends = last.node->kind == NodeKind::kListAppend;
      if (!value->Is(appends ? AttributeType::kL : AttributeType::kN)) {
        return WrongType(update_.dialect_);
      }
      if (!last.left.exists()) {
        last.left = *value;
        index = last.node->right;
        break;
      }
      const auto add = last.node->kind == NodeKind::kPlus ? Number::Add : Number::Subtract;
      value = appends ? AppendLists(last.left, *value) : Sum(last.left, *value, add);
      operators.pop_back();
    }
  }
}

Result<AttributeView> UpdateEvaluator::ReadOld(const AttributeView& view) {
  if (!view.exists()) {
    return Status::Validation(
        "The provided expression refers to an attribute that does not exist in the item");
  }
  DOLMEN_RETURN_IF_ERROR(view.Check());
  return ReadOperand(view);
}

Result<AttributeView> UpdateEvaluator::ReadOperand(const AttributeView& view) {
  // Limits the total size of the values that SET and ADD read, because an expression may copy a
  // large value hundreds of times. All these values become part of the new item. The limit is in
  // stored bytes: the stored form of a value is less than kStoredBytesPerByteMax times as large as
  // DynamoDB's size of the value.
  constexpr std::size_t kStoredBytesPerByteMax = 4;
  copied_bytes_ += view.payload().size();
  if (copied_bytes_ > kStoredBytesPerByteMax * kItemBytesMax) return UpdateTooLarge();
  return view;
}

Result<AttributeView> UpdateEvaluator::Sum(const AttributeView& a, const AttributeView& b,
                                           Result<Number> (*add)(const Number&, const Number&)) {
  DOLMEN_ASSIGN_OR_RETURN(const Number& x, Number::Decode(a.payload()));
  DOLMEN_ASSIGN_OR_RETURN(const Number& y, Number::Decode(b.payload()));
  DOLMEN_ASSIGN_OR_RETURN(const Number& sum, add(x, y));
  return Keep(AttributeType::kN, std::string(sum.encoded()));
}

AttributeView UpdateEvaluator::AppendLists(const AttributeView& left, const AttributeView& right) {
  std::string payload;
  const std::size_t count = left.AsList().size() + right.AsList().size();
  AppendVarint(static_cast<std::uint32_t>(count), &payload);
  payload.append(ElementBytes(left)).append(ElementBytes(right));
  return Keep(AttributeType::kL, std::move(payload));
}

Result<AttributeView> UpdateEvaluator::Add(const AttributeView& old, const AttributeView& operand) {
  const Result<AttributeView> addend = ReadOperand(operand);
  if (!old.exists() || !addend.ok()) return addend;
  DOLMEN_RETURN_IF_ERROR(old.Check());
  if (old.Is(AttributeType::kN) && operand.Is(AttributeType::kN)) {
    return Sum(old, operand, Number::Add);
  }
  if (!IsSet(old) || old.type() != operand.type()) return WrongType(update_.dialect_);
  const Members a = MembersOf(old);
  const Members b = MembersOf(operand);
  Members all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return Keep(old.type(), SetPayload(all));
}

Result<AttributeView> UpdateEvaluator::Delete(const AttributeView& old,
                                              const AttributeView& operand) {
  if (!old.exists()) return AttributeView();
  DOLMEN_RETURN_IF_ERROR(old.Check());
  if (!IsSet(old) || old.type() != operand.type()) return WrongType(update_.dialect_);
  const Members a = MembersOf(old);
  const Members b = MembersOf(operand);
  Members rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  if (rest.empty()) return AttributeView();  // DynamoDB has no empty sets
  return Keep(old.type(), SetPayload(rest));
}

AttributeView UpdateEvaluator::Keep(AttributeType type, std::string payload) {
  return {type, payloads_.emplace_front(std::move(payload))};
}

}  // namespace dolmen::engine
