// Tests of single comparisons and functions: their results for items, and their errors.

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

// An absent value does not equal another absent value either.
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

TEST(PredicateTest, RejectsTheWrongNumberOfOperands) {
  const Values v = {{":v", "x"}};
  const struct {
    const char* text;
    const char* function;
    int count;
  } cases[] = {
      {"attribute_exists(a, b)", "attribute_exists", 2},
      {"attribute_not_exists(a, :v)", "attribute_not_exists", 2},
      {"attribute_type(a)", "attribute_type", 1},
      {"begins_with(a)", "begins_with", 1},
      {"begins_with(a, :v, b)", "begins_with", 3},
      {"contains(a, :v, b, c)", "contains", 4},
      {"size(a, b) = :v", "size", 2},
      {"a = size(:v, b, c)", "size", 3},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Refusal(c.text, v),
              std::string("Incorrect number of operands for operator or function; operator or "
                          "function: ") +
                  c.function + ", number of operands: " + std::to_string(c.count))
        << c.text;
  }
}

TEST(PredicateTest, InAllowsAtMost100Operands) {
  const auto in = [](int count) {
    std::string text = "a IN (:v";
    for (int i = 1; i < count; ++i) text += ",:v";
    return text + ")";
  };
  EXPECT_THAT(Evaluate(in(100), {{"a", 1}}, {{":v", 1}}), IsOkAndHolds(true));
  EXPECT_EQ(Refusal(in(101), {{":v", 1}}),
            "The IN operator is provided with too many operands; number of operands: 101");
}

TEST(PredicateTest, TheFirstOperandMustBeDistinct) {
  const auto message = [](std::string_view op, std::string_view path) {
    return std::string(
               "The first operand must be distinct from the remaining operands for this "
               "operator or function; operator: ")
        .append(op)
        .append(", first operand: ")
        .append(path);
  };
  const Values v = {{":v", 1}};
  EXPECT_EQ(Refusal("a = a"), message("=", "[a]"));
  EXPECT_EQ(Refusal("a[1].b <> a[1].b"), message("<>", "[a, [1], b]"));
  EXPECT_EQ(Refusal("#x >= a", {}, {{"#x", "a"}}), message(">=", "[a]"));
  EXPECT_EQ(Refusal("(a).b < a.b"), message("<", "[a, b]"));
  EXPECT_EQ(Refusal("a IN (:v, b, a)", v), message("IN", "[a]"));
  EXPECT_EQ(Refusal("a BETWEEN :v AND a", v), message("BETWEEN", "[a]"));
  EXPECT_EQ(Refusal("begins_with(a, a)"), message("begins_with", "[a]"));
  EXPECT_EQ(Refusal("contains(a, a)"), message("contains", "[a]"));
  EXPECT_THAT(Evaluate("a BETWEEN b AND b", {{"a", 1}, {"b", 1}}), IsOkAndHolds(true));
  EXPECT_THAT(Evaluate("size(a) = a", {{"a", "x"}}), IsOkAndHolds(false));
}

TEST(PredicateTest, RejectsValuesOfTheWrongType) {
  const struct {
    const char* text;
    AttributeValue value;
    const char* op;
    const char* type;
  } cases[] = {
      {"a < :v", true, "<", "BOOL"},
      {"a <= :v", nullptr, "<=", "NULL"},
      {"a > :v", List{}, ">", "L"},
      {":v >= a", Map{}, ">=", "M"},
      {"a BETWEEN :v AND b", StringSet{"x"}, "BETWEEN", "SS"},
      {":v BETWEEN a AND b", NumberSet{1}, "BETWEEN", "NS"},
      {"begins_with(a, :v)", 1, "begins_with", "N"},
      {"begins_with(:v, a)", BinarySet{B("x")}, "begins_with", "BS"},
      {"attribute_type(a, :v)", 1, "attribute_type", "N"},
      {"size(:v) = a", 1, "size", "N"},
      {"size(:v) = a", true, "size", "BOOL"},
      {"size(:v) = a", nullptr, "size", "NULL"},
      {"size(size(:v)) = a", "x", "size", "N"},
      {"begins_with(a, size(:v))", "x", "begins_with", "N"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(
        Refusal(c.text, {{":v", c.value}}),
        std::string("Incorrect operand type for operator or function; operator or function: ") +
            c.op + ", operand type: " + c.type)
        << c.text;
  }
}

TEST(PredicateTest, AttributeExistsRequiresAPath) {
  const auto message = [](std::string_view function) {
    return std::string("Operator or function requires a document path; operator or function: ")
        .append(function);
  };
  const Values v = {{":v", "S"}};
  EXPECT_EQ(Refusal("attribute_exists(:v)", v), message("attribute_exists"));
  EXPECT_EQ(Refusal("attribute_not_exists(:v)", v), message("attribute_not_exists"));
  EXPECT_EQ(Refusal("attribute_exists(size(a))"), message("attribute_exists"));
}

TEST(PredicateTest, AttributeTypeRequiresTheNameOfAType) {
  EXPECT_EQ(Refusal("attribute_type(a, :v)", {{":v", "X"}}),
            "Invalid attribute type name found; type: X, valid types: "
            "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  EXPECT_EQ(Refusal("attribute_type(a, :v)", {{":v", "s"}}),
            "Invalid attribute type name found; type: s, valid types: "
            "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
  EXPECT_EQ(Refusal("attribute_type(a, b)"),
            "Operator or function requires an expression attribute value; operator or function: "
            "attribute_type");
  EXPECT_EQ(Refusal("attribute_type(a, size(b))"),
            "Incorrect operand type for operator or function; operator or function: "
            "attribute_type, operand type: N");
}

TEST(PredicateTest, AttributeTypeAllowsAnyFirstOperand) {
  Check({
      {"attribute_type(:v, :t)", {}, {{":v", 1}, {":t", "N"}}, kYes},
      {"attribute_type(:v, :t)", {}, {{":v", "1"}, {":t", "N"}}, kNo},
      {"attribute_type(size(a), :t)", {{"a", "x"}}, {{":t", "N"}}, kYes},
      {"attribute_type(size(a), :t)", {}, {{":t", "N"}}, kNo},
  });
}

TEST(PredicateTest, BetweenRequiresBoundsOfOneTypeInAscendingOrder) {
  EXPECT_EQ(Refusal("a BETWEEN :l AND :h", {{":l", 1}, {":h", "a"}}),
            "The BETWEEN operator requires same data type for lower and upper bounds; lower bound "
            "operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}");
  EXPECT_EQ(
      Refusal("a BETWEEN :l AND :h", {{":l", "b"}, {":h", "a"}}),
      "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
      "lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}");
  EXPECT_THAT(Refusal("a BETWEEN :l AND :h", {{":l", 10}, {":h", 9}}),
              testing::HasSubstr("{N:10}, upper bound operand: AttributeValue: {N:9}"));
}

}  // namespace
}  // namespace dolmen::engine
