// Tests of random updates of random items. An update of whole attributes must give the same bytes,
// or the same error, on the stored bytes as on the decoded item. tests/model compares the results of
// random updates with a reference.

#include <gmock/gmock.h>

#include <map>
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
    values_.clear();
    sections_.clear();
  }

  // Adds a random action on the attribute `target`.
  void AddAction(const std::string& target) {
    switch (random_.Below(5)) {
      case 0:
        return Add("REMOVE", target);
      case 1:
        return Add("ADD",
                   target + " " +
                       Placeholder(random_.OneIn(2) ? AttributeValue(SomeNumber()) : SomeSet()));
      case 2:
        return Add("DELETE", target + " " + Placeholder(SomeSet()));
      default:
        return Add("SET", target + " = " + SomeResult());
    }
  }

  // Returns the right side of a random SET action.
  std::string SomeResult() {
    switch (random_.Below(4)) {
      case 0:
        return SomeOperand([&] { return SomeValue(); });
      case 1: {
        const auto number = [&] { return SomeNumber(); };
        const std::string left = SomeOperand(number);
        return left + (random_.OneIn(2) ? " + " : " - ") + SomeOperand(number);
      }
      case 2: {
        const auto list = [&] { return List{SomeValue(1), SomeValue(1)}; };
        const std::string first = SomeOperand(list);
        return "list_append(" + first + ", " + SomeOperand(list) + ")";
      }
      default:
        return "if_not_exists(" + Path() + ", " + Placeholder(SomeValue()) + ")";
    }
  }

  void Add(const std::string& section, const std::string& text) {
    std::string& actions = sections_[section];
    actions += (actions.empty() ? section + " " : ", ") + text;
  }

  std::string Placeholder(const AttributeValue& value) {
    std::string token = ":v" + std::to_string(values_.size());
    values_.emplace(token, value);
    return token;
  }

  // Returns the name of an attribute, or the path of a member of a map.
  std::string Path() {
    const std::string name = Name();
    const auto found = item_.find(name);
    const Map* const map = found == item_.end() ? nullptr : found->second.get_if<Map>();
    if (map == nullptr || map->empty() || random_.OneIn(2)) return name;
    return name + "." + map->begin()->first;
  }

  template <typename Literal>
  std::string SomeOperand(Literal literal) {
    return random_.OneIn(2) ? Path() : Placeholder(literal());
  }

  std::string Text() const {
    std::string text;
    for (const auto& [section, actions] : sections_) text += actions + " ";
    return text;
  }

  Item item_;
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
    if (!on_bytes.ok()) continue;
    ++succeeded;
    const Result<ItemView> result = ItemView::Parse(std::string_view(from_bytes).substr(5));
    ASSERT_THAT(result, IsOk());
    ASSERT_THAT(result->Check(), IsOk());
  }
  EXPECT_GT(succeeded, 0u);
}

}  // namespace
}  // namespace dolmen::engine
