// Tests of ProjectionExpression: the attributes that it returns and the expressions that DynamoDB
// rejects. The rule numbers are those of tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

const std::string kInvalidProjection = "Invalid ProjectionExpression: ";

class ProjectionRulesTest : public RulesTest {
 protected:
  static std::string Clash(const std::string& how, const std::string& one, const std::string& two) {
    return kInvalidProjection + "Two document paths " + how +
           " with each other; must remove or rewrite one of these paths; path one: " + one +
           ", path two: " + two;
  }
  static std::string Syntax(const std::string& token, const std::string& near) {
    return kInvalidProjection + SyntaxError(token, near);
  }
};

TEST_F(ProjectionRulesTest, AProjectionReturnsTheAttributesThatItNames) {
  const Map item = {{"a", 1}, {"b", ""}, {"z", nullptr}, {"l", List{}}};
  CheckProjections({
      {"a", item, {{"a", 1}}},
      {"z, a", item, {{"a", 1}, {"z", nullptr}}},
      {"b,l", item, {{"b", ""}, {"l", List{}}}},
      {"z, b, a", item, {{"a", 1}, {"b", ""}, {"z", nullptr}}},
      {"a, b, z, l", item, item},
      {"a, zz, A, a0, Z", item, {{"a", 1}}},
      {"b[0], z.d", item, {}},
      {"a", {}, {}},
      {"a, #z", item, {{"a", 1}, {"z", nullptr}}, {{"#z", "z"}}},
      {"SK, a", item, {{"SK", "a"}, {"a", 1}}},  // returns the key if it names the key
  });
}

TEST_F(ProjectionRulesTest, AProjectionKeepsTheMapsAroundANestedAttribute) {
  const Map item = {{"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}, {"w", 3}, {"l", List{1, 2, 3}}}},
                    {"a", 1}};
  CheckProjections({
      {"m.w", item, {{"m", Map{{"w", 3}}}}},
      {"m.x", item, {{"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}}}}},
      {"m.x.y", item, {{"m", Map{{"x", Map{{"y", 1}}}}}}},
      {"m.x.z, a, m.x.y", item, {{"a", 1}, {"m", Map{{"x", Map{{"y", 1}, {"z", 2}}}}}}},
      {"m.w, m.x.y", item, {{"m", Map{{"w", 3}, {"x", Map{{"y", 1}}}}}}},
      {"m.x.q, m.w", item, {{"m", Map{{"w", 3}}}}},
      {"m.q, a", item, {{"a", 1}}},
      {"m, a", item, item},
      {"m.l[1], m.x.y", item, {{"m", Map{{"l", List{2}}, {"x", Map{{"y", 1}}}}}}},
      {"m.l[2], m.l[0]", item, {{"m", Map{{"l", List{1, 3}}}}}},
      {"m.x.q, m.l[7]", item, {}},
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
      {"l[0].k, l[2].q, l[3][2], l[9]", item, {}},
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

TEST_F(ProjectionRulesTest, AProjectionReturnsManyAttributes) {
  Map item;
  Map leaves;
  std::string projection;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "a" + std::to_string(i * 7919 % 1000);
    item[name] = i;
    if (i % 3 != 0) continue;
    leaves[name] = i;
    projection += (projection.empty() ? "" : ",") + name;
  }
  CheckProjections({{projection, item, leaves}});
}

TEST_F(ProjectionRulesTest, AProjectionRejectsPathsThatOverlapOrConflict) {
  CheckRefusedProjections({
      {"a, a", Clash("overlap", "[a]", "[a]")},
      {"a, b, a", Clash("overlap", "[a]", "[a]")},
      {"a, b, a.c", Clash("overlap", "[a]", "[a, c]")},
      {"a.b[1], c, a.b", Clash("overlap", "[a, b, [1]]", "[a, b]")},
      {"a[1], a[1]", Clash("overlap", "[a, [1]]", "[a, [1]]")},
      {"a, #n.b", Clash("overlap", "[a]", "[a, b]"), {{"#n", "a"}}},
      {"a.b, a[0]", Clash("conflict", "[a, b]", "[a, [0]]")},
      {"a[0][0], a[0].b", Clash("conflict", "[a, [0], [0]]", "[a, [0], b]")},
      {"a.b, a[0], c, c", Clash("overlap", "[c]", "[c]")},  // overlaps come first
  });
  CheckProjections({{"a.b, a.c, l[0], l[1]", {{"l", List{1, 2}}}, {{"l", List{1, 2}}}}});
}

// A projection is a list of paths with commas between them.
TEST_F(ProjectionRulesTest, AProjectionIsAListOfPaths) {
  CheckRefusedProjections({
      {"", kInvalidProjection + "The expression can not be empty;"},
      {" ", Syntax("<EOF>", "")},
      {",", Syntax(",", ",")},
      {"a,", Syntax("<EOF>", ",")},
      {"a,,b", Syntax(",", ",,b")},
      {"a b", Syntax("b", "a b")},
      {"a.", Syntax("<EOF>", ".")},
      {"a..b", Syntax(".", "..b")},
      {"a[]", Syntax("]", "[]")},
      {"a[0]b", Syntax("b", "]b")},
      {":a", Syntax(":a", ":a")},
      {"(a)", Syntax("(", "(a")},
      {"size(a)", Syntax("(", "size(a")},
      {"*", Syntax("*", "*")},
      {"a = b", Syntax("=", "a = b")},
      {"a b c", Syntax("b", "a b c")},
      {".a", Syntax(".", ".a")},
      {"a[", Syntax("<EOF>", "[")},
      {"a[0", Syntax("<EOF>", "0")},
      {"a[b]", Syntax("b", "[b]")},
      {"a[-1]", Syntax("-", "[-1")},
      {"a[:i]", Syntax(":i", "[:i]")},
      {"a[#i]", Syntax("#i", "[#i]")},
      {"a.[0]", Syntax("[", ".[0")},
      {"[0]", Syntax("[", "[0")},
      {"a.0", Syntax("0", ".0")},
      {"0", Syntax("0", "0")},
      {"a.:b", Syntax(":b", ".:b")},
      {"a-b", Syntax("-", "a-b")},
      {"a, b  ;  c", Syntax(";", "b  ;  c")},
      {"a, é", Syntax("é", ", é")},
  });
}

// Dolmen checks for the errors of a projection in a fixed order and reports the first
// error that it finds. The projections in this test are in this order. A projection may also have
// the error of a later one, but Dolmen reports the error that comes first.
TEST_F(ProjectionRulesTest, SyntaxThenReservedWordsThenNamesThenPathsAreReported) {
  CheckRefusedProjections({
      {"name, #n, a, a,", Syntax("<EOF>", ",")},
      {"#n, a, a.b, a[0], name",
       kInvalidProjection + "Attribute name is a reserved keyword; reserved keyword: name"},
      {"b.c, b[0], a, a, #n", kInvalidProjection +
                                  "An expression attribute name used in the document path is not "
                                  "defined; attribute name: #n"},
      {"a, #n, #n",
       kInvalidProjection +
           "An expression attribute name used in the document path is not defined; attribute "
           "name: #n",
       {{"#m", "x"}}},
      {"b.c, b[0], a, a", Clash("overlap", "[a]", "[a]")},
  });
}

}  // namespace
}  // namespace dolmen::behaviour
