// Tests of the binding of updates: its errors, and the accessors of a bound update. Tests of the
// results of updates on items are in update_evaluator_test.cc.

#include "engine/expression/update.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/engine/expression/update_examples.h"
#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::B;
using test::IsOk;
using test::StatusIs;
using test::StoreItem;

// Returns the error message for an invalid update, without "Invalid UpdateExpression: ".
std::string UpdateRefusal(const std::string& text, const Values& values = {},
                          const Names& names = {}) {
  const std::string prefix = "Invalid UpdateExpression: ";
  const BoundUpdate update(text, values, names);
  EXPECT_THAT(update.status(), StatusIs(StatusCode::kValidation, testing::StartsWith(prefix)))
      << text;
  const std::string& message = update.status().message();
  return message.substr(std::min(prefix.size(), message.size()));
}

TEST(UpdateTest, RejectsUndefinedPlaceholders) {
  const std::string name =
      "An expression attribute name used in the document path is not defined; attribute name: ";
  const std::string value =
      "An expression attribute value used in expression is not defined; attribute value: ";
  EXPECT_EQ(UpdateRefusal("SET #a = b"), name + "#a");
  EXPECT_EQ(UpdateRefusal("SET a = #b"), name + "#b");
  EXPECT_EQ(UpdateRefusal("SET a = :v"), value + ":v");
  EXPECT_EQ(UpdateRefusal("SET a = :v REMOVE #b"), name + "#b");  // names are reported first
  EXPECT_EQ(UpdateRefusal("SET a = #b, #c = d"), name + "#b");
  EXPECT_EQ(UpdateRefusal("ADD a :v, b :w"), value + ":v");
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(#x.y, :v)"), name + "#x");
}

TEST(UpdateTest, RejectsUnusedPlaceholders) {
  const BoundUpdate update("SET a = b", {{":v", 1}}, {});
  EXPECT_THAT(update.status(),
              StatusIs(StatusCode::kValidation,
                       "Value provided in ExpressionAttributeValues unused in expressions: keys: "
                       "{:v}"));
}

TEST(UpdateTest, RejectsTargetsThatClash) {
  const Values v = {{":v", 1}};
  const auto message = [](std::string_view how, std::string_view one, std::string_view two) {
    return std::string("Two document paths ")
        .append(how)
        .append(" with each other; must remove or rewrite one of these paths; path one: ")
        .append(one)
        .append(", path two: ")
        .append(two);
  };
  EXPECT_EQ(UpdateRefusal("SET a = :v, a = :v", v), message("overlap", "[a]", "[a]"));
  EXPECT_EQ(UpdateRefusal("SET a = :v REMOVE a.b", v), message("overlap", "[a]", "[a, b]"));
  EXPECT_EQ(UpdateRefusal("REMOVE a[1].b ADD a[1] :v", v),
            message("overlap", "[a, [1], b]", "[a, [1]]"));
  EXPECT_EQ(UpdateRefusal("REMOVE #x, a", {}, {{"#x", "a"}}), message("overlap", "[a]", "[a]"));
  EXPECT_EQ(UpdateRefusal("REMOVE a.b, a[0]"), message("conflict", "[a, b]", "[a, [0]]"));
  EXPECT_EQ(UpdateRefusal("REMOVE a.b, a[0], c, c"), message("overlap", "[c]", "[c]"));
}

TEST(UpdateTest, OperandsMayOverlapTargets) {
  EXPECT_THAT(BoundUpdate("SET a = b, b = a, c = a.d", {}, {}).status(), IsOk());
}

TEST(UpdateTest, RejectsOperandsOfTheWrongType) {
  const struct {
    const char* text;
    AttributeValue value;
    const char* op;
    const char* type;
  } cases[] = {
      {"SET a = b + :v", "1", "+", "S"},
      {"SET a = :v - b", B("1"), "-", "B"},
      {"SET a = b - :v", List{}, "-", "L"},
      {"SET a = if_not_exists(a, b) + :v", NumberSet{1}, "+", "NS"},
      {"SET a = list_append(a, :v)", 1, "list_append", "N"},
      {"SET a = list_append(:v, a)", StringSet{"x"}, "list_append", "SS"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(
        UpdateRefusal(c.text, {{":v", c.value}}),
        std::string("Incorrect operand type for operator or function; operator or function: ") +
            c.op + ", operand type: " + c.type)
        << c.text;
  }
  // Binding does not check the types of the values that functions return.
  EXPECT_THAT(
      BoundUpdate("SET a = if_not_exists(a, :v) + :n", {{":v", "x"}, {":n", 1}}, {}).status(),
      IsOk());
}

TEST(UpdateTest, IfNotExistsNeedsTwoDifferentOperands) {
  const std::string message =
      "The first operand must be distinct from the remaining operands for this operator or "
      "function; operator: if_not_exists, first operand: ";
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(b, b)"), message + "[b]");
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(b.c[1], (#b.c[1]))", {}, {{"#b", "b"}}),
            message + "[b, c, [1]]");
  EXPECT_THAT(BoundUpdate("SET a = if_not_exists(b, b.c), d = e + e", {}, {}).status(), IsOk());
}

TEST(UpdateTest, AddAndDeleteReportAWrongTypeByItsLongName) {
  const struct {
    const char* text;
    AttributeValue value;
    const char* op;
    const char* type;
  } cases[] = {
      {"ADD a :v", "1", "ADD", "STRING"},        {"ADD a :v", B("1"), "ADD", "BINARY"},
      {"ADD a :v", nullptr, "ADD", "NULL"},      {"ADD a :v", true, "ADD", "BOOLEAN"},
      {"ADD a :v", List{}, "ADD", "LIST"},       {"ADD a :v", Map{}, "ADD", "MAP"},
      {"DELETE a :v", "1", "DELETE", "STRING"},  {"DELETE a :v", 1, "DELETE", "NUMBER"},
      {"DELETE a :v", List{}, "DELETE", "LIST"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(UpdateRefusal(c.text, {{":v", c.value}}),
              std::string("Incorrect operand type for operator or function; operator: ") + c.op +
                  ", operand type: " + c.type + ", typeSet: ALLOWED_FOR_" + c.op + "_OPERAND");
  }
}

TEST(UpdateTest, RejectsTheWrongNumberOfOperands) {
  const auto message = [](std::string_view function, int count) {
    return std::string(
               "Incorrect number of operands for operator or function; operator or function: ")
        .append(function)
        .append(", number of operands: ")
        .append(std::to_string(count));
  };
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(b)"), message("if_not_exists", 1));
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(b, c, d)"), message("if_not_exists", 3));
  EXPECT_EQ(UpdateRefusal("SET a = list_append(b)"), message("list_append", 1));
  EXPECT_EQ(UpdateRefusal("SET a = list_append(b, c, d, e)"), message("list_append", 4));
}

TEST(UpdateTest, IfNotExistsRequiresAPath) {
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(:v, b)", {{":v", 1}}),
            "Operator or function requires a document path; operator or function: if_not_exists");
  EXPECT_EQ(UpdateRefusal("SET a = if_not_exists(if_not_exists(a, b), b)"),
            "Operator or function requires a document path; operator or function: if_not_exists");
}

// Each text in this test has the errors of the next text and one more error. DynamoDB reports the
// additional error first, so the function under test must report it, too.
TEST(UpdateTest, ReportsFaultsInDynamoDBsOrder) {
  const Values v = {{":s", "x"}};
  EXPECT_THAT(UpdateRefusal("SET a=:x, a=#x, b.c=list_append(:s), b[0]=d+:s", v),
              testing::HasSubstr("attribute name: #x"));
  EXPECT_THAT(UpdateRefusal("SET a=:x, a=x, b.c=list_append(:s), b[0]=d+:s", v),
              testing::HasSubstr("attribute value: :x"));
  EXPECT_THAT(UpdateRefusal("SET a=x, a=x, b.c=list_append(:s), b[0]=d+:s", v),
              testing::HasSubstr("overlap"));
  EXPECT_THAT(UpdateRefusal("SET b.c=list_append(:s), b[0]=d+:s", v),
              testing::HasSubstr("conflict"));
  EXPECT_THAT(UpdateRefusal("SET b.c=list_append(:s), e=d+:s", v),
              testing::HasSubstr("Incorrect operand type"));
  EXPECT_THAT(UpdateRefusal("SET b.c=list_append(:s)", v),
              testing::HasSubstr("Incorrect number of operands"));
}

TEST(UpdateTest, ReturnsItsTargets) {
  const BoundUpdate update("SET a.b = :v, c = d REMOVE e[0]", {{":v", 1}}, {});
  ASSERT_THAT(update.status(), IsOk());
  std::vector<std::string> targets;
  for (const DocumentPath& target : update->targets()) targets.push_back(target.ToString());
  EXPECT_THAT(targets, testing::ElementsAre("[a, b]", "[c]", "[e, [0]]"));
  EXPECT_TRUE(update->Touches("a"));
  EXPECT_TRUE(update->Touches("e"));
  EXPECT_FALSE(update->Touches("b"));
  EXPECT_FALSE(update->Touches("d"));
}

TEST(UpdateTest, RejectsChangesOfTheKey) {
  const std::vector<std::string_view> keys = {"pk", "sk"};
  const BoundUpdate good("SET a = pk REMOVE b.sk", {}, {});
  EXPECT_THAT(good->CheckKeyUnchanged(keys), IsOk());
  const BoundUpdate bad("SET a = :v, sk = :v", {{":v", 1}}, {});
  EXPECT_THAT(bad->CheckKeyUnchanged(keys),
              StatusIs(StatusCode::kValidation,
                       "One or more parameter values were invalid: Cannot update attribute sk. "
                       "This attribute is part of the key"));
  EXPECT_THAT(BoundUpdate("REMOVE pk.a", {}, {})->CheckKeyUnchanged(keys),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("Cannot update attribute pk.")));
}

// Returns the parts of the item that UPDATED_OLD or UPDATED_NEW returns.
std::string Touched(const BoundUpdate& update, const Item& item) {
  std::string out;
  const StoredItem stored = StoreItem(item);
  EXPECT_THAT(update->TouchedParts().Apply(stored.view(), &out), IsOk());
  return ItemView::Parse(out)->ToString();
}

TEST(UpdateTest, TouchedPartsSelectsTheChangedParts) {
  const BoundUpdate update("SET a = :v, m.x = :v, l[1] = :v, z = :v REMOVE l[3], q", {{":v", 9}},
                           {});
  ASSERT_THAT(update.status(), IsOk());
  const Item before = {{"pk", "p"},
                       {"a", 1},
                       {"m", Map{{"x", 2}, {"y", 3}}},
                       {"l", List{10, 11, 12, 13}},
                       {"q", "gone"}};
  EXPECT_EQ(Touched(update, before), "{a: 1, l: [11, 13], m: {x: 2}, q: \"gone\"}");
  const Result<Item> after = update.Apply(before);
  ASSERT_THAT(after, IsOk());
  EXPECT_EQ(Touched(update, *after), "{a: 9, l: [9], m: {x: 9}, z: 9}");
  EXPECT_EQ(Touched(update, {{"pk", "p"}}), "{}");
}

}  // namespace
}  // namespace dolmen::engine
