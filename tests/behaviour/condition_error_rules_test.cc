// Tests of conditions and filters that are rejected before an item is read, with their messages.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

class ConditionErrorRulesTest : public RulesTest {
 protected:
  static std::string Operands(const std::string& function, int count) {
    return "Incorrect number of operands for operator or function; operator or function: " +
           function + ", number of operands: " + std::to_string(count);
  }
  static std::string OperandType(const std::string& function, const std::string& type) {
    return "Incorrect operand type for operator or function; operator or function: " + function +
           ", operand type: " + type;
  }
  static std::string NeedsPath(const std::string& function) {
    return "Operator or function requires a document path; operator or function: " + function;
  }
  static std::string Misused(const std::string& function) {
    return "The function is not allowed to be used this way in an expression; function: " +
           function;
  }
  static std::string NotDistinct(const std::string& op, const std::string& path) {
    return "The first operand must be distinct from the remaining operands for this operator or "
           "function; operator: " +
           op + ", first operand: " + path;
  }
  static std::string Bounds(const std::string& rule, const std::string& lower,
                            const std::string& upper) {
    return "The BETWEEN operator requires " + rule + "; lower bound operand: AttributeValue: {" +
           lower + "}, upper bound operand: AttributeValue: {" + upper + "}";
  }
};

TEST_F(ConditionErrorRulesTest, AnEmptyExpressionIsRejected) {
  CheckRefusedConditions({{"", {}, "The expression can not be empty;"}});
}

// The message shows the wrong token and the text near it. It is unverified how much of
// this text DynamoDB shows.
TEST_F(ConditionErrorRulesTest, ASyntaxErrorShowsTheWrongToken) {
  CheckRefusedConditions({
      {" ", {}, SyntaxError("<EOF>", "")},
      {"a", {}, SyntaxError("<EOF>", "a")},
      {"a =", {}, SyntaxError("<EOF>", "=")},
      {"a = :v AND", {}, SyntaxError("<EOF>", "AND")},
      {"(a = :v", {}, SyntaxError("<EOF>", ":v")},
      {"a = :v)", {}, SyntaxError(")", ":v)")},
      {"()", {}, SyntaxError(")", "()")},
      {"AND a = :v", {}, SyntaxError("AND", "AND a")},
      {"a = :v b", {}, SyntaxError("b", ":v b")},
      {"a == :v", {}, SyntaxError("=", "== :v")},
      {"a != :v", {}, SyntaxError("!", "a !=")},
      {"a = :v = :w", {}, SyntaxError("=", ":v = :w")},
      {"a NOT IN (:v)", {}, SyntaxError("NOT", "a NOT IN")},
      {"a IN ()", {}, SyntaxError(")", "()")},
      {"a IN :v", {}, SyntaxError(":v", "IN :v")},
      {"a IN (:v,)", {}, SyntaxError(")", ",)")},
      {"a BETWEEN :v OR :w", {}, SyntaxError("OR", ":v OR :w")},
      {"a BETWEEN :v, :w", {}, SyntaxError(",", ":v, :w")},
      {"contains(a :v)", {}, SyntaxError(":v", "a :v)")},
      {"size() = :v", {}, SyntaxError(")", "() =")},
      {"(a = :v) = :w", {}, SyntaxError("=", ") = :w")},
      {"= :v", {}, SyntaxError("=", "= :v")},
      {"a = = :v", {}, SyntaxError("=", "= = :v")},
      {"a < > :v", {}, SyntaxError(">", "< > :v")},
      {"a AND b = :v", {}, SyntaxError("AND", "a AND b")},
      {"a = :v AND b", {}, SyntaxError("<EOF>", "b")},
      {"a = :v AND b OR c = :w", {}, SyntaxError("OR", "b OR c")},
      {"a = :v OR (b) OR c = :w", {}, SyntaxError("OR", ") OR c")},
      {"NOT a", {}, SyntaxError("<EOF>", "a")},
      {"NOT", {}, SyntaxError("<EOF>", "NOT")},
      {"NOT IN (:v)", {}, SyntaxError("IN", "NOT IN (")},
      {"a = :v; DROP", {}, SyntaxError(";", ":v; DROP")},
      {"a NOT = :v", {}, SyntaxError("NOT", "a NOT =")},
      {"a = (b = :v)", {}, SyntaxError("=", "b = :v")},
      {"(a = :v) IN (:w)", {}, SyntaxError("IN", ") IN (")},
      {"a BETWEEN :v", {}, SyntaxError("<EOF>", ":v")},
      {"a BETWEEN (:v AND :w)", {}, SyntaxError("AND", ":v AND :w")},
      {"size(a = :v", {}, SyntaxError("=", "a = :v")},
      {"size = :v AND b", {}, SyntaxError("<EOF>", "b")},
      {"a + b = :v", {}, SyntaxError("+", "a + b")},
      {"(a).0 = :v", {}, SyntaxError("0", ".0 =")},
      {"(:v).a = :v", {}, SyntaxError(".", ").a")},
      {"attribute_exists(a).b = :v", {}, SyntaxError(".", ").b")},
      {"between = :v", {}, SyntaxError("between", "between =")},
  });
}

// Literals and arithmetic in a condition are syntax errors.
TEST_F(ConditionErrorRulesTest, LiteralsAndArithmeticAreRejected) {
  CheckRefusedConditions({
      {"a = 1", {}, SyntaxError("1", "= 1")},
      {"a = 'x'", {}, SyntaxError("'", "= 'x")},
      {"a = \"x\"", {}, SyntaxError("\"", "= \"x")},
      {"a = true", {}, "Attribute name is a reserved keyword; reserved keyword: true"},
      {"set = :v", {}, "Attribute name is a reserved keyword; reserved keyword: set"},
      {"a = b + :v", {}, SyntaxError("+", "b + :v")},
      {"a - b = :v", {}, SyntaxError("-", "a - b")},
      {"a = -:v", {}, SyntaxError("-", "= -:v")},
      {"sort-key = :v", {}, SyntaxError("-", "sort-key")},
  });
}

// A function name is case-sensitive, and an unknown name is rejected.
TEST_F(ConditionErrorRulesTest, FunctionNamesMustExistAndAreCaseSensitive) {
  CheckRefusedConditions({
      {"Size(a) = :v", {}, "Invalid function name; function: Size"},
      {"SIZE(a) = :v", {}, "Invalid function name; function: SIZE"},
      {"Begins_With(a, :v)", {}, "Invalid function name; function: Begins_With"},
      {"ATTRIBUTE_EXISTS(a)", {}, "Invalid function name; function: ATTRIBUTE_EXISTS"},
      {"exists_attribute(a)", {}, "Invalid function name; function: exists_attribute"},
      {"a = upper(b)", {}, "Invalid function name; function: upper"},
      {"NOT foo(a, :v)", {}, "Invalid function name; function: foo"},
      {"a IN (foo(b))", {}, "Invalid function name; function: foo"},
      {"foo(a) AND bar(b)", {}, "Invalid function name; function: foo"},
      {"foo(a) = :v", {}, "Invalid function name; function: foo"},
      {"size(foo(b)) = :v", {}, "Invalid function name; function: foo"},
  });
}

TEST_F(ConditionErrorRulesTest, SizeIsTheOnlyFunctionThatIsAnOperandAndIsNoCondition) {
  CheckRefusedConditions({
      {"size(a)", {}, Misused("size")},
      {"NOT size(a)", {}, Misused("size")},
      {"(size(a)) AND b = :v", {}, Misused("size")},
      {"attribute_exists(a) = :v", {}, Misused("attribute_exists")},
      {"a = attribute_not_exists(b)", {}, Misused("attribute_not_exists")},
      {":v = contains(a, :w)", {}, Misused("contains")},
      {"begins_with(a, :v) IN (:w)", {}, Misused("begins_with")},
      {"a BETWEEN attribute_type(b, :v) AND :w", {}, Misused("attribute_type")},
      {"attribute_exists(contains(a, :v))", {}, Misused("contains")},
      {"size(attribute_exists(a)) = :v", {}, Misused("attribute_exists")},
      {"(size(a))", {}, Misused("size")},
      {"b = :v OR size(a)", {}, Misused("size")},
      {"a IN (attribute_not_exists(b))", {}, Misused("attribute_not_exists")},
      {"(attribute_exists(a)) = :v", {}, Misused("attribute_exists")},
  });
}

TEST_F(ConditionErrorRulesTest, FunctionsRejectAWrongNumberOfOperands) {
  const Values v = {{":v", "x"}};
  CheckRefusedConditions({
      {"attribute_exists(a, b)", v, Operands("attribute_exists", 2)},
      {"attribute_not_exists(a, :v)", v, Operands("attribute_not_exists", 2)},
      {"attribute_type(a)", v, Operands("attribute_type", 1)},
      {"attribute_type(a, :v, :v)", v, Operands("attribute_type", 3)},
      {"begins_with(a)", v, Operands("begins_with", 1)},
      {"begins_with(a, :v, b)", v, Operands("begins_with", 3)},
      {"contains(a)", {}, Operands("contains", 1)},
      {"contains(a, :v, b, c)", v, Operands("contains", 4)},
      {"size(a, b) = :v", v, Operands("size", 2)},
      {"a = size(:v, b, c)", v, Operands("size", 3)},
  });
}

TEST_F(ConditionErrorRulesTest, AttributeExistsAndAttributeNotExistsNeedAPath) {
  const Values v = {{":v", "S"}};
  CheckRefusedConditions({
      {"attribute_exists(:v)", v, NeedsPath("attribute_exists")},
      {"attribute_not_exists(:v)", v, NeedsPath("attribute_not_exists")},
      {"attribute_exists(size(a))", {}, NeedsPath("attribute_exists")},
  });
}

TEST_F(ConditionErrorRulesTest, AttributeTypeNeedsTheNameOfAType) {
  const std::string types = ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}";
  CheckRefusedConditions({
      {"attribute_type(a, :t)",
       {{":t", "X"}},
       "Invalid attribute type name found; type: X" + types},
      {"attribute_type(a, :t)",
       {{":t", "s"}},
       "Invalid attribute type name found; type: s" + types},
      {"attribute_type(a, :t)", {{":t", ""}}, "Invalid attribute type name found; type: " + types},
      {"attribute_type(a, :t)", {{":t", 1}}, OperandType("attribute_type", "N")},
      {"attribute_type(a, :t)", {{":t", StringSet{"S"}}}, OperandType("attribute_type", "SS")},
      {"attribute_type(a, size(b))", {}, OperandType("attribute_type", "N")},
      {"attribute_type(a, b)",
       {},
       "Operator or function requires an expression attribute value; operator or function: "
       "attribute_type"},
  });
}

TEST_F(ConditionErrorRulesTest, BeginsWithRejectsOperandsOtherThanStringsAndBinaries) {
  for (const auto& [type, value] : OfEveryType()) {
    if (type == "S" || type == "B") continue;
    CheckRefusedConditions(
        {{"begins_with(a, :v)", {{":v", value}}, OperandType("begins_with", type)},
         {"begins_with(:v, a)", {{":v", value}}, OperandType("begins_with", type)}});
  }
  CheckRefusedConditions(
      {{"begins_with(a, size(b))", {}, OperandType("begins_with", "N")},
       {"begins_with(a, size(:v))", {{":v", "x"}}, OperandType("begins_with", "N")}});
}

TEST_F(ConditionErrorRulesTest, SizeRejectsNumbersBooleansAndNull) {
  CheckRefusedConditions({
      {"size(:v) = a", {{":v", 1}}, OperandType("size", "N")},
      {"size(:v) = a", {{":v", true}}, OperandType("size", "BOOL")},
      {"size(:v) = a", {{":v", nullptr}}, OperandType("size", "NULL")},
      {"size(size(a)) = b", {}, OperandType("size", "N")},
      {"size(size(:v)) = a", {{":v", "x"}}, OperandType("size", "N")},
  });
}

TEST_F(ConditionErrorRulesTest, BetweenRejectsBoundsOfTwoTypesOrInTheWrongOrder) {
  const std::string type = "same data type for lower and upper bounds";
  const std::string order = "upper bound to be greater than or equal to lower bound";
  CheckRefusedConditions({
      {"a BETWEEN :l AND :h", {{":l", 1}, {":h", "a"}}, Bounds(type, "N:1", "S:a")},
      {"a BETWEEN :l AND :h", {{":l", "a"}, {":h", N("1.50")}}, Bounds(type, "S:a", "N:1.5")},
      {"a BETWEEN :l AND :h", {{":l", "b"}, {":h", "a"}}, Bounds(order, "S:b", "S:a")},
      {"a BETWEEN :l AND :h", {{":l", 10}, {":h", 9}}, Bounds(order, "N:10", "N:9")},
      {"a BETWEEN :l AND :h",
       {{":l", 0}, {":h", N("-1E-130")}},
       Bounds(order, "N:0", "N:-0." + std::string(129, '0') + "1")},
  });
}

TEST_F(ConditionErrorRulesTest, APathThatIsTheFirstOperandMustNotBeRepeated) {
  const Values v = {{":v", 1}};
  CheckRefusedConditions({
      {"a = a", {}, NotDistinct("=", "[a]")},
      {"a[1].b <> a[1].b", {}, NotDistinct("<>", "[a, [1], b]")},
      {"a >= #x", {}, NotDistinct(">=", "[a]"), {{"#x", "a"}}},
      {"#x >= a", {}, NotDistinct(">=", "[a]"), {{"#x", "a"}}},
      {"#x.#y < a.b", {}, NotDistinct("<", "[a, b]"), {{"#x", "a"}, {"#y", "b"}}},
      {"(a).b <= a.b", {}, NotDistinct("<=", "[a, b]")},
      {"a[1] > a [ 1 ]", {}, NotDistinct(">", "[a, [1]]")},
      {"a IN (:v, b, a)", v, NotDistinct("IN", "[a]")},
      {"a BETWEEN :v AND a", v, NotDistinct("BETWEEN", "[a]")},
      {"begins_with(a, a)", {}, NotDistinct("begins_with", "[a]")},
      {"contains(a, a)", {}, NotDistinct("contains", "[a]")},
  });
  CheckConditions({{"a BETWEEN b AND b", {{"a", 1}, {"b", 1}}, {}, kHolds},
                   {"size(a) = a", {{"a", "x"}}, {}, kFails},
                   {"#x = a", {{"a", 1}, {"a.b", 1}}, {}, kHolds, {{"#x", "a.b"}}}});
}

TEST_F(ConditionErrorRulesTest, DoubledParenthesesAreRejected) {
  for (const std::string condition :
       {"((a = :v))", "(((a = :v)))", "((a)) = :v", "a = ((:v))", "((size(a))) = :v",
        "a = :v AND ((b = :v))", "((a = :v AND b = :v))", "NOT ((a = :v))", "a IN (((:v)))",
        "((attribute_exists(a)))", "(((a).b)) = :v", "attribute_exists(((a)))"}) {
    CheckRefusedConditions({{condition, {}, "The expression has redundant parentheses;"}});
  }
}

// Within a comparison, Dolmen reports names before values.
TEST_F(ConditionErrorRulesTest, PlaceholdersMustBeDefined) {
  const std::string name =
      "An expression attribute name used in the document path is not defined; attribute name: ";
  const std::string value =
      "An expression attribute value used in expression is not defined; attribute value: ";
  const Values v = {{":v", 1}};
  CheckRefusedConditions({
      {"#a = :v", v, name + "#a"},
      {"a = :w", v, value + ":w"},
      {":w = #a", {}, name + "#a"},
      {"contains(#a, a, :w)", {}, name + "#a"},
      {"a = :w AND #a = b", {}, value + ":w"},  // left to right
  });
}

// Dolmen checks for the errors of a condition in a fixed order and reports the first
// error that it finds. The cases below are in this order. A condition may also have the error of a
// later case, but Dolmen reports the error of the condition's own case.
TEST_F(ConditionErrorRulesTest, FaultsOfOneConditionAreReportedInAFixedOrder) {
  CheckRefusedConditions({
      {"((a = :v)) AND foo(a) AND size(a) AND name = #n AND", {}, SyntaxError("<EOF>", "AND")},
      {"((a = :v)) AND foo(a) AND size(a) AND name = #n",
       {},
       "The expression has redundant parentheses;"},
      {"size(a) AND name = #n AND foo(a)", {}, "Invalid function name; function: foo"},
      {"name = #n AND size(a)", {}, Misused("size")},
      {"contains(#n, a, :v) AND name = :v",
       {},
       "Attribute name is a reserved keyword; reserved keyword: name"},
      {"contains(:v, #n, #n)",
       {},
       "An expression attribute name used in the document path is not defined; "
       "attribute name: #n"},
      {"contains(a, a, :v)",
       {},
       "An expression attribute value used in expression is not defined; attribute "
       "value: :v"},
      {"contains(a, a, a)", {}, Operands("contains", 3)},
      {"a BETWEEN a AND :v", {{":v", true}}, OperandType("BETWEEN", "BOOL")},
      {"a BETWEEN a AND :v", {{":v", 1}}, NotDistinct("BETWEEN", "[a]")},
  });
}

// The syntax is checked first. Then comparisons and functions are checked from left to
// right.
TEST_F(ConditionErrorRulesTest, ComparisonsAreCheckedFromLeftToRight) {
  const Values t = {{":t", true}};
  CheckRefusedConditions({
      {"a < :t AND #n = :t", t, OperandType("<", "BOOL")},
      {"a = :v AND #n = :v",
       {},
       "An expression attribute value used in expression is not defined; attribute "
       "value: :v"},
      {"contains(a) OR b = b", {}, Operands("contains", 1)},
      {"b = b OR contains(a)", {}, NotDistinct("=", "[b]")},
  });
}

}  // namespace
}  // namespace dolmen::behaviour
