// Tests of an import that is stopped at any point and run again. No item is lost, and no item that
// a checkpoint covers is put again.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <utility>

#include "command/importer.h"
#include "tests/command/command_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using command::ImportInputs;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Runs an import into the table "app". The import calls `interrupted` before each line. Stores in
// `items_before` the number of items that earlier runs imported.
Status RunImporter(const std::string& path, const std::string& file,
                   std::function<bool()> interrupted, std::uint64_t* items_before = nullptr) {
  const Database database = Value(
      Database::Open(path, {.durability = Durability::kBuffered, .create_if_missing = false}));
  ImportInputs inputs({file});
  const auto checkpoints =
      Value(command::CheckpointsOf(database, {}, Value(database.DescribeTable("app"))));
  command::Importer importer(database, Value(database.OpenTable("app")), checkpoints.get(), &inputs,
                             {.skip_errors = false,
                              .interrupted = std::move(interrupted),
                              .lines_between_checkpoints = 60});
  Status status = importer.Run();
  if (items_before != nullptr) *items_before = importer.items_before();
  return status;
}

// Reports each line to the parent, which kills this process after some lines.
int ImportUntilKilled(const ChildArguments& arguments) {
  return RunImporter(arguments[0], arguments[1], [] { return !TellParent("line"); }).ok() ? 0 : 1;
}
const ChildRole kImportUntilKilled("import_until_killed", ImportUntilKilled);

// Runs the whole import command.
int ImportAsCommand(const ChildArguments& arguments) {
  return RunDolmen({"import", "--path", arguments[0], "--table", "app", arguments[1]}).exit_code;
}
const ChildRole kImportAsCommand("import_as_command", ImportAsCommand);

class ImportInterruptTest : public CommandTest {
 protected:
  static constexpr int kItems = 2000;

  // Returns item lines. About one line in twenty has a key that an earlier line may have too, and a
  // different value. The import must store the value of the later line.
  std::string RandomLines() {
    std::string lines;
    for (int i = 0; i < kItems; ++i) {
      const int number = random_.OneIn(20) ? static_cast<int>(random_.Below(50)) : i;
      lines += ItemLine("p" + std::to_string(number % 7), std::to_string(number), i);
    }
    return lines;
  }

  // Imports the file into a new database without interruption and returns the items.
  std::vector<Item> Undisturbed(const std::string& file) const {
    const std::string path = File("undisturbed.dolmen");
    const CommandOutput output =
        RunDolmen({"import", "--path", path, "--table", "app", "--create-table", "--partition-key",
                   "PK:S", "--sort-key", "SK:S", file});
    EXPECT_EQ(output.exit_code, 0) << output.err;
    return ItemsOf(path, "app");
  }

  // Kills the import of the file eight times at random points, and then lets it finish.
  void KillAndFinish(const std::string& file) {
    for (int run = 0; run < 8; ++run) {
      ChildProcess child(kImportUntilKilled, {path_, file});
      std::size_t lines = random_.Below(kItems / 4);
      while (lines > 0 && child.ReadLine()) --lines;
      child.Kill();
    }
    const CommandOutput output = OnTable("import", {file});
    EXPECT_EQ(output.exit_code, 0) << output.err;
    EXPECT_THAT(output.err, HasSubstr("Imported 2,000 items into app"));
  }
};

TEST_F(ImportInterruptTest, AnImportKilledAtRandomAndRunAgainImportsTheSameItems) {
  MakeDatabase();
  WriteFile(File("items.json"), RandomLines());
  KillAndFinish(File("items.json"));
  EXPECT_EQ(Items(), Undisturbed(File("items.json")));
  EXPECT_THAT(Describe().annotations, IsEmpty());
}

TEST_F(ImportInterruptTest, ACompressedImportKilledAtRandomAndRunAgainImportsTheSameItems) {
  MakeDatabase();
  WriteGzip(File("items.json.gz"), RandomLines());
  KillAndFinish(File("items.json.gz"));
  EXPECT_EQ(Items(), Undisturbed(File("items.json.gz")));
}

TEST_F(ImportInterruptTest, AfterAnInterruptNoLineIsPutAgain) {
  MakeDatabase();
  WriteFile(File("items.json"), ItemLines(kItems));
  std::size_t items_in = 0;
  while (items_in < kItems) {
    std::size_t lines = 1 + random_.Below(kItems / 3);
    std::uint64_t items_before = 0;
    ASSERT_THAT(RunImporter(
                    path_, File("items.json"), [&] { return lines-- == 0; }, &items_before),
                IsOk());
    EXPECT_EQ(items_before, items_in);
    const std::vector<Item> items = Items();
    ASSERT_GE(items.size(), items_in);
    items_in = items.size();
  }
  EXPECT_EQ(OnTable("import", {File("items.json")}).exit_code, 0);
  EXPECT_EQ(Items(), Undisturbed(File("items.json")));
}

// A resumed import first reads the earlier lines again.
TEST_F(ImportInterruptTest, AnInterruptBeforeTheImportHasResumedKeepsItsPlace) {
  MakeDatabase();
  WriteFile(File("items.json"), ItemLines(kItems));
  int lines = 1500;
  ASSERT_THAT(RunImporter(path_, File("items.json"), [&] { return lines-- == 0; }), IsOk());
  const std::size_t items = Items().size();
  ASSERT_THAT(Value(Open().OpenTable("app")).DeleteItem({.key = {{"PK", "p0"}, {"SK", "00000"}}}),
              IsOk());
  lines = 1;
  ASSERT_THAT(RunImporter(path_, File("items.json"), [&] { return lines-- == 0; }), IsOk());
  std::uint64_t items_before = 0;
  ASSERT_THAT(RunImporter(
                  path_, File("items.json"), [] { return false; }, &items_before),
              IsOk());
  EXPECT_EQ(items_before, items);
  EXPECT_THAT(Items(), SizeIs(kItems - 1)) << "the deleted item was put again";
}

// The signals are SIGINT (Ctrl-C) and SIGTERM. Each is sent twice, because some programs pass a
// signal on twice.
TEST_F(ImportInterruptTest, ASignalEndsAnImportAndTheNextRunFinishesIt) {
  MakeDatabase();
  ASSERT_EQ(::mkfifo(File("pipe").c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    ChildProcess child(kImportAsCommand, {path_, File("pipe")});
    // Waits until the import has opened the pipe. From then on the import handles signals, so that
    // a signal cannot kill it without cleanup.
    const int pipe = ::open(File("pipe").c_str(), O_WRONLY);
    ASSERT_GE(pipe, 0);
    const std::string lines = ItemLines(10);
    ASSERT_EQ(::write(pipe, lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
    child.Signal(signal);
    child.Signal(signal);
    ::close(pipe);  // ends the next read if the signals arrived between two reads
    EXPECT_EQ(child.Finish(), 130);
  }
  WriteFile(File("items.json"), ItemLines(10));
  EXPECT_EQ(OnTable("import", {File("items.json")}).exit_code, 0);
  EXPECT_THAT(Items(), SizeIs(10));
}

}  // namespace
}  // namespace dolmen::test
