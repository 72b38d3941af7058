// Tests of key conditions and projections written in C++ (dolmen/key_condition_builder.h,
// dolmen/projection_builder.h).

#include <string>
#include <vector>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class KeyConditionBuilderTest : public OneItemTest {
 protected:
  void SetUp() override {
    for (const char* sk : {"a", "ab", "b", "c"}) Put(With({}, sk));
  }

  std::vector<std::string> Find(const KeyConditionExpression& condition) const {
    return SortKeys({.key_condition = condition});
  }
};

TEST_F(KeyConditionBuilderTest, BuildsEveryOperatorOfASortKey) {
  const auto partition = dolmen::Key("PK") == pk();
  const dolmen::Key sort("SK");
  EXPECT_THAT(Find(partition), ElementsAre("a", "ab", "b", "c"));
  EXPECT_THAT(Find(partition && sort == "ab"), ElementsAre("ab"));
  EXPECT_THAT(Find(partition && sort < "b"), ElementsAre("a", "ab"));
  EXPECT_THAT(Find(partition && sort <= "b"), ElementsAre("a", "ab", "b"));
  EXPECT_THAT(Find(partition && sort > "ab"), ElementsAre("b", "c"));
  EXPECT_THAT(Find(partition && sort >= "ab"), ElementsAre("ab", "b", "c"));
  EXPECT_THAT(Find(partition && sort.Between("ab", "b")), ElementsAre("ab", "b"));
  EXPECT_THAT(Find(sort.BeginsWith("a") && partition), ElementsAre("a", "ab"));
}

TEST_F(KeyConditionBuilderTest, ErrorsAreTheSameAsForAnExpressionText) {
  const auto partition = dolmen::Key("PK") == pk();
  const dolmen::Key sort("SK");
  const auto query = [&](const KeyConditionExpression& condition) {
    return table().Query({.key_condition = condition});
  };
  EXPECT_THAT(query(sort == "a"), IsInvalid("Query condition missed key schema element: PK"));
  EXPECT_THAT(query(partition && partition),
              IsInvalid("Invalid KeyConditionExpression: KeyConditionExpressions must only contain "
                        "one condition per key"));
  EXPECT_THAT(query(partition && dolmen::Key("other") == 1),
              IsInvalid("Query condition missed key schema element: SK"));
  EXPECT_THAT(query(partition && sort > 1),
              IsInvalid("One or more parameter values were invalid: Condition parameter type does "
                        "not match schema type"));
  EXPECT_THAT(query(partition && sort.BeginsWith(1)),
              IsInvalidWith("Invalid KeyConditionExpression: Incorrect operand type"));
}

class ProjectionBuilderTest : public OneItemTest {
 protected:
  Map Projected(const ProjectionExpression& projection, const Names& names = {}) const {
    const auto got = table().GetItem({.key = Key(), .projection = projection, .names = names});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item ? *got->item->Copy() : Map();
  }
};

TEST_F(ProjectionBuilderTest, ProjectSelectsNamesAndNestedPaths) {
  PutWith({{"title", "t"}, {"status", "s"}, {"m", Map{{"a", 1}, {"b", 2}}}, {"l", List{1, 2, 3}}});
  EXPECT_EQ(Projected(Project("title")), Projected("title"));
  EXPECT_EQ(Projected(Project("title")), (Map{{"title", "t"}}));
  EXPECT_EQ(Projected(Project("status", "nowhere")), Projected("#s", {{"#s", "status"}}));
  EXPECT_EQ(Projected(Project(Attr("m")["b"], Attr("l")[2], Attr("l")[0])),
            Projected("m.b, l[2], l[0]"));
  EXPECT_EQ(Projected(Project(std::vector<Attr>{"title", "l"})), Projected("title, l"));
}

TEST_F(ProjectionBuilderTest, ProjectWorksInAQuery) {
  PutWith({{"title", "t"}, {"body", "b"}});
  const auto page =
      table().Query({.key_condition = Partition(pk()), .projection = Project("SK", "title")});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1U);
  EXPECT_EQ(*(*page)[0].Copy(), (Map{{"SK", "a"}, {"title", "t"}}));
}

TEST_F(ProjectionBuilderTest, ErrorsAreTheSameAsForAnExpressionText) {
  const auto get = [&](const ProjectionExpression& projection) {
    return table().GetItem({.key = Key(), .projection = projection});
  };
  EXPECT_THAT(get(Project("a", Attr("a")["b"])),
              IsInvalid("Invalid ProjectionExpression: Two document paths overlap with each other; "
                        "must remove or rewrite one of these paths; path one: [a], path two: "
                        "[a, b]"));
  EXPECT_THAT(get(Project(std::vector<Attr>())),
              IsInvalid("Invalid ProjectionExpression: The expression can not be empty;"));
  std::vector<Attr> many;
  for (int i = 0; i < 5'000; ++i) many.emplace_back("a" + std::to_string(i));
  EXPECT_THAT(get(Project(many)), IsInvalidWith("Expression size has exceeded the maximum"));
  many.resize(4'000, "a0");
  many.back() = "a1";
  EXPECT_THAT(get(Project(many)), IsInvalidWith("Two document paths overlap"));
  EXPECT_THAT(get(Project("a", "")),
              IsInvalidWith("Invalid ProjectionExpression: Empty attribute name"));
}

}  // namespace
}  // namespace dolmen::behaviour
