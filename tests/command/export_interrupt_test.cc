// Tests of an export that is interrupted at any point. The export ends at once and leaves no file
// that looks like an export.

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "command/export_sink.h"
#include "tests/command/command_fixture.h"
#include "tests/support/child_process.h"
#include "tests/support/items.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

// Runs the export and reports the first 1000 bytes of its standard error to the parent.
int ExportAsCommand(const ChildArguments& arguments) {
  const CommandOutput output =
      RunDolmen({"export", "--path", arguments[0], "--table", "app", "--output", arguments[1]});
  return TellParent(output.err.substr(0, 1000)) ? output.exit_code : 1;
}
const ChildRole kExportAsCommand("export_as_command", ExportAsCommand);

class ExportInterruptTest : public CommandTest {
 protected:
  // Creates the table with `count` items of 200 KB. One item is larger than the buffer of a pipe,
  // so that a write blocks while the reader does not read.
  void MakeItems(int count) const {
    MakeDatabase();
    for (int i = 0; i < count; ++i) {
      Put({{{"PK", "a"}, {"SK", std::to_string(i)}, {"t", std::string(200'000, 'x')}}});
    }
  }

  // Starts an export into a pipe and reads one byte of it, so that the export waits for the reader
  // when the signals arrive. Expects the export to end at once with exit code 130.
  void ExpectEndsAtOnce(const std::string& pipe, int signal, int signals) const {
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    ChildProcess child(kExportAsCommand, {path_, pipe});
    const int reader = ::open(pipe.c_str(), O_RDONLY);
    ASSERT_GE(reader, 0);
    char byte = 0;
    ASSERT_EQ(::read(reader, &byte, 1), 1);
    for (int i = 0; i < signals; ++i) child.Signal(signal);
    EXPECT_THAT(child.ReadLine(), testing::Optional(StartsWith("dolmen: interrupted")));
    EXPECT_EQ(child.Finish(), 130);
    ::close(reader);
  }
};

TEST_F(ExportInterruptTest, OneSignalEndsAnExportWhoseReaderIsStuck) {
  MakeItems(10);
  ExpectEndsAtOnce(File("pipe1"), SIGINT, 1);
  ExpectEndsAtOnce(File("pipe2"), SIGTERM, 2);
}

TEST_F(ExportInterruptTest, AnInterruptedExportToAPipeReportsThatItIsIncomplete) {
  MakeItems(10);
  ASSERT_EQ(::mkfifo(File("pipe").c_str(), 0600), 0);
  ChildProcess child(kExportAsCommand, {path_, File("pipe")});
  const int reader = ::open(File("pipe").c_str(), O_RDONLY);
  ASSERT_GE(reader, 0);
  std::string got(300'000, '\0');
  for (std::size_t at = 0; at < got.size();) {
    const ssize_t count = ::read(reader, got.data() + at, got.size() - at);
    ASSERT_GT(count, 0);
    at += static_cast<std::size_t>(count);
  }
  child.Signal(SIGINT);
  EXPECT_EQ(child.ReadLine(),
            "dolmen: interrupted: " + File("pipe") + " received only a part of the table");
  EXPECT_EQ(child.Finish(), 130);
  ::close(reader);
}

class ExportSinkTest : public CommandTest {
 protected:
  // Writes an export to a directory and does not commit it.
  static void ExportNothing(const std::string& directory) {
    const auto sink = Value(command::ExportToDirectory(directory, {.table = "app"}));
    EXPECT_THAT(sink->Write(ItemLines(3), 3), IsOk());
    EXPECT_TRUE(fs::exists(directory + "/AWSDynamoDB"));
  }
};

TEST_F(ExportSinkTest, AnUncommittedExportRemovesTheFile) {
  {
    const auto sink = Value(command::ExportToFile(File("app.json"), {}));
    EXPECT_THAT(sink->Write(ItemLines(3), 3), IsOk());
    EXPECT_TRUE(fs::exists(File("app.json.partial")));
  }
  EXPECT_FALSE(fs::exists(File("app.json.partial")));
  EXPECT_FALSE(fs::exists(File("app.json")));
}

TEST_F(ExportSinkTest, AFileThatAppearsDuringTheExportIsNotReplaced) {
  const auto sink = Value(command::ExportToFile(File("app.json"), {}));
  WriteFile(File("app.json"), "another's");
  EXPECT_THAT(sink->Commit(), StatusIs(StatusCode::kValidation, testing::HasSubstr("exists")));
  EXPECT_EQ(ReadFile(File("app.json")), "another's");
}

TEST_F(ExportSinkTest, AnUncommittedExportRemovesTheDirectoriesThatItCreated) {
  ExportNothing(File("made/for/it"));
  EXPECT_FALSE(fs::exists(File("made")));
  fs::create_directory(File("there"));
  ExportNothing(File("there"));
  EXPECT_TRUE(fs::is_empty(File("there")));
}

TEST_F(ExportSinkTest, AnEarlierExportInTheDirectoryStays) {
  MakeDatabase();
  EXPECT_EQ(OnTable("export", {"--output", File("backup/")}).exit_code, 0);
  ExportNothing(File("backup"));
  EXPECT_EQ(std::distance(fs::directory_iterator(File("backup/AWSDynamoDB")), {}), 1);
}

}  // namespace
}  // namespace dolmen::test
