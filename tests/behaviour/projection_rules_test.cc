// Tests of ProjectionExpression: the attributes that it returns and the expressions that DynamoDB
// rejects. The rule numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

class ProjectionRulesTest : public RulesTest {
 protected:
  // Checks that GetItem and Query reject the projection with this error.
  void CheckRefused(const std::string& projection, const std::string& error,
                    const Names& names = {}) const {
    SCOPED_TRACE(projection);
    const std::string message = "Invalid ProjectionExpression: " + error;
    EXPECT_THAT(table().GetItem({.key = Key(), .projection = projection, .names = names}),
                IsInvalid(message));
    EXPECT_THAT(
        table().Query({.key_condition = Partition(pk()), .projection = projection, .names = names}),
        IsInvalid(message));
  }
  static std::string Clash(const std::string& how, const std::string& one, const std::string& two) {
    return "Two document paths " + how +
           " with each other; must remove or rewrite one of these paths; path one: " + one +
           ", path two: " + two;
  }
};

TEST_F(ProjectionRulesTest, AProjectionReturnsTheAttributesThatItNames) {
  const Map item = {{"a", 1}, {"b", ""}, {"z", nullptr}, {"l", List{}}};
  CheckProjections({
      {"a", item, {{"a", 1}}},
      {"z, a", item, {{"a", 1}, {"z", nullptr}}},
      {"b,l", item, {{"b", ""}, {"l", List{}}}},
      {"a, #z", item, {{"a", 1}, {"z", nullptr}}, {{"#z", "z"}}},
      {"SK, a", item, {{"SK", "a"}, {"a", 1}}},  // returns the key if it names the key
  });
}

TEST_F(ProjectionRulesTest, AProjectionKeepsTheMapsAroundANestedAttribute) {
  const Map item = {{"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}, {"w", 3}}}, {"a", 1}};
  CheckProjections({
      {"m.w", item, {{"m", Map{{"w", 3}}}}},
      {"m.x", item, {{"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}}}}},
      {"m.x.y", item, {{"m", Map{{"x", Map{{"y", 1}}}}}}},
      {"m.x.z, a, m.x.y", item, {{"a", 1}, {"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}}}}},
      {"m.w, m.x.y", item, {{"m", Map{{"w", 3}, {"x", Map{{"y", 1}}}}}}},
      {"m.#w", item, {{"m", Map{{"w", 3}}}}, {{"#w", "w"}}},
  });
}

TEST_F(ProjectionRulesTest, AProjectionClosesTheGapsOfAListAndKeepsItsOrder) {
  const Map item = {{"l", List{"l0", "l1", Map{{"k", "v"}, {"x", 2}}, List{30, 31}}}};
  CheckProjections({
      {"l[0]", item, {{"l", List{"l0"}}}},
      {"l[1]", item, {{"l", List{"l1"}}}},
      {"l[1], l[0]", item, {{"l", List{"l0", "l1"}}}},
      {"l[9], l[1]", item, {{"l", List{"l1"}}}},
      {"l[2].k", item, {{"l", List{Map{{"k", "v"}}}}}},
      {"l[3][1], l[0]", item, {{"l", List{"l0", List{31}}}}},
      {"l[3][1], l[3][0], l[2].x", item, {{"l", List{Map{{"x", 2}}, List{30, 31}}}}},
      {"l[10], l[9], l[2]",
       {{"l", List{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
       {{"l", List{2, 9, 10}}}},
  });
}

TEST_F(ProjectionRulesTest, AProjectionLeavesOutMissingPaths) {
  const Map item = {
      {"a", 1}, {"l", List{1}}, {"m", Map{{"k", 1}}}, {"ss", StringSet{"x"}}, {"n", 1}};
  for (const std::string projection : {"b", "A", "a.b", "a[0]", "l[1]", "l.k", "m[0]", "m.x",
                                       "m.k.k", "ss[0]", "l[0][0], m.y.z"}) {
    CheckProjections({{projection, item, {}}, {projection + ", q, n", item, {{"n", 1}}}});
  }
}

TEST_F(ProjectionRulesTest, AProjectionRejectsPathsThatOverlapOrConflict) {
  CheckRefused("a, a", Clash("overlap", "[a]", "[a]"));
  CheckRefused("a, b, a.c", Clash("overlap", "[a]", "[a, c]"));
  CheckRefused("a.b[1], c, a.b", Clash("overlap", "[a, b, [1]]", "[a, b]"));
  CheckRefused("a[1], a[1]", Clash("overlap", "[a, [1]]", "[a, [1]]"));
  CheckRefused("a, #n.b", Clash("overlap", "[a]", "[a, b]"), {{"#n", "a"}});
  CheckRefused("a.b, a[0]", Clash("conflict", "[a, b]", "[a, [0]]"));
  CheckRefused("a[0][0], a[0].b", Clash("conflict", "[a, [0], [0]]", "[a, [0], b]"));
  CheckRefused("a.b, a[0], c, c", Clash("overlap", "[c]", "[c]"));  // overlaps come first
  CheckProjections({{"a.b, a.c, l[0], l[1]", {{"l", List{1, 2}}}, {{"l", List{1, 2}}}}});
}

// A projection is a list of paths with commas between them.
TEST_F(ProjectionRulesTest, AProjectionIsAListOfPaths) {
  CheckRefused("", "The expression can not be empty;");
  CheckRefused(" ", SyntaxError("<EOF>", ""));
  CheckRefused(",", SyntaxError(",", ","));
  CheckRefused("a,", SyntaxError("<EOF>", ","));
  CheckRefused("a,,b", SyntaxError(",", ",,b"));
  CheckRefused("a b", SyntaxError("b", "a b"));
  CheckRefused("a.", SyntaxError("<EOF>", "."));
  CheckRefused("a..b", SyntaxError(".", "..b"));
  CheckRefused("a[]", SyntaxError("]", "[]"));
  CheckRefused("a[0]b", SyntaxError("b", "]b"));
  CheckRefused(":a", SyntaxError(":a", ":a"));
  CheckRefused("(a)", SyntaxError("(", "(a"));
  CheckRefused("size(a)", SyntaxError("(", "size(a"));
  CheckRefused("*", SyntaxError("*", "*"));
  CheckRefused("a = b", SyntaxError("=", "a = b"));
}

// Dolmen checks for the errors of a projection in a fixed order and reports the first
// error that it finds. The projections in this test are in this order. A projection may also have
// the error of a later one, but Dolmen reports the error that comes first.
TEST_F(ProjectionRulesTest, SyntaxThenReservedWordsThenNamesThenPathsAreReported) {
  CheckRefused("name, #n, a, a,", SyntaxError("<EOF>", ","));
  CheckRefused("#n, a, a.b, a[0], name",
               "Attribute name is a reserved keyword; reserved keyword: name");
  CheckRefused(
      "b.c, b[0], a, a, #n",
      "An expression attribute name used in the document path is not defined; attribute name: #n");
  CheckRefused("b.c, b[0], a, a", Clash("overlap", "[a]", "[a]"));
}

}  // namespace
}  // namespace dolmen::behaviour
