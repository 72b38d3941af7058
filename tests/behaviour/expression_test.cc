// Tests of expressions: which are rejected, and how conditions compare values.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class ExpressionTest : public OneItemTest {};

TEST_F(ExpressionTest, ASyntaxErrorNamesTheWrongToken) {
  EXPECT_THAT(PutIf("a ="),
              IsInvalidWith("Invalid ConditionExpression: Syntax error; token: \"<EOF>\""));
  EXPECT_THAT(PutIf("a = 5"),
              IsInvalidWith("Invalid ConditionExpression: Syntax error; token: \"5\""));
  EXPECT_THAT(PutIf("(a = :v", {{":v", 1}}), IsInvalidWith("Syntax error; token: \"<EOF>\""));
  EXPECT_THAT(PutIf("a = :v)", {{":v", 1}}), IsInvalidWith("Syntax error; token: \")\""));
  EXPECT_THAT(PutIf("a = 'text'"),
              IsInvalidWith("Invalid ConditionExpression: Syntax error; token: "));
  EXPECT_THAT(PutIf("a = :v; DROP", {{":v", 1}}), IsInvalidWith("Syntax error; token: "));
  EXPECT_THAT(PutIf("a[-1] = :v", {{":v", 1}}), IsInvalidWith("Syntax error; token: "));
  EXPECT_THAT(PutIf("\xC3\xBC = :v", {{":v", 1}}), IsInvalidWith("Syntax error; token: "));
  EXPECT_THAT(PutIf("NOT IN (:v)", {{":v", 1}}), IsInvalidWith("Syntax error; token: \"IN\""));
  EXPECT_THAT(PutIf("   "), IsInvalidWith("Invalid ConditionExpression: "));
  EXPECT_THAT(Update("SET a = :v,", {{":v", 1}}),
              IsInvalidWith("Invalid UpdateExpression: Syntax error; token: \"<EOF>\""));
  EXPECT_THAT(Update("SET a = b + c + d"),
              IsInvalidWith("Invalid UpdateExpression: Syntax error; token: "));
  EXPECT_THAT(Update("PUT a = :v", {{":v", 1}}),
              IsInvalidWith("Invalid UpdateExpression: Syntax error; token: \"PUT\""));
}

TEST_F(ExpressionTest, ExpressionsThatAreNotUtf8AreRejected) {
  for (const std::string& bytes : std::vector<std::string>{"\xFF", "a = \xC3", "\xED\xA0\x80 = :v",
                                                           std::string("a\0 = :v", 7)}) {
    EXPECT_THAT(PutIf(bytes), StatusIs(kValidation, testing::_));
    EXPECT_THAT(Update(bytes), StatusIs(kValidation, testing::_));
  }
}

TEST_F(ExpressionTest, ARepeatedSectionIsRejected) {
  EXPECT_THAT(Update("SET a = :v SET b = :v", {{":v", 1}}),
              IsInvalid("Invalid UpdateExpression: The \"SET\" section can only be used once in an "
                        "update expression;"));
}

TEST_F(ExpressionTest, ReservedWordsAreRejectedAsNames) {
  EXPECT_THAT(
      PutIf("attribute_exists(Status)"),
      IsInvalid("Invalid ConditionExpression: Attribute name is a reserved keyword; reserved "
                "keyword: Status"));
  EXPECT_THAT(Update("SET m.name = :v", {{":v", 1}}),
              IsInvalid("Invalid UpdateExpression: Attribute name is a reserved keyword; reserved "
                        "keyword: name"));
}

TEST_F(ExpressionTest, FunctionsRejectWrongNamesPlacesAndOperands) {
  EXPECT_THAT(PutIf("Size(a) = :v", {{":v", 1}}),
              IsInvalid("Invalid ConditionExpression: Invalid function name; function: Size"));
  EXPECT_THAT(
      PutIf("size(a)"),
      IsInvalid("Invalid ConditionExpression: The function is not allowed to be used this way "
                "in an expression; function: size"));
  EXPECT_THAT(PutIf("size(a, b) = :v", {{":v", 1}}),
              IsInvalid("Invalid ConditionExpression: Incorrect number of operands for operator or "
                        "function; operator or function: size, number of operands: 2"));
  EXPECT_THAT(
      PutIf("attribute_exists(:v)", {{":v", 1}}),
      IsInvalid("Invalid ConditionExpression: Operator or function requires a document path; "
                "operator or function: attribute_exists"));
  EXPECT_THAT(PutIf("begins_with(a, :v)", {{":v", 1}}),
              IsInvalid("Invalid ConditionExpression: Incorrect operand type for operator or "
                        "function; operator or function: begins_with, operand type: N"));
  EXPECT_THAT(PutIf("attribute_type(a, :v)", {{":v", "STRING"}}),
              IsInvalidWith("Invalid ConditionExpression: Invalid attribute type name found; type: "
                            "STRING, valid types: {"));
  EXPECT_THAT(Update("SET a = Upper(b)"), IsInvalidWith("Invalid function name; function: Upper"));
  EXPECT_THAT(Update("SET a = if_not_exists(:v, :v)", {{":v", 1}}),
              IsInvalidWith("Operator or function requires a document path; operator or function: "
                            "if_not_exists"));
}

TEST_F(ExpressionTest, UpdatesRejectOperandsOfTheWrongType) {
  EXPECT_THAT(
      Update("SET a = b + :v", {{":v", "text"}}),
      IsInvalid("Invalid UpdateExpression: Incorrect operand type for operator or function; "
                "operator or function: +, operand type: S"));
  EXPECT_THAT(
      Update("ADD a :v", {{":v", "text"}}),
      IsInvalid("Invalid UpdateExpression: Incorrect operand type for operator or function; "
                "operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"));
  EXPECT_THAT(
      Update("DELETE a :v", {{":v", 1}}),
      IsInvalid("Invalid UpdateExpression: Incorrect operand type for operator or function; "
                "operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"));
}

TEST_F(ExpressionTest, BetweenRejectsBoundsOfTwoTypesOrInTheWrongOrder) {
  EXPECT_THAT(
      PutIf("a BETWEEN :l AND :h", {{":l", "b"}, {":h", "a"}}),
      IsInvalid("Invalid ConditionExpression: The BETWEEN operator requires upper bound to be "
                "greater than or equal to lower bound; lower bound operand: AttributeValue: "
                "{S:b}, upper bound operand: AttributeValue: {S:a}"));
  EXPECT_THAT(PutIf("a BETWEEN :l AND :h", {{":l", 1}, {":h", "a"}}),
              IsInvalid("Invalid ConditionExpression: The BETWEEN operator requires same data type "
                        "for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, "
                        "upper bound operand: AttributeValue: {S:a}"));
}

TEST_F(ExpressionTest, EqualOperandsAndOverlappingPathsAreRejected) {
  EXPECT_THAT(PutIf("a[1].b = a[1].#b", {}, {{"#b", "b"}}),
              IsInvalid("Invalid ConditionExpression: The first operand must be distinct from the "
                        "remaining operands for this operator or function; operator: =, first "
                        "operand: [a, [1], b]"));
  EXPECT_THAT(
      Update("SET a = :v REMOVE a.b", {{":v", 1}}),
      IsInvalid("Invalid UpdateExpression: Two document paths overlap with each other; must "
                "remove or rewrite one of these paths; path one: [a], path two: [a, b]"));
}

TEST_F(ExpressionTest, RedundantParenthesesAreRejected) {
  EXPECT_THAT(PutIf("((attribute_not_exists(a)))"),
              IsInvalid("Invalid ConditionExpression: The expression has redundant parentheses;"));
  EXPECT_THAT(PutIf("(attribute_not_exists(a))"), IsOk());
}

// A placeholder must be defined, be used, and have the form of a placeholder.
TEST_F(ExpressionTest, UndefinedUnusedAndMalformedPlaceholdersAreRejected) {
  EXPECT_THAT(PutIf("#a = :v", {{":v", 1}}),
              IsInvalid("Invalid ConditionExpression: An expression attribute name used in the "
                        "document path is not defined; attribute name: #a"));
  EXPECT_THAT(PutIf("a = :v"),
              IsInvalid("Invalid ConditionExpression: An expression attribute value used in "
                        "expression is not defined; attribute value: :v"));
  EXPECT_THAT(PutIf("a = :v", {{":v", 1}, {":w", 1}, {":x", 1}}),
              IsInvalid("Value provided in ExpressionAttributeValues unused in expressions: keys: "
                        "{:w, :x}"));
  EXPECT_THAT(PutIf("attribute_exists(a)", {{":w", 1}}, {{"#w", "w"}}),
              IsInvalid("Value provided in ExpressionAttributeNames unused in expressions: keys: "
                        "{#w}"));
  EXPECT_THAT(PutIf({}, {{":v", 1}}),
              IsInvalid("ExpressionAttributeValues can only be specified when using expressions: "
                        "ConditionExpression is null"));
  EXPECT_THAT(Update({}, {{":v", 1}}),
              IsInvalid("ExpressionAttributeValues can only be specified when using expressions: "
                        "UpdateExpression and ConditionExpression are null"));
  EXPECT_THAT(PutIf("a = :v", {{":v", 1}}, {{"a", "b"}}),
              IsInvalid("ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""));
  EXPECT_THAT(
      PutIf("a = :v", {{"v", 1}}),
      IsInvalid("ExpressionAttributeValues contains invalid key: Syntax error; key: \"v\""));
  EXPECT_THAT(PutIf("a = :v", {{":v", 1}, {":", 1}}), IsInvalidWith("contains invalid key"));
}

TEST_F(ExpressionTest, ExpressionsBeyondALimitAreRejected) {
  std::string long_text = "attribute_exists(a)";
  while (long_text.size() < 4'200) long_text += " OR attribute_exists(a)";
  EXPECT_THAT(
      PutIf(long_text),
      IsInvalidWith("Expression size has exceeded the maximum allowed size; expression size: " +
                    std::to_string(long_text.size())));
  EXPECT_THAT(PutIf(std::string(4'000, '(')), StatusIs(kValidation, testing::_));
  EXPECT_THAT(PutIf(std::string(3'900, ' ') + "attribute_not_exists(a)"), IsOk());
  std::string nots = "attribute_exists(a)";
  for (int i = 0; i < 400; ++i) nots = "NOT " + nots;
  EXPECT_THAT(PutIf(nots), StatusIs(kValidation, testing::_));
  Values values;
  std::string in = "a IN (";
  for (int i = 0; i <= 100; ++i) {
    in += (i > 0 ? ", :v" : ":v") + std::to_string(i);
    values.emplace(":v" + std::to_string(i), i);
  }
  EXPECT_THAT(
      PutIf(in + ")", values),
      IsInvalidWith("The IN operator is provided with too many operands; number of operands: "
                    "101"));
}

// Expressions must not have a path into a key attribute of the table or of an index, such as PK.a,
// because key attributes are scalars.
TEST_F(ExpressionTest, PathsIntoKeyAttributesAreRejected) {
  const std::string message =
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
      "allowed: ";
  EXPECT_THAT(PutIf("PK.a = :v", {{":v", 1}}), IsInvalid(message + "Key: PK"));
  EXPECT_THAT(PutIf("attribute_exists(score[0])"), IsInvalid(message + "IndexKey: score"));
  EXPECT_THAT(Update("SET a = SK[1]"), IsInvalid(message + "Key: SK"));
  EXPECT_THAT(Update("REMOVE game.a"), IsInvalid(message + "IndexKey: game"));
  EXPECT_THAT(Update("SET GSI1PK.a = :v", {{":v", 1}}), IsInvalid(message + "IndexKey: GSI1PK"));
  EXPECT_THAT(table().DeleteItem({.key = Key(), .condition = "attribute_exists(SK.a)"}),
              IsInvalid(message + "Key: SK"));
  EXPECT_THAT(table().GetItem({.key = Key(), .projection = "a, GSI1SK.b"}),
              IsInvalid(message + "IndexKey: GSI1SK"));
}

// Each order comparison with an absent attribute is false.
TEST_F(ExpressionTest, AnAbsentAttributeIsUnequalToEveryValueAndHasNoOrder) {
  const Values v = {{":v", 1}};
  for (const std::string holds :
       {"a <> :v", "NOT a = :v", "NOT a < :v", "attribute_not_exists(a)"}) {
    EXPECT_THAT(PutIf(holds, holds.find(":v") == holds.npos ? Values{} : v), IsOk()) << holds;
  }
  for (const std::string fails : {"a = :v", "a < :v", "a >= :v", "a IN (:v)", "a BETWEEN :v AND :v",
                                  "contains(a, :v)", "size(a) >= :v"}) {
    EXPECT_THAT(PutIf(fails, v), FailsCondition()) << fails;
  }
}

// Numbers are equal in any notation. Null is a value, so an attribute that is null exists.
TEST_F(ExpressionTest, ValuesOfDifferentTypesAreUnequalAndHaveNoOrder) {
  PutWith({{"n", N("1.0")}, {"s", "1"}, {"nil", nullptr}, {"l", List{N("1.50")}}});
  EXPECT_THAT(Update("SET x = :v", {{":v", 1}}), IsOk());
  const auto check = [&](const std::string& condition, const Values& values) {
    return table().UpdateItem({.key = Key(), .condition = condition, .values = values});
  };
  EXPECT_THAT(check("n = :v", {{":v", N("10e-1")}}), IsOk());
  EXPECT_THAT(check("s = :v", {{":v", 1}}), FailsCondition());
  EXPECT_THAT(check("s < :v", {{":v", 2}}), FailsCondition());
  EXPECT_THAT(check("s > :v", {{":v", 0}}), FailsCondition());
  EXPECT_THAT(check("attribute_exists(nil) AND nil = :null AND attribute_type(nil, :t)",
                    {{":null", nullptr}, {":t", "NULL"}}),
              IsOk());
  EXPECT_THAT(check("contains(l, :v) AND l = :l", {{":v", N("1.5")}, {":l", List{N("1.5")}}}),
              IsOk());
}

// The first AND after BETWEEN separates the bounds of BETWEEN and does not combine conditions.
// Keywords are case-insensitive.
TEST_F(ExpressionTest, NotBindsTighterThanAndWhichBindsTighterThanOr) {
  PutWith({{"a", 1}, {"b", 2}});
  const auto check = [&](const std::string& condition) {
    return table().UpdateItem(
        {.key = Key(), .condition = condition, .values = {{":v", 1}, {":w", 2}}});
  };
  EXPECT_THAT(check("NOT a = :w AND b = :w AND a = :v"), IsOk());
  EXPECT_THAT(check("a = :v OR a = :w AND b = :v"), IsOk());
  EXPECT_THAT(check("(a = :v OR a = :w) AND b = :v"), FailsCondition());
  EXPECT_THAT(check("a BETWEEN :v AND :w AND b = :w"), IsOk());
  EXPECT_THAT(check("nOt a iN (:w) anD b betWEEN :v aNd :w"), IsOk());
}

}  // namespace
}  // namespace dolmen::behaviour
