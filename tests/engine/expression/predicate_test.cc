// Tests of the results of single comparisons and functions for items. The tests of rejected
// operands are in predicate_binding_test.cc.

#include "engine/expression/predicate.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/engine/expression/condition_examples.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::B;
using test::IsOkAndHolds;
using test::N;

TEST(PredicateTest, EqualComparesTypeAndValue) {
  const StringSet set = {"x", "y"};
  const Map map = {{"k", List{1, "x", Map{}}}};
  Check({
      {"a = :v", {{"a", "x"}}, {{":v", "x"}}, kYes},
      {"a = :v", {{"a", "x"}}, {{":v", "y"}}, kNo},
      {"a = :v", {{"a", "x"}}, {{":v", "xx"}}, kNo},
      {"a = :v", {{"a", ""}}, {{":v", ""}}, kYes},
      {"a = :v", {{"a", "1"}}, {{":v", 1}}, kNo},
      {"a = :v", {{"a", "x"}}, {{":v", B("x")}}, kNo},
      {"a = :v", {{"a", 1}}, {{":v", N("1.0")}}, kYes},
      {"a = :v", {{"a", 100}}, {{":v", N("1e2")}}, kYes},
      {"a = :v", {{"a", 0}}, {{":v", N("-0.0")}}, kYes},
      {"a = :v", {{"a", 1}}, {{":v", -1}}, kNo},
      {"a = :v", {{"a", B("x")}}, {{":v", B("x")}}, kYes},
      {"a = :v", {{"a", true}}, {{":v", true}}, kYes},
      {"a = :v", {{"a", true}}, {{":v", false}}, kNo},
      {"a = :v", {{"a", nullptr}}, {{":v", nullptr}}, kYes},
      {"a = :v", {{"a", nullptr}}, {{":v", false}}, kNo},
      {"a = :v", {{"a", set}}, {{":v", StringSet{"y", "x"}}}, kYes},
      {"a = :v", {{"a", set}}, {{":v", StringSet{"x"}}}, kNo},
      {"a = :v", {{"a", set}}, {{":v", List{"x", "y"}}}, kNo},
      {"a = :v", {{"a", map}}, {{":v", map}}, kYes},
      {"a = :v", {{"a", map}}, {{":v", Map{{"k", List{1, "x"}}}}}, kNo},
      {"a = :v", {{"a", List{1, 2}}}, {{":v", List{2, 1}}}, kNo},
      {"a = :v", {{"a", List{}}}, {{":v", Map{}}}, kNo},
      {":v = a", {{"a", "x"}}, {{":v", "x"}}, kYes},
      {":v = :w", {}, {{":v", "x"}, {":w", "x"}}, kYes},
      {":v = :v", {}, {{":v", "x"}}, kYes},  // the operands must differ only if they are paths
      {"a = b", {{"a", "x"}, {"b", "x"}}, {}, kYes},
      {"a = b", {{"a", "x"}, {"b", "y"}}, {}, kNo},
  });
}

TEST(PredicateTest, NotEqualIsTheNegationOfEqual) {
  Check({
      {"a <> :v", {{"a", "x"}}, {{":v", "x"}}, kNo},
      {"a <> :v", {{"a", "x"}}, {{":v", "y"}}, kYes},
      {"a <> :v", {{"a", "1"}}, {{":v", 1}}, kYes},
      {"a <> :v", {{"a", 1}}, {{":v", N("1.0")}}, kNo},
      {"a <> :v", {}, {{":v", "x"}}, kYes},
      {"a <> b", {{"a", "x"}, {"b", "x"}}, {}, kNo},
  });
}

TEST(PredicateTest, NumbersCompareAsNumbers) {
  Check({
      {"a < :v", {{"a", 2}}, {{":v", 10}}, kYes},
      {"a < :v", {{"a", -10}}, {{":v", -2}}, kYes},
      {"a < :v", {{"a", N("-0.5")}}, {{":v", 0}}, kYes},
      {"a < :v", {{"a", N("1E-130")}}, {{":v", N("9.99E125")}}, kYes},
      {"a < :v", {{"a", 2}}, {{":v", 2}}, kNo},
      {"a <= :v", {{"a", N("2.00")}}, {{":v", 2}}, kYes},
      {"a <= :v", {{"a", 3}}, {{":v", 2}}, kNo},
      {"a > :v", {{"a", N("10.01")}}, {{":v", 10}}, kYes},
      {"a > :v", {{"a", 10}}, {{":v", 10}}, kNo},
      {"a >= :v", {{"a", 10}}, {{":v", 10}}, kYes},
      {"a >= :v", {{"a", 9}}, {{":v", 10}}, kNo},
      {":v > a", {{"a", 9}}, {{":v", 10}}, kYes},
      {"a < b", {{"a", 9}, {"b", 10}}, {}, kYes},
  });
}

TEST(PredicateTest, StringsAndBinariesCompareAsUnsignedBytes) {
  Check({
      {"a < :v", {{"a", "A"}}, {{":v", "a"}}, kYes},
      {"a < :v", {{"a", "a"}}, {{":v", "aa"}}, kYes},
      {"a < :v", {{"a", ""}}, {{":v", "a"}}, kYes},
      {"a < :v", {{"a", "z"}}, {{":v", "¿"}}, kYes},
      {"a < :v", {{"a", "\uFFFD"}}, {{":v", "\U0001F600"}}, kYes},  // UTF-16 would differ
      {"a < :v", {{"a", "10"}}, {{":v", "9"}}, kYes},
      {"a < :v", {{"a", B("\x7F")}}, {{":v", B("\x80")}}, kYes},
      {"a >= :v", {{"a", B("\xFF")}}, {{":v", B("\x01")}}, kYes},
  });
}

TEST(PredicateTest, OtherTypesAndMixedTypesHaveNoOrder) {
  const Values string = {{":v", "x"}};
  const Values number = {{":v", 1}};
  for (const char* text : {"a < :v", "a <= :v", "a > :v", "a >= :v"}) {
    Check({
        {text, {{"a", 1}}, string, kNo},
        {text, {{"a", "1"}}, number, kNo},
        {text, {{"a", B("x")}}, string, kNo},
        {text, {{"a", true}}, number, kNo},
        {text, {{"a", nullptr}}, string, kNo},
        {text, {{"a", List{"x"}}}, string, kNo},
        {text, {{"a", Map{}}}, string, kNo},
        {text, {{"a", StringSet{"x"}}}, string, kNo},
        {text, {}, string, kNo},
    });
  }
  Check({{"a <= b", {{"a", true}, {"b", true}}, {}, kNo},
         {"a <= b", {{"a", List{}}, {"b", List{}}}, {}, kNo}});
}

// An absent value is not equal to another absent value.
TEST(PredicateTest, AnAbsentValueEqualsNoValue) {
  Check({
      {"a = :v", {}, {{":v", "x"}}, kNo},
      {"a <> :v", {}, {{":v", "x"}}, kYes},
      {"a = b", {}, {}, kNo},
      {"a <> b", {}, {}, kYes},
      {"a = b", {{"a", nullptr}}, {}, kNo},
      {"a BETWEEN :v AND :w", {}, {{":v", 1}, {":w", 2}}, kNo},
      {"a IN (:v)", {}, {{":v", 1}}, kNo},
      {"a IN (b)", {}, {}, kNo},
      {"begins_with(a, :v)", {}, {{":v", ""}}, kNo},
      {"contains(a, :v)", {}, {{":v", ""}}, kNo},
      {"attribute_type(a, :v)", {}, {{":v", "S"}}, kNo},
      {"size(a) >= :v", {}, {{":v", 0}}, kNo},
      {"NOT a = :v", {}, {{":v", "x"}}, kYes},
      {"NOT a < :v", {}, {{":v", "x"}}, kYes},
  });
}

TEST(PredicateTest, BetweenIncludesBothEnds) {
  const Values one_to_ten = {{":l", 1}, {":h", 10}};
  Check({
      {"a BETWEEN :l AND :h", {{"a", 1}}, one_to_ten, kYes},
      {"a BETWEEN :l AND :h", {{"a", 10}}, one_to_ten, kYes},
      {"a BETWEEN :l AND :h", {{"a", 9}}, one_to_ten, kYes},
      {"a BETWEEN :l AND :h", {{"a", 0}}, one_to_ten, kNo},
      {"a BETWEEN :l AND :h", {{"a", N("10.1")}}, one_to_ten, kNo},
      {"a BETWEEN :l AND :h", {{"a", "5"}}, one_to_ten, kNo},
      {"a BETWEEN :l AND :l", {{"a", 1}}, {{":l", 1}}, kYes},
      {"a BETWEEN :l AND :h", {{"a", "bb"}}, {{":l", "b"}, {":h", "c"}}, kYes},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 1}, {"c", 9}}, {}, kYes},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 9}, {"c", 1}}, {}, kNo},
      {"a BETWEEN b AND c", {{"a", 5}, {"b", 1}}, {}, kNo},
      {":v BETWEEN a AND b", {{"a", 1}, {"b", 9}}, {{":v", 5}}, kYes},
      {"size(a) BETWEEN :l AND :h", {{"a", "four"}}, one_to_ten, kYes},
  });
}

TEST(PredicateTest, InMatchesAnyOfItsOperands) {
  const Values values = {{":x", "x"}, {":one", 1}, {":l", List{1}}};
  Check({
      {"a IN (:x, :one, :l)", {{"a", "x"}}, values, kYes},
      {"a IN (:x, :one, :l)", {{"a", 1}}, values, kYes},
      {"a IN (:x, :one, :l)", {{"a", List{1}}}, values, kYes},
      {"a IN (:x, :one, :l)", {{"a", "1"}}, values, kNo},
      {"a IN (b, c)", {{"a", "x"}, {"c", "x"}}, {}, kYes},
      {":x IN (a)", {{"a", "x"}}, {{":x", "x"}}, kYes},
      {"size(a) IN (:one)", {{"a", "x"}}, {{":one", 1}}, kYes},
  });
}

TEST(PredicateTest, AttributeExistsIsTrueForAnyValue) {
  const Item item = {{"a", nullptr}, {"l", List{1}}, {"m", Map{{"k", false}}}};
  Check({
      {"attribute_exists(a)", item, {}, kYes},
      {"attribute_exists(b)", item, {}, kNo},
      {"attribute_exists(l[0])", item, {}, kYes},
      {"attribute_exists(l[1])", item, {}, kNo},
      {"attribute_exists(m.k)", item, {}, kYes},
      {"attribute_exists(m.k.k)", item, {}, kNo},
      {"attribute_exists(m[0])", item, {}, kNo},
      {"attribute_exists(l.k)", item, {}, kNo},
      {"attribute_not_exists(a)", item, {}, kNo},
      {"attribute_not_exists(b)", item, {}, kYes},
      {"attribute_not_exists(l[1])", item, {}, kYes},
      {"attribute_not_exists(a)", {}, {}, kYes},
      {"attribute_exists(a)", {}, {}, kNo},
  });
}

TEST(PredicateTest, AttributeTypeKnowsAllTypes) {
  const Item item = {{"S", "x"},           {"N", 1},
                     {"B", B("x")},        {"BOOL", true},
                     {"NULL", nullptr},    {"M", Map{}},
                     {"L", List{}},        {"SS", StringSet{"x"}},
                     {"NS", NumberSet{1}}, {"BS", BinarySet{B("x")}}};
  for (const auto& [name, value] : item) {
    for (const auto& [type, other] : item) {
      EXPECT_THAT(Evaluate("attribute_type(#a, :t)", item, {{":t", type}}, {{"#a", name}}),
                  IsOkAndHolds(name == type))
          << name << " " << type;
    }
  }
}

TEST(PredicateTest, BeginsWithComparesBytes) {
  Check({
      {"begins_with(a, :p)", {{"a", "text"}}, {{":p", "te"}}, kYes},
      {"begins_with(a, :p)", {{"a", "text"}}, {{":p", "text"}}, kYes},
      {"begins_with(a, :p)", {{"a", "text"}}, {{":p", "texts"}}, kNo},
      {"begins_with(a, :p)", {{"a", "text"}}, {{":p", "ex"}}, kNo},
      {"begins_with(a, :p)", {{"a", "text"}}, {{":p", ""}}, kYes},
      {"begins_with(a, :p)", {{"a", "text"}}, {{":p", B("te")}}, kNo},
      {"begins_with(a, :p)", {{"a", B("\x01\xFF")}}, {{":p", B("\x01")}}, kYes},
      {"begins_with(a, :p)", {{"a", 12}}, {{":p", "1"}}, kNo},
      {"begins_with(a, :p)", {{"a", List{"x"}}}, {{":p", "x"}}, kNo},
      {"begins_with(a, b)", {{"a", "text"}, {"b", "te"}}, {}, kYes},
      {"begins_with(a, b)", {{"a", 12}, {"b", 1}}, {}, kNo},
      {"begins_with(:p, a)", {{"a", "te"}}, {{":p", "text"}}, kYes},
  });
}

TEST(PredicateTest, ContainsFindsSubstringsAndElements) {
  const Item item = {{"s", "some text"},
                     {"b", B("\x01\x02\x03")},
                     {"ss", StringSet{"x", "y"}},
                     {"ns", NumberSet{1, 20}},
                     {"bs", BinarySet{B("x")}},
                     {"l", List{"x", 1, B("z"), List{2}, Map{{"k", 1}}, StringSet{"q"}, nullptr}},
                     {"m", Map{{"k", "x"}}},
                     {"n", 123}};
  Check({
      {"contains(s, :v)", item, {{":v", "me te"}}, kYes},
      {"contains(s, :v)", item, {{":v", "some text"}}, kYes},
      {"contains(s, :v)", item, {{":v", ""}}, kYes},
      {"contains(s, :v)", item, {{":v", "some text!"}}, kNo},
      {"contains(s, :v)", item, {{":v", "Some"}}, kNo},
      {"contains(s, :v)", item, {{":v", B("some")}}, kNo},
      {"contains(b, :v)", item, {{":v", B("\x02\x03")}}, kYes},
      {"contains(b, :v)", item, {{":v", B("\x03\x02")}}, kNo},
      {"contains(ss, :v)", item, {{":v", "x"}}, kYes},
      {"contains(ss, :v)", item, {{":v", ""}}, kNo},
      {"contains(ss, :v)", item, {{":v", StringSet{"x"}}}, kNo},
      {"contains(ns, :v)", item, {{":v", N("2e1")}}, kYes},
      {"contains(ns, :v)", item, {{":v", "20"}}, kNo},
      {"contains(bs, :v)", item, {{":v", B("x")}}, kYes},
      {"contains(bs, :v)", item, {{":v", "x"}}, kNo},
      {"contains(l, :v)", item, {{":v", "x"}}, kYes},
      {"contains(l, :v)", item, {{":v", N("1.0")}}, kYes},
      {"contains(l, :v)", item, {{":v", B("z")}}, kYes},
      {"contains(l, :v)", item, {{":v", List{2}}}, kYes},
      {"contains(l, :v)", item, {{":v", Map{{"k", 1}}}}, kYes},
      {"contains(l, :v)", item, {{":v", StringSet{"q"}}}, kYes},
      {"contains(l, :v)", item, {{":v", nullptr}}, kYes},
      {"contains(l, :v)", item, {{":v", 2}}, kNo},
      {"contains(m, :v)", item, {{":v", "x"}}, kNo},
      {"contains(n, :v)", item, {{":v", 2}}, kNo},
      {"contains(l, n)", {{"l", List{5}}, {"n", 5}}, {}, kYes},
      {"contains(l, size(s))", {{"l", List{5}}, {"s", "fiver"}}, {}, kYes},
      {"contains(:v, s)", {{"s", "x"}}, {{":v", StringSet{"x"}}}, kYes},
  });
}

TEST(PredicateTest, SizeCountsCharactersBytesOrElements) {
  const Item item = {{"s", "four"},
                     {"u", "é"},
                     {"b", B("\x01\x02")},
                     {"ss", StringSet{"x", "y", "z"}},
                     {"ns", NumberSet{1}},
                     {"bs", BinarySet{B("x"), B("y")}},
                     {"l", List{1, 2, List{3, 4}}},
                     {"m", Map{{"k", 1}}},
                     {"e", ""}};
  Check({
      {"size(s) = :n", item, {{":n", 4}}, kYes},
      {"size(u) = :n", item, {{":n", 1}}, kYes},  // UTF-16 units
      {"size(:v) = :n", {}, {{":v", "a\u00fc\u65e5\U0001F600"}, {":n", 5}}, kYes},
      {"size(b) = :n", item, {{":n", 2}}, kYes},
      {"size(ss) = :n", item, {{":n", 3}}, kYes},
      {"size(ns) = :n", item, {{":n", 1}}, kYes},
      {"size(bs) = :n", item, {{":n", 2}}, kYes},
      {"size(l) = :n", item, {{":n", 3}}, kYes},
      {"size(l[2]) = :n", item, {{":n", 2}}, kYes},
      {"size(m) = :n", item, {{":n", 1}}, kYes},
      {"size(e) = :n", item, {{":n", 0}}, kYes},
      {"size(s) > size(b)", item, {}, kYes},
      {"size(s) < :n", item, {{":n", N("4.5")}}, kYes},
      {":n < size(s)", item, {{":n", 3}}, kYes},
      {"size(:v) = size(b)", item, {{":v", "xy"}}, kYes},
      {"size(s) = :n", item, {{":n", "4"}}, kNo},
  });
}

TEST(PredicateTest, NumbersBooleansAndNullsHaveNoSize) {
  const Item item = {{"n", 1}, {"t", true}, {"z", nullptr}};
  for (const char* text : {"size(n) >= :n", "size(t) >= :n", "size(z) >= :n", "size(x) >= :n",
                           "size(n) < :n", "size(n) = :n"}) {
    Check({{text, item, {{":n", 0}}, kNo}});
  }
}

TEST(PredicateTest, AttributeTypeAllowsAnyFirstOperand) {
  Check({
      {"attribute_type(:v, :t)", {}, {{":v", 1}, {":t", "N"}}, kYes},
      {"attribute_type(:v, :t)", {}, {{":v", "1"}, {":t", "N"}}, kNo},
      {"attribute_type(size(a), :t)", {{"a", "x"}}, {{":t", "N"}}, kYes},
      {"attribute_type(size(a), :t)", {}, {{":t", "N"}}, kNo},
  });
}

}  // namespace
}  // namespace dolmen::engine
