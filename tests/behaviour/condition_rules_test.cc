// Tests of the results of conditions and filters: comparators, functions, AND, OR and NOT.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

class ConditionRulesTest : public RulesTest {};

TEST_F(ConditionRulesTest, EqualMeansSameTypeAndEqualValue) {
  const Map deep = {{"k", List{1, "x", Map{}}}};
  CheckConditions({
      {"a = :v", {{"a", "x"}}, {{":v", "x"}}, kHolds},
      {"a = :v", {{"a", "x"}}, {{":v", "X"}}, kFails},
      {"a = :v", {{"a", "x"}}, {{":v", "xx"}}, kFails},
      {"a = :v", {{"a", ""}}, {{":v", ""}}, kHolds},
      {"a = :v", {{"a", "1"}}, {{":v", 1}}, kFails},
      {"a = :v", {{"a", 1}}, {{":v", N("1.00")}}, kHolds},
      {"a = :v", {{"a", 100}}, {{":v", N("1e2")}}, kHolds},
      {"a = :v", {{"a", 0}}, {{":v", N("-0")}}, kHolds},
      {"a = :v", {{"a", 1}}, {{":v", -1}}, kFails},
      {"a = :v", {{"a", B("x")}}, {{":v", B("x")}}, kHolds},
      {"a = :v", {{"a", true}}, {{":v", false}}, kFails},
      {"a = :v", {{"a", nullptr}}, {{":v", nullptr}}, kHolds},
      {"a = :v", {{"a", nullptr}}, {{":v", false}}, kFails},
      {"a = :v", {{"a", StringSet{"x", "y"}}}, {{":v", StringSet{"y", "x"}}}, kHolds},
      {"a = :v", {{"a", StringSet{"x", "y"}}}, {{":v", StringSet{"x"}}}, kFails},
      {"a = :v", {{"a", StringSet{"x", "y"}}}, {{":v", List{"x", "y"}}}, kFails},
      {"a = :v", {{"a", NumberSet{1, 2}}}, {{":v", NumberSet{N("2.0"), N("1.0")}}}, kHolds},
      {"a = :v", {{"a", List{1, 2}}}, {{":v", List{2, 1}}}, kFails},
      {"a = :v", {{"a", List{}}}, {{":v", Map{}}}, kFails},
      {"a = :v", {{"a", List{1, 2}}}, {{":v", List{N("1.0"), N("2.0")}}}, kHolds},
      {"a = :v", {{"a", deep}}, {{":v", deep}}, kHolds},
      {"a = :v", {{"a", deep}}, {{":v", Map{{"k", List{1, "x"}}}}}, kFails},
      {"a = :v", {{"a", deep}}, {{":v", Map{{"k", List{1, "x", List{}}}}}}, kFails},
      {":v = a", {{"a", "x"}}, {{":v", "x"}}, kHolds},
      {"a = b", {{"a", "x"}, {"b", "x"}}, {}, kHolds},
      {"a = b", {{"a", "x"}, {"b", "y"}}, {}, kFails},
      {":v = :w", {}, {{":v", "x"}, {":w", "x"}}, kHolds},
      {":v = :v", {}, {{":v", "x"}}, kHolds},  // only paths must be distinct
  });
}

TEST_F(ConditionRulesTest, ValuesOfDifferentTypesAreUnequal) {
  for (const auto& [type, value] : OfEveryType()) {
    for (const auto& [other_type, other] : OfEveryType()) {
      CheckConditions({{"a = :v", {{"a", value}}, {{":v", other}}, type == other_type},
                       {"a <> :v", {{"a", value}}, {{":v", other}}, type != other_type}});
    }
  }
}

TEST_F(ConditionRulesTest, NotEqualIsTheNegationOfEqual) {
  CheckConditions({
      {"a <> :v", {{"a", "x"}}, {{":v", "x"}}, kFails},
      {"a <> :v", {{"a", "x"}}, {{":v", "y"}}, kHolds},
      {"a <> :v", {{"a", "1"}}, {{":v", 1}}, kHolds},
      {"a <> :v", {{"a", 1}}, {{":v", N("1.0")}}, kFails},
      {"a <> :v", {}, {{":v", "x"}}, kHolds},
      {"a <> b", {{"a", List{1}}, {"b", List{1}}}, {}, kFails},
  });
}

// Comparisons and keys order numbers by value.
TEST_F(ConditionRulesTest, NumbersAreComparedByValue) {
  CheckConditions({
      {"a < :v", {{"a", 2}}, {{":v", 10}}, kHolds},
      {"a < :v", {{"a", -10}}, {{":v", -2}}, kHolds},
      {"a < :v", {{"a", N("-0.5")}}, {{":v", 0}}, kHolds},
      {"a < :v", {{"a", N("1E-130")}}, {{":v", N("9.99E125")}}, kHolds},
      {"a < :v", {{"a", 2}}, {{":v", N("2.0")}}, kFails},
      {"a <= :v", {{"a", 2}}, {{":v", N("2.0")}}, kHolds},
      {"a <= :v", {{"a", 3}}, {{":v", 2}}, kFails},
      {"a > :v", {{"a", N("10.01")}}, {{":v", 10}}, kHolds},
      {"a > :v", {{"a", 10}}, {{":v", 10}}, kFails},
      {"a >= :v", {{"a", 10}}, {{":v", 10}}, kHolds},
      {"a >= :v", {{"a", 9}}, {{":v", 10}}, kFails},
      {":v > a", {{"a", 9}}, {{":v", 10}}, kHolds},
      {"a < b", {{"a", 9}, {"b", 10}}, {}, kHolds},
  });
}

// Comparisons and keys order strings and binaries by their unsigned bytes.
TEST_F(ConditionRulesTest, StringsAndBinariesAreComparedByUnsignedBytes) {
  CheckConditions({
      {"a < :v", {{"a", "A"}}, {{":v", "a"}}, kHolds},
      {"a < :v", {{"a", "a"}}, {{":v", "aa"}}, kHolds},
      {"a < :v", {{"a", ""}}, {{":v", "a"}}, kHolds},
      {"a < :v", {{"a", "z"}}, {{":v", "¿"}}, kHolds},
      {"a < :v", {{"a", "\uFFFD"}}, {{":v", "\U0001F600"}}, kHolds},  // not in UTF-16 order
      {"a < :v", {{"a", "10"}}, {{":v", "9"}}, kHolds},
      {"a <= :v", {{"a", "x"}}, {{":v", "x"}}, kHolds},
      {"a < :v", {{"a", B("\x7F")}}, {{":v", B("\x80")}}, kHolds},
      {"a >= :v", {{"a", B("\xFF")}}, {{":v", B("\x01\x02")}}, kHolds},
  });
}

TEST_F(ConditionRulesTest, OtherTypesAndMixedTypesHaveNoOrder) {
  for (const auto& [type, value] : OfEveryType()) {
    for (const std::string op : {"<", "<=", ">", ">="}) {
      CheckConditions({
          {"a " + op + " :v", {{"a", value}}, {{":v", "x"}}, type == "S" && op.ends_with('=')},
          {"a " + op + " :v", {{"a", value}}, {{":v", 1}}, type == "N" && op.ends_with('=')},
          {"a " + op + " :v", {{"a", value}}, {{":v", B("x")}}, type == "B" && op.ends_with('=')},
          {"NOT a " + op + " :v", {{"a", value}}, {{":v", "y"}}, type != "S" || op[0] == '>'},
      });
    }
  }
  CheckConditions({{"a <= b", {{"a", true}, {"b", true}}, {}, kFails},
                   {"a <= b", {{"a", List{}}, {"b", List{}}}, {}, kFails},
                   {"a >= b", {{"a", nullptr}, {"b", nullptr}}, {}, kFails}});
}

TEST_F(ConditionRulesTest, AMissingAttributeIsUnequalToEveryValueAndHasNoOrder) {
  const Values v = {{":v", 1}};
  CheckConditions({
      {"a = :v", {}, v, kFails},
      {"a <> :v", {}, v, kHolds},
      {"a < :v", {}, v, kFails},
      {"a <= :v", {}, v, kFails},
      {"a > :v", {}, v, kFails},
      {"a >= :v", {}, v, kFails},
      {"a BETWEEN :v AND :v", {}, v, kFails},
      {"a IN (:v)", {}, v, kFails},
      {"NOT a = :v", {}, v, kHolds},
      {"NOT a <> :v", {}, v, kFails},
      {"NOT a < :v", {}, v, kHolds},
      {"NOT a BETWEEN :v AND :v", {}, v, kHolds},
      {"NOT a IN (:v)", {}, v, kHolds},
      {"begins_with(a, :s)", {}, {{":s", ""}}, kFails},
      {"contains(a, :s)", {}, {{":s", ""}}, kFails},
      {"attribute_type(a, :s)", {}, {{":s", "NULL"}}, kFails},
      {"size(a) >= :v", {}, {{":v", 0}}, kFails},
      {"size(a) <> :v", {}, v, kHolds},
      {"a = :v", {{"a", nullptr}}, v, kFails},    // null exists and is not a number
      {"a = :n", {}, {{":n", nullptr}}, kFails},  // a missing attribute is not null
      {"a = b", {{"a", nullptr}}, {}, kFails},
      {"a.b = :v", {{"a", 1}}, v, kFails},         // a path into a number
      {"a[0] <> :v", {{"a", List{}}}, v, kHolds},  // a path beyond the end of a list
  });
}

// DynamoDB's documentation does not say how two attributes compare if the item has
// neither. Dolmen treats the two attributes as unequal.
TEST_F(ConditionRulesTest, TwoMissingAttributesAreUnequal) {
  CheckConditions({{"a = b", {}, {}, kFails},
                   {"a <> b", {}, {}, kHolds},
                   {"a IN (b)", {}, {}, kFails},
                   {"a <= b", {}, {}, kFails}});
}

TEST_F(ConditionRulesTest, BetweenIncludesBothEnds) {
  const Values numbers = {{":l", 1}, {":h", 10}};
  CheckConditions({
      {"a BETWEEN :l AND :h", {{"a", 0}}, numbers, kFails},
      {"a BETWEEN :l AND :h", {{"a", 1}}, numbers, kHolds},
      {"a BETWEEN :l AND :h", {{"a", 9}}, numbers, kHolds},
      {"a BETWEEN :l AND :h", {{"a", 10}}, numbers, kHolds},
      {"a BETWEEN :l AND :h", {{"a", N("10.1")}}, numbers, kFails},
      {"a BETWEEN :l AND :h", {{"a", "5"}}, numbers, kFails},
      {"a BETWEEN :l AND :l", {{"a", 1}}, {{":l", 1}}, kHolds},
      {"a BETWEEN :l AND :h", {{"a", "bb"}}, {{":l", "b"}, {":h", "c"}}, kHolds},
      {"a BETWEEN :l AND :h", {{"a", B("bb")}}, {{":l", B("b")}, {":h", B("c")}}, kHolds},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 1}, {"c", 9}}, {}, kHolds},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 9}, {"c", 1}}, {}, kFails},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 1}, {"c", "9"}}, {}, kFails},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 1}}, {}, kFails},
      {":v BETWEEN a AND b", {{"a", 1}, {"b", 9}}, {{":v", 5}}, kHolds},
      {"size(a) BETWEEN :l AND :h", {{"a", "four"}}, numbers, kHolds},
  });
}

TEST_F(ConditionRulesTest, InHoldsIfTheFirstOperandEqualsAnyOfTheOthers) {
  const Values v = {{":s", "x"}, {":n", 1}, {":l", List{1}}};
  CheckConditions({
      {"a IN (:s, :n, :l)", {{"a", "x"}}, v, kHolds},
      {"a IN (:s, :n, :l)", {{"a", N("1.0")}}, v, kHolds},
      {"a IN (:s, :n, :l)", {{"a", List{1}}}, v, kHolds},
      {"a IN (:s, :n, :l)", {{"a", "1"}}, v, kFails},
      {"a IN (:s)", {{"a", StringSet{"x"}}}, {{":s", "x"}}, kFails},
      {"a IN (b, c)", {{"a", "x"}, {"c", "x"}}, {}, kHolds},
      {":s IN (a)", {{"a", "x"}}, {{":s", "x"}}, kHolds},
      {"size(a) IN (:n)", {{"a", "x"}}, {{":n", 1}}, kHolds},
      {"a IN (size(b))", {{"a", 3}, {"b", "xyz"}}, {}, kHolds},
  });
}

TEST_F(ConditionRulesTest, AttributeExistsHoldsForEveryValueEvenNull) {
  const Map item = {{"z", nullptr}, {"l", List{1}}, {"m", Map{{"k", false}, {"e", ""}}}};
  CheckConditions({
      {"attribute_exists(z)", item, {}, kHolds},
      {"attribute_exists(y)", item, {}, kFails},
      {"attribute_exists(l[0])", item, {}, kHolds},
      {"attribute_exists(l[1])", item, {}, kFails},
      {"attribute_exists(m.k)", item, {}, kHolds},
      {"attribute_exists(m.e)", item, {}, kHolds},
      {"attribute_exists(m.K)", item, {}, kFails},
      {"attribute_exists(m.k.k)", item, {}, kFails},
      {"attribute_exists(m[0])", item, {}, kFails},
      {"attribute_exists(l.k)", item, {}, kFails},
      {"attribute_not_exists(z)", item, {}, kFails},
      {"attribute_not_exists(y)", item, {}, kHolds},
      {"attribute_not_exists(l[1])", item, {}, kHolds},
      {"attribute_not_exists(m.k)", item, {}, kFails},
      {"NOT attribute_exists(y)", item, {}, kHolds},
      {"attribute_exists(a)", {}, {}, kFails},
      {"attribute_not_exists(a)", {}, {}, kHolds},
  });
}

TEST_F(ConditionRulesTest, AttributeTypeHoldsForTheNamedTypeOnly) {
  for (const auto& [type, value] : OfEveryType()) {
    for (const auto& [name, unused] : OfEveryType()) {
      CheckConditions({{"attribute_type(a, :t)", {{"a", value}}, {{":t", name}}, type == name},
                       {"attribute_type(a.b[0], :t)",
                        {{"a", Map{{"b", List{value}}}}},
                        {{":t", name}},
                        type == name}});
    }
  }
  CheckConditions({
      {"attribute_type(:v, :t)", {}, {{":v", 1}, {":t", "N"}}, kHolds},
      {"attribute_type(:v, :t)", {}, {{":v", "1"}, {":t", "N"}}, kFails},
      {"attribute_type(size(a), :t)", {{"a", "x"}}, {{":t", "N"}}, kHolds},
      {"attribute_type(size(a), :t)", {}, {{":t", "N"}}, kFails},
  });
}

TEST_F(ConditionRulesTest, BeginsWithComparesBytes) {
  CheckConditions({
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", "wo"}}, kHolds},
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", "words"}}, kHolds},
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", "words!"}}, kFails},
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", "or"}}, kFails},
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", "Wo"}}, kFails},
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", ""}}, kHolds},
      {"begins_with(a, :p)", {{"a", "words"}}, {{":p", B("wo")}}, kFails},
      {"begins_with(a, :p)", {{"a", B("\x01\xFF")}}, {{":p", B("\x01")}}, kHolds},
      {"begins_with(a, :p)", {{"a", B("w")}}, {{":p", "w"}}, kFails},
      {"begins_with(a, :p)", {{"a", 12}}, {{":p", "1"}}, kFails},
      {"begins_with(a, :p)", {{"a", List{"x"}}}, {{":p", "x"}}, kFails},
      {"begins_with(a, :p)", {{"a", StringSet{"x"}}}, {{":p", "x"}}, kFails},
      {"begins_with(a, b)", {{"a", "words"}, {"b", "wo"}}, {}, kHolds},
      {"begins_with(a, b)", {{"a", 12}, {"b", 1}}, {}, kFails},
      {"begins_with(:p, a)", {{"a", "wo"}}, {{":p", "words"}}, kHolds},
  });
}

TEST_F(ConditionRulesTest, ContainsFindsPartsOfStringsAndBinaries) {
  const Map item = {{"s", "some words"}, {"b", B("\x01\x02\x03")}, {"n", 123}};
  CheckConditions({
      {"contains(s, :v)", item, {{":v", "me wo"}}, kHolds},
      {"contains(s, :v)", item, {{":v", "some words"}}, kHolds},
      {"contains(s, :v)", item, {{":v", ""}}, kHolds},
      {"contains(s, :v)", item, {{":v", "some words!"}}, kFails},
      {"contains(s, :v)", item, {{":v", "Some"}}, kFails},
      {"contains(s, :v)", item, {{":v", B("some")}}, kFails},
      {"contains(b, :v)", item, {{":v", B("\x02\x03")}}, kHolds},
      {"contains(b, :v)", item, {{":v", B("\x03\x02")}}, kFails},
      {"contains(n, :v)", item, {{":v", 2}}, kFails},
      {"contains(n, :v)", item, {{":v", "2"}}, kFails},
      {"contains(s, w)", {{"s", "some words"}, {"w", "words"}}, {}, kHolds},
  });
}

TEST_F(ConditionRulesTest, ContainsFindsMembersOfSetsAndElementsOfLists) {
  const Map item = {{"ss", StringSet{"x", "y"}},
                    {"ns", NumberSet{1, 20}},
                    {"bs", BinarySet{B("x")}},
                    {"l", List{"x", 1, B("z"), List{2}, Map{{"k", 1}}, StringSet{"q"}, nullptr}},
                    {"m", Map{{"k", "x"}}}};
  CheckConditions({
      {"contains(ss, :v)", item, {{":v", "x"}}, kHolds},
      {"contains(ss, :v)", item, {{":v", "z"}}, kFails},
      {"contains(ss, :v)", item, {{":v", ""}}, kFails},
      {"contains(ss, :v)", item, {{":v", StringSet{"x"}}}, kFails},
      {"contains(ns, :v)", item, {{":v", N("2e1")}}, kHolds},
      {"contains(ns, :v)", item, {{":v", "20"}}, kFails},
      {"contains(bs, :v)", item, {{":v", B("x")}}, kHolds},
      {"contains(bs, :v)", item, {{":v", "x"}}, kFails},
      {"contains(l, :v)", item, {{":v", "x"}}, kHolds},
      {"contains(l, :v)", item, {{":v", N("1.0")}}, kHolds},
      {"contains(l, :v)", item, {{":v", B("z")}}, kHolds},
      {"contains(l, :v)", item, {{":v", 2}}, kFails},
      {"contains(l[3], :v)", item, {{":v", 2}}, kHolds},
      {"contains(m, :v)", item, {{":v", "x"}}, kFails},
      {"contains(m, :v)", item, {{":v", "k"}}, kFails},
      {"contains(l, n)", {{"l", List{5}}, {"n", 5}}, {}, kHolds},
      {"contains(l, size(s))", {{"l", List{5}}, {"s", "fiver"}}, {}, kHolds},
      {"contains(:v, s)", {{"s", "x"}}, {{":v", StringSet{"x"}}}, kHolds},
  });
}

// The size of a string is its number of UTF-16 units, as in DynamoDB Local.
TEST_F(ConditionRulesTest, SizeCountsUtf16UnitsBytesOrElements) {
  const Map item = {{"s", "four"},
                    {"u", "é"},
                    {"p", "😀"},
                    {"e", ""},
                    {"b", B("\x01\x02")},
                    {"ss", StringSet{"x", "y", "z"}},
                    {"ns", NumberSet{1}},
                    {"bs", BinarySet{B("x"), B("y")}},
                    {"l", List{1, 2, List{3, 4}}},
                    {"m", Map{{"k", 1}}}};
  CheckConditions({
      {"size(s) = :n", item, {{":n", 4}}, kHolds},
      {"size(u) = :n", item, {{":n", 1}}, kHolds},
      {"size(p) = :n", item, {{":n", 2}}, kHolds},
      {"size(e) = :n", item, {{":n", 0}}, kHolds},
      {"size(b) = :n", item, {{":n", 2}}, kHolds},
      {"size(ss) = :n", item, {{":n", 3}}, kHolds},
      {"size(ns) = :n", item, {{":n", 1}}, kHolds},
      {"size(bs) = :n", item, {{":n", 2}}, kHolds},
      {"size(l) = :n", item, {{":n", 3}}, kHolds},
      {"size(l[2]) = :n", item, {{":n", 2}}, kHolds},
      {"size(m) = :n", item, {{":n", 1}}, kHolds},
      {"size(s) > size(b)", item, {}, kHolds},
      {"size(s) < :n", item, {{":n", N("4.5")}}, kHolds},
      {":n < size(s)", item, {{":n", 3}}, kHolds},
      {"size(:v) = size(b)", item, {{":v", "xy"}}, kHolds},
      {"size(:v) = :n", {}, {{":v", "aü日😀"}, {":n", 5}}, kHolds},
      {"size(s) = :n", item, {{":n", "4"}}, kFails},
      {"contains(ns, size(m))", item, {}, kHolds},
  });
}

TEST_F(ConditionRulesTest, NumbersBooleansAndNullHaveNoSize) {
  for (const AttributeValue& value : List{1, true, nullptr}) {
    for (const std::string op : {"=", "<", "<=", ">", ">="}) {
      CheckConditions({{"size(a) " + op + " :n", {{"a", value}}, {{":n", 1}}, kFails}});
    }
    CheckConditions({{"size(a) <> :n", {{"a", value}}, {{":n", 1}}, kHolds}});
  }
}

TEST_F(ConditionRulesTest, NotBindsTighterThanAndWhichBindsTighterThanOr) {
  const Values t = {{":t", true}};
  for (int bits = 0; bits < 8; ++bits) {
    const bool a = (bits & 1) != 0;
    const bool b = (bits & 2) != 0;
    const bool c = (bits & 4) != 0;
    const Map item = {{"a", a}, {"b", b}, {"c", c}};
    CheckConditions({
        {"a=:t AND b=:t AND c=:t", item, t, a && b && c},
        {"a=:t OR b=:t OR c=:t", item, t, a || b || c},
        {"a=:t OR b=:t AND c=:t", item, t, a || (b && c)},
        {"a=:t AND b=:t OR c=:t", item, t, (a && b) || c},
        {"(a=:t OR b=:t) AND c=:t", item, t, (a || b) && c},
        {"a=:t AND (b=:t OR c=:t)", item, t, a && (b || c)},
        {"NOT a=:t AND b=:t", item, t, !a && b},
        {"NOT (a=:t AND b=:t)", item, t, !(a && b)},
        {"NOT a=:t OR b=:t", item, t, !a || b},
        {"NOT (a=:t OR b=:t) OR c=:t", item, t, !(a || b) || c},
        {"NOT (NOT a=:t OR NOT (b=:t AND NOT c=:t))", item, t, !(!a || !(b && !c))},
        {"(NOT (a=:t)) AND (NOT (b=:t OR (NOT c=:t)))", item, t, !a && !(b || !c)},
    });
  }
}

TEST_F(ConditionRulesTest, TheAndOfBetweenBelongsToBetween) {
  const Map item = {{"a", 1}, {"b", 5}};
  const Values v = {{":l", 1}, {":h", 2}, {":b", 5}};
  CheckConditions({
      {"a BETWEEN :l AND :h AND b = :b", item, v, kHolds},
      {"a BETWEEN :l AND :h OR b = :b", item, v, kHolds},
      {"b = :b AND a BETWEEN :l AND :h", item, v, kHolds},
      {"NOT a BETWEEN :l AND :h AND b = :b", item, v, kFails},
      {"NOT b BETWEEN :l AND :h AND a < :b", item, v, kHolds},
  });
}

}  // namespace
}  // namespace dolmen::behaviour
