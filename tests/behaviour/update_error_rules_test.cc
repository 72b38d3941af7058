// Tests of invalid updates: their messages, and that the stored item does not change. The rule
// numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

const std::string kInvalidUpdate = "Invalid UpdateExpression: ";
const std::string kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
const std::string kWrongType = "An operand in the update expression has an incorrect data type";
const std::string kNoPlace =
    "The document path provided in the update expression is invalid for update";

class UpdateErrorRulesTest : public RulesTest {
 protected:
  static std::string OperandType(const std::string& op, const std::string& type) {
    return kInvalidUpdate +
           "Incorrect operand type for operator or function; operator or function: " + op +
           ", operand type: " + type;
  }
  // Returns the message for a wrong operand type in ADD or DELETE, which differs from the message
  // for functions and operators.
  static std::string ActionType(const std::string& action, const std::string& type) {
    return kInvalidUpdate + "Incorrect operand type for operator or function; operator: " + action +
           ", operand type: " + type + ", typeSet: ALLOWED_FOR_" + action + "_OPERAND";
  }
  static std::string Operands(const std::string& function, int count) {
    return kInvalidUpdate +
           "Incorrect number of operands for operator or function; operator or function: " +
           function + ", number of operands: " + std::to_string(count);
  }
  static std::string Clash(const std::string& how, const std::string& one, const std::string& two) {
    return kInvalidUpdate + "Two document paths " + how +
           " with each other; must remove or rewrite one of these paths; path one: " + one +
           ", path two: " + two;
  }
  static std::string Syntax(const std::string& token, const std::string& near) {
    return kInvalidUpdate + SyntaxError(token, near);
  }
};

// The message of a syntax error shows the wrong token and the text near it.
TEST_F(UpdateErrorRulesTest, ASyntaxErrorShowsTheTokenThatIsWrong) {
  CheckRefusedUpdates({
      {"", {}, {}, kInvalidUpdate + "The expression can not be empty;"},
      {" ", {}, {}, Syntax("<EOF>", "")},
      {"a = :v", {}, {}, Syntax("a", "a =")},
      {"PUT a = :v", {}, {}, Syntax("PUT", "PUT a")},
      {"SET", {}, {}, Syntax("<EOF>", "SET")},
      {"SET a", {}, {}, Syntax("<EOF>", "a")},
      {"SET a = :v,", {}, {}, Syntax("<EOF>", ",")},
      {"SET a = :v b = :w", {}, {}, Syntax("b", ":v b =")},
      {"SET a :v", {}, {}, Syntax(":v", "a :v")},
      {"SET :v = a", {}, {}, Syntax(":v", "SET :v =")},
      {"SET a = 1", {}, {}, Syntax("1", "= 1")},
      {"SET a = b + c + d", {}, {}, Syntax("+", "c + d")},  // one operator, not a chain
      {"SET a = b - (c - d)", {}, {}, Syntax("-", "c - d")},
      {"SET a = b * :v", {}, {}, Syntax("*", "b * :v")},
      {"SET a = -:v", {}, {}, Syntax("-", "= -:v")},
      {"SET a = if_not_exists(a, b + :v)", {}, {}, Syntax("+", "b + :v")},
      {"SET a = if_not_exists()", {}, {}, Syntax(")", "()")},
      {"SET a = :v; REMOVE b", {}, {}, Syntax(";", ":v; REMOVE")},
      {"SET a = :v AND b = :v", {}, {}, Syntax("AND", ":v AND b")},
      {"REMOVE", {}, {}, Syntax("<EOF>", "REMOVE")},
      {"REMOVE a b", {}, {}, Syntax("b", "a b")},
      {"REMOVE a = :v", {}, {}, Syntax("=", "a = :v")},
      {"REMOVE :v", {}, {}, Syntax(":v", "REMOVE :v")},
      {"ADD a", {}, {}, Syntax("<EOF>", "a")},
      {"ADD a b", {}, {}, Syntax("b", "a b")},
      {"ADD a = :v", {}, {}, Syntax("=", "a = :v")},
      {"DELETE a", {}, {}, Syntax("<EOF>", "a")},
      {"DELETE a, b", {}, {}, Syntax(",", "a, b")},
      {"SET a =", {}, {}, Syntax("<EOF>", "=")},
      {"SET a <> :v", {}, {}, Syntax("<>", "a <> :v")},
      {"SET a = b + 1", {}, {}, Syntax("1", "+ 1")},
      {"SET a = (b + c) + d", {}, {}, Syntax("+", ") + d")},
      {"SET a = b + (c + d)", {}, {}, Syntax("+", "c + d")},
      {"SET a = (:v", {}, {}, Syntax("<EOF>", ":v")},
      {"SET a = :v)", {}, {}, Syntax(")", ":v)")},
      {"SET (a) = :v", {}, {}, Syntax("(", "SET (a")},
      {"SET a = (b).c", {}, {}, Syntax(".", ").c")},
      {"SET a = if_not_exists(a, :v", {}, {}, Syntax("<EOF>", ":v")},
      {"SET a = :v SET", {}, {}, Syntax("<EOF>", "SET")},
      {"SET a = :v AND b = :w", {}, {}, Syntax("AND", ":v AND b")},
      {"SET set = :v", {}, {}, Syntax("set", "SET set =")},
      {"REMOVE remove", {}, {}, Syntax("remove", "REMOVE remove")},
      {"ADD a (:v)", {}, {}, Syntax("(", "a (:v")},
      {"ADD a :v :w", {}, {}, Syntax(":w", ":v :w")},
      {"ADD a :v + :w", {}, {}, Syntax("+", ":v + :w")},
  });
}

TEST_F(UpdateErrorRulesTest, ASectionComesOnce) {
  const auto once = [](const std::string& section) {
    return kInvalidUpdate + "The \"" + section +
           "\" section can only be used once in an update expression;";
  };
  CheckRefusedUpdates({
      {"SET a = :v SET b = :v", {}, {}, once("SET")},
      {"remove a SET b = :v Remove c", {}, {}, once("REMOVE")},
      {"ADD a :v ADD b :v", {}, {}, once("ADD")},
      {"DELETE a :v DELETE b :v", {}, {}, once("DELETE")},
  });
}

TEST_F(UpdateErrorRulesTest, AnUpdateRejectsOtherFunctionsThanItsTwo) {
  CheckRefusedUpdates({
      {"SET a = foo(b)", {}, {}, kInvalidUpdate + "Invalid function name; function: foo"},
      {"SET a = List_Append(a, :v)",
       {},
       {},
       kInvalidUpdate + "Invalid function name; function: List_Append"},
      {"SET a = b + foo(b, :v, :w)",
       {},
       {},
       kInvalidUpdate + "Invalid function name; function: foo"},
  });
}

TEST_F(UpdateErrorRulesTest, EachFunctionHasTwoOperands) {
  const std::string path =
      kInvalidUpdate +
      "Operator or function requires a document path; operator or function: if_not_exists";
  CheckRefusedUpdates({
      {"SET a = if_not_exists(b)", {}, {}, Operands("if_not_exists", 1)},
      {"SET a = if_not_exists(b, c, d)", {}, {}, Operands("if_not_exists", 3)},
      {"SET a = list_append(b)", {}, {}, Operands("list_append", 1)},
      {"SET a = list_append(b, c, d, e)", {}, {}, Operands("list_append", 4)},
      {"SET a = if_not_exists(:v, b)", {}, {{":v", 1}}, path},
      {"SET a = if_not_exists(if_not_exists(a, b), b)", {}, {}, path},
  });
}

TEST_F(UpdateErrorRulesTest, IfNotExistsNeedsTwoDifferentOperands) {
  const std::string same = kInvalidUpdate +
                           "The first operand must be distinct from the remaining operands for "
                           "this operator or function; operator: if_not_exists, first operand: ";
  CheckRefusedUpdates({
      {"SET a = if_not_exists(b, b)", {}, {}, same + "[b]"},
      {"SET a = if_not_exists(b.c[1], (#b.c[1]))", {}, {}, same + "[b, c, [1]]", {{"#b", "b"}}},
  });
}

// Names are reported before values.
TEST_F(UpdateErrorRulesTest, PlaceholdersMustBeDefined) {
  const std::string name =
      kInvalidUpdate +
      "An expression attribute name used in the document path is not defined; attribute name: ";
  const std::string value =
      kInvalidUpdate +
      "An expression attribute value used in expression is not defined; attribute value: ";
  CheckRefusedUpdates({
      {"SET #a = b", {}, {}, name + "#a"},
      {"SET a = #b", {}, {}, name + "#b"},
      {"SET a = :v", {}, {}, value + ":v"},
      {"SET a = :v REMOVE #b", {}, {}, name + "#b"},
      {"SET a = #b, #c = d", {}, {}, name + "#b"},
      {"ADD a :v, b :w", {}, {}, value + ":v"},
      {"SET a = if_not_exists(#x.y, :v)", {}, {}, name + "#x"},
  });
}

TEST_F(UpdateErrorRulesTest, AValueMustHaveTheTypeOfItsOperator) {
  for (const auto& [type, value] : OfEveryType()) {
    const Values v = {{":v", value}};
    if (type != "N") {
      CheckRefusedUpdates({{"SET a = b + :v", {}, v, OperandType("+", type)},
                           {"SET a = :v + b", {}, v, OperandType("+", type)},
                           {"SET a = b - :v", {}, v, OperandType("-", type)},
                           {"SET a = :v - b", {}, v, OperandType("-", type)},
                           {"SET a = if_not_exists(a, b) + :v", {}, v, OperandType("+", type)}});
    }
    if (type != "L") {
      CheckRefusedUpdates(
          {{"SET a = list_append(b, :v)", {}, v, OperandType("list_append", type)},
           {"SET a = list_append(:v, b)", {}, v, OperandType("list_append", type)}});
    }
  }
}

// Like DynamoDB Local, Dolmen rejects list_append as an operand of a function or of +.
// DynamoDB's documentation does not say whether list_append may be an operand there.
TEST_F(UpdateErrorRulesTest, ListAppendCannotBeAnOperand) {
  const std::string misused =
      kInvalidUpdate +
      "The function is not allowed to be used this way in an expression; function: list_append";
  const Values v = {{":v", List{1}}};
  CheckRefusedUpdates({
      {"SET a = list_append(list_append(:v, a), :v)", {}, v, misused},
      {"SET a = list_append(:v, list_append(a, :v))", {}, v, misused},
      {"SET a = if_not_exists(a, list_append(:v, :v))", {}, v, misused},
      {"SET a = b + list_append(:v, :v)", {}, v, misused},
      {"SET a = :v - (list_append(a, b))", {}, v, misused},
      {"SET a = if_not_exists(list_append(a, :v), :v)", {}, v, misused},
  });
}

TEST_F(UpdateErrorRulesTest, AddAndDeleteMessagesSpellOutTheType) {
  for (const auto& [word, value] : Map{{"STRING", "x"},
                                       {"BINARY", B("x")},
                                       {"BOOLEAN", true},
                                       {"NULL", nullptr},
                                       {"LIST", List{}},
                                       {"MAP", Map{}}}) {
    CheckRefusedUpdates({{"ADD a :v", {}, {{":v", value}}, ActionType("ADD", word)},
                         {"DELETE a :v", {}, {{":v", value}}, ActionType("DELETE", word)}});
  }
  CheckRefusedUpdates({{"DELETE a :v", {}, {{":v", 1}}, ActionType("DELETE", "NUMBER")}});
}

// Two paths that an update changes must not overlap or conflict.
TEST_F(UpdateErrorRulesTest, TargetsMustNotOverlapOrConflict) {
  const Values v = {{":v", 1}};
  CheckRefusedUpdates({
      {"SET a = :v, a = :v", {}, v, Clash("overlap", "[a]", "[a]")},
      {"SET a = :v REMOVE a.b", {}, v, Clash("overlap", "[a]", "[a, b]")},
      {"REMOVE a[1].b ADD a[1] :v", {}, v, Clash("overlap", "[a, [1], b]", "[a, [1]]")},
      {"REMOVE #x, a", {}, {}, Clash("overlap", "[a]", "[a]"), {{"#x", "a"}}},
      {"SET #x = :v, a.c = :v", {}, v, Clash("overlap", "[a]", "[a, c]"), {{"#x", "a"}}},
      {"SET a.b = :v REMOVE a[0]", {}, v, Clash("conflict", "[a, b]", "[a, [0]]")},
      {"REMOVE a[0][1], a[0].b", {}, {}, Clash("conflict", "[a, [0], [1]]", "[a, [0], b]")},
      {"REMOVE a.b, a[0], c, c", {}, {}, Clash("overlap", "[c]", "[c]")},  // overlaps come first
  });
  CheckUpdates({{"SET a.b = :v, a.c = a.b",
                 {{"a", Map{{"b", 0}}}},
                 v,
                 {{"a", Map{{"b", 1}, {"c", 0}}}}}});  // operands may overlap targets
}

TEST_F(UpdateErrorRulesTest, OperandsMustExist) {
  const Values v = {{":v", 1}};
  CheckRefusedUpdates({
      {"SET a = b", {}, {}, kMissing},
      {"SET a = a", {}, {}, kMissing},
      {"SET a = b.c", {{"b", 1}}, {}, kMissing},
      {"SET a = b[3]", {{"b", List{1}}}, {}, kMissing},
      {"SET a = a + :v", {}, v, kMissing},
      {"SET a = :v - b", {}, v, kMissing},
      {"SET a = list_append(a, :v)", {}, {{":v", List{}}}, kMissing},
      {"SET a = if_not_exists(b, c)", {}, {}, kMissing},
      {"SET a = :v, b = c", {}, v, kMissing},
  });
}

TEST_F(UpdateErrorRulesTest, StoredOperandsMustHaveTheRightType) {
  for (const auto& [type, value] : OfEveryType()) {
    const Map item = {{"a", value}};
    if (type != "N") {
      CheckRefusedUpdates({{"SET b = a + :v", item, {{":v", 1}}, kWrongType},
                           {"SET b = :v - a", item, {{":v", 1}}, kWrongType},
                           {"SET b = if_not_exists(a, :v) + :v", item, {{":v", 1}}, kWrongType},
                           {"ADD a :v", item, {{":v", 1}}, kWrongType}});
    }
    if (type != "L") {
      CheckRefusedUpdates({{"SET b = list_append(a, :v)", item, {{":v", List{}}}, kWrongType},
                           {"SET b = list_append(:v, a)", item, {{":v", List{}}}, kWrongType}});
    }
    for (const auto& [set_type, set] : OfEveryType()) {
      if (set_type == type || set_type.size() != 2) continue;  // SS, NS, BS
      CheckRefusedUpdates({{"ADD a :v", item, {{":v", set}}, kWrongType},
                           {"DELETE a :v", item, {{":v", set}}, kWrongType}});
    }
  }
}

// The first operand is checked before the second operand.
TEST_F(UpdateErrorRulesTest, BothOperandsMustHaveTheRightType) {
  CheckRefusedUpdates({
      {"SET a = b + c", {{"b", 1}, {"c", List{}}}, {}, kWrongType},
      {"SET a = b + c", {{"b", "x"}}, {}, kWrongType},
      {"SET a = if_not_exists(a, b) + :v", {{"b", "x"}}, {{":v", 1}}, kWrongType},
      {"SET a = if_not_exists(a, :v) + :n", {}, {{":v", "x"}, {":n", 1}}, kWrongType},
      {"SET a = list_append(a, b)", {{"a", List{}}, {"b", 1}}, {}, kWrongType},
      {"SET a = list_append(b, c)", {{"b", 1}}, {}, kWrongType},
  });
}

TEST_F(UpdateErrorRulesTest, TheParentOfATargetMustExist) {
  const Map item = {{"m", Map{}}, {"l", List{1}}, {"s", "x"}, {"ss", StringSet{"x"}}};
  for (const std::string target : {"y.z", "y[0]", "m.y.z", "m.y[0]", "l[1].z", "l[0].z", "s.z",
                                   "s[0]", "m[0]", "l.z", "ss[0]", "ss.x"}) {
    CheckRefusedUpdates({
        {"SET " + target + " = :v", item, {{":v", 1}}, kNoPlace},
        {"REMOVE " + target, item, {}, kNoPlace},
        {"ADD " + target + " :v", item, {{":v", 1}}, kNoPlace},
        {"ADD " + target + " :v", item, {{":v", StringSet{"x"}}}, kNoPlace},
        {"DELETE " + target + " :v", item, {{":v", StringSet{"x"}}}, kNoPlace},
    });
  }
  CheckRefusedUpdates({{"SET a[1].b = :v, a[0] = :v", {{"a", List{}}}, {{":v", 1}}, kNoPlace}});
}

// The result of a calculation must be within the range and the precision of
// numbers.
TEST_F(UpdateErrorRulesTest, AResultMustBeANumberThatCanBeStored) {
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  const Map largest = {{"a", N("9.9999999999999999999999999999999999999E+125")}};
  CheckRefusedUpdates({
      {"SET a = a + :v", largest, {{":v", N("9E125")}}, overflow},
      {"SET a = :v - a", largest, {{":v", N("-9E125")}}, overflow},
      {"ADD a :v", largest, {{":v", N("1E88")}}, overflow},
      {"ADD a :v", {{"a", N("9E125")}}, {{":v", N("1E125")}}, overflow},
      {"SET a = a - :v", {{"a", N("1.1E-130")}}, {{":v", N("1E-130")}}, underflow},
      {"SET a = a - :v", {{"a", 1}}, {{":v", N("1E-39")}}, overflow},
      {"SET a = a - :v", {{"a", 1}}, {{":v", N("1E-100")}}, overflow},
      {"SET a = a + :v", {{"a", N("1E38")}}, {{":v", 1}}, overflow},
      {"ADD a :v", {{"a", N(std::string(38, '9'))}}, {{":v", N("0.1")}}, overflow},
  });
}

TEST_F(UpdateErrorRulesTest, TheKeyCannotBeUpdatedEvenToItsOwnValue) {
  const auto of_key = [](const std::string& name) {
    return "One or more parameter values were invalid: Cannot update attribute " + name +
           ". This attribute is part of the key";
  };
  CheckRefusedUpdates({
      {"SET SK = :v", {}, {{":v", "a"}}, of_key("SK")},
      {"SET PK = :v", {}, {{":v", "a"}}, of_key("PK")},
      {"SET #k = :v", {}, {{":v", "b"}}, of_key("SK"), {{"#k", "SK"}}},
      {"SET x = :v, SK = :v", {}, {{":v", "b"}}, of_key("SK")},
      {"SET SK = SK", {}, {}, of_key("SK")},
      {"SET SK.x = :v", {}, {{":v", "b"}}, of_key("SK")},
      {"REMOVE PK", {}, {}, of_key("PK")},
      {"REMOVE SK[0]", {}, {}, of_key("SK")},
      {"ADD SK :v", {}, {{":v", 1}}, of_key("SK")},
      {"DELETE PK :v", {}, {{":v", StringSet{"x"}}}, of_key("PK")},
  });
}

// The limits of size and nesting apply to the updated item.
TEST_F(UpdateErrorRulesTest, TheUpdatedItemMustBeStorable) {
  const std::string size = "Item size to update has exceeded the maximum allowed size";
  const std::string half(205'000, 'x');
  CheckRefusedUpdates({
      {"SET b = a", {{"a", half}}, {}, size},
      {"SET b = :v", {{"a", half}}, {{":v", half}}, size},
      {"SET b = list_append(a, a)", {{"a", List{half}}}, {}, size},
      {"SET a.b = :v",
       {{"a", Map{{"b", Nested(30)}}}},
       {{":v", Nested(31)}},
       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
       "beyond supported limit"},
  });
  CheckUpdates({{"SET b = a REMOVE a", {{"a", half}}, {}, {{"b", half}}}});
}

// Dolmen checks for the errors of an update in a fixed order and reports the first error
// that it finds. The cases below are in this order. An update may also have the error of a later
// case, but Dolmen reports the error of the update's own case.
TEST_F(UpdateErrorRulesTest, SyntaxFaultsAreReportedBeforePathAndOperandFaults) {
  const Values s = {{":s", "x"}};
  CheckRefusedUpdates({
      {"SET a = :w SET a = #n, name = foo(b),", {}, s, Syntax("<EOF>", ",")},
      {"SET a = :w SET a = #n, name = foo(b)",
       {},
       s,
       kInvalidUpdate + "Attribute name is a reserved keyword; reserved keyword: name"},
      {"SET a = :w SET a = #n, b = foo(b)",
       {},
       s,
       kInvalidUpdate + "Invalid function name; function: foo"},
      {"SET a = :w SET a = #n",
       {},
       s,
       kInvalidUpdate + "The \"SET\" section can only be used once in an update expression;"},
      {"SET a = :w, a = #n, b.c = list_append(:s), b[0] = d + :s",
       {},
       s,
       kInvalidUpdate +
           "An expression attribute name used in the document path is not defined; attribute "
           "name: #n"},
      {"SET b.c = :w, b[0] = d + :s, a = a, a = list_append(a)",
       {},
       s,
       kInvalidUpdate +
           "An expression attribute value used in expression is not defined; attribute value: :w"},
      {"SET b.c = c, b[0] = d + :s, a = a, a = list_append(a)",
       {},
       s,
       Clash("overlap", "[a]", "[a]")},
      {"SET b.c = c, b[0] = d + :s, a = list_append(a)",
       {},
       s,
       Clash("conflict", "[b, c]", "[b, [0]]")},
      {"SET a = list_append(a), b = d + :s", {}, s, OperandType("+", "S")},
      {"SET a = list_append(a)", {}, {}, Operands("list_append", 1)},
  });
}

}  // namespace
}  // namespace dolmen::behaviour
