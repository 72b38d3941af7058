// Tests of valid updates and of the items after the updates. The rule numbers are those of
// tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

class UpdateRulesTest : public RulesTest {};

TEST_F(UpdateRulesTest, SetAssignsValuesAndAttributes) {
  CheckUpdates({
      {"SET a = :v", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = :v", {{"a", "before"}, {"b", 2}}, {{":v", 1}}, {{"a", 1}, {"b", 2}}},
      {"SET a = :v, b = :w", {}, {{":v", ""}, {":w", List{}}}, {{"a", ""}, {"b", List{}}}},
      {"SET a = b", {{"b", Map{{"k", 1}}}}, {}, {{"a", Map{{"k", 1}}}, {"b", Map{{"k", 1}}}}},
      {"SET a = b.k[1]",
       {{"b", Map{{"k", List{1, 2}}}}},
       {},
       {{"a", 2}, {"b", Map{{"k", List{1, 2}}}}}},
      {"SET a = a", {{"a", 1}}, {}, {{"a", 1}}},
      {"SET a = (:v)", {}, {{":v", nullptr}}, {{"a", nullptr}}},
      {"SET a = (b)", {{"b", 1}}, {}, {{"a", 1}, {"b", 1}}},
  });
  for (const auto& [type, value] : OfEveryType()) {
    CheckUpdates({{"SET a = :v", {{"a", 0}}, {{":v", value}}, {{"a", value}}}});
  }
}

TEST_F(UpdateRulesTest, SetCreatesTheLastStepOfAPathInAMap) {
  CheckUpdates({
      {"SET m.k = :v", {{"m", Map{{"k", 1}}}}, {{":v", 2}}, {{"m", Map{{"k", 2}}}}},
      {"SET m.x = :v", {{"m", Map{{"k", 1}}}}, {{":v", 2}}, {{"m", Map{{"k", 1}, {"x", 2}}}}},
      {"SET m.x = :v", {{"m", Map{}}}, {{":v", 2}}, {{"m", Map{{"x", 2}}}}},
      {"SET m.x = :v, m.y = :v", {{"m", Map{}}}, {{":v", 2}}, {{"m", Map{{"x", 2}, {"y", 2}}}}},
      {"SET a.b[1].c = :v",
       {{"a", Map{{"b", List{0, Map{}}}}}},
       {{":v", 1}},
       {{"a", Map{{"b", List{0, Map{{"c", 1}}}}}}}},
  });
}

TEST_F(UpdateRulesTest, SetBehindTheEndOfAListAppendsWithoutGaps) {
  const Values v = {{":v", "v"}, {":w", "w"}};
  const Values x = {{":v", "v"}, {":w", "w"}, {":x", "x"}};
  CheckUpdates({
      {"SET l[0] = :v", {{"l", List{0, 1}}}, {{":v", "v"}}, {{"l", List{"v", 1}}}},
      {"SET l[1] = :v", {{"l", List{0, 1}}}, {{":v", "v"}}, {{"l", List{0, "v"}}}},
      {"SET l[2] = :v", {{"l", List{0, 1}}}, {{":v", "v"}}, {{"l", List{0, 1, "v"}}}},
      {"SET l[99] = :v", {{"l", List{0, 1}}}, {{":v", "v"}}, {{"l", List{0, 1, "v"}}}},
      {"SET l[0] = :v", {{"l", List{}}}, {{":v", "v"}}, {{"l", List{"v"}}}},
      // Several elements are appended in the order of their indexes.
      {"SET l[9] = :v, l[5] = :w", {{"l", List{0}}}, v, {{"l", List{0, "w", "v"}}}},
      {"SET l[10] = :v, l[9] = :w", {{"l", List{0}}}, v, {{"l", List{0, "w", "v"}}}},
      {"SET l[10] = :v, l[0] = :w", {{"l", List{0}}}, v, {{"l", List{"w", "v"}}}},
      {"SET l[2] = :v, l[0] = :w", {{"l", List{0, 1, 2}}}, v, {{"l", List{"w", 1, "v"}}}},
      {"SET l[9] = :v, l[5] = :w, l[70] = :x",
       {{"l", List{0}}},
       x,
       {{"l", List{0, "w", "v", "x"}}}},
      {"SET l[10] = :v, l[9] = :w, l[0] = :x", {{"l", List{0}}}, x, {{"l", List{"x", "w", "v"}}}},
  });
}

TEST_F(UpdateRulesTest, OperandsAreReadFromTheItemBeforeTheUpdate) {
  CheckUpdates({
      {"SET a = b, b = a", {{"a", 1}, {"b", 2}}, {}, {{"a", 2}, {"b", 1}}},
      {"SET a = b REMOVE b", {{"b", 2}}, {}, {{"a", 2}}},
      {"SET a = a + :v, b = a", {{"a", 1}}, {{":v", 1}}, {{"a", 2}, {"b", 1}}},
      {"ADD a :v SET b = a", {{"a", 1}}, {{":v", 1}}, {{"a", 2}, {"b", 1}}},
      {"SET l[0] = l[1], l[1] = l[0]", {{"l", List{0, 1}}}, {}, {{"l", List{1, 0}}}},
      {"SET m.a = m.b, m.b = m.a",
       {{"m", Map{{"a", 1}, {"b", 2}}}},
       {},
       {{"m", Map{{"a", 2}, {"b", 1}}}}},
      {"SET b = SK REMOVE a", {{"a", 1}}, {}, {{"b", "a"}}},  // an update may read the key
      {"SET a = SK REMOVE b.SK", {{"b", Map{{"SK", 1}}}}, {}, {{"a", "a"}, {"b", Map{}}}},
      {"SET a = b, b = a, c = a.d",
       {{"a", Map{{"d", 1}}}, {"b", 2}},
       {},
       {{"a", 2}, {"b", Map{{"d", 1}}}, {"c", 1}}},
  });
}

// Arithmetic is exact, because numbers are decimal.
TEST_F(UpdateRulesTest, ArithmeticIsExactAndDecimal) {
  const auto set = [&](const std::string& update, const std::string& a, const std::string& v,
                       const std::string& result) {
    CheckUpdates({{update, {{"a", N(a)}}, {{":v", N(v)}}, {{"a", N(result)}}}});
  };
  set("SET a = a + :v", "1", "2", "3");
  set("SET a = a - :v", "1", "2", "-1");
  set("SET a = :v - a", "1", "2", "1");
  set("SET a = :v + a", "1", "2", "3");
  set("SET a = (a + :v)", "1", "2", "3");
  set("SET a = (a) - (:v)", "1", "2", "-1");
  set("SET a = a + :v", "0.1", "0.2", "0.3");
  set("SET a = a + :v", "9007199254740993", "1", "9007199254740994");  // a double cannot hold these
  set("SET a = a - :v", "1e37", "1", std::string(37, '9'));
  set("SET a = a + :v", std::string(37, '9') + "8", "1", std::string(38, '9'));
  set("SET a = a - :v", "5", "5.0", "0");
  set("SET a = a + :v", "1E-130", "1E-130", "2E-130");
  set("ADD a :v", "9.8E125", "1E124", "9.9E125");
  CheckUpdates({
      {"SET a = a + b", {{"a", 1}, {"b", 2}}, {}, {{"a", 3}, {"b", 2}}},
      {"SET a = :v + :w", {}, {{":v", 1}, {":w", 2}}, {{"a", 3}}},
  });
}

TEST_F(UpdateRulesTest, IfNotExistsReturnsItsSecondOperandForAMissingPath) {
  CheckUpdates({
      {"SET a = if_not_exists(a, :v)", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = if_not_exists(a, :v)", {{"a", 2}}, {{":v", 1}}, {{"a", 2}}},
      {"SET a = if_not_exists(a, :v)", {{"a", nullptr}}, {{":v", 1}}, {{"a", nullptr}}},
      {"SET a = if_not_exists(b, :v)", {{"b", 2}}, {{":v", 1}}, {{"a", 2}, {"b", 2}}},
      {"SET a = if_not_exists(b, c)", {{"c", 2}}, {}, {{"a", 2}, {"c", 2}}},
      {"SET a = if_not_exists(a, b)", {{"a", 1}}, {}, {{"a", 1}}},  // b is not read
      {"SET a = if_not_exists(m.k, :v)", {{"m", "x"}}, {{":v", 1}}, {{"a", 1}, {"m", "x"}}},
      {"SET m.k = if_not_exists(m.k, :v)", {{"m", Map{}}}, {{":v", 1}}, {{"m", Map{{"k", 1}}}}},
      {"SET a = if_not_exists(x, if_not_exists(y, :v))", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = if_not_exists(a, :v) + :w", {}, {{":v", 0}, {":w", 5}}, {{"a", 5}}},
      {"SET a = if_not_exists(a, :v) + :w", {{"a", 2}}, {{":v", 0}, {":w", 5}}, {{"a", 7}}},
      {"SET a = :w - if_not_exists(a, :v)", {}, {{":v", 1}, {":w", 5}}, {{"a", 4}}},
      {"SET a = if_not_exists(x, :v) + if_not_exists(y, :v)", {}, {{":v", 1}}, {{"a", 2}}},
      // The type of an unused operand does not matter.
      {"SET a = if_not_exists(a, :v) + :n", {{"a", 1}}, {{":v", "x"}, {":n", 1}}, {{"a", 2}}},
      {"SET a = if_not_exists(b, b.c), d = e + e",
       {{"b", 1}, {"e", 2}},
       {},
       {{"a", 1}, {"b", 1}, {"d", 4}, {"e", 2}}},
  });
}

TEST_F(UpdateRulesTest, ListAppendJoinsListsInTheirOrder) {
  const Values v = {{":v", List{"v", "w"}}};
  CheckUpdates({
      {"SET a = list_append(a, :v)", {{"a", List{1}}}, v, {{"a", List{1, "v", "w"}}}},
      {"SET a = list_append(:v, a)", {{"a", List{1}}}, v, {{"a", List{"v", "w", 1}}}},
      {"SET a = list_append(:v, :v)", {}, v, {{"a", List{"v", "w", "v", "w"}}}},
      {"SET a = list_append(a, b)",
       {{"a", List{1}}, {"b", List{}}},
       {},
       {{"a", List{1}}, {"b", List{}}}},
      {"SET a.b = list_append(a.b, :v)",
       {{"a", Map{{"b", List{1}}}}},
       v,
       {{"a", Map{{"b", List{1, "v", "w"}}}}}},
      {"SET a = list_append(if_not_exists(a, :e), :v)",
       {},
       {{":e", List{}}, {":v", List{1}}},
       {{"a", List{1}}}},
      {"SET a = (list_append((a), (:v)))", {{"a", List{}}}, {{":v", List{1}}}, {{"a", List{1}}}},
  });
}

TEST_F(UpdateRulesTest, RemoveDeletesAttributesAndListElements) {
  const Map l = {{"l", List{0, 1, 2, 3, 4}}};
  CheckUpdates({
      {"REMOVE a", {{"a", 1}, {"b", 2}}, {}, {{"b", 2}}},
      {"REMOVE a, b", {{"a", 1}, {"b", 2}}, {}, {}},
      {"REMOVE a", {{"b", 2}}, {}, {{"b", 2}}},
      {"REMOVE m.k", {{"m", Map{{"k", 1}, {"x", 2}}}}, {}, {{"m", Map{{"x", 2}}}}},
      {"REMOVE m.k", {{"m", Map{{"k", 1}}}}, {}, {{"m", Map{}}}},
      {"REMOVE m.y", {{"m", Map{{"k", 1}}}}, {}, {{"m", Map{{"k", 1}}}}},
      {"REMOVE l[0]", l, {}, {{"l", List{1, 2, 3, 4}}}},
      {"REMOVE l[0], l[1], l[2], l[3], l[4]", l, {}, {{"l", List{}}}},
      {"REMOVE l[1], l[3]", l, {}, {{"l", List{0, 2, 4}}}},  // old positions; then the gaps close
      {"REMOVE l[3], l[1]", l, {}, {{"l", List{0, 2, 4}}}},
      {"REMOVE l[3], l[1], l[0]", l, {}, {{"l", List{2, 4}}}},
      {"REMOVE l[5], l[99], l[4]", l, {}, {{"l", List{0, 1, 2, 3}}}},
      {"REMOVE l[1][1], l[1][0]", {{"l", List{9, List{0, 1, 2}}}}, {}, {{"l", List{9, List{2}}}}},
      {"REMOVE l[0], l[1].k", {{"l", List{0, Map{{"k", 1}}}}}, {}, {{"l", List{Map{}}}}},
  });
}

TEST_F(UpdateRulesTest, IndexesAreThoseOfTheListBeforeTheUpdate) {
  const Values v = {{":v", "v"}};
  CheckUpdates({
      {"REMOVE l[0] SET l[1] = :v", {{"l", List{0, 1, 2}}}, v, {{"l", List{"v", 2}}}},
      {"SET l[1] = :v REMOVE l[0]", {{"l", List{0, 1, 2}}}, v, {{"l", List{"v", 2}}}},
      {"REMOVE l[0], l[1] SET l[2] = :v", {{"l", List{0, 1}}}, v, {{"l", List{"v"}}}},
      {"REMOVE l[0] SET l[1].k = :v", {{"l", List{0, Map{}}}}, v, {{"l", List{Map{{"k", "v"}}}}}},
      {"REMOVE l[10], l[9] SET l[2] = :v",
       {{"l", List{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}},
       v,
       {{"l", List{0, 1, "v", 3, 4, 5, 6, 7, 8, 11}}}},
      // SET appends the value at index 2. REMOVE l[2] does not remove it.
      {"SET l[9] = :v REMOVE l[2]", {{"l", List{0, 1}}}, v, {{"l", List{0, 1, "v"}}}},
  });
}

TEST_F(UpdateRulesTest, AddCountsNumbers) {
  CheckUpdates({
      {"ADD a :v", {{"a", 1}}, {{":v", 2}}, {{"a", 3}}},
      {"ADD a :v", {{"a", 1}}, {{":v", -2}}, {{"a", -1}}},
      {"ADD a :v", {{"a", N("0.1")}}, {{":v", N("0.2")}}, {{"a", N("0.3")}}},
      {"ADD a :v", {}, {{":v", 2}}, {{"a", 2}}},
      {"ADD a :v, b :v", {{"b", 1}}, {{":v", 2}}, {{"a", 2}, {"b", 3}}},
      {"ADD m.k :v", {{"m", Map{}}}, {{":v", 2}}, {{"m", Map{{"k", 2}}}}},
      {"ADD m.k :v", {{"m", Map{{"k", 1}}}}, {{":v", 2}}, {{"m", Map{{"k", 3}}}}},
      {"ADD l[0] :v", {{"l", List{1}}}, {{":v", 2}}, {{"l", List{3}}}},
      {"ADD l[7] :v", {{"l", List{1}}}, {{":v", 2}}, {{"l", List{1, 2}}}},
  });
}

TEST_F(UpdateRulesTest, AddUnitesSets) {
  CheckUpdates({
      {"ADD a :v",
       {{"a", StringSet{"x"}}},
       {{":v", StringSet{"x", "y"}}},
       {{"a", StringSet{"x", "y"}}}},
      {"ADD a :v",
       {{"a", NumberSet{1}}},
       {{":v", NumberSet{N("1.0"), 2}}},
       {{"a", NumberSet{1, 2}}}},
      {"ADD a :v",
       {{"a", BinarySet{B("x")}}},
       {{":v", BinarySet{B("a")}}},
       {{"a", BinarySet{B("a"), B("x")}}}},
      {"ADD a :v", {}, {{":v", StringSet{"x"}}}, {{"a", StringSet{"x"}}}},
      {"ADD m.k :v", {{"m", Map{}}}, {{":v", StringSet{"x"}}}, {{"m", Map{{"k", StringSet{"x"}}}}}},
  });
}

TEST_F(UpdateRulesTest, DeleteRemovesMembersAndEmptySets) {
  const Map xyz = {{"a", StringSet{"x", "y", "z"}}};
  const Values x = {{":v", StringSet{"x"}}};
  CheckUpdates({
      {"DELETE a :v", xyz, {{":v", StringSet{"x", "q"}}}, {{"a", StringSet{"y", "z"}}}},
      {"DELETE a :v", xyz, {{":v", StringSet{"q"}}}, xyz},
      {"DELETE a :v", xyz, {{":v", StringSet{"x", "y", "z"}}}, {}},
      {"DELETE a :v", {}, x, {}},
      {"DELETE a :v",
       {{"a", NumberSet{1, 2}}},
       {{":v", NumberSet{N("2.0")}}},
       {{"a", NumberSet{1}}}},
      {"DELETE a :v",
       {{"a", BinarySet{B("x"), B("y")}}},
       {{":v", BinarySet{B("x")}}},
       {{"a", BinarySet{B("y")}}}},
      {"DELETE m.k :v", {{"m", Map{{"k", StringSet{"x"}}}}}, x, {{"m", Map{}}}},
      {"DELETE m.k :v", {{"m", Map{}}}, x, {{"m", Map{}}}},
      {"DELETE l[0] :v REMOVE l[1]", {{"l", List{StringSet{"x"}, 1, 2}}}, x, {{"l", List{2}}}},
  });
}

TEST_F(UpdateRulesTest, SectionsComeInAnyOrder) {
  const Map item = {{"a", 1}, {"b", 1}, {"c", StringSet{"x", "y"}}, {"d", 1}};
  const Values v = {{":v", 2}, {":x", StringSet{"x"}}};
  const Map after = {{"a", 2}, {"c", StringSet{"y"}}, {"d", 3}};
  CheckUpdates({
      {"SET a = :v REMOVE b ADD d :v DELETE c :x", item, v, after},
      {"DELETE c :x ADD d :v REMOVE b SET a = :v", item, v, after},
      {"ADD d :v SET a = :v DELETE c :x REMOVE b", item, v, after},
  });
}

// The new item has its key and the attributes that the update creates.
TEST_F(UpdateRulesTest, AnUpdateCreatesAnAbsentItem) {
  CheckCreatingUpdates({
      {"SET a = :v", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = if_not_exists(a, :v) + :v", {}, {{":v", 1}}, {{"a", 2}}},
      {"SET a = SK", {}, {}, {{"a", "a"}}},  // the key that the new item will have
      {"ADD a :v", {}, {{":v", 1}}, {{"a", 1}}},
      {"ADD a :v", {}, {{":v", StringSet{"x"}}}, {{"a", StringSet{"x"}}}},
      {"SET a = :v REMOVE b ADD c :v", {}, {{":v", 1}}, {{"a", 1}, {"c", 1}}},
  });
  EXPECT_THAT(table().DeleteItem({.key = Key()}), IsOk());
  EXPECT_THAT(Update({}), IsOk());
  EXPECT_EQ(Get(Key()), Key());
}

// There is nothing to remove from an absent item, so no path is invalid.
TEST_F(UpdateRulesTest, AnUpdateThatOnlyRemovesCreatesNoItem) {
  const Values set = {{":v", StringSet{"x"}}};
  for (const auto& [update, values] : std::vector<std::pair<std::string, Values>>{
           {"REMOVE a", {}},
           {"REMOVE a.b, c[0]", {}},
           {"DELETE a :v", set},
           {"DELETE a.b :v", set},
           {"REMOVE GSI1PK, a DELETE b :v", set},
       }) {
    SCOPED_TRACE(update);
    UpdateItemInput input = {.key = Key(), .update = update, .values = values};
    for (const ReturnValues returned :
         {ReturnValues::kNone, ReturnValues::kAllOld, ReturnValues::kUpdatedOld,
          ReturnValues::kAllNew, ReturnValues::kUpdatedNew}) {
      input.return_values = returned;
      const auto updated = table().UpdateItem(input);
      ASSERT_THAT(updated, IsOk());
      EXPECT_FALSE(updated->attributes);
    }
    input.return_values = ReturnValues::kNone;
    input.condition = "attribute_not_exists(PK)";
    EXPECT_THAT(table().UpdateItem(input), IsOk());
    EXPECT_THAT(database().TransactWriteItems({.actions = {{table(), input}}}), IsOk());
    input.condition = "attribute_exists(PK)";
    EXPECT_THAT(table().UpdateItem(input), FailsCondition());
    EXPECT_EQ(Get(Key()), Item());
  }
}

}  // namespace
}  // namespace dolmen::behaviour
