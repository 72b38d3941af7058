#include "tests/model/reference_expression.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace dolmen::test {
namespace {

std::optional<AttributeValue> Find(const Item& item, const Path& path) {
  const auto attribute = item.find(path.attribute);
  if (attribute == item.end()) return std::nullopt;
  if (path.member) {
    const Map* const map = attribute->second.get_if<Map>();
    if (map == nullptr || !map->contains(*path.member)) return std::nullopt;
    return map->at(*path.member);
  }
  if (path.index) {
    const List* const list = attribute->second.get_if<List>();
    if (list == nullptr || *path.index >= list->size()) return std::nullopt;
    return (*list)[*path.index];
  }
  return attribute->second;
}

// Returns the length in UTF-16 units. Each byte that is not a continuation byte begins a
// character. A character of four bytes has two UTF-16 units.
std::int64_t Utf16Length(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }) +
         std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xF8) == 0xF0; });
}

std::optional<std::int64_t> SizeOfValue(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return Utf16Length(*text);
  if (const auto* binary = value.get_if<Binary>()) return std::ssize(binary->bytes);
  if (const auto* map = value.get_if<Map>()) return static_cast<std::int64_t>(map->size());
  if (const auto* list = value.get_if<List>()) return std::ssize(*list);
  if (const auto* set = value.get_if<StringSet>()) return static_cast<std::int64_t>(set->size());
  if (const auto* set = value.get_if<NumberSet>()) return static_cast<std::int64_t>(set->size());
  if (const auto* set = value.get_if<BinarySet>()) return static_cast<std::int64_t>(set->size());
  return std::nullopt;
}

std::optional<AttributeValue> Evaluate(const Operand& operand, const Item& item) {
  if (!operand.path) return operand.value;
  std::optional<AttributeValue> found = Find(item, *operand.path);
  if (!operand.size || !found) return found;
  const auto size = SizeOfValue(*found);
  return size ? std::optional<AttributeValue>(*size) : std::nullopt;
}

using Evaluated = std::vector<std::optional<AttributeValue>>;

bool AreEqual(const std::optional<AttributeValue>& a, const std::optional<AttributeValue>& b) {
  return a && b && *a == *b;
}

bool HoldsComparison(const std::string& name, const Evaluated& operands) {
  if (name == "=") return AreEqual(operands[0], operands[1]);
  if (name == "<>") return !AreEqual(operands[0], operands[1]);
  if (!operands[0] || !operands[1]) return false;
  const std::optional<int> order = Compare(*operands[0], *operands[1]);
  if (!order) return false;
  if (name == "<") return *order < 0;
  if (name == "<=") return *order <= 0;
  if (name == ">") return *order > 0;
  return *order >= 0;
}

template <typename T>
bool HasMember(const AttributeValue& set, const AttributeValue& member) {
  using Set = internal::FlatSet<T>;
  const auto* members = set.get_if<Set>();
  const T* value = member.get_if<T>();
  return members != nullptr && value != nullptr && members->contains(*value);
}

bool Contains(const AttributeValue& whole, const AttributeValue& part) {
  if (const auto* text = whole.get_if<std::string>()) {
    const auto* sub = part.get_if<std::string>();
    return sub != nullptr && text->find(*sub) != text->npos;
  }
  if (const auto* binary = whole.get_if<Binary>()) {
    const auto* sub = part.get_if<Binary>();
    return sub != nullptr && binary->bytes.find(sub->bytes) != std::string::npos;
  }
  if (const auto* list = whole.get_if<List>()) {
    return std::find(list->begin(), list->end(), part) != list->end();
  }
  return HasMember<std::string>(whole, part) || HasMember<Number>(whole, part) ||
         HasMember<Binary>(whole, part);
}

bool BeginsWith(const AttributeValue& whole, const AttributeValue& start) {
  if (const auto* text = whole.get_if<std::string>()) {
    const auto* prefix = start.get_if<std::string>();
    return prefix != nullptr && text->starts_with(*prefix);
  }
  const auto* binary = whole.get_if<Binary>();
  const auto* prefix = start.get_if<Binary>();
  return binary != nullptr && prefix != nullptr && binary->bytes.starts_with(prefix->bytes);
}

bool HoldsFunction(const std::string& name, const Evaluated& operands) {
  if (name == "attribute_exists") return operands[0].has_value();
  if (name == "attribute_not_exists") return !operands[0].has_value();
  if (!operands[0] || !operands[1]) return false;
  if (name == "attribute_type") {
    return AttributeTypeName(operands[0]->type()) == *operands[1]->get_if<std::string>();
  }
  if (name == "begins_with") return BeginsWith(*operands[0], *operands[1]);
  return Contains(*operands[0], *operands[1]);
}

// The new value of an action's target. An empty outer optional means that the action is invalid. An
// empty inner optional means that the target is removed.
using Change = std::optional<std::optional<AttributeValue>>;
constexpr std::nullopt_t kImpossible = std::nullopt;

Change SetValue(const UpdateAction& action, const Item& old) {
  std::optional<AttributeValue> left = Evaluate(action.left, old);
  if (!left) left = action.left_default;
  if (!left) return kImpossible;
  if (action.source == UpdateAction::Source::kOperand) return Change(left);
  const std::optional<AttributeValue> right = Evaluate(action.right, old);
  if (!right) return kImpossible;
  if (action.source == UpdateAction::Source::kListAppend) {
    List* const list = left->get_if<List>();
    const List* const more = right->get_if<List>();
    if (list == nullptr || more == nullptr) return kImpossible;
    list->insert(list->end(), more->begin(), more->end());
    return Change(left);
  }
  const Number* const a = left->get_if<Number>();
  const Number* const b = right->get_if<Number>();
  if (a == nullptr || b == nullptr) return kImpossible;
  const bool plus = action.source == UpdateAction::Source::kPlus;
  const std::int64_t sum = *a->ToInt64() + (plus ? *b->ToInt64() : -*b->ToInt64());
  return Change(AttributeValue(sum));
}

// Calls `f` with both values as sets. Returns kImpossible if they are not sets of the same type.
template <typename F>
Change WithSets(const AttributeValue& a, const AttributeValue& b, F f) {
  if (auto *x = a.get_if<StringSet>(), *y = b.get_if<StringSet>(); x && y) return f(*x, *y);
  if (auto *x = a.get_if<NumberSet>(), *y = b.get_if<NumberSet>(); x && y) return f(*x, *y);
  if (auto *x = a.get_if<BinarySet>(), *y = b.get_if<BinarySet>(); x && y) return f(*x, *y);
  return kImpossible;
}

Change AddedValue(const std::optional<AttributeValue>& old, const AttributeValue& operand) {
  if (!old) return Change(operand);
  const Number* const a = old->get_if<Number>();
  const Number* const b = operand.get_if<Number>();
  if (a != nullptr && b != nullptr) return Change(AttributeValue(*a->ToInt64() + *b->ToInt64()));
  return WithSets(*old, operand, [](auto set, const auto& more) {
    for (const auto& member : more) set.insert(member);
    return Change(AttributeValue(set));
  });
}

Change ValueWithout(const std::optional<AttributeValue>& old, const AttributeValue& operand) {
  if (!old) return Change(std::optional<AttributeValue>());
  return WithSets(*old, operand, [](auto set, const auto& what) {
    for (const auto& member : what) set.erase(member);
    return set.empty() ? Change(std::optional<AttributeValue>()) : Change(AttributeValue(set));
  });
}

Change ChangeOf(const UpdateAction& action, const Item& old) {
  switch (action.section) {
    case UpdateAction::Section::kSet:
      return SetValue(action, old);
    case UpdateAction::Section::kRemove:
      return Change(std::optional<AttributeValue>());
    case UpdateAction::Section::kAdd:
      return AddedValue(Find(old, action.target), action.left.value);
    case UpdateAction::Section::kDelete:
      return ValueWithout(Find(old, action.target), action.left.value);
  }
  return kImpossible;
}

bool ApplyToMember(const Path& path, const std::optional<AttributeValue>& value, Item* item) {
  const auto attribute = item->find(path.attribute);
  Map* const map = attribute == item->end() ? nullptr : attribute->second.get_if<Map>();
  if (map == nullptr) return false;
  map->erase(*path.member);
  if (value) map->emplace(*path.member, *value);
  return true;
}

bool ApplyToElement(const Path& path, const std::optional<AttributeValue>& value, Item* item) {
  const auto attribute = item->find(path.attribute);
  List* const list = attribute == item->end() ? nullptr : attribute->second.get_if<List>();
  if (list == nullptr) return false;
  const bool exists = *path.index < list->size();
  if (value && exists) (*list)[*path.index] = *value;
  if (value && !exists) list->push_back(*value);
  if (!value && exists) list->erase(list->begin() + static_cast<std::ptrdiff_t>(*path.index));
  return true;
}

bool Apply(const Path& path, const std::optional<AttributeValue>& value, Item* item) {
  if (path.member) return ApplyToMember(path, value, item);
  if (path.index) return ApplyToElement(path, value, item);
  item->erase(path.attribute);
  if (value) item->emplace(path.attribute, *value);
  return true;
}

}  // namespace

std::optional<int> Compare(const AttributeValue& a, const AttributeValue& b) {
  const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  const auto bytes_less = [](const std::string& x, const std::string& y) {
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end(), [](char c, char d) {
      return static_cast<unsigned char>(c) < static_cast<unsigned char>(d);
    });
  };
  const auto bytes_sign = [&](const std::string& x, const std::string& y) {
    return bytes_less(x, y) ? -1 : bytes_less(y, x) ? 1 : 0;
  };
  if (auto *x = a.get_if<std::string>(), *y = b.get_if<std::string>(); x && y) {
    return bytes_sign(*x, *y);
  }
  if (auto *x = a.get_if<Binary>(), *y = b.get_if<Binary>(); x && y) {
    return bytes_sign(x->bytes, y->bytes);
  }
  if (auto *x = a.get_if<Number>(), *y = b.get_if<Number>(); x && y) {
    return sign(*x->ToInt64(), *y->ToInt64());
  }
  return std::nullopt;
}

bool Holds(const Condition& condition, const Item& item) {
  Evaluated operands;
  for (const Operand& operand : condition.operands) operands.push_back(Evaluate(operand, item));
  switch (condition.kind) {
    case Condition::Kind::kAnd:
      return Holds(condition.children[0], item) && Holds(condition.children[1], item);
    case Condition::Kind::kOr:
      return Holds(condition.children[0], item) || Holds(condition.children[1], item);
    case Condition::Kind::kNot:
      return !Holds(condition.children[0], item);
    case Condition::Kind::kCompare:
      return HoldsComparison(condition.name, operands);
    case Condition::Kind::kBetween:
      return HoldsComparison(">=", {operands[0], operands[1]}) &&
             HoldsComparison("<=", {operands[0], operands[2]});
    case Condition::Kind::kIn:
      return std::any_of(operands.begin() + 1, operands.end(),
                         [&](const auto& other) { return AreEqual(operands[0], other); });
    case Condition::Kind::kFunction:
      return HoldsFunction(condition.name, operands);
  }
  return false;
}

std::optional<Item> Updated(const std::vector<UpdateAction>& update, const Item& old, Item base) {
  using Step = std::pair<Path, std::optional<AttributeValue>>;
  std::vector<Step> sets;
  std::vector<Step> removals;
  for (const UpdateAction& action : update) {
    const Change change = ChangeOf(action, old);
    if (!change) return std::nullopt;
    (*change ? sets : removals).emplace_back(action.target, *change);
  }
  // SET appends new list elements in the order of their indexes. The indexes of REMOVE refer to the
  // list before the update, so the element with the highest index is removed first.
  const auto by_index = [](const Step& a, const Step& b) {
    return a.first.index.value_or(0) < b.first.index.value_or(0);
  };
  std::stable_sort(sets.begin(), sets.end(), by_index);
  std::stable_sort(removals.rbegin(), removals.rend(), by_index);
  for (const auto& [path, value] : sets) {
    if (!Apply(path, value, &base)) return std::nullopt;
  }
  for (const auto& [path, value] : removals) {
    // REMOVE ignores an index beyond the old list, even if SET has appended elements.
    if (path.index && Find(old, Path{path.attribute}) && !Find(old, path)) {
      if (!Find(old, Path{path.attribute})->get_if<List>()) return std::nullopt;
      continue;
    }
    if (!Apply(path, value, &base)) return std::nullopt;
  }
  return base;
}

Item Project(const std::vector<Path>& paths, const Item& item) {
  Item parts;
  std::set<std::pair<std::string, std::size_t>> elements;  // list elements by index
  for (const Path& path : paths) {
    const std::optional<AttributeValue> found = Find(item, path);
    if (!found) continue;
    if (path.member) {
      parts.emplace(path.attribute, Map())
          .first->second.get_if<Map>()
          ->emplace(*path.member, *found);
    } else if (path.index) {
      elements.emplace(path.attribute, *path.index);
    } else {
      parts.emplace(path.attribute, *found);
    }
  }
  for (const auto& [attribute, index] : elements) {
    List* const list = parts.emplace(attribute, List()).first->second.get_if<List>();
    list->push_back((*item.at(attribute).get_if<List>())[index]);
  }
  return parts;
}

}  // namespace dolmen::test
