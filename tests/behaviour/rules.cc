#include "tests/behaviour/rules.h"

#include <string_view>

namespace dolmen::behaviour {
namespace {

using test::B;

constexpr ExpressionKind kConditionKinds[] = {ExpressionKind::kCondition, ExpressionKind::kFilter};

std::string InvalidExpression(ExpressionKind kind, const std::string& error) {
  return "Invalid " + std::string(ExpressionKindName(kind)) + ": " + error;
}

// Returns the placeholders that occur in the text.
template <typename Placeholders>
Placeholders UsedIn(const std::string& text, const Placeholders& all) {
  Placeholders used;
  for (const auto& [token, meaning] : all) {
    if (text.find(token) != text.npos) used.emplace(token, meaning);
  }
  return used;
}

// Returns the values that the key conditions of rules use.
Values KeyValues(const std::string& condition, const std::string& pk) {
  return UsedIn<Values>(condition, {{":p", pk},
                                    {":a", "a"},
                                    {":b", "b"},
                                    {":c", "c"},
                                    {":n", 7},
                                    {":e", ""},
                                    {":t", "S"},
                                    {":x", B("a")},
                                    {":y", B("")},
                                    {":z", false},
                                    {":l", List{""}},
                                    {":s", StringSet{"a"}}});
}

Names KeyNames(const std::string& condition) {
  return UsedIn<Names>(condition, {{"#p", "PK"}, {"#s", "SK"}, {"#d", "a.b"}});
}

std::vector<std::unique_ptr<Driver>> MakeDrivers(const Database& database, const std::string& table,
                                                 const std::string& pk) {
  std::vector<std::unique_ptr<Driver>> drivers;
  drivers.push_back(MakeApiDriver(*database.OpenTable(table), pk));
  drivers.push_back(MakeWireDriver(database, table, pk));
  return drivers;
}

}  // namespace

RulesTest::RulesTest(const std::string& table) : drivers_(MakeDrivers(database(), table, pk())) {}

template <typename Row, typename Check>
void RulesTest::ForEach(std::initializer_list<Row> rows, Check check) const {
  for (const auto& driver : drivers_) {
    for (const Row& row : rows) {
      SCOPED_TRACE(driver->name() + ": " + row.text);
      check(*driver, row);
    }
  }
}

void RulesTest::CheckConditions(std::initializer_list<ConditionRule> rules) const {
  ForEach(rules, [&](Driver& driver, const ConditionRule& rule) {
    driver.Put(With(rule.item));
    for (const ExpressionKind kind : kConditionKinds) {
      EXPECT_THAT(driver.Holds(kind, {rule.text, rule.values, rule.names}),
                  IsOkAndHolds(rule.holds));
    }
  });
}

void RulesTest::CheckRefusedConditions(std::initializer_list<ConditionRefusal> refusals) const {
  ForEach(refusals, [&](Driver& driver, const ConditionRefusal& refusal) {
    driver.Put(Key());
    for (const ExpressionKind kind : kConditionKinds) {
      EXPECT_THAT(driver.Holds(kind, {refusal.text, refusal.values, refusal.names}),
                  IsInvalid(InvalidExpression(kind, refusal.error)));
    }
    EXPECT_EQ(driver.Get(), Key());
  });
}

void RulesTest::CheckRefusedPlaceholders(std::initializer_list<PlaceholderRefusal> refusals) const {
  ForEach(refusals, [&](Driver& driver, const PlaceholderRefusal& refusal) {
    driver.Put(Key());
    for (const ExpressionKind kind : kConditionKinds) {
      EXPECT_THAT(driver.Holds(kind, {refusal.text, refusal.values, refusal.names}),
                  IsInvalid(refusal.error));
    }
    EXPECT_EQ(driver.Get(), Key());
  });
}

void RulesTest::CheckUpdates(std::initializer_list<UpdateRule> rules) const {
  ForEach(rules, [&](Driver& driver, const UpdateRule& rule) {
    driver.Put(With(rule.item));
    EXPECT_THAT(driver.Update({rule.text, rule.values, rule.names}), IsOk());
    EXPECT_EQ(driver.Get(), With(rule.becomes));
  });
}

void RulesTest::CheckCreatingUpdates(std::initializer_list<UpdateRule> rules) const {
  ForEach(rules, [&](Driver& driver, const UpdateRule& rule) {
    driver.Delete();
    EXPECT_THAT(driver.Update({rule.text, rule.values, rule.names}), IsOk());
    EXPECT_EQ(driver.Get(), With(rule.becomes));
  });
}

void RulesTest::CheckRefusedUpdates(std::initializer_list<UpdateRefusal> refusals) const {
  ForEach(refusals, [&](Driver& driver, const UpdateRefusal& refusal) {
    driver.Put(With(refusal.item));
    EXPECT_THAT(driver.Update({refusal.text, refusal.values, refusal.names}),
                IsInvalid(refusal.error));
    EXPECT_EQ(driver.Get(), With(refusal.item));
  });
}

void RulesTest::CheckProjections(std::initializer_list<ProjectionRule> rules) const {
  ForEach(rules, [&](Driver& driver, const ProjectionRule& rule) {
    driver.Put(With(rule.item));
    EXPECT_THAT(driver.Project({rule.text, {}, rule.names}), IsOkAndHolds(rule.leaves));
  });
}

void RulesTest::CheckRefusedProjections(std::initializer_list<ProjectionRefusal> refusals) const {
  ForEach(refusals, [&](Driver& driver, const ProjectionRefusal& refusal) {
    driver.Put(Key());
    EXPECT_THAT(driver.Project({refusal.text, {}, refusal.names}), IsInvalid(refusal.error));
  });
}

void RulesTest::PutAll(const std::vector<Item>& items) const {
  for (const auto& driver : drivers_) {
    for (const Item& item : items) driver->Put(item);
  }
}

void RulesTest::CheckKeyConditions(std::initializer_list<KeyConditionRule> rules) const {
  ForEach(rules, [&](Driver& driver, const KeyConditionRule& rule) {
    EXPECT_THAT(
        driver.Select({rule.text, KeyValues(rule.text, pk()), KeyNames(rule.text)}, rule.index),
        IsOkAndHolds(rule.selects));
  });
}

void RulesTest::CheckRefusedKeyConditions(
    std::initializer_list<KeyConditionRefusal> refusals) const {
  ForEach(refusals, [&](Driver& driver, const KeyConditionRefusal& refusal) {
    EXPECT_THAT(driver.Select({refusal.text, KeyValues(refusal.text, pk()), KeyNames(refusal.text)},
                              refusal.index),
                IsInvalid(refusal.error));
  });
}

const Map& OfEveryType() {
  static const Map* const kValues = new Map{{"S", "x"},           {"N", 1},
                                            {"B", Binary{"x"}},   {"BOOL", true},
                                            {"NULL", nullptr},    {"M", Map{{"x", 1}}},
                                            {"L", List{"x"}},     {"SS", StringSet{"x"}},
                                            {"NS", NumberSet{1}}, {"BS", BinarySet{Binary{"x"}}}};
  return *kValues;
}

}  // namespace dolmen::behaviour
