// Tests of `dolmen verify`: its output for sound, damaged and unfinished databases.

#include <filesystem>
#include <string>

#include "tests/command/command_fixture.h"
#include "tests/support/files.h"
#include "tests/support/half_made_index.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class VerifyCommandTest : public CommandTest {
 protected:
  CommandOutput Verify() const { return RunDolmen({"verify", "--path", path_}); }

  void PutItems(std::size_t count) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i) {
      std::string text;  // random, so that it cannot be compressed
      while (text.size() < 200) text.push_back(static_cast<char>('!' + random_.Below(90)));
      items.push_back({{"PK", "p"}, {"SK", std::to_string(1000 + i)}, {"text", text}});
    }
    Put(items);
  }
};

TEST_F(VerifyCommandTest, ReportsTheNumberOfSoundItemsAndEntries) {
  MakeDatabase({.name = "app",
                .global_secondary_indexes = {{.name = "by_text", .partition_key = {{"text"}}}}});
  PutItems(20);
  const CommandOutput output = Verify();
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out, "20 items and 20 index entries: no damage found.\n");
  EXPECT_EQ(output.err, "");
}

TEST_F(VerifyCommandTest, ReportsTheNumberOfStreamRecords) {
  MakeDatabase(
      {.name = "app",
       .stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly}});
  PutItems(20);
  EXPECT_EQ(Verify().out, "20 items and 0 index entries and 20 stream records: no damage found.\n");
}

TEST_F(VerifyCommandTest, ListsDamageAndChangesNoFile) {
  MakeDatabase();
  PutItems(1000);
  { Open(); }  // moves the log's contents into a table file
  FlipBit(LargestFile(path_, ".sst"), 0.5);
  const auto before = FilesBelow(path_);
  const CommandOutput output = Verify();
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.out, ContainsRegex(R"(^reading [0-9]+\.sst: .*checksum mismatch.*
app: items between \{PK: "p", SK: "1[0-9]*"\} and \{PK: "p", SK: "[12][0-9]*"\} can't be read: .*checksum mismatch.*
$)"));
  EXPECT_THAT(output.err, ContainsRegex("^dolmen: 2 findings in [89][0-9]+ items and 0 index "
                                        "entries\n$"));
  EXPECT_EQ(FilesBelow(path_), before);
}

TEST_F(VerifyCommandTest, NamesAnUnfinishedIndexAndDoesNotResumeItsBuild) {
  MakeDatabase();
  PutItems(20);
  LeaveIndexHalfMade(path_, "app", {.name = "late", .partition_key = {{"text"}}});
  const auto before = FilesBelow(path_);
  const CommandOutput output = Verify();
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.out,
            "app.late is being backfilled: its missing entries are not findings\n"
            "20 items and 0 index entries: no damage found.\n");
  EXPECT_EQ(FilesBelow(path_), before);
  EXPECT_EQ(Verify().out, output.out);
}

// A command that only reads changes no file, so a user can run it on a backup.
TEST_F(VerifyCommandTest, NoCommandThatLooksChangesAFile) {
  MakeDatabase();
  PutItems(20);
  const auto before = FilesBelow(path_);
  for (const char* command : {"verify", "stats", "tables"}) {
    EXPECT_EQ(RunDolmen({command, "--path", path_}).exit_code, 0) << command;
  }
  EXPECT_EQ(RunDolmen({"tables", "--json", "--path", path_}).exit_code, 0);
  for (const char* command : {"query", "export"}) {
    EXPECT_EQ(OnTable(command, {}).exit_code, 0) << command;
  }
  EXPECT_EQ(FilesBelow(path_), before);
}

}  // namespace
}  // namespace dolmen::test
