#include "engine/expression/syntax/expression_text.h"

#include <gtest/gtest.h>

#include <string>

#include "dolmen/condition_builder.h"
#include "dolmen/update_builder.h"
#include "engine/expression/syntax/parser.h"
#include "tests/support/status_matchers.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

// Parses a text and returns the text of the tree.
template <typename Parsed>
std::string TextOf(const Parsed& parsed) {
  EXPECT_THAT(parsed, IsOk());
  return parsed.ok() ? ExpressionText(*parsed) : "";
}

// Returns the text of the tree that a builder built.
template <typename Expression>
std::string TextOfBuilt(const Expression& expression) {
  return ExpressionText(***expression.tree());
}

TEST(ExpressionTextTest, AConditionKeepsItsText) {
  for (const std::string text : {
           "a = :a",
           "a.b[1] <> #c",
           "a < b AND c <= d AND e > f",
           "(a = :a OR b >= :b) AND NOT (c = :c)",
           "(a = :a AND b = :b) OR c = :c",
           "a BETWEEN :low AND :high",
           "a IN (:x, :y, :z)",
           "attribute_exists(a) AND attribute_not_exists(b) AND attribute_type(c, :t)",
           "begins_with(a, :prefix) OR contains(b, :part)",
           "size(a) > :n",
       }) {
    EXPECT_EQ(TextOf(ParseCondition(text, ExpressionKind::kCondition)), text);
  }
}

TEST(ExpressionTextTest, AProjectionKeepsItsText) {
  EXPECT_EQ(TextOf(ParseProjection("a, b.c[0], #d")), "a, b.c[0], #d");
}

TEST(ExpressionTextTest, AnUpdateHasItsSectionsInOneOrder) {
  EXPECT_EQ(TextOf(ParseUpdate("ADD n :one REMOVE x, y SET a = b + :c, d = if_not_exists(d, :e), "
                               "f = list_append(f, :g), h = h - :i DELETE s :t")),
            "SET a = b + :c, d = if_not_exists(d, :e), f = list_append(f, :g), h = h - :i "
            "REMOVE x, y ADD n :one DELETE s :t");
}

TEST(ExpressionTextTest, LiteralsReplacePlaceholders) {
  const ConditionExpression condition = Attr("version") == 3 && Attr("body") != "x";
  EXPECT_EQ(TextOfBuilt(condition), "version = 3 AND body <> \"x\"");
  const UpdateExpression update = dolmen::Update().Set("body", "Hi").Add("edits", 1);
  EXPECT_EQ(TextOfBuilt(update), "SET body = \"Hi\" ADD edits 1");
}

TEST(ParserTest, ATreeOwnsItsText) {
  std::string text = "a.b, #c[0]";
  const Result<ProjectionSyntax> syntax = ParseProjection(text);
  ASSERT_THAT(syntax, IsOk());
  text.assign(text.size(), 'x');
  const ProjectionSyntax copy = *syntax;
  EXPECT_EQ(ExpressionText(copy), "a.b, #c[0]");
}

}  // namespace
}  // namespace dolmen::engine
