// Tests of FlatMap and FlatSet against std::map and std::set.

#include "dolmen/internal/flat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/operations.h"
#include "tests/support/random.h"

namespace dolmen::internal {
namespace {

using testing::ElementsAre;
using testing::Pair;

// Random keys are few, so that operations often meet a key that exists.
constexpr std::size_t kKeys = 40;

class FlatMapRandomTest : public test::SeededTest {
 protected:
  std::string RandomKey() { return "key" + std::to_string(random_.Below(kKeys)); }
  std::vector<std::pair<std::string, std::string>> RandomElements() {
    std::vector<std::pair<std::string, std::string>> elements(random_.Below(8));
    for (auto& [key, value] : elements) {
      key = RandomKey();
      value = std::to_string(random_.Below(1000));
    }
    return elements;
  }

  // Does one random operation on both maps, and expects the same outcome.
  void ChangeBoth(Names* flat, std::map<std::string, std::string>* model) {
    const std::string key = RandomKey();
    const std::string value = std::to_string(random_.Below(1000));
    switch (random_.Below(9)) {
      case 0: {
        const auto [at, added] = flat->insert({key, value});
        EXPECT_EQ(added, model->insert({key, value}).second);
        EXPECT_EQ(*at, (Names::value_type{key, model->at(key)}));
        break;
      }
      case 1: {  // a wrong hint must do no harm
        const auto hint =
            flat->cbegin() + static_cast<std::ptrdiff_t>(random_.Below(flat->size() + 1));
        const auto at = flat->insert(hint, {key, value});
        model->insert({key, value});
        EXPECT_EQ(*at, (Names::value_type{key, model->at(key)}));
        break;
      }
      case 2:
        EXPECT_EQ(flat->insert_or_assign(key, value).second,
                  model->insert_or_assign(key, value).second);
        break;
      case 3:
        EXPECT_EQ(flat->try_emplace(key, value).second, model->try_emplace(key, value).second);
        break;
      case 4:
        EXPECT_EQ(flat->emplace(key, value).second, model->emplace(key, value).second);
        break;
      case 5:
        EXPECT_EQ(flat->erase(key), model->erase(key));
        break;
      case 6: {
        const auto at = flat->find(key);
        const auto in_model = model->find(key);
        ASSERT_EQ(at == flat->end(), in_model == model->end());
        if (at == flat->end()) break;
        const auto next = flat->erase(at);
        const auto next_in_model = model->erase(in_model);
        ASSERT_EQ(next == flat->cend(), next_in_model == model->end());
        if (next == flat->cend()) break;
        EXPECT_EQ(next->first, next_in_model->first);
        break;
      }
      case 7: {
        const auto elements = RandomElements();
        flat->insert(elements.begin(), elements.end());
        model->insert(elements.begin(), elements.end());
        break;
      }
      default:
        (*flat)[key] = value;
        (*model)[key] = value;
    }
  }

  // Expects that both maps have the same elements and give the same answers.
  void ExpectEqual(const Names& flat, const std::map<std::string, std::string>& model) {
    ASSERT_EQ(flat.size(), model.size());
    EXPECT_TRUE(std::equal(flat.begin(), flat.end(), model.begin(), [](auto& a, auto& b) {
      return a.first == b.first && a.second == b.second;
    }));
    const std::string key = RandomKey();
    EXPECT_EQ(flat.contains(key), model.contains(key));
    EXPECT_EQ(flat.count(std::string_view(key)), model.count(key));
    EXPECT_EQ(flat.find(key) - flat.begin(), flat.contains(key) ? Rank(model, key) : Size(flat));
    EXPECT_EQ(flat.lower_bound(key.c_str()) - flat.begin(), Rank(model, key));
  }

 private:
  static std::ptrdiff_t Rank(const std::map<std::string, std::string>& model,
                             const std::string& key) {
    return std::distance(model.begin(), model.lower_bound(key));
  }
  static std::ptrdiff_t Size(const Names& flat) { return static_cast<std::ptrdiff_t>(flat.size()); }
};

TEST_F(FlatMapRandomTest, AMapDoesWhatStdMapDoes) {
  Names flat;
  std::map<std::string, std::string> model;
  for (std::size_t step = 0; step < test::TestSteps(5000) && !HasFailure(); ++step) {
    if (random_.OneIn(200)) {
      const auto elements = RandomElements();
      flat = Names(elements.begin(), elements.end());
      model = {elements.begin(), elements.end()};
    }
    ChangeBoth(&flat, &model);
    ExpectEqual(flat, model);
  }
}

TEST_F(FlatMapRandomTest, ASetDoesWhatStdSetDoes) {
  StringSet flat;
  std::set<std::string> model;
  for (std::size_t step = 0; step < test::TestSteps(5000) && !HasFailure(); ++step) {
    const std::string key = RandomKey();
    if (random_.OneIn(2)) {
      const auto [at, added] = flat.insert(key);
      EXPECT_EQ(added, model.insert(key).second);
      EXPECT_EQ(*at, key);
    } else if (random_.OneIn(4)) {
      const auto hint = flat.begin() + static_cast<std::ptrdiff_t>(random_.Below(flat.size() + 1));
      EXPECT_EQ(*flat.insert(hint, key), key);
      model.insert(key);
    } else {
      EXPECT_EQ(flat.erase(key), model.erase(key));
    }
    EXPECT_TRUE(std::equal(flat.begin(), flat.end(), model.begin(), model.end()));
    EXPECT_TRUE(std::equal(flat.rbegin(), flat.rend(), model.rbegin(), model.rend()));
    EXPECT_EQ(flat.lower_bound(key) - flat.begin(),
              std::distance(model.begin(), model.lower_bound(key)));
  }
}

TEST(FlatMapTest, TheFirstOfEqualKeysWins) {
  const Names names = {{"b", "1"}, {"a", "2"}, {"b", "3"}, {"a", "4"}, {"c", "5"}};
  EXPECT_THAT(names, ElementsAre(Pair("a", "2"), Pair("b", "1"), Pair("c", "5")));
  Names more = {{"b", "0"}};
  more.insert({{"c", "1"}, {"b", "2"}, {"a", "3"}, {"c", "4"}});
  EXPECT_THAT(more, ElementsAre(Pair("a", "3"), Pair("b", "0"), Pair("c", "1")));
  EXPECT_THAT((StringSet{"b", "a", "b", "a"}), ElementsAre("a", "b"));
}

TEST(FlatMapTest, KeysSortByTheirUnsignedBytes) {
  using namespace std::string_literals;
  const StringSet set = {"\xff", "a", "", "a\0b"s, "\x80", "ab"};
  EXPECT_THAT(set, ElementsAre("", "a", "a\0b"s, "ab", "\x80", "\xff"));
}

TEST(FlatMapTest, FromSortedKeepsTheElements) {
  EXPECT_EQ(Names::FromSorted({{"a", "1"}, {"b", "2"}}), (Names{{"b", "2"}, {"a", "1"}}));
  EXPECT_EQ(StringSet::FromSorted({"a", "b"}), (StringSet{"b", "a"}));
  EXPECT_TRUE(Names::FromSorted({}).empty());
}

TEST(FlatMapTest, SubscriptAddsADefaultValueAndAtDoesNot) {
  Map map;
  map["n"] = 1;
  map["nothing"];
  EXPECT_EQ(map, (Map{{"n", 1}, {"nothing", nullptr}}));
  map.at("n") = 2;
  EXPECT_EQ(std::as_const(map).at("n"), 2);
}

TEST(FlatMapDeathTest, ReadingAMissingKeyPrintsTheKeyAndAborts) {
  const Map map = {{"a", 1}};
  EXPECT_EXIT(map.at("missing").type(), testing::KilledBySignal(SIGABRT),
              "missing key \"missing\"");
}

TEST(FlatMapTest, TheArgumentMayBeAnElementOfTheMap) {
  Map map = {{"a", 1}, {"b", 2}, {"c", 3}};
  EXPECT_EQ(map.erase(map.begin()->first), 1U);
  map.insert_or_assign("0", map.at("c"));
  EXPECT_EQ(map, (Map{{"0", 3}, {"b", 2}, {"c", 3}}));
}

TEST(FlatMapTest, AMovedMapLeavesNoElementBehind) {
  Map map = {{"a", 1}, {"b", Map{{"c", 2}}}};
  const Map moved = std::move(map);
  map.clear();
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(moved, (Map{{"a", 1}, {"b", Map{{"c", 2}}}}));
}

}  // namespace
}  // namespace dolmen::internal
