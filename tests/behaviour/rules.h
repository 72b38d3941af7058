// A fixture for rules that are written as tables. Each row is an item, an expression on the item,
// and the result. The checks use the public API.

#pragma once

#include <initializer_list>
#include <string>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {

inline const std::string kInvalidValue = "One or more parameter values were invalid: ";

inline constexpr bool kHolds = true;
inline constexpr bool kFails = false;

// A condition, an item's attributes, and the expected result of the condition for this item.
struct ConditionRule {
  std::string condition;
  Map item;
  Values values;
  bool holds;
  Names names = {};
};

// A condition that is rejected for every item.
struct ConditionRefusal {
  std::string condition;
  Values values;
  std::string error;  // follows "Invalid ConditionExpression: " or "Invalid FilterExpression: "
  Names names = {};
};

// An update, an item's attributes, and the expected attributes after the update.
struct UpdateRule {
  std::string update;
  Map item;
  Values values;
  Map becomes;
  Names names = {};
};

// An update that is rejected and changes nothing.
struct UpdateRefusal {
  std::string update;
  Map item;
  Values values;
  std::string error;  // the whole message
  Names names = {};
};

// A projection, an item's attributes, and the attributes that the projection must return.
struct ProjectionRule {
  std::string projection;
  Map item;
  Map leaves;
  Names names = {};
};

class RulesTest : public OneItemTest {
 protected:
  // Checks each condition as the ConditionExpression of a write and as the FilterExpression of a
  // Query.
  void CheckConditions(std::initializer_list<ConditionRule> rules) const {
    for (const ConditionRule& rule : rules) {
      SCOPED_TRACE(rule.condition);
      PutWith(rule.item);
      const auto written = table().UpdateItem(
          {.key = Key(), .condition = rule.condition, .names = rule.names, .values = rule.values});
      if (rule.holds) {
        EXPECT_THAT(written, IsOk());
      } else {
        EXPECT_THAT(written, FailsCondition());
      }
      const auto page = table().Query({.key_condition = Partition(pk()),
                                       .filter = rule.condition,
                                       .names = rule.names,
                                       .values = rule.values});
      EXPECT_THAT(page, IsOk());
      EXPECT_EQ(page.ok() && page->count() == 1, rule.holds);
    }
  }

  void CheckRefusedConditions(std::initializer_list<ConditionRefusal> refusals) const {
    const Item before = Get(Key());
    for (const ConditionRefusal& refusal : refusals) {
      SCOPED_TRACE(refusal.condition);
      EXPECT_THAT(PutIf(refusal.condition, refusal.values, refusal.names),
                  IsInvalid("Invalid ConditionExpression: " + refusal.error));
      EXPECT_THAT(table().Query({.key_condition = Partition(pk()),
                                 .filter = refusal.condition,
                                 .names = refusal.names,
                                 .values = refusal.values}),
                  IsInvalid("Invalid FilterExpression: " + refusal.error));
    }
    EXPECT_EQ(Get(Key()), before);
  }

  void CheckUpdates(std::initializer_list<UpdateRule> rules) const {
    for (const UpdateRule& rule : rules) {
      SCOPED_TRACE(rule.update);
      PutWith(rule.item);
      EXPECT_THAT(Update(rule.update, rule.values, rule.names), IsOk());
      EXPECT_EQ(Attributes(), rule.becomes);
    }
  }

  void CheckRefusedUpdates(std::initializer_list<UpdateRefusal> refusals) const {
    for (const UpdateRefusal& refusal : refusals) {
      SCOPED_TRACE(refusal.update);
      PutWith(refusal.item);
      EXPECT_THAT(Update(refusal.update, refusal.values, refusal.names), IsInvalid(refusal.error));
      EXPECT_EQ(Attributes(), refusal.item);
    }
  }

  // Checks each projection in GetItem and in Query.
  void CheckProjections(std::initializer_list<ProjectionRule> rules) const {
    for (const ProjectionRule& rule : rules) {
      SCOPED_TRACE(rule.projection);
      PutWith(rule.item);
      const auto got =
          table().GetItem({.key = Key(), .projection = rule.projection, .names = rule.names});
      ASSERT_THAT(got, IsOk());
      ASSERT_TRUE(got->item);
      EXPECT_THAT(got->item->Copy(), IsOkAndHolds(rule.leaves));
      const auto page = table().Query(
          {.key_condition = Partition(pk()), .projection = rule.projection, .names = rule.names});
      ASSERT_THAT(page, IsOk());
      ASSERT_EQ(page->size(), 1u);
      EXPECT_THAT((*page)[0].Copy(), IsOkAndHolds(rule.leaves));
    }
  }

  // Returns the message of a syntax error. DynamoDB does not document how much text follows "near".
  // Dolmen quotes the wrong token and the tokens beside it (unverified).
  static std::string SyntaxError(const std::string& token, const std::string& near) {
    return "Syntax error; token: \"" + token + "\", near: \"" + near + "\"";
  }
};

// Returns a map from the name of each type, such as "BOOL", to a value of this type.
inline const Map& OfEveryType() {
  static const Map* const kValues = new Map{{"S", "x"},           {"N", 1},
                                            {"B", Binary{"x"}},   {"BOOL", true},
                                            {"NULL", nullptr},    {"M", Map{{"x", 1}}},
                                            {"L", List{"x"}},     {"SS", StringSet{"x"}},
                                            {"NS", NumberSet{1}}, {"BS", BinarySet{Binary{"x"}}}};
  return *kValues;
}

}  // namespace dolmen::behaviour
