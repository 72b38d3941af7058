#include "engine/expression/update_evaluator.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/value/codec.h"

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

Status TooLarge() {
  return Status::Validation("Item size to update has exceeded the maximum allowed size");
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

// Returns the members of `from` that are not members of `what`.
template <typename Set>
Set Difference(const Set& from, const Set& what) {
  Set rest;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

// Returns f(x, y) for the sets x and y in `a` and `b`. Returns the error WrongType if `a` and `b`
// are not sets of the same type.
template <typename F>
std::invoke_result_t<F, StringSet&, StringSet&> WithSets(AttributeValue& a, AttributeValue& b,
                                                         Dialect dialect, F f) {
  if (auto *x = a.get_if<StringSet>(), *y = b.get_if<StringSet>(); x && y) return f(*x, *y);
  if (auto *x = a.get_if<NumberSet>(), *y = b.get_if<NumberSet>(); x && y) return f(*x, *y);
  if (auto *x = a.get_if<BinarySet>(), *y = b.get_if<BinarySet>(); x && y) return f(*x, *y);
  return WrongType(dialect);
}

// Moves the value of `result` into `*value`, or returns the error of `result`.
template <typename T>
Status StoreResult(Result<T> result, std::optional<AttributeValue>* value) {
  if (!result.ok()) return result.status();
  *value = *std::move(result);
  return {};
}

}  // namespace

// Applies the changes in an order that keeps indexes valid, because all indexes refer to the old
// item. All values are set before any value is removed. Elements of a list are removed from the
// end of the list to its start. Values are set in ascending order of their paths, so values that
// are appended to a list have the order of their indexes.
Result<Item> UpdateEvaluator::Apply(Item base) {
  changes_.reserve(update_.actions_.size());
  for (std::size_t i = 0; i < update_.actions_.size(); ++i) {
    if (Status s = ComputeChange(i); !s.ok()) return s;
  }
  std::sort(changes_.begin(), changes_.end(),
            [](const Change& a, const Change& b) { return *a.target < *b.target; });
  for (Change& change : changes_) {
    if (!change.value) continue;
    if (Status s = Set(&base, *change.target, *std::move(change.value)); !s.ok()) return s;
  }
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    if (change->value) continue;
    if (Status s = CheckRemovable(*change->target); !s.ok()) return s;
    // Removes a value only if the old item contains it. A SET may have appended a value to a list
    // at the index that a REMOVE names. The appended value stays.
    if (change->target->Find(old_).exists()) Remove(&base, *change->target);
  }
  return base;
}

// Checks that the map or list that contains a removed element exists. The element itself need not
// exist.
Status UpdateEvaluator::CheckRemovable(const DocumentPath& target) const {
  if (!target.is_nested()) return {};
  const AttributeType parent =
      target.nested().back().is_index() ? AttributeType::kL : AttributeType::kM;
  return target.FindParent(old_).Is(parent) ? Status() : InvalidTarget();
}

Status UpdateEvaluator::ComputeChange(std::size_t i) {
  const Update::Action& action = update_.actions_[i];
  const DocumentPath& target = update_.targets_[i];
  const auto operand = [&] { return update_.nodes_[action.value].value; };
  changes_.push_back({&target, std::nullopt});
  std::optional<AttributeValue>& value = changes_.back().value;
  switch (action.kind) {
    case ActionKind::kRemove:
      return {};
    case ActionKind::kSet:
      return StoreResult(Evaluate(action.value), &value);
    case ActionKind::kAdd:
      return StoreResult(Add(target.Find(old_), operand()), &value);
    case ActionKind::kDelete:
      return StoreResult(Delete(target.Find(old_), operand()), &value);
  }
  return {};
}

// Recurses once per level of functions. An expression has at most 300 operators and functions, so
// at most 300 levels.
Result<AttributeValue> UpdateEvaluator::Evaluate(std::uint16_t index) {
  const Update::Node& node = update_.nodes_[index];
  switch (node.kind) {
    case NodeKind::kPath:
      return Read(node.path.Find(old_));
    case NodeKind::kValue:
      return Read(node.value);
    case NodeKind::kIfNotExists: {
      const AttributeView existing = update_.nodes_[node.left].path.Find(old_);
      return existing.exists() ? Read(existing) : Evaluate(node.right);
    }
    case NodeKind::kListAppend:
      return AppendLists(node);
    case NodeKind::kPlus:
    case NodeKind::kMinus:
      break;
  }
  return AddNumbers(node);
}

Result<AttributeValue> UpdateEvaluator::Read(const AttributeView& view) {
  if (!view.exists()) {
    return Status::Validation(
        "The provided expression refers to an attribute that does not exist in the item");
  }
  // An expression may copy a large value hundreds of times. All values that SET and ADD read become
  // part of the new item. So the update fails as soon as these values together must exceed the size
  // limit of an item. The stored form of a value is less than kStoredBytesPerByteMax times as large
  // as DynamoDB's size of the value.
  constexpr std::size_t kStoredBytesPerByteMax = 4;
  copied_bytes_ += view.payload().size();
  if (copied_bytes_ > kStoredBytesPerByteMax * kItemBytesMax) return TooLarge();
  return view.Copy();
}

Result<AttributeValue> UpdateEvaluator::AddNumbers(const Update::Node& node) {
  const Result<AttributeValue> left = Evaluate(node.left);
  if (!left.ok()) return left.status();
  const Number* const a = left->get_if<Number>();
  if (a == nullptr) return WrongType(update_.dialect_);
  const Result<AttributeValue> right = Evaluate(node.right);
  if (!right.ok()) return right.status();
  const Number* const b = right->get_if<Number>();
  if (b == nullptr) return WrongType(update_.dialect_);
  const Result<Number> result =
      node.kind == NodeKind::kPlus ? Number::Add(*a, *b) : Number::Subtract(*a, *b);
  if (!result.ok()) return result.status();
  return AttributeValue(*result);
}

Result<AttributeValue> UpdateEvaluator::AppendLists(const Update::Node& node) {
  Result<AttributeValue> left = Evaluate(node.left);
  if (!left.ok()) return left;
  List* const list = left->get_if<List>();
  if (list == nullptr) return WrongType(update_.dialect_);
  Result<AttributeValue> right = Evaluate(node.right);
  if (!right.ok()) return right;
  List* const more = right->get_if<List>();
  if (more == nullptr) return WrongType(update_.dialect_);
  list->insert(list->end(), std::make_move_iterator(more->begin()),
               std::make_move_iterator(more->end()));
  return left;
}

Result<AttributeValue> UpdateEvaluator::Add(const AttributeView& old,
                                            const AttributeView& operand) {
  Result<AttributeValue> addend = Read(operand);
  if (!old.exists() || !addend.ok()) return addend;
  Result<AttributeValue> target = old.Copy();
  if (!target.ok()) return target;
  const Number* const a = target->get_if<Number>();
  const Number* const b = addend->get_if<Number>();
  if (a != nullptr && b != nullptr) {
    const Result<Number> sum = Number::Add(*a, *b);
    if (!sum.ok()) return sum.status();
    return AttributeValue(*sum);
  }
  return WithSets(*target, *addend, update_.dialect_,
                  [](auto& set, auto& more) -> Result<AttributeValue> {
                    set.merge(more);
                    return AttributeValue(std::move(set));
                  });
}

Result<std::optional<AttributeValue>> UpdateEvaluator::Delete(const AttributeView& old,
                                                              const AttributeView& operand) {
  using Outcome = Result<std::optional<AttributeValue>>;
  if (!old.exists()) return Outcome(std::nullopt);
  Result<AttributeValue> target = old.Copy();
  if (!target.ok()) return target.status();
  Result<AttributeValue> members = operand.Copy();
  if (!members.ok()) return members.status();
  return WithSets(*target, *members, update_.dialect_, [](auto& set, auto& what) -> Outcome {
    auto rest = Difference(set, what);
    if (rest.empty()) return Outcome(std::nullopt);  // DynamoDB has no empty sets
    return Outcome(AttributeValue(std::move(rest)));
  });
}

}  // namespace dolmen::engine
