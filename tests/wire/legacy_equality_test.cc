// Tests that a legacy parameter does the same as the equivalent expression, on random items.

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random.h"
#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

using test::Random;
using test::TestSeed;
using test::TestSteps;

using Texts = std::vector<std::string>;

// A small set of attributes and values, so that conditions often match items.
const Texts kAttributes = {"a", "b", "c", "size"};
const Texts kScalars = {R"({"N":"1"})", R"({"N":"2.5"})",  R"({"S":"a"})",   R"({"S":"ab"})",
                        R"({"S":""})",  R"({"B":"YQ=="})", R"({"B":"YWI="})"};
const Texts kSets = {R"({"SS":["a","b"]})", R"({"SS":["a"]})", R"({"NS":["1","3"]})",
                     R"({"BS":["YQ=="]})"};
const Texts kOthers = {R"({"L":[{"S":"a"},{"N":"1"}]})", R"({"L":[]})", R"({"M":{"k":{"S":"a"}}})",
                       R"({"BOOL":true})", R"({"NULL":true})"};

// A condition or update, as a legacy parameter and as an equivalent expression.
struct Pair {
  std::string legacy = {};
  std::string expression = {};
  std::string names = {};
  std::string values = {};

  void AddName(const std::string& placeholder, const std::string& name) {
    names += (names.empty() ? "" : ",") + ("\"#" + placeholder) + "\":\"" + name + '"';
  }
  std::string AddValue(const std::string& placeholder, const std::string& value) {
    values += (values.empty() ? "" : ",") + ("\":" + placeholder) + "\":" + value;
    return ":" + placeholder;
  }
  // Returns ExpressionAttributeNames and ExpressionAttributeValues, each preceded by a comma, or ""
  // for none.
  std::string Placeholders() const {
    return (names.empty() ? "" : R"(,"ExpressionAttributeNames":{)" + names + "}") +
           (values.empty() ? "" : R"(,"ExpressionAttributeValues":{)" + values + "}");
  }
};

class LegacyEqualityTest : public WireItemTest {
 protected:
  LegacyEqualityTest() {
    // The seed is printed first because a crash prints nothing afterwards.
    std::cout << "DOLMEN_SEED=" << TestSeed() << std::endl;
  }

  static std::string Key(std::string_view sort) {
    return R"("PK":{"S":"p"},"SK":{"S":")" + std::string(sort) + R"("})";
  }
  static std::string Of(std::string_view sort, const std::string& more) {
    return R"({"TableName":"app","Key":{)" + Key(sort) + "}," + more + "}";
  }

  std::string AnyValue() {
    const std::size_t which = random_.Below(4);
    return random_.Pick(which < 2 ? kScalars : which == 2 ? kSets : kOthers);
  }

  void PutRandomItem(const Texts& sorts) {
    std::string attributes;
    for (const std::string& name : kAttributes) {
      if (!random_.OneIn(3)) attributes += ",\"" + name + "\":" + AnyValue();
    }
    for (const std::string& sort : sorts) Put("{" + Key(sort) + attributes + "}");
  }

  void AddComparison(std::string_view op, const std::string& operand, const Texts& texts,
                     const std::string& name, Pair* pair) {
    std::string list;
    Texts placeholders;
    for (const std::string& text : texts) {
      list += (list.empty() ? "" : ",") + text;
      placeholders.push_back(
          pair->AddValue("v" + name + std::to_string(placeholders.size()), text));
    }
    std::string expression = operand;
    for (const std::string& placeholder : placeholders) {
      expression.replace(expression.find('@'), 1, placeholder);
    }
    for (std::size_t at = 0; (at = expression.find('#', at)) != expression.npos;) {
      expression.replace(at++, 1, "#" + name);
    }
    pair->expression += expression;
    pair->legacy += "\"" + name + R"(":{"ComparisonOperator":")" + std::string(op) +
                    R"(","AttributeValueList":[)" + list + "]}";
    pair->AddName(name, name);
  }

  // Adds a random condition on the attribute. In the expressions of this function, '#' stands for
  // the attribute and '@' for a value.
  void AddRandomCondition(const std::string& name, Pair* pair) {
    static const std::vector<std::pair<std::string, std::string>> kOrdered = {
        {"LT", "# < @"},
        {"LE", "# <= @"},
        {"GT", "# > @"},
        {"GE", "# >= @"},
        {"CONTAINS", "contains(#, @)"},
        {"NOT_CONTAINS", "attribute_exists(#) AND NOT contains(#, @)"}};
    static const std::vector<Texts> kRanges = {{R"({"N":"1"})", R"({"N":"2"})"},
                                               {R"({"S":"a"})", R"({"S":"aa"})"},
                                               {R"({"B":"YQ=="})", R"({"B":"YQ=="})"}};
    switch (random_.Below(7)) {
      case 0:
        return AddComparison("EQ", "# = @", {AnyValue()}, name, pair);
      case 1:
        return AddComparison("NE", "# <> @", {AnyValue()}, name, pair);
      case 2:
        return AddComparison("BETWEEN", "# BETWEEN @ AND @", random_.Pick(kRanges), name, pair);
      case 3:
        return AddComparison("IN", "# IN (@, @)", random_.Pick(kRanges), name, pair);
      case 4:
        return random_.OneIn(2) ? AddComparison("NULL", "attribute_not_exists(#)", {}, name, pair)
                                : AddComparison("NOT_NULL", "attribute_exists(#)", {}, name, pair);
      case 5:
        return AddComparison("BEGINS_WITH", "begins_with(#, @)",
                             {random_.OneIn(2) ? R"({"S":"a"})" : R"({"B":"YQ=="})"}, name, pair);
      default: {
        const auto& [op, operand] = random_.Pick(kOrdered);
        return AddComparison(op, operand, {random_.Pick(kScalars)}, name, pair);
      }
    }
  }

  // Returns one to three conditions on different attributes. Sets `any` to true if OR joins the
  // conditions, and to false if AND joins them. The legacy text has only the members of the
  // parameter. The caller adds the braces and the name of the parameter.
  Pair RandomConditions(bool* any) {
    Pair pair;
    Texts names = kAttributes;
    random_.Shuffle(&names);
    names.resize(1 + random_.Below(3));
    *any = names.size() > 1 && random_.OneIn(2);
    for (const std::string& name : names) {
      if (!pair.legacy.empty()) {
        pair.legacy += ",";
        pair.expression += *any ? " OR " : " AND ";
      }
      AddRandomCondition(name, &pair);
    }
    return pair;
  }

  void AddRandomUpdate(const std::string& name, Pair* pair, std::vector<Texts>* sections) {
    pair->AddName(name, name);
    const std::string target = "#" + name;
    const auto add = [&](std::string_view action, const std::string& value) {
      pair->legacy += (pair->legacy.empty() ? "\"" : ",\"") + name + R"(":{"Action":")" +
                      std::string(action) + '"' + (value.empty() ? "" : R"(,"Value":)" + value) +
                      "}";
    };
    const auto placed = [&](const std::string& value) { return pair->AddValue(name, value); };
    switch (random_.Below(5)) {
      case 0: {
        const std::string value = AnyValue();
        add("PUT", value);
        return (*sections)[0].push_back(target + " = " + placed(value));
      }
      case 1:
        add("DELETE", "");
        return (*sections)[1].push_back(target);
      case 2: {
        const std::string value = random_.OneIn(2) ? random_.Pick(kSets) : R"({"N":"3"})";
        add("ADD", value);
        return (*sections)[2].push_back(target + " " + placed(value));
      }
      case 3: {
        const std::string value = random_.Pick(kSets);
        add("DELETE", value);
        return (*sections)[3].push_back(target + " " + placed(value));
      }
      default: {
        add("ADD", kOthers[0]);
        const std::string value = placed(kOthers[0]);
        const std::string none = pair->AddValue("none" + name, R"({"L":[]})");
        return (*sections)[0].push_back(target + " = list_append(if_not_exists(" + target + ", " +
                                        none + "), " + value + ")");
      }
    }
  }

  Pair RandomUpdates() {
    Pair pair;
    std::vector<Texts> sections(4);
    for (const std::string& name : kAttributes) {
      if (random_.OneIn(2)) AddRandomUpdate(name, &pair, &sections);
    }
    const Texts keywords = {"SET ", "REMOVE ", "ADD ", "DELETE "};
    for (std::size_t i = 0; i < sections.size(); ++i) {
      for (const std::string& action : sections[i]) {
        pair.expression += (&action == sections[i].data() ? " " + keywords[i] : ", ") + action;
      }
    }
    return pair;
  }

  // Returns the response to GetItem without the sort key, which differs between compared items.
  std::string Contents(std::string_view sort) {
    std::string item = Get("p", sort);
    const std::string key = R"("SK":{"S":")" + std::string(sort) + R"("})";
    return item.erase(item.find(key), key.size());
  }

  Random random_{TestSeed()};
};

TEST_F(LegacyEqualityTest, LegacyConditionsAndExpressionsMatchTheSameItems) {
  std::size_t held = 0;
  const std::size_t steps = TestSteps(2'000);
  for (std::size_t step = 0; step < steps; ++step) {
    PutRandomItem({"1"});
    bool any = false;
    const Pair pair = RandomConditions(&any);
    const std::string legacy =
        "{" + pair.legacy + "}" + (any ? R"(,"ConditionalOperator":"OR")" : "");
    const std::string expression = '"' + pair.expression + '"' + pair.Placeholders();
    const auto expected = endpoint_.Execute("UpdateItem", Of("1", R"("Expected":)" + legacy));
    const auto condition =
        endpoint_.Execute("UpdateItem", Of("1", R"("ConditionExpression":)" + expression));
    ASSERT_EQ(expected.body, condition.body) << legacy << '\n' << expression;
    const std::string scan = R"({"TableName":"app",)";
    ASSERT_EQ(Body("Scan", scan + R"("ScanFilter":)" + legacy + "}"),
              Body("Scan", scan + R"("FilterExpression":)" + expression + "}"));
    held += static_cast<std::size_t>(condition.status == 200);
  }
  EXPECT_GT(held, steps / 20);
  EXPECT_LT(held, steps - steps / 20);
}

TEST_F(LegacyEqualityTest, AttributeUpdatesAndExpressionsWriteTheSameItems) {
  std::size_t done = 0;
  const std::size_t steps = TestSteps(2'000);
  for (std::size_t step = 0; step < steps; ++step) {
    PutRandomItem({"1", "2"});
    const Pair pair = RandomUpdates();
    if (pair.legacy.empty()) continue;
    const auto legacy =
        endpoint_.Execute("UpdateItem", Of("1", R"("AttributeUpdates":{)" + pair.legacy + "}"));
    const auto expression = endpoint_.Execute(
        "UpdateItem",
        Of("2", R"("UpdateExpression":")" + pair.expression + '"' + pair.Placeholders()));
    ASSERT_EQ(legacy.status, expression.status) << pair.legacy << '\n'
                                                << pair.expression << '\n'
                                                << legacy.body << expression.body;
    ASSERT_EQ(Contents("1"), Contents("2")) << pair.legacy << '\n' << pair.expression;
    done += static_cast<std::size_t>(legacy.status == 200);
  }
  EXPECT_GT(done, steps / 20);
}

}  // namespace
}  // namespace dolmen
