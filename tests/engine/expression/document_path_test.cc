#include "engine/expression/document_path.h"

#include <gmock/gmock.h>

#include <string>
#include <variant>
#include <vector>

namespace dolmen::engine {
namespace {

using testing::ElementsAre;

using StepSpec = std::variant<std::string_view, std::uint32_t>;

DocumentPath Path(std::string_view attribute, std::initializer_list<StepSpec> nested = {}) {
  DocumentPath path(attribute);
  for (const StepSpec& step : nested) {
    const auto* name = std::get_if<std::string_view>(&step);
    path.Append(name != nullptr ? PathStep::Name(*name) : PathStep::Index(std::get<1>(step)));
  }
  return path;
}

TEST(DocumentPathTest, ToStringFormatsAsDynamoDBsMessagesDo) {
  EXPECT_EQ(Path("a").ToString(), "[a]");
  EXPECT_EQ(Path("a", {1U, "b"}).ToString(), "[a, [1], b]");
  EXPECT_EQ(Path("a.b", {"c d"}).ToString(), "[a.b, c d]");
}

TEST(DocumentPathTest, APathSortsBeforeItsExtensions) {
  std::vector<std::string> sorted;
  std::vector<DocumentPath> paths = {
      Path("b"),       Path("a", {"x"}), Path("a", {10U}), Path("a", {2U, "y"}),
      Path("a", {2U}), Path("a"),        Path("a\xFF"),    Path("aa")};
  std::sort(paths.begin(), paths.end());
  for (const DocumentPath& path : paths) sorted.push_back(path.ToString());
  EXPECT_THAT(sorted, ElementsAre("[a]", "[a, [2]]", "[a, [2], y]", "[a, [10]]", "[a, x]", "[aa]",
                                  "[a\xFF]", "[b]"));
}

// Returns the message of the clash that FindClash finds, or "none".
std::string MessageOfClash(std::initializer_list<DocumentPath> paths) {
  const std::vector<DocumentPath> all(paths);
  const auto clash = FindClash(all);
  return clash ? ClashMessage(*clash, all) : "none";
}

TEST(DocumentPathTest, TheLastConflictIsReported) {
  EXPECT_THAT(MessageOfClash({Path("a", {"b"}), Path("a", {0U}), Path("c"), Path("a", {"d"})}),
              testing::EndsWith("path one: [a, [0]], path two: [a, d]"));
}

TEST(DocumentPathTest, OtherPathsDoNotClash) {
  EXPECT_EQ(MessageOfClash({}), "none");
  EXPECT_EQ(MessageOfClash({Path("a")}), "none");
  EXPECT_EQ(MessageOfClash({Path("a"), Path("b"), Path("ab")}), "none");
  EXPECT_EQ(MessageOfClash({Path("a", {"b"}), Path("a", {"c"}), Path("b", {0U}), Path("b", {1U})}),
            "none");
  EXPECT_EQ(MessageOfClash({Path("a", {0U, "b"}), Path("a", {1U, 0U})}), "none");
}

// FindClash sorts the paths and first compares only adjacent ones. It must also find a clash of two
// paths that have other paths between them in the sorted order.
TEST(DocumentPathTest, FindsAClashOfPathsThatAreNotAdjacent) {
  const std::vector<DocumentPath> all = {Path("a"),
                                         Path("a", {"b"}),
                                         Path("a", {0U}),
                                         Path("a", {0U, "b"}),
                                         Path("a", {0U, 1U}),
                                         Path("a", {"b", "c"}),
                                         Path("b"),
                                         Path("b", {"a"}),
                                         Path("a", {"c"}),
                                         Path("a", {1U}),
                                         Path("a", {"b", 2U}),
                                         Path("c")};
  for (const DocumentPath& first : all) {
    for (const DocumentPath& second : all) {
      if (!FindClash(std::vector{first, second})) continue;
      for (const DocumentPath& between : all) {
        EXPECT_TRUE(FindClash(std::vector{first, between, second}))
            << first.ToString() << ", " << between.ToString() << ", " << second.ToString();
      }
    }
  }
}

}  // namespace
}  // namespace dolmen::engine
