// Tests of an import that ended early and is run again: the line at which it resumes, and the
// inputs with which it resumes.

#include "tests/command/command_fixture.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kWithoutKey = "{\"Item\":{\"PK\":{\"S\":\"x\"}}}\n";

class ImportResumeTest : public CommandTest {
 protected:
  void SetUp() override { MakeDatabase(); }

  // Runs an import and expects it to fail at an invalid line.
  CommandOutput Fail(const std::vector<std::string>& files) const {
    CommandOutput output = OnTable("import", files);
    EXPECT_EQ(output.exit_code, 1) << output.err;
    return output;
  }

  CommandOutput RunAgain(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "--skip-errors");
    return OnTable("import", std::move(arguments));
  }
};

TEST_F(ImportResumeTest, ResumesAfterTheLinesThatWereImported) {
  const std::string file = Write("items", ItemLines(60) + "no item\n" + ItemLine("z", "1", 1));
  Fail({file});
  // Deletes an item that the first run has imported. If the second run imported the item again, the
  // item would reappear.
  ASSERT_THAT(Value(Open().OpenTable("app")).DeleteItem({.key = {{"PK", "p0"}, {"SK", "00000"}}}),
              IsOk());
  const CommandOutput output = RunAgain({file});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_THAT(output.err, HasSubstr("The import resumes at line 61 of " + file + "\n"));
  EXPECT_THAT(output.err,
              HasSubstr("Imported 61 items into app, 60 of them by earlier runs; skipped 1 line."));
  EXPECT_THAT(Items(), SizeIs(60));
}

// The import writes 25 items per batch. If the table rejects an item of a batch, the import writes
// the items before this item one by one, and fails. The next run must import the items after the
// rejected item, also those of the same batch.
TEST_F(ImportResumeTest, ItemsAfterARejectedItemAreNotLost) {
  std::string lines = ItemLines(100);
  std::size_t fifth = 0;
  for (int line = 1; line < 5; ++line) fifth = lines.find('\n', fifth) + 1;
  lines.replace(fifth, lines.find('\n', fifth) + 1 - fifth, kWithoutKey);
  const std::string file = Write("items", lines);
  const CommandOutput failed = Fail({file});
  EXPECT_THAT(failed.err, HasSubstr(file + ":5: "));
  EXPECT_THAT(failed.err, HasSubstr("(imported 4 items into app)"));
  const CommandOutput output = RunAgain({file});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("at line 5 of "));
  EXPECT_THAT(output.err,
              HasSubstr("Imported 99 items into app, 4 of them by earlier runs; skipped 1 line."));
  EXPECT_THAT(Items(), SizeIs(99));
}

// The import parses many lines before it writes their items. So it finds a later line that is not
// an item before the table rejects the item of an earlier line.
TEST_F(ImportResumeTest, TheFirstInvalidLineIsNamed) {
  const std::string file =
      Write("items", ItemLines(2) + kWithoutKey + ItemLines(3) + "no item\n" + ItemLines(40));
  const CommandOutput failed = Fail({file});
  EXPECT_THAT(failed.err, HasSubstr(file + ":3: "));
  EXPECT_THAT(RunAgain({file}).err, HasSubstr("skipped 2 lines."));
  EXPECT_THAT(Items(), SizeIs(40));
}

TEST_F(ImportResumeTest, FilesAfterTheFailedFileAreImported) {
  const std::vector<std::string> files = {Write("a", ItemLine("a", "1", 1)),
                                          Write("b", kWithoutKey + ItemLine("b", "1", 1)),
                                          Write("c", ItemLine("c", "1", 1))};
  Fail(files);
  EXPECT_THAT(RunAgain(files).err, HasSubstr("at line 1 of " + File("b")));
  EXPECT_THAT(Items(), SizeIs(3));
}

class ChangedInputTest : public ImportResumeTest {
 protected:
  static constexpr int kItems = 3000;

  static std::string Changed(std::string lines, std::string_view from, std::string_view to) {
    const std::size_t at = lines.find(from);
    EXPECT_NE(at, lines.npos) << from;
    return lines.replace(at, from.size(), to);
  }

  void ExpectRefused(const std::vector<std::string>& files) const {
    const std::size_t items = Items().size();
    const CommandOutput output = RunAgain(files);
    EXPECT_EQ(output.exit_code, 1);
    EXPECT_THAT(output.err, HasSubstr("has changed before line "));
    EXPECT_THAT(output.err, HasSubstr("--restart"));
    EXPECT_THAT(Items(), SizeIs(items));
  }

  const std::string lines_ = ItemLines(kItems) + "no item\n" + ItemLine("last", "1", 1);
};

TEST_F(ChangedInputTest, RejectsAFileThatChangedBeforeTheResumeLine) {
  const std::string file = Write("items", lines_);
  Fail({file});
  Write("items", Changed(lines_, R"("02900")", R"("x2900")"));
  ExpectRefused({file});
  Write("items", Changed(lines_, R"("00000")", R"("0")"));
  ExpectRefused({file});
  Write("items", Changed(lines_, R"("02900")", R"("x2900")"));
  const CommandOutput output = RunAgain({"--restart", file});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("Imported 3,001 items into app; skipped 1 line."));
  EXPECT_THAT(Describe().annotations, IsEmpty());
  EXPECT_THAT(Items(), SizeIs(kItems + 2));  // the item with the old key still exists
}

TEST_F(ChangedInputTest, RejectsAChangeInAnEarlierFile) {
  const std::vector<std::string> files = {Write("a", ItemLines(kItems)), Write("b", "no item\n")};
  Fail(files);
  Write("a", Changed(ItemLines(kItems), R"("02900")", R"("x2900")"));
  ExpectRefused(files);
}

TEST_F(ChangedInputTest, AcceptsChangesAfterTheResumeLine) {
  const std::string file = Write("items", lines_);
  Fail({file});
  Write("items", Changed(lines_, "no item\n", ItemLine("mended", "1", 1)));
  const CommandOutput output = OnTable("import", {file});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err,
              HasSubstr("Imported 3,002 items into app, 3,000 of them by earlier runs."));
}

// A resumed import checks that the lines before the line at which it resumes are unchanged. The
// changed line is the line at which the import resumes, so the import must accept the change.
TEST_F(ChangedInputTest, AcceptsAChangeNearTheBeginningAfterTheResumeLine) {
  const std::string file = Write("items", ItemLines(2) + "no item\n" + ItemLine("z", "1", 1));
  Fail({file});
  Write("items", ItemLines(2) + ItemLine("mended", "1", 1) + ItemLine("z", "1", 1));
  const CommandOutput output = OnTable("import", {file});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("The import resumes at line 3 of " + file + "\n"));
  EXPECT_THAT(output.err, HasSubstr("Imported 4 items into app, 2 of them by earlier runs."));
}

TEST_F(ChangedInputTest, StandardInputIsRecognizedByItsBeginning) {
  const std::string file = Write("items", lines_);
  EXPECT_EQ(OnTable("import", {}, file).exit_code, 1);
  Write("items", Changed(lines_, "no item\n", ""));
  EXPECT_THAT(OnTable("import", {}, file).err,
              HasSubstr("Imported 3,001 items into app, 3,000 of them by earlier runs."));
}

TEST_F(ImportResumeTest, AnotherInputIsImportedFromItsBeginning) {
  Fail({Write("items", ItemLines(60) + "no item\n")});
  const CommandOutput output = OnTable("import", {Write("other", ItemLine("z", "1", 1))});
  EXPECT_THAT(output.err, Not(HasSubstr("resumes")));
  EXPECT_THAT(output.err, HasSubstr("Imported 1 item into app."));
  EXPECT_THAT(Items(), SizeIs(61));
}

TEST_F(ImportResumeTest, AnImportInBetweenKeepsTheCheckpointsOfOthers) {
  const std::string first = Write("first", ItemLines(60) + "no item\n");
  const std::string second = Write("second", ItemLines(30) + "no item\n");
  Fail({first});
  Fail({second});
  EXPECT_EQ(OnTable("import", {Write("third", ItemLine("z", "1", 1))}).exit_code, 0);
  EXPECT_THAT(RunAgain({first}).err, HasSubstr("at line 61 of " + first));
  EXPECT_THAT(RunAgain({second}).err, HasSubstr("at line 31 of " + second));
  EXPECT_THAT(Describe().annotations, IsEmpty());
}

TEST_F(ImportResumeTest, OnlyTheLatestImportsCanBeResumed) {
  std::vector<std::string> files;
  for (int i = 0; i < 20; ++i) {
    files.push_back(Write(std::to_string(i), ItemLines(3) + "no item " + std::to_string(i)));
    Fail({files.back()});
  }
  EXPECT_THAT(RunAgain({files.front()}).err, Not(HasSubstr("resumes")));
  EXPECT_THAT(RunAgain({files.back()}).err, HasSubstr("resumes"));
}

TEST_F(ImportResumeTest, TheUsersAnnotationsAreKept) {
  const Map own = {{"import", "mine"}, {"owner", "ann"}};
  ASSERT_THAT(Open().UpdateTable({.name = "app", .annotations = own}), IsOk());
  const std::string file = Write("items", ItemLines(3) + "no item\n");
  Fail({file});
  EXPECT_THAT(Describe().annotations, SizeIs(3));
  EXPECT_TRUE(Describe().annotations.contains("dolmen:import"));
  EXPECT_EQ(RunAgain({file}).exit_code, 0);
  EXPECT_EQ(Describe().annotations, own);
}

}  // namespace
}  // namespace dolmen::test
