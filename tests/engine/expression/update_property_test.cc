// Tests of random updates of random items. An update of whole attributes must give the same bytes,
// or the same error, on the stored bytes as on the decoded item. The test computes the expected
// item itself, with a simple evaluation of decoded values.

#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/expression/update_evaluator.h"
#include "engine/value/codec.h"
#include "tests/engine/expression/bound_update.h"
#include "tests/support/random.h"

namespace dolmen::engine {
namespace {

using test::B;
using test::IsOk;
using test::N;

constexpr std::size_t kUpdates = 20'000;

// The outcome of an action on its target. The outer optional is empty if the action must fail. The
// inner optional holds the new value of the target, and is empty if the action removes the target.
using Outcome = std::optional<std::optional<AttributeValue>>;
const Outcome kFails;

// An operand of a SET action. `value` is empty if the operand is a path that does not exist.
struct Operand {
  std::string text;
  std::optional<AttributeValue> value;
};

const Number* NumberIn(const std::optional<AttributeValue>& value) {
  return value ? value->get_if<Number>() : nullptr;
}

Outcome Sum(const Number* a, const Number* b, bool plus) {
  if (a == nullptr || b == nullptr) return kFails;
  const Result<Number> sum = plus ? Number::Add(*a, *b) : Number::Subtract(*a, *b);
  return sum.ok() ? Outcome(AttributeValue(*sum)) : kFails;
}

Outcome Joined(const std::optional<AttributeValue>& a, const std::optional<AttributeValue>& b) {
  const List* const first = a ? a->get_if<List>() : nullptr;
  const List* const second = b ? b->get_if<List>() : nullptr;
  if (first == nullptr || second == nullptr) return kFails;
  List all = *first;
  all.insert(all.end(), second->begin(), second->end());
  return Outcome(AttributeValue(all));
}

// Returns f(x, y) for the sets in `a` and `b`.
template <typename F>
Outcome OfSets(const AttributeValue& a, const AttributeValue& b, F f) {
  if (auto *x = a.get_if<StringSet>(), *y = b.get_if<StringSet>(); x && y) return f(*x, *y);
  if (auto *x = a.get_if<NumberSet>(), *y = b.get_if<NumberSet>(); x && y) return f(*x, *y);
  if (auto *x = a.get_if<BinarySet>(), *y = b.get_if<BinarySet>(); x && y) return f(*x, *y);
  return kFails;
}

Outcome Added(const std::optional<AttributeValue>& old, const AttributeValue& operand) {
  if (!old) return Outcome(operand);
  if (NumberIn(old) && NumberIn(operand)) return Sum(NumberIn(old), NumberIn(operand), true);
  return OfSets(*old, operand, [](auto set, const auto& more) {
    set.insert(more.begin(), more.end());
    return Outcome(AttributeValue(set));
  });
}

Outcome Without(const std::optional<AttributeValue>& old, const AttributeValue& operand) {
  if (!old) return Outcome(std::optional<AttributeValue>());
  return OfSets(*old, operand, [](auto set, const auto& members) {
    for (const auto& member : members) set.erase(member);
    return set.empty() ? Outcome(std::optional<AttributeValue>()) : Outcome(AttributeValue(set));
  });
}

class UpdatePropertyTest : public test::SeededTest {
 protected:
  // Some names are prefixes of other names, so that an error in the order of the attributes is
  // visible.
  static inline const std::vector<std::string> kNames = {"a", "aa", "ab", "b", "c", "ca", "z"};

  std::string Name() { return random_.Pick(kNames); }

  Number SomeNumber() {
    if (random_.OneIn(8)) return N("9.9999999999999999999999999999999999999E+125");
    if (random_.OneIn(8)) return N("-0.00012345678901234567890123456789");
    return random_.Between(-300, 300);
  }
  // Most texts are short. A few have lengths whose varints have different numbers of bytes.
  std::string SomeText() {
    static const std::vector<std::size_t> kLengths = {0, 1, 2, 3, 127, 128, 16'384};
    return std::string(random_.OneIn(10) ? random_.Pick(kLengths) : random_.Below(4),
                       static_cast<char>('a' + random_.Below(3)));
  }
  template <typename Set, typename Member>
  Set SetOf(Member member) {
    Set set;
    for (std::size_t count = 1 + random_.Below(4); count > 0; --count) set.insert(member());
    return set;
  }
  AttributeValue SomeSet() {
    switch (random_.Below(3)) {
      case 0:
        return SetOf<StringSet>([&] { return SomeText(); });
      case 1:
        return SetOf<NumberSet>([&] { return Number(random_.Between(-3, 3)); });
      default:
        return SetOf<BinarySet>([&] { return B(SomeText()); });
    }
  }
  AttributeValue SomeValue(int depth = 0) {
    switch (random_.Below(depth < 3 ? 9 : 6)) {
      case 0:
        return SomeText();
      case 1:
        return B(SomeText());
      case 2:
        return random_.OneIn(2);
      case 3:
        return nullptr;
      case 4:
        return SomeNumber();
      case 5:
      case 6:
        return SomeSet();
      case 7: {
        List list;
        for (std::size_t n = random_.Below(4); n > 0; --n) list.push_back(SomeValue(depth + 1));
        return list;
      }
      default: {
        Map map;
        for (std::size_t n = random_.Below(4); n > 0; --n)
          map.emplace(Name(), SomeValue(depth + 1));
        return map;
      }
    }
  }
  // Returns a random item. Some items have more than 127 attributes, so that the stored number of
  // attributes takes two bytes as a varint.
  Item SomeItem() {
    Item item;
    for (std::size_t count = random_.Below(6); count > 0; --count)
      item.emplace(Name(), SomeValue());
    if (random_.OneIn(10)) {
      for (std::size_t i = 0; i < 125; ++i) item.emplace("n" + std::to_string(i), 1);
    }
    return item;
  }

  // Sets item_ to a new item, and begins a new update.
  void Begin() {
    item_ = SomeItem();
    after_ = item_;
    values_.clear();
    sections_.clear();
  }

  // Adds a random action on the attribute `target`.
  void AddAction(const std::string& target) {
    switch (random_.Below(5)) {
      case 0:
        return Add("REMOVE", target, std::optional<AttributeValue>());
      case 1: {
        const AttributeValue operand = random_.OneIn(2) ? AttributeValue(SomeNumber()) : SomeSet();
        return Add("ADD", target + " " + Placeholder(operand), Added(Find(target), operand));
      }
      case 2: {
        const AttributeValue operand = SomeSet();
        return Add("DELETE", target + " " + Placeholder(operand), Without(Find(target), operand));
      }
      default:
        return AddSet(target);
    }
  }

  void AddSet(const std::string& target) {
    const std::string start = target + " = ";
    switch (random_.Below(4)) {
      case 0: {
        const Operand operand = SomeOperand([&] { return SomeValue(); });
        return Add("SET", start + operand.text, operand.value ? Outcome(operand.value) : kFails);
      }
      case 1: {
        const auto number = [&] { return SomeNumber(); };
        const Operand a = SomeOperand(number);
        const Operand b = SomeOperand(number);
        const bool plus = random_.OneIn(2);
        return Add("SET", start + a.text + (plus ? " + " : " - ") + b.text,
                   Sum(NumberIn(a.value), NumberIn(b.value), plus));
      }
      case 2: {
        const auto list = [&] { return List{SomeValue(1), SomeValue(1)}; };
        const Operand a = SomeOperand(list);
        const Operand b = SomeOperand(list);
        return Add("SET", start + "list_append(" + a.text + ", " + b.text + ")",
                   Joined(a.value, b.value));
      }
      default: {
        const Operand path = Path();
        const AttributeValue otherwise = SomeValue();
        return Add("SET",
                   start + "if_not_exists(" + path.text + ", " + Placeholder(otherwise) + ")",
                   path.value ? Outcome(path.value) : Outcome(otherwise));
      }
    }
  }

  // Adds the action to the update and applies its outcome to after_, the expected item. Every
  // action of an update reads the old item, so no outcome depends on an earlier action.
  void Add(const std::string& section, const std::string& text, const Outcome& outcome) {
    std::string& actions = sections_[section];
    actions += (actions.empty() ? section + " " : ", ") + text;
    const std::string target = text.substr(0, text.find(' '));
    if (!outcome) after_.reset();
    if (!after_) return;
    after_->erase(target);
    if (*outcome) after_->emplace(target, **outcome);
  }

  std::string Placeholder(const AttributeValue& value) {
    std::string token = ":v" + std::to_string(values_.size());
    values_.emplace(token, value);
    return token;
  }

  std::optional<AttributeValue> Find(const std::string& name) const {
    const auto found = item_.find(name);
    return found == item_.end() ? std::nullopt : std::optional(found->second);
  }

  Operand Path() {
    const std::string name = Name();
    const std::optional<AttributeValue> value = Find(name);
    const Map* const map = value ? value->get_if<Map>() : nullptr;
    if (map == nullptr || map->empty() || random_.OneIn(2)) return {name, value};
    return {name + "." + map->begin()->first, map->begin()->second};
  }

  template <typename Literal>
  Operand SomeOperand(Literal literal) {
    if (random_.OneIn(2)) return Path();
    const AttributeValue value = literal();
    return {Placeholder(value), value};
  }

  std::string Text() const {
    std::string text;
    for (const auto& [section, actions] : sections_) text += actions + " ";
    return text;
  }

  Item item_;
  std::optional<Item> after_;  // the item that the update must give; nothing if it must fail
  Values values_;
  std::map<std::string, std::string> sections_;
};

TEST_F(UpdatePropertyTest, BytesAndDecodedItemsGiveTheSameResult) {
  std::size_t succeeded = 0;
  for (std::size_t i = test::TestSteps(kUpdates); i > 0; --i) {
    Begin();
    for (const std::string& target : kNames) {
      if (random_.OneIn(3)) AddAction(target);
    }
    if (sections_.empty()) continue;
    SCOPED_TRACE(Text());
    const BoundUpdate update(Text(), values_, {});
    ASSERT_THAT(update.status(), IsOk());
    const StoredItem stored = test::StoreItem(item_);
    const ItemView old = stored.view();
    std::string from_bytes = "start";
    std::string from_item = "start";
    const Status on_bytes = UpdateEvaluator(*update, old).ApplyToBytes(&from_bytes);
    const Status on_item = UpdateEvaluator(*update, old).ApplyToItem(&from_item);
    ASSERT_EQ(on_bytes.ToString(), on_item.ToString());
    ASSERT_EQ(from_bytes, from_item);
    ASSERT_EQ(on_bytes.ok(), after_.has_value()) << on_bytes.ToString();
    if (!after_) continue;
    ++succeeded;
    const Result<ItemView> result = ItemView::Parse(std::string_view(from_bytes).substr(5));
    ASSERT_THAT(result, IsOk());
    ASSERT_THAT(result->Check(), IsOk());
    const StoredItem expected = test::StoreItem(*after_);
    ASSERT_EQ(result->bytes(), expected.view().bytes());
  }
  EXPECT_GT(succeeded, 0u);
}

}  // namespace
}  // namespace dolmen::engine
