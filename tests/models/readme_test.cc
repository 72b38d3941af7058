// Compares the pages of the models with their designs. The part of a page between the markers
// <!-- KIND DESIGN: generated --> and <!-- end --> is generated: KIND is keys or patterns. With the
// variable DOLMEN_REWRITE the test writes the pages instead of comparing them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "models/chat/design.h"
#include "models/course/design.h"
#include "models/org/design.h"
#include "models/patterns/employment/employment.h"
#include "models/patterns/groups/groups.h"
#include "models/patterns/orders/orders.h"
#include "models/patterns/places/places.h"
#include "models/patterns/posts/posts.h"
#include "models/user/design.h"
#include "tests/support/source_directory.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

struct Page {
  std::string model = {};
  std::vector<TableDesign> designs = {};
};

std::vector<Page> ModelPages() {
  return {{"chat", {chat::Design()}},
          {"course", {course::Design()}},
          {"org", {org::Design()}},
          {"user", {user::Design()}},
          {"patterns",
           {groups::Design(), employment::Design(), orders::Design(), places::Design(),
            posts::Design()}}};
}

std::string Read(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Replaces the generated part of this kind in the page. Does nothing if the page has no markers.
void Replace(const std::string& kind, const TableDesign& design, const std::string& tables,
             std::string* page) {
  const std::string marker = "<!-- " + kind + " " + design.name() + ": generated -->\n";
  const std::size_t begin = page->find(marker);
  if (begin == page->npos) return;
  const std::size_t from = begin + marker.size();
  const std::size_t end = page->find("<!-- end -->", from);
  ASSERT_NE(end, page->npos) << "no <!-- end --> after " << marker;
  page->replace(from, end - from, "\n" + tables + "\n");
}

class ModelPageTest : public testing::TestWithParam<Page> {};

INSTANTIATE_TEST_SUITE_P(Models, ModelPageTest, testing::ValuesIn(ModelPages()),
                         [](const auto& page) { return page.param.model; });

TEST_P(ModelPageTest, ShowsTheKeysAndTheAccessPatternsOfItsDesigns) {
  const std::string file = SourceFile("/models/" + GetParam().model + "/README.md");
  const std::string stored = Read(file);
  std::string page = stored;
  for (const TableDesign& design : GetParam().designs) {
    EXPECT_THAT(stored, testing::HasSubstr("<!-- keys " + design.name() + ": generated -->"));
    std::string keys = design.KeyTable();
    if (!design.IndexTable().empty()) keys += "\n" + design.IndexTable();
    Replace("keys", design, keys, &page);
    Replace("patterns", design, design.PatternTable(), &page);
  }
  if (std::getenv("DOLMEN_REWRITE") != nullptr) std::ofstream(file) << page;
  EXPECT_EQ(Read(file), page) << file << " is out of date: run this test with DOLMEN_REWRITE=1";
}

TEST_P(ModelPageTest, EveryAccessPatternIsServedByAKeyAndNamed) {
  for (const TableDesign& design : GetParam().designs) {
    EXPECT_FALSE(design.patterns().empty()) << design.name();
    for (const AccessPattern& pattern : design.patterns()) {
      EXPECT_EQ(pattern.FindFault(), "");
      EXPECT_NE(pattern.method(), "") << pattern.name();
    }
  }
}

// tests/command/draw_test.cc compares the picture of the course model with `dolmen draw`.
TEST(ModelPictureTest, ThePictureOfTheChatIsUpToDate) {
  const auto clock = std::make_shared<ManualClock>(Value(ParseIso8601("2026-04-15T10:30:00Z")));
  const Database database = Value(Database::InMemory({.clock = clock, .expiry_lag = std::nullopt}));
  chat::Chat chat = Value(chat::Chat::Open(database));
  ASSERT_THAT(chat::LoadSampleData(&chat), IsOk());
  std::vector<Item> items;
  const Table table = Value(database.OpenTable(chat::Design().name()));
  ItemRange range = table.ScanAll({});
  for (const ItemView item : range) items.push_back(Value(item.Copy()));
  const std::string svg = chat::Design().ToSvg(items, {.title = "A chat, in one table"});
  const std::string file = SourceFile("/models/chat/table.svg");
  if (std::getenv("DOLMEN_REWRITE") != nullptr) std::ofstream(file) << svg;
  EXPECT_TRUE(Read(file) == svg) << file << " is out of date: run this test with DOLMEN_REWRITE=1";
}

}  // namespace
}  // namespace dolmen::test
