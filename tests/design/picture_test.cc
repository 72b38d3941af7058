// Tests of the pictures of tables.

#include "dolmen/design/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>

#include "design/text.h"

namespace dolmen::test {
namespace {

using boost::property_tree::ptree;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

TableDescription AppTable() {
  TableDescription table{.name = "app", .partition_key = {"PK"}, .sort_key = KeyAttribute{"SK"}};
  table.global_secondary_indexes.push_back({.index = GlobalSecondaryIndex::Overloaded("GSI1")});
  return table;
}

Item Entity(const std::string& type, const std::string& partition, const std::string& sort) {
  return {{"PK", partition}, {"SK", sort}, {"entityType", type}};
}

// An SVG document, parsed by another library.
class ParsedPicture {
 public:
  explicit ParsedPicture(const std::string& svg) {
    std::istringstream in(svg);
    boost::property_tree::read_xml(in, tree_);  // throws if the document is not well-formed
    Walk(tree_.get_child("svg"), nullptr);
  }

  // Returns the texts with one of the classes, in the order in which they are drawn.
  std::vector<std::string> Texts(const std::string& css) const {
    std::vector<std::string> texts;
    for (const Text& text : texts_) {
      if ((" " + text.css + " ").find(" " + css + " ") != std::string::npos) {
        texts.push_back(text.text);
      }
    }
    return texts;
  }

  // Returns the places, from the left, of the cells that contain the text.
  std::vector<double> PlacesOf(const std::string& text) const {
    std::vector<double> places;
    for (const Text& drawn : texts_) {
      if (drawn.text == text) places.push_back(drawn.area_x);
    }
    return places;
  }

  // Returns the texts that need more space than the area that cuts them off.
  std::vector<std::string> CutTexts() const {
    std::vector<std::string> cut;
    for (const Text& text : texts_) {
      const double column = text.css == "value" || text.css == "key" ? 7.3 : 6;
      const auto columns = static_cast<double>(picture::ColumnsOf(text.text));
      if (text.x + columns * column > text.area_width) cut.push_back(text.text);
    }
    return cut;
  }

  const ptree& root() const { return tree_.get_child("svg"); }

 private:
  struct Text {
    std::string css = {};
    std::string text = {};
    double x = 0;
    double area_x = 0;
    double area_width = 0;
  };

  void Walk(const ptree& element, const ptree* area) {
    for (const auto& [name, child] : element) {
      if (name == "svg") {
        Walk(child, &child);
      } else if (name == "text") {
        const auto place = [&](const char* attribute) {
          return area == nullptr ? 0 : area->get<double>(attribute);
        };
        texts_.push_back({child.get<std::string>("<xmlattr>.class"), child.data(),
                          child.get<double>("<xmlattr>.x"), place("<xmlattr>.x"),
                          place("<xmlattr>.width")});
      }
    }
  }

  ptree tree_;
  std::vector<Text> texts_;
};

ParsedPicture Draw(const std::vector<Item>& items, const PictureOptions& options = {}) {
  return ParsedPicture(DrawTable(AppTable(), items, options));
}

TEST(PictureTest, PartitionsAndItemsAreInTheOrderOfTheirKeys) {
  const ParsedPicture drawn =
      Draw({Entity("b", "P2", "S1"), Entity("a", "P1", "S2"), Entity("a", "P1", "S1")});
  EXPECT_THAT(drawn.Texts("title"), ElementsAre("app"));
  EXPECT_THAT(drawn.Texts("key"), ElementsAre("P1", "P2"));
  EXPECT_THAT(drawn.Texts("value"), ElementsAre("S1", "S2", "S1"));
}

TEST(PictureTest, NumbersInKeysAreInNumericOrder) {
  const TableDescription table{.name = "days",
                               .partition_key = {"year", AttributeType::kN},
                               .sort_key = KeyAttribute{"day", AttributeType::kN}};
  std::vector<Item> items;
  for (const int day : {10, 9, 100}) items.push_back({{"year", 2026}, {"day", day}});
  const ParsedPicture drawn(DrawTable(table, items));
  EXPECT_THAT(drawn.Texts("key"), ElementsAre("2026"));
  EXPECT_THAT(drawn.Texts("value"), ElementsAre("9", "10", "100"));
  EXPECT_THAT(drawn.Texts("kind"), Contains("item")) << "no text of the keys names the kind";
}

TEST(PictureTest, ATableWithoutASortKeyHasOneItemInEachPartition) {
  const TableDescription table{.name = "users", .partition_key = {"id"}};
  const ParsedPicture drawn(DrawTable(table, std::vector<Item>{{{"id", "b"}}, {{"id", "a"}}}));
  EXPECT_THAT(drawn.Texts("key"), ElementsAre("a", "b"));
}

TEST(PictureTest, AnIndexShowsTheItemsThatHaveItsKeys) {
  Item member = Entity("member", "LIST#1", "MEMBER#ann");
  member["GSI1PK"] = "USER#ann";
  member["GSI1SK"] = "LIST#1";
  const ParsedPicture drawn = Draw({member, Entity("task", "LIST#1", "TASK#1")});
  EXPECT_THAT(drawn.Texts("heading"), ElementsAre("Table", "Index GSI1"));
  EXPECT_THAT(drawn.Texts("key"), ElementsAre("LIST#1", "USER#ann"));
  EXPECT_THAT(drawn.Texts("keyname"), ElementsAre("GSI1PK", "GSI1SK", "PK", "SK"));
  EXPECT_THAT(drawn.Texts("muted"),
              IsSupersetOf({"2 items in 1 partition", "1 item in 1 partition"}));
}

TEST(PictureTest, AnIndexShowsOnlyTheAttributesThatItHolds) {
  TableDescription table = AppTable();
  table.global_secondary_indexes[0].index.projection = ProjectionType::kInclude;
  table.global_secondary_indexes[0].index.non_key_attributes = {"role"};
  Item member = Entity("member", "LIST#1", "MEMBER#ann");
  for (const char* name : {"GSI1PK", "GSI1SK", "role", "since"}) member[name] = "x";
  const ParsedPicture drawn(DrawTable(table, std::vector<Item>{member}));
  EXPECT_THAT(drawn.Texts("name"), ElementsAre("role", "since", "role"));
}

TEST(PictureTest, TheKindIsTheTypeAttributeOrTheWordOfAKey) {
  const ParsedPicture drawn = Draw({Entity("Conversation", "CONVO#1", "#METADATA"),
                                    {{"PK", "CONVO#1"}, {"SK", "MSG#01HW"}},
                                    {{"PK", "USER#1"}, {"SK", "2026-04-15"}},
                                    {{"PK", "1"}, {"SK", "2"}}});
  EXPECT_THAT(drawn.Texts("kind"), IsSupersetOf({"Conversation", "MSG", "USER", "item"}));
}

TEST(PictureTest, TheLegendCountsTheItemsOfEachKindInTheGivenOrder) {
  const std::vector<Item> items = {Entity("a", "P1", "S1"), Entity("a", "P1", "S2"),
                                   Entity("b", "P1", "S3")};
  const std::vector<std::string> shown = Draw(items, {.kinds = {"c", "b"}}).Texts("kind");
  EXPECT_EQ(std::vector<std::string>(shown.begin(), shown.begin() + 3),
            (std::vector<std::string>{"c  0", "b  1", "a  2"}));
}

TEST(PictureTest, AttributesHaveTheDeclaredOrderOfTheirKind) {
  Item user = Entity("user", "U#1", "ME");
  Item pet = Entity("pet", "U#3", "PET");
  for (Item* item : {&user, &pet}) {
    for (const char* name : {"age", "name", "other"}) (*item)[name] = 1;
  }
  const ParsedPicture drawn =
      Draw({user, pet}, {.attribute_order = {{"user", {"name", "age"}}, {"pet", {"other"}}}});
  EXPECT_THAT(drawn.Texts("name"), ElementsAre("name", "age", "other", "other", "age", "name"));
}

TEST(PictureTest, ItemsOfOneKindHaveTheirAttributesInTheSameColumns) {
  Item whole = Entity("user", "U#1", "ME");
  for (const char* name : {"a", "b", "c", "d"}) whole[name] = "some text";
  Item same = whole;
  same["PK"] = "U#2";
  Item gap = whole;
  gap["PK"] = "U#3";
  gap.erase("a");
  Item sparse = Entity("user", "U#4", "ME");
  sparse["d"] = "some text";
  const ParsedPicture drawn = Draw({whole, same, gap, sparse});
  const std::vector<double> b = drawn.PlacesOf("b");
  EXPECT_THAT(b, ElementsAre(b.front(), b.front(), b.front()));
  const std::vector<double> d = drawn.PlacesOf("d");
  EXPECT_THAT(d, ElementsAre(d.front(), d.front(), d.front(), drawn.PlacesOf("a").front()))
      << "an item with few attributes has no gaps";
}

TEST(PictureTest, TextsThatAreTooLongEndWithAnEllipsis) {
  const std::string text(1000, 'W');
  Item item = Entity(text, text, text);
  item["GSI1PK"] = text;
  item["GSI1SK"] = text;
  item[text] = text;
  item["wide"] = "東京タワー東京タワー東京タワー東京タワー";
  const ParsedPicture drawn = Draw({item}, {.title = text, .note = text});
  for (const char* css : {"title", "key", "value", "name", "kind"}) {
    EXPECT_THAT(drawn.Texts(css), Contains(testing::EndsWith("…"))) << css;
  }
  EXPECT_THAT(drawn.CutTexts(), ElementsAre());
}

TEST(PictureTest, TextsOfItemsAreNotMarkup) {
  const std::string text = "</text><script>'&\"";
  Item item = Entity(text, text, text);
  item[text] = text;
  const ParsedPicture drawn = Draw({item}, {.title = text});
  for (const char* css : {"title", "key", "value", "name", "kind"}) {
    EXPECT_THAT(drawn.Texts(css), Contains(text)) << css;
  }
}

TEST(PictureTest, AnItemWithManyAttributesSaysHowManyAreLeftOut) {
  Item item = Entity("user", "U#1", "ME");
  for (int i = 0; i < 200; ++i) item["attribute" + std::to_string(i)] = "a value of some length";
  const ParsedPicture drawn = Draw({item});
  const std::size_t shown = drawn.Texts("name").size() - 1;  // the last cell is "and"
  EXPECT_THAT(drawn.Texts("value"), Contains(std::to_string(200 - shown) + " more"));
  EXPECT_THAT(drawn.CutTexts(), ElementsAre());
}

TEST(PictureTest, ALargePartitionIsReducedToASampleOfEachKind) {
  std::vector<Item> items{Entity("participant", "CONVO#1", "PARTICIPANT#1")};
  for (int i = 1000; i < 2000; ++i) {
    items.push_back(Entity("message", "CONVO#1", "MSG#" + std::to_string(i)));
  }
  const ParsedPicture drawn = Draw(items, {.items_max = 3});
  EXPECT_THAT(drawn.Texts("value"), ElementsAre("MSG#1000", "MSG#1001", "PARTICIPANT#1"));
  EXPECT_THAT(drawn.Texts("muted"), IsSupersetOf({"1001 items", "and 998 more: message"}));
}

TEST(PictureTest, ALargeTableIsReducedToASampleOfEachKindOfPartition) {
  std::vector<Item> items{Entity("user", "USER#1", "PROFILE")};
  for (int i = 1000; i < 2000; ++i) {
    items.push_back(Entity("order", "ORDER#" + std::to_string(i), "ORDER"));
  }
  const ParsedPicture drawn = Draw(items, {.partitions_max = 3});
  EXPECT_THAT(drawn.Texts("key"), ElementsAre("ORDER#1000", "ORDER#1001", "USER#1"));
  EXPECT_THAT(drawn.Texts("muted"), Contains("and 998 more partitions"));
}

TEST(PictureTest, TheSizeIsBounded) {
  std::vector<Item> items;
  for (int i = 0; i < 1000; ++i) {
    Item item = Entity("kind" + std::to_string(i % 12), "P#" + std::to_string(i % 40),
                       "S#" + std::to_string(i));
    for (int k = 0; k < 30; ++k) item["attribute" + std::to_string(k)] = std::string(1000, '&');
    items.push_back(std::move(item));
  }
  EXPECT_LT(DrawTable(AppTable(), items).size(), 4'000'000);
}

TEST(PictureTest, TheOrderOfTheItemsDoesNotMatter) {
  std::vector<Item> items{Entity("a", "P1", "S1"), Entity("b", "P1", "S2"),
                          Entity("c", "P2", "S1")};
  const std::string drawn = DrawTable(AppTable(), items);
  std::ranges::reverse(items);
  EXPECT_EQ(DrawTable(AppTable(), items), drawn);
}

TEST(PictureTest, AnItemWithoutTheKeyOfTheTableIsLeftOut) {
  const ParsedPicture drawn = Draw({{{"PK", "P1"}, {"name", "Ann"}}});
  EXPECT_THAT(drawn.Texts("muted"), Contains("no items").Times(2));
  EXPECT_THAT(drawn.Texts("key"), ElementsAre());
}

TEST(PictureTest, APageContainsThePictureAndItsTitle) {
  const std::string svg = DrawTable(AppTable(), {});
  const std::string page = PicturePage(svg, "a <b>");
  EXPECT_THAT(page, HasSubstr("<title>a &lt;b&gt;</title>"));
  EXPECT_THAT(page, HasSubstr(svg));
  EXPECT_THAT(page, Not(HasSubstr("http://www.w3.org/1999/xlink")));
}

}  // namespace
}  // namespace dolmen::test
