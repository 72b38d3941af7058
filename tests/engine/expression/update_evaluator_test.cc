// Tests of the results of updates for items.

#include "engine/expression/update_evaluator.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/engine/expression/update_examples.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::B;
using test::IsOk;
using test::IsOkAndHolds;
using test::N;
using test::StatusIs;
using test::StoreItem;

constexpr const char* kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr const char* kWrongType = "An operand in the update expression has an incorrect data type";
constexpr const char* kInvalidPath =
    "The document path provided in the update expression is invalid for update";

TEST(UpdateEvaluatorTest, SetsAttributes) {
  CheckUpdates({
      {"SET a = :v", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = :v", {{"a", "old"}, {"b", 2}}, {{":v", 1}}, {{"a", 1}, {"b", 2}}},
      {"SET a = :v, b = :w", {}, {{":v", 1}, {":w", List{"x"}}}, {{"a", 1}, {"b", List{"x"}}}},
      {"SET a = b", {{"b", Map{{"k", 1}}}}, {}, {{"a", Map{{"k", 1}}}, {"b", Map{{"k", 1}}}}},
      {"SET a = b.k[1]",
       {{"b", Map{{"k", List{1, 2}}}}},
       {},
       {{"a", 2}, {"b", Map{{"k", List{1, 2}}}}}},
      {"SET a = (:v)", {}, {{":v", nullptr}}, {{"a", nullptr}}},
  });
}

TEST(UpdateEvaluatorTest, SetsElements) {
  const Item m = {{"m", Map{{"k", 1}}}};
  const Item l = {{"l", List{0, 1, 2}}};
  const Values v = {{":v", "v"}, {":w", "w"}};
  CheckUpdates({
      {"SET m.k = :v", m, {{":v", 2}}, {{"m", Map{{"k", 2}}}}},
      {"SET m.n = :v", m, {{":v", 2}}, {{"m", Map{{"k", 1}, {"n", 2}}}}},
      {"SET l[0] = :v", l, {{":v", "v"}}, {{"l", List{"v", 1, 2}}}},
      {"SET l[2] = :v, l[0] = :w", l, v, {{"l", List{"w", 1, "v"}}}},
      {"SET a.b[1].c = :v",
       {{"a", Map{{"b", List{0, Map{}}}}}},
       {{":v", 1}},
       {{"a", Map{{"b", List{0, Map{{"c", 1}}}}}}}},
  });
}

TEST(UpdateEvaluatorTest, SetAfterTheEndOfAListAppends) {
  const Values v = {{":v", "v"}, {":w", "w"}, {":x", "x"}};
  CheckUpdates({
      {"SET l[1] = :v", {{"l", List{0}}}, {{":v", "v"}}, {{"l", List{0, "v"}}}},
      {"SET l[9] = :v", {{"l", List{0}}}, {{":v", "v"}}, {{"l", List{0, "v"}}}},
      {"SET l[0] = :v", {{"l", List{}}}, {{":v", "v"}}, {{"l", List{"v"}}}},
      {"SET l[9] = :v, l[5] = :w, l[70] = :x",
       {{"l", List{0}}},
       v,
       {{"l", List{0, "w", "v", "x"}}}},
      {"SET l[10] = :v, l[9] = :w, l[0] = :x", {{"l", List{0}}}, v, {{"l", List{"x", "w", "v"}}}},
  });
}

TEST(UpdateEvaluatorTest, OperandsAreReadFromTheOldItem) {
  CheckUpdates({
      {"SET a = b, b = a", {{"a", 1}, {"b", 2}}, {}, {{"a", 2}, {"b", 1}}},
      {"SET a = b REMOVE b", {{"b", 2}}, {}, {{"a", 2}}},
      {"SET a = a + :v, b = a", {{"a", 1}}, {{":v", 1}}, {{"a", 2}, {"b", 1}}},
      {"SET l[0] = l[1], l[1] = l[0]", {{"l", List{0, 1}}}, {}, {{"l", List{1, 0}}}},
      {"ADD a :v SET b = a", {{"a", 1}}, {{":v", 1}}, {{"a", 2}, {"b", 1}}},
      {"SET m.b = m.a, m.a = m.b",
       {{"m", Map{{"a", 1}, {"b", 2}}}},
       {},
       {{"m", Map{{"a", 2}, {"b", 1}}}}},
  });
}

TEST(UpdateEvaluatorTest, PlusAndMinusAreExact) {
  CheckUpdates({
      {"SET a = a + :v", {{"a", 1}}, {{":v", 2}}, {{"a", 3}}},
      {"SET a = a - :v", {{"a", 1}}, {{":v", 2}}, {{"a", -1}}},
      {"SET a = :v - a", {{"a", 1}}, {{":v", 2}}, {{"a", 1}}},
      {"SET a = a + :v", {{"a", N("0.1")}}, {{":v", N("0.2")}}, {{"a", N("0.3")}}},
      {"SET a = a + b", {{"a", 1}, {"b", 2}}, {}, {{"a", 3}, {"b", 2}}},
      {"SET a = :v + :w", {}, {{":v", 1}, {":w", 2}}, {{"a", 3}}},
      {"SET a = if_not_exists(a, :z) + :v", {}, {{":z", 0}, {":v", 5}}, {{"a", 5}}},
      {"SET a = if_not_exists(a, :z) + :v", {{"a", 2}}, {{":z", 0}, {":v", 5}}, {{"a", 7}}},
  });
}

TEST(UpdateEvaluatorTest, IfNotExistsReturnsTheDefaultForAnAbsentPath) {
  CheckUpdates({
      {"SET a = if_not_exists(a, :v)", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = if_not_exists(a, :v)", {{"a", 2}}, {{":v", 1}}, {{"a", 2}}},
      {"SET a = if_not_exists(a, :v)", {{"a", nullptr}}, {{":v", 1}}, {{"a", nullptr}}},
      {"SET a = if_not_exists(b, :v)", {{"b", 2}}, {{":v", 1}}, {{"a", 2}, {"b", 2}}},
      {"SET a = if_not_exists(b, c)", {{"c", 2}}, {}, {{"a", 2}, {"c", 2}}},
      {"SET a = if_not_exists(x, if_not_exists(y, :v))", {}, {{":v", 1}}, {{"a", 1}}},
      {"SET a = if_not_exists(m.k, :v)",
       {{"m", "no map"}},
       {{":v", 1}},
       {{"a", 1}, {"m", "no map"}}},
      {"SET a = if_not_exists(a, b)", {{"a", 1}}, {}, {{"a", 1}}},  // b is not read
  });
}

TEST(UpdateEvaluatorTest, ListAppendKeepsTheOrder) {
  const Values v = {{":v", List{"v"}}};
  CheckUpdates({
      {"SET a = list_append(a, :v)", {{"a", List{1}}}, v, {{"a", List{1, "v"}}}},
      {"SET a = list_append(:v, a)", {{"a", List{1}}}, v, {{"a", List{"v", 1}}}},
      {"SET a = list_append(:v, :v)", {}, v, {{"a", List{"v", "v"}}}},
      {"SET a = list_append(if_not_exists(a, :e), :v)",
       {},
       {{":e", List{}}, {":v", List{1}}},
       {{"a", List{1}}}},
      {"SET a.b = list_append(a.b, :v)",
       {{"a", Map{{"b", List{1}}}}},
       v,
       {{"a", Map{{"b", List{1, "v"}}}}}},
  });
}

TEST(UpdateEvaluatorTest, RemovesAttributesAndElements) {
  const Item l = {{"l", List{0, 1, 2, 3, 4}}};
  CheckUpdates({
      {"REMOVE a", {{"a", 1}, {"b", 2}}, {}, {{"b", 2}}},
      {"REMOVE a, b", {{"a", 1}, {"b", 2}}, {}, {}},
      {"REMOVE x", {{"a", 1}}, {}, {{"a", 1}}},
      {"REMOVE m.k", {{"m", Map{{"k", 1}, {"n", 2}}}}, {}, {{"m", Map{{"n", 2}}}}},
      {"REMOVE m.k", {{"m", Map{{"k", 1}}}}, {}, {{"m", Map{}}}},
      {"REMOVE m.x", {{"m", Map{{"k", 1}}}}, {}, {{"m", Map{{"k", 1}}}}},
      {"REMOVE l[0]", l, {}, {{"l", List{1, 2, 3, 4}}}},
      {"REMOVE l[1], l[3]", l, {}, {{"l", List{0, 2, 4}}}},
      {"REMOVE l[3], l[1], l[0]", l, {}, {{"l", List{2, 4}}}},
      {"REMOVE l[5], l[99], l[4]", l, {}, {{"l", List{0, 1, 2, 3}}}},
      {"REMOVE l[0], l[1].k", {{"l", List{0, Map{{"k", 1}}}}}, {}, {{"l", List{Map{}}}}},
      {"REMOVE l[1][1], l[1][0]", {{"l", List{9, List{0, 1, 2}}}}, {}, {{"l", List{9, List{2}}}}},
  });
}

TEST(UpdateEvaluatorTest, IndexesReferToTheOldItem) {
  CheckUpdates({
      {"REMOVE l[0] SET l[1] = :v", {{"l", List{0, 1, 2}}}, {{":v", "v"}}, {{"l", List{"v", 2}}}},
      {"SET l[1] = :v REMOVE l[0]", {{"l", List{0, 1, 2}}}, {{":v", "v"}}, {{"l", List{"v", 2}}}},
      {"REMOVE l[0], l[1] SET l[9] = :v", {{"l", List{0, 1}}}, {{":v", "v"}}, {{"l", List{"v"}}}},
      {"REMOVE l[0] SET l[1].k = :v",
       {{"l", List{0, Map{}}}},
       {{":v", 1}},
       {{"l", List{Map{{"k", 1}}}}}},
      {"REMOVE l[10], l[9] SET l[2] = :v",
       {{"l", List{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}},
       {{":v", "v"}},
       {{"l", List{0, 1, "v", 3, 4, 5, 6, 7, 8, 11}}}},
      // The list has no index 9, so SET appends the value, at index 2. REMOVE l[2] in the same
      // update does not remove the new value.
      {"SET l[9] = :v REMOVE l[2]", {{"l", List{0, 1}}}, {{":v", "v"}}, {{"l", List{0, 1, "v"}}}},
  });
}

TEST(UpdateEvaluatorTest, AddsNumbers) {
  CheckUpdates({
      {"ADD a :v", {{"a", 1}}, {{":v", 2}}, {{"a", 3}}},
      {"ADD a :v", {{"a", 1}}, {{":v", -2}}, {{"a", -1}}},
      {"ADD a :v", {}, {{":v", 2}}, {{"a", 2}}},
      {"ADD m.k :v", {{"m", Map{}}}, {{":v", 2}}, {{"m", Map{{"k", 2}}}}},
      {"ADD l[0] :v", {{"l", List{1}}}, {{":v", 2}}, {{"l", List{3}}}},
      {"ADD l[7] :v", {{"l", List{1}}}, {{":v", 2}}, {{"l", List{1, 2}}}},
  });
}

TEST(UpdateEvaluatorTest, AddsToSets) {
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
  });
}

TEST(UpdateEvaluatorTest, DeletesFromSets) {
  const Item xyz = {{"a", StringSet{"x", "y", "z"}}};
  CheckUpdates({
      {"DELETE a :v", xyz, {{":v", StringSet{"x", "q"}}}, {{"a", StringSet{"y", "z"}}}},
      {"DELETE a :v", xyz, {{":v", StringSet{"q"}}}, xyz},
      {"DELETE a :v", xyz, {{":v", StringSet{"x", "y", "z"}}}, {}},
      {"DELETE a :v", {}, {{":v", StringSet{"x"}}}, {}},
      {"DELETE a :v",
       {{"a", NumberSet{1, 2}}},
       {{":v", NumberSet{N("2.0")}}},
       {{"a", NumberSet{1}}}},
      {"DELETE m.k :v",
       {{"m", Map{{"k", StringSet{"x"}}}}},
       {{":v", StringSet{"x"}}},
       {{"m", Map{}}}},
      {"DELETE m.q :v", {{"m", Map{}}}, {{":v", StringSet{"x"}}}, {{"m", Map{}}}},
      {"DELETE l[0] :v REMOVE l[1]",
       {{"l", List{BinarySet{B("x")}, 1, 2}}},
       {{":v", BinarySet{B("x")}}},
       {{"l", List{2}}}},
  });
}

TEST(UpdateEvaluatorTest, AnUpdateOfAnAbsentItemStartsFromTheKey) {
  const BoundUpdate update("SET a = :v REMOVE b ADD c :v", {{":v", 1}}, {});
  ASSERT_THAT(update.status(), IsOk());
  EXPECT_THAT(update.Apply({{"pk", "p"}}), IsOkAndHolds(Item{{"pk", "p"}, {"a", 1}, {"c", 1}}));
  const BoundUpdate remove("REMOVE a DELETE b :v", {{":v", StringSet{"x"}}}, {});
  EXPECT_THAT(remove.Apply({{"pk", "p"}}), IsOkAndHolds(Item{{"pk", "p"}}));
}

struct Failure {
  const char* text;
  Item item;
  Values values;
};

void CheckFailures(const char* message, const std::vector<Failure>& failures) {
  for (const Failure& failure : failures) {
    EXPECT_THAT(ApplyUpdate(failure.text, failure.item, failure.values),
                StatusIs(StatusCode::kValidation, message))
        << failure.text;
  }
}

TEST(UpdateEvaluatorTest, OperandsMustExist) {
  const Values v = {{":v", 1}};
  CheckFailures(kMissing, {
                              {"SET a = b", {}, {}},
                              {"SET a = b.c", {{"b", 1}}, {}},
                              {"SET a = b[3]", {{"b", List{1}}}, {}},
                              {"SET a = a + :v", {}, v},
                              {"SET a = :v - b", {}, v},
                              {"SET a = list_append(a, :v)", {}, {{":v", List{}}}},
                              {"SET a = if_not_exists(b, c)", {}, {}},
                          });
}

TEST(UpdateEvaluatorTest, OperandsMustHaveTheRightType) {
  const Values n = {{":v", 1}};
  const Values l = {{":v", List{1}}};
  const Values ss = {{":v", StringSet{"x"}}};
  CheckFailures(kWrongType, {
                                {"SET a = a + :v", {{"a", "1"}}, n},
                                {"SET a = :v - a", {{"a", nullptr}}, n},
                                {"SET a = b + c", {{"b", 1}, {"c", List{}}}, {}},
                                {"SET a = if_not_exists(a, b) + :v", {{"b", "x"}}, n},
                                {"SET a = list_append(a, :v)", {{"a", "x"}}, l},
                                {"SET a = list_append(:v, a)", {{"a", Map{}}}, l},
                                {"SET a = list_append(a, b)", {{"a", List{}}, {"b", 1}}, {}},
                                {"SET a = b + c", {{"b", "x"}}, {}},  // b is checked first
                                {"SET a = list_append(b, c)", {{"b", 1}}, {}},
                                {"ADD a :v", {{"a", "x"}}, n},
                                {"ADD a :v", {{"a", NumberSet{1}}}, n},
                                {"ADD a :v", {{"a", 1}}, ss},
                                {"ADD a :v", {{"a", NumberSet{1}}}, ss},
                                {"ADD a :v", {{"a", List{"x"}}}, ss},
                                {"DELETE a :v", {{"a", 1}}, ss},
                                {"DELETE a :v", {{"a", BinarySet{B("x")}}}, ss},
                                {"DELETE a :v", {{"a", List{"x"}}}, ss},
                            });
}

TEST(UpdateEvaluatorTest, TheParentOfTheTargetMustExist) {
  const Values v = {{":v", 1}};
  const Values s = {{":v", StringSet{"x"}}};
  CheckFailures(kInvalidPath, {
                                  {"SET a.b = :v", {}, v},
                                  {"SET a[0] = :v", {}, v},
                                  {"SET a.b.c = :v", {{"a", Map{}}}, v},
                                  {"SET a[1].b = :v", {{"a", List{1}}}, v},
                                  {"SET a[1].b = :v, a[0] = :v", {{"a", List{}}}, v},
                                  {"SET a.b = :v", {{"a", 1}}, v},
                                  {"SET a.b = :v", {{"a", List{}}}, v},
                                  {"SET a[0] = :v", {{"a", Map{}}}, v},
                                  {"SET a[0] = :v", {{"a", StringSet{"x"}}}, v},
                                  {"REMOVE a.b", {}, {}},
                                  {"REMOVE a[0]", {}, {}},
                                  {"REMOVE a.b.c", {{"a", Map{}}}, {}},
                                  {"REMOVE a.b", {{"a", List{1}}}, {}},
                                  {"REMOVE a[0]", {{"a", Map{}}}, {}},
                                  {"ADD a.b :v", {}, v},
                                  {"ADD a[0] :v", {{"a", "x"}}, v},
                                  {"DELETE a.b :v", {}, s},
                                  {"DELETE a[0] :v", {{"a", Map{}}}, s},
                              });
}

TEST(UpdateEvaluatorTest, RejectsResultsOutOfRange) {
  const Number max = N("9.9999999999999999999999999999999999999E+125");
  EXPECT_THAT(ApplyUpdate("SET a = a + :v", {{"a", max}}, {{":v", max}}),
              StatusIs(StatusCode::kValidation, testing::StartsWith("Number overflow")));
  EXPECT_THAT(ApplyUpdate("ADD a :v", {{"a", max}}, {{":v", max}}),
              StatusIs(StatusCode::kValidation, testing::StartsWith("Number overflow")));
  EXPECT_THAT(ApplyUpdate("SET a = a - :v", {{"a", 1}}, {{":v", N("1E-100")}}),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("38 significant digits")));
}

// A short update can copy a large attribute hundreds of times. The evaluator must stop before the
// copies exhaust the memory.
TEST(UpdateEvaluatorTest, StopsCopyingOnceTheItemIsTooLarge) {
  const Item item = {{"a", List(100'000, AttributeValue(1))}};
  std::string text = "SET b=a";
  for (int i = 0; i < 250; ++i) text += ",b" + std::to_string(i) + "=a";
  EXPECT_THAT(ApplyUpdate(text, item),
              StatusIs(StatusCode::kValidation,
                       "Item size to update has exceeded the maximum allowed size"));

  StringSet large;
  for (int i = 0; i < 100'000; ++i) large.insert(std::to_string(100'000 + i));
  std::string add = "ADD a0 :v";
  for (int i = 1; i < 300; ++i) add += ",a" + std::to_string(i) + " :v";
  EXPECT_THAT(ApplyUpdate(add, {}, {{":v", large}}),
              StatusIs(StatusCode::kValidation,
                       "Item size to update has exceeded the maximum allowed size"));
}

TEST(UpdateEvaluatorTest, CopiesValuesUpToTheItemLimit) {
  const std::string large(200'000, 'x');
  CheckUpdates({{"SET a = b REMOVE b", {{"b", large}}, {}, {{"a", large}}}});
  const Item nulls = {{"b", List(150'000, AttributeValue(nullptr))}};
  EXPECT_THAT(ApplyUpdate("SET b = list_append(b, b)", nulls), IsOk());
}

TEST(UpdateEvaluatorTest, ADamagedItemIsCorruption) {
  std::string bytes;
  ASSERT_THAT(EncodeItem({{"a", List{1, "x"}}}, &bytes), IsOk());
  bytes.back() = '\xFF';  // not UTF-8
  const BoundUpdate update("SET b = a", {}, {});
  std::string changed;
  EXPECT_THAT(update->Apply(*ItemView::Parse(bytes), &changed),
              StatusIs(StatusCode::kCorruption, testing::_));
}

}  // namespace
}  // namespace dolmen::engine
