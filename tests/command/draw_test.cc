// Tests of `dolmen draw`.

#include <cstdlib>
#include <fstream>

#include "models/course/design.h"
#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/source_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class DrawCommandTest : public CommandTest {
 protected:
  // Stores `count` items with the partition keys WORD#10000, WORD#10001, ...
  void PutPartitions(const std::string& word, int count) const {
    std::vector<Item> items;
    for (int i = 0; i < count; ++i) {
      items.push_back({{"PK", word + "#" + std::to_string(10'000 + i)}, {"SK", word}});
    }
    Put(items);
  }

  std::string Draw(std::vector<std::string> arguments = {}) const {
    const CommandOutput output = OnTable("draw", std::move(arguments));
    EXPECT_EQ(output.exit_code, 0) << output.err;
    EXPECT_THAT(output.err, IsEmpty());
    return output.out;
  }
};

TEST_F(DrawCommandTest, ATableIsDrawnAsSvg) {
  MakeDatabase(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
  Put({{{"PK", "USER#1"}, {"SK", "ORDER#1"}, {"GSI1PK", "DAY#4"}, {"GSI1SK", "1"}, {"total", 12}}});
  const std::string svg = Draw();
  EXPECT_THAT(svg, StartsWith("<svg "));
  EXPECT_THAT(svg, EndsWith("</svg>\n"));
  for (const char* text : {">app<", ">USER#1<", ">ORDER#1<", ">total<", ">12<", ">Index GSI1<",
                           ">DAY#4<", ">1 item in 1 partition<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  EXPECT_THAT(svg, Not(HasSubstr("A sample of")));
}

TEST_F(DrawCommandTest, APageContainsThePicture) {
  MakeDatabase();
  const std::string page = Draw({"--html", "--title", "My table"});
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("<title>My table</title>\n<style>"));
  EXPECT_THAT(page, HasSubstr(Draw({"--title", "My table"})));
}

TEST_F(DrawCommandTest, AnOutputFileIsReplacedOnlyOnRequest) {
  MakeDatabase();
  const std::string file = Write("app.svg", "mine");
  const CommandOutput refused = OnTable("draw", {"--output", file});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(ReadFile(file), "mine");
  EXPECT_THAT(Draw({"--output", file, "--overwrite"}), IsEmpty());
  EXPECT_EQ(ReadFile(file), Draw());
}

TEST_F(DrawCommandTest, TheTypeAttributeGivesTheKinds) {
  MakeDatabase();
  Put({{{"PK", "1"}, {"SK", "2"}, {"kind", "invoice"}}});
  EXPECT_THAT(Draw(), HasSubstr(">item<"));
  EXPECT_THAT(Draw({"--type-attribute", "kind"}), HasSubstr(">invoice<"));
}

TEST_F(DrawCommandTest, ASampleOfALargeTableHasEachWordOfThePartitionKeys) {
  MakeDatabase();
  PutPartitions("CART", 300);
  PutPartitions("ORDER", 300);
  PutPartitions("USER", 3);
  const std::string svg = Draw({"--limit", "80"});
  EXPECT_THAT(svg, HasSubstr(">A sample of "));
  EXPECT_THAT(svg, HasSubstr("The table has about 603.<"));
  for (const char* key : {">CART#10000<", ">ORDER#10000<", ">USER#10000<"}) {
    EXPECT_THAT(svg, HasSubstr(key));
  }
}

TEST_F(DrawCommandTest, ASampleHasAtMostTheLimit) {
  MakeDatabase();
  std::vector<Item> items;
  for (int i = 0; i < 50; ++i) items.push_back({{"PK", "one"}, {"SK", std::to_string(i)}});
  Put(items);
  EXPECT_THAT(Draw({"--limit", "7"}), HasSubstr(">7 items in 1 partition<"));
  EXPECT_THAT(Draw({"--limit", "50"}), HasSubstr(">50 items in 1 partition<"));
  EXPECT_THAT(Draw({"--limit", "50"}), Not(HasSubstr("A sample of")));
}

TEST_F(DrawCommandTest, ALimitOfZeroIsRejected) {
  MakeDatabase();
  for (const char* option : {"--limit", "--partitions", "--items"}) {
    EXPECT_EQ(OnTable("draw", {option, "0"}).exit_code, 2) << option;
  }
}

TEST_F(DrawCommandTest, AnUnknownTableIsReported) {
  MakeDatabase();
  const CommandOutput output = RunDolmen({"draw", "--path", path_, "--table", "other"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("there is no table other"));
}

// The pictures of README.md and of models/course/README.md. With the variable DOLMEN_REWRITE the test
// writes the file instead of comparing it.
TEST_F(DrawCommandTest, ThePictureOfTheCoursesIsUpToDate) {
  {
    Database database = Value(Database::Open(path_));
    ASSERT_THAT(course::LoadSampleData(Value(course::Platform::Open(database))), IsOk());
  }
  const CommandOutput drawn = RunDolmen(
      {"draw", "--path", path_, "--table", "edtech-platform", "--title", "Courses, in one table"});
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  const std::string file = SourceFile("/models/course/table.svg");
  if (std::getenv("DOLMEN_REWRITE") != nullptr) WriteFile(file, drawn.out);
  EXPECT_TRUE(drawn.out == ReadFile(file))
      << file << " is out of date: run this test with DOLMEN_REWRITE=1 to write it";
}

}  // namespace
}  // namespace dolmen::test
