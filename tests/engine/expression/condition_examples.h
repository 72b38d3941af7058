// Helpers for tests of conditions. They parse the text of a condition, bind it and evaluate it.

#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/expression/condition.h"
#include "engine/expression/syntax/condition_parser.h"
#include "tests/support/items.h"

namespace dolmen::engine {

// Parses, binds and evaluates a condition as a request does. Returns the result or the error.
inline Result<bool> Evaluate(const std::string& text, const Item& item, const Values& values = {},
                             const Names& names = {}) {
  const Result<ConditionSyntax> syntax = ParseCondition(text, ExpressionKind::kCondition);
  if (!syntax.ok()) return syntax.status();
  Result<Placeholders> placeholders =
      Placeholders::Make(names, values, {{ExpressionKind::kCondition, true}});
  if (!placeholders.ok()) return placeholders.status();
  const Result<Condition> condition =
      BindCondition(*syntax, ExpressionKind::kCondition, *placeholders);
  if (!condition.ok()) return condition.status();
  if (Status used = placeholders->CheckAllUsed(); !used.ok()) return used;
  const StoredItem stored = test::StoreItem(item);
  return condition->Evaluate(stored.view());
}

// Returns the error message for an invalid condition, without "Invalid ConditionExpression: ".
inline std::string Refusal(const std::string& text, const Values& values = {},
                           const Names& names = {}) {
  const std::string prefix = "Invalid ConditionExpression: ";
  const Status status = Evaluate(text, {}, values, names).status();
  EXPECT_THAT(status, test::StatusIs(StatusCode::kValidation, testing::StartsWith(prefix))) << text;
  return status.message().substr(std::min(prefix.size(), status.message().size()));
}

struct ConditionExample {
  const char* text;
  Item item;
  Values values;
  bool expected;
};

// Checks that each condition has the expected result for its item.
inline void Check(const std::vector<ConditionExample>& examples) {
  for (const ConditionExample& example : examples) {
    EXPECT_THAT(Evaluate(example.text, example.item, example.values),
                test::IsOkAndHolds(example.expected))
        << example.text << " of " << test::StoreItem(example.item).ToString();
  }
}

inline constexpr bool kYes = true;
inline constexpr bool kNo = false;

}  // namespace dolmen::engine
