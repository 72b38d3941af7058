// Tests of the operands that the binding of predicates rejects. The tests of results for items are
// in predicate_test.cc.

#include <gmock/gmock.h>

#include <string>

#include "tests/engine/expression/condition_examples.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::B;
using test::IsOkAndHolds;

TEST(PredicateBindingTest, RejectsTheWrongNumberOfOperands) {
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

TEST(PredicateBindingTest, InAllowsAtMost100Operands) {
  const auto in = [](int count) {
    std::string text = "a IN (:v";
    for (int i = 1; i < count; ++i) text += ",:v";
    return text + ")";
  };
  EXPECT_THAT(Evaluate(in(100), {{"a", 1}}, {{":v", 1}}), IsOkAndHolds(true));
  EXPECT_EQ(Refusal(in(101), {{":v", 1}}),
            "The IN operator is provided with too many operands; number of operands: 101");
}

TEST(PredicateBindingTest, TheFirstOperandMustBeDistinct) {
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

TEST(PredicateBindingTest, RejectsValuesOfTheWrongType) {
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

TEST(PredicateBindingTest, AttributeExistsRequiresAPath) {
  const auto message = [](std::string_view function) {
    return std::string("Operator or function requires a document path; operator or function: ")
        .append(function);
  };
  const Values v = {{":v", "S"}};
  EXPECT_EQ(Refusal("attribute_exists(:v)", v), message("attribute_exists"));
  EXPECT_EQ(Refusal("attribute_not_exists(:v)", v), message("attribute_not_exists"));
  EXPECT_EQ(Refusal("attribute_exists(size(a))"), message("attribute_exists"));
}

TEST(PredicateBindingTest, AttributeTypeRequiresTheNameOfAType) {
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

TEST(PredicateBindingTest, BetweenRequiresBoundsOfOneTypeInAscendingOrder) {
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
