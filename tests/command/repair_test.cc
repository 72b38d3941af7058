// Tests of `dolmen repair` and of `dolmen export --skip-damaged`.

#include "dolmen/repair.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/command/command_fixture.h"
#include "tests/support/files.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class RepairCommandTest : public CommandTest {
 protected:
  static constexpr std::size_t kStored = 1000;

  // Creates a database with a table file, which holds items and then the entries of an index.
  void MakeTableFile() {
    MakeDatabase(
        {.name = "app", .global_secondary_indexes = {{.name = "by_g", .partition_key = {{"g"}}}}});
    std::vector<Item> items;
    for (std::size_t i = 0; i < kStored; ++i) {
      std::string text;  // random, so that it cannot be compressed
      while (text.size() < 200) text.push_back(static_cast<char>('!' + random_.Below(90)));
      items.push_back({{"PK", "p"}, {"SK", std::to_string(1000 + i)}, {"g", "G"}, {"text", text}});
    }
    Put(items);
    { Open(); }  // moves the log's contents into a table file
  }

  CommandOutput Repair(const std::string& to) const { return RunDolmen({"repair", path_, to}); }

  // Returns the path of a copy of the database.
  std::string CopyOf(const std::string& path) const {
    fs::copy(path, File("copy"));
    return File("copy");
  }

  const std::string repaired_ = File("repaired.dolmen");
};

TEST_F(RepairCommandTest, ASoundDatabaseIsCopiedAsAWhole) {
  MakeTableFile();
  const auto before = FilesBelow(path_);
  const CommandOutput output = Repair(repaired_);
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.out, "1 table with 1,000 items copied to " + repaired_ + ": nothing is lost.\n");
  EXPECT_EQ(FilesBelow(path_), before);
  EXPECT_EQ(ItemsOf(repaired_, "app"), Items());
  EXPECT_EQ(RunDolmen({"verify", "--path", repaired_}).out,
            "1,000 items and 1,000 index entries: no damage found.\n");
}

TEST_F(RepairCommandTest, ALostBlockIsNamedByItsRangeOfKeys) {
  MakeTableFile();
  FlipBit(LargestFile(path_, ".sst"), 0.2);
  const CommandOutput output = Repair(repaired_);
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.out, ContainsRegex(R"(^app: items from \{PK: "p", SK: "1[0-9]*"\} to )"
                                        R"(\{PK: "p", SK: "1[0-9]*"\} may be lost or out of date: )"
                                        R"([0-9]+\.sst: the block at byte [0-9]+ can't be read)"));
  EXPECT_THAT(output.err, AllOf(StartsWith("dolmen: 1 table with "),
                                EndsWith("but data in 1 range may be lost\n")));
  EXPECT_EQ(RunDolmen({"verify", "--path", repaired_}).exit_code, 0);
}

TEST_F(RepairCommandTest, ADatabaseThatCannotBeOpenedIsCopied) {
  MakeTableFile();
  const std::vector<Item> items = Items();
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(path_)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".sst") && !name.ends_with(".log")) others.push_back(entry.path());
  }
  for (const fs::path& other : others) fs::remove(other);
  const CommandOutput output = Repair(repaired_);
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.out, HasSubstr("the manifest can't be read"));
  EXPECT_EQ(ItemsOf(repaired_, "app"), items);
}

TEST_F(RepairCommandTest, WrongDirectoriesAreRejected) {
  MakeDatabase();
  fs::create_directory(File("full"));
  Write("full/file", "text");
  Write("file", "text");
  fs::create_directory(File("empty"));
  const struct {
    std::string from;
    std::string to;
    const char* message;
  } kCases[] = {
      {path_, File("full"), "exists: choose an empty directory"},
      {path_, File("file"), "exists: choose an empty directory"},
      {path_, path_, "exists: choose an empty directory"},
      {path_, path_ + "/inner", "choose a directory outside the damaged database"},
      {path_, "", "no directory is given"},
      {File("absent"), repaired_, "there is no database in"},
      {File("empty"), repaired_, "there is no database in"},
      {File("file"), repaired_, "there is no database in"},
  };
  for (const auto& [from, to, message] : kCases) {
    const auto before = FilesBelow(directory_.path());
    const CommandOutput output = RunDolmen({"repair", from, to});
    EXPECT_EQ(output.exit_code, 1) << to;
    EXPECT_THAT(output.err, HasSubstr(message)) << from << " " << to;
    EXPECT_EQ(FilesBelow(directory_.path()), before) << to;
  }
  EXPECT_EQ(RunDolmen({"repair", path_}).exit_code, 2);
}

TEST_F(RepairCommandTest, AnOpenDatabaseIsRejected) {
  MakeDatabase();
  const Database open = Open();
  const CommandOutput output = Repair(repaired_);
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, HasSubstr("is open in another program"));
  EXPECT_FALSE(fs::exists(repaired_));
}

TEST_F(RepairCommandTest, AnEncryptedDatabaseNeedsItsKey) {
  const std::string digits(64, 'a');
  EncryptionKey key;
  key.fill(std::byte{0xaa});
  {
    const auto db = Database::Open(path_, {.encryption_key = key});
    ASSERT_THAT(db, IsOk());
    const auto table = db->CreateTable({.name = "app"});
    ASSERT_THAT(table, IsOk());
    ASSERT_THAT(table->PutItem({.item = RandomItem(&random_, 1)}), IsOk());
  }
  EXPECT_THAT(Repair(repaired_).err, HasSubstr("is encrypted"));
  std::ofstream(File("key")) << digits;
  const CommandOutput output =
      RunDolmen({"repair", path_, repaired_, "--encryption-key-file", File("key")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.out, HasSubstr("nothing is lost"));
  EXPECT_THAT(Database::Open(repaired_, {.create_if_missing = false, .encryption_key = key}),
              IsOk());
}

// The rest of an interrupted repair is the mark of a repair and any part of a new database. The crash
// may also have come before the mark.
TEST_F(RepairCommandTest, AnInterruptedRepairIsBegunAnew) {
  MakeTableFile();
  for (const char* left : {"", "DOLMEN.repairing", "DOLMEN.new", "DOLMEN", "000007.sst", "LOCK"}) {
    fs::create_directory(repaired_ + ".repairing");
    for (const char* file : {"DOLMEN.repairing", left}) {
      if (*left != '\0') Write(std::string("repaired.dolmen.repairing/") + file, "");
    }
    const CommandOutput output = Repair(repaired_);
    EXPECT_EQ(output.exit_code, 0) << left << output.err;
    EXPECT_FALSE(fs::exists(repaired_ + ".repairing")) << left;
    EXPECT_FALSE(fs::exists(repaired_ + "/DOLMEN.repairing")) << left;
    EXPECT_EQ(ItemsOf(repaired_, "app"), Items()) << left;
    fs::remove_all(repaired_);
  }
}

TEST_F(RepairCommandTest, ADirectoryThatNoRepairHasMadeIsLeftAlone) {
  MakeDatabase();
  const std::string other = File("repaired.dolmen.repairing");
  const auto is_left_alone = [&] {
    const auto before = FilesBelow(directory_.path());
    EXPECT_THAT(Repair(repaired_).err, HasSubstr(other + " exists, and no repair has made it"));
    EXPECT_EQ(FilesBelow(directory_.path()), before);
  };
  ASSERT_THAT(Database::Open(other), IsOk());
  is_left_alone();
  fs::remove_all(other);
  Write("repaired.dolmen.repairing", "a file");
  is_left_alone();
  fs::remove(other);
  fs::create_directory(File("elsewhere"));
  Write("elsewhere/DOLMEN.repairing", "");
  fs::create_symlink(File("elsewhere"), other);
  is_left_alone();
}

TEST_F(RepairCommandTest, ARepairThatRunsIsLeftAlone) {
  MakeTableFile();
  CommandOutput inner;
  const auto outer = dolmen::Repair(path_, repaired_, {.progress = [&](const RepairProgress&) {
                                      if (inner.err.empty())
                                        inner = RunDolmen({"repair", CopyOf(path_), repaired_});
                                      return true;
                                    }});
  EXPECT_THAT(outer, IsOk());
  EXPECT_THAT(inner.err, HasSubstr("another repair is writing"));
}

// A file of a terabyte would be searched for hours.
TEST_F(RepairCommandTest, ARepairEndsWhileItReadsADamagedFile) {
  MakeTableFile();
  std::ofstream(path_ + "/000999.log").flush();
  std::ofstream(path_ + "/000999.sst").flush();
  const std::string manifest = path_ + "/" + ReadFile(path_ + "/CURRENT");
  for (std::string file : {path_ + "/000999.log", path_ + "/000999.sst", manifest}) {
    if (file.ends_with('\n')) file.pop_back();
    const std::uintmax_t size = fs::file_size(file);
    fs::resize_file(file, std::uintmax_t{1} << 40);
    int calls = 0;
    const auto ended = dolmen::Repair(
        path_, repaired_, {.progress = [&](const RepairProgress&) { return ++calls < 5; }});
    ASSERT_THAT(ended, IsOk()) << file;
    EXPECT_FALSE(ended->complete) << file;
    EXPECT_EQ(calls, 5) << file;
    EXPECT_FALSE(fs::exists(repaired_) || fs::exists(repaired_ + ".repairing")) << file;
    fs::resize_file(file, size);
  }
}

TEST_F(RepairCommandTest, ExportSkipsOnlyTheDamagedBlockIfTold) {
  MakeTableFile();
  FlipBit(LargestFile(path_, ".sst"), 0.2);
  const std::string file = File("app.json");
  EXPECT_EQ(OnTable("export", {"--output", file}).exit_code, 1);
  EXPECT_FALSE(fs::exists(file));
  const CommandOutput output = OnTable("export", {"--output", file, "--skip-damaged"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_THAT(output.err, ContainsRegex(R"(skipped: items between \{PK: "p", SK: "1[0-9]*"\} and )"
                                        R"(.* can't be read)"));
  EXPECT_THAT(output.err, HasSubstr("dolmen: 1 damaged range skipped"));
  const std::string lines = ReadFile(file);
  const auto count = static_cast<std::size_t>(std::ranges::count(lines, '\n'));
  EXPECT_LT(count, kStored);
  EXPECT_GE(count, kStored - 150);  // a block has at most 150 of these items
}

TEST_F(RepairCommandTest, ExportOfASoundTableSkipsNothing) {
  MakeTableFile();
  const CommandOutput whole = OnTable("export", {});
  const CommandOutput output = OnTable("export", {"--skip-damaged"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.out, whole.out);
}

}  // namespace
}  // namespace dolmen::test
