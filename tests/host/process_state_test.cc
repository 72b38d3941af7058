// Tests that Dolmen changes no state of the process that it is a guest of.

#include "tests/host/process_state.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <clocale>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <locale>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "dolmen/testing/simulate.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

// Writes 1234 as 1'234, and true as ja.
class OwnNumbers : public std::numpunct<char> {
  std::string do_truename() const override { return "ja"; }
  std::string do_grouping() const override { return "\3"; }
  char do_thousands_sep() const override { return '\''; }
};

void Ignore(int) {}

// A change that a program may make to its process. `undo` makes the state as it was.
struct Change {
  const char* state;
  void (*make)();
  void (*undo)();
};

const std::vector<Change>& Changes() {
  static std::string directory;
  static rlimit limit = {};
  static sigset_t mask;
  static struct sigaction action = {};
  static std::string c_locale;
  static std::locale locale;
  static std::terminate_handler terminate = nullptr;
  static const std::vector<Change> changes = {
      {"C locale",
       [] {
         c_locale = std::setlocale(LC_CTYPE, nullptr);
         std::setlocale(LC_CTYPE, "C.UTF-8");
       },
       [] { std::setlocale(LC_CTYPE, c_locale.c_str()); }},
      {"C++ locale",
       [] { locale = std::locale::global(std::locale(std::locale::classic(), new OwnNumbers)); },
       [] { std::locale::global(locale); }},
      {"rounding of numbers", [] { std::fesetround(FE_UPWARD); },
       [] { std::fesetround(FE_TONEAREST); }},
      {"signal dispositions",
       [] {
         struct sigaction own = {};
         own.sa_handler = Ignore;
         ::sigaction(SIGPIPE, &own, &action);
       },
       [] { ::sigaction(SIGPIPE, &action, nullptr); }},
      {"signal mask",
       [] {
         sigset_t more;
         sigemptyset(&more);
         sigaddset(&more, SIGUSR2);
         pthread_sigmask(SIG_BLOCK, &more, &mask);
       },
       [] { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }},
      {"umask", [] { ::umask(027); }, [] { ::umask(022); }},
      {"environment", [] { ::setenv("DOLMEN_HOST", "1", 1); }, [] { ::unsetenv("DOLMEN_HOST"); }},
      {"current directory",
       [] {
         directory = std::filesystem::current_path();
         std::filesystem::current_path("/");
       },
       [] { std::filesystem::current_path(directory); }},
      {"resource limits",
       [] {
         ::getrlimit(RLIMIT_CORE, &limit);
         const rlimit other = {limit.rlim_cur == 0 ? limit.rlim_max : 0, limit.rlim_max};
         ::setrlimit(RLIMIT_CORE, &other);
       },
       [] { ::setrlimit(RLIMIT_CORE, &limit); }},
      {"terminate handler", [] { terminate = std::set_terminate([] { std::abort(); }); },
       [] { std::set_terminate(terminate); }},
      {"new handler", [] { std::set_new_handler([] { throw std::bad_alloc(); }); },
       [] { std::set_new_handler(nullptr); }},
  };
  return changes;
}

class ProcessStateTest : public testing::Test {
 protected:
  ProcessStateTest() { ::umask(022); }
};

TEST_F(ProcessStateTest, EachChangeIsSeenInItsState) {
  const std::vector<std::string> before = ReadProcessStates();
  for (const Change& change : Changes()) {
    change.make();
    const std::vector<std::string> changed = ReadProcessStates();
    change.undo();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool is_this = std::string(ProcessStates()[i].name) == change.state;
      // glibc keeps the C locale and the C++ locale together.
      if (!is_this && before[i].find("locale") != std::string::npos) continue;
      EXPECT_EQ(changed[i] != before[i], is_this) << change.state << "\n" << changed[i];
    }
    EXPECT_EQ(ReadProcessStates(), before) << change.state;
  }
}

// A use of Dolmen.
class Guest {
 public:
  using Step = void (Guest::*)();

  void Open() {
    db_ = Value(Database::Open(directory_ / "db", {.write_buffer_bytes = 64 << 10}));
    table_ = Value(db_->CreateTable(
        {.name = "app",
         .stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}}}));
  }
  void OpenEncrypted() {
    EXPECT_THAT(Database::Open(directory_ / "encrypted", {.encryption_key = EncryptionKey{}}),
                IsOk());
  }
  void Write() {
    const std::string text(1000, 'x');
    for (int i = 0; i < 2000; ++i) {
      ASSERT_THAT(table_->PutItem({.item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"t", text}}}),
                  IsOk());
    }
  }
  void FailToWrite() { EXPECT_FALSE(table_->PutItem({.item = {{"PK", 1}}}).ok()); }
  void Query() {
    EXPECT_EQ(Value(table_->Query({.key_condition = "PK = :p", .values = {{":p", "p"}}})).size(),
              Value(table_->Query({.key_condition = "PK = :p", .values = {{":p", "p"}}})).size());
  }
  void Execute() { EXPECT_THAT(db_->Execute("SELECT * FROM app WHERE PK = 'p'"), IsOk()); }
  void Expire() {
    EXPECT_THAT(db_->UpdateTimeToLive(
                    {.table_name = "app", .specification = {.attribute_name = "expires"}}),
                IsOk());
    EXPECT_THAT(table_->ExpireNow(), IsOk());
  }
  void Subscribe() {
    const auto subscription =
        table_->Subscribe({.name = "s"}, [](const StreamRecord&) { return Status(); });
    EXPECT_THAT(subscription, IsOk());
  }
  void Backup() {
    EXPECT_THAT(db_->Backup(directory_ / "backup"), IsOk());
    const std::string restored = directory_ / ("restored" + std::to_string(++backups_));
    EXPECT_THAT(Database::Restore(directory_ / "backup", restored), IsOk());
  }
  void OpenAgain() {
    Close();
    db_ = Value(Database::Open(directory_ / "db"));
    table_ = Value(db_->OpenTable("app"));
  }
  void Fork() { EXPECT_THAT(db_->Fork({.directory = directory_ / "fork"}), IsOk()); }
  void Verify() { EXPECT_THAT(db_->Verify(), IsOk()); }
  void OpenInMemory() {
    const Database db = Value(Database::InMemory({.simulate = Simulate({})}));
    EXPECT_THAT(db.CreateTable({.name = "app"}), IsOk());
    EXPECT_THAT(db.Fork(), IsOk());
  }
  void OpenNothing() {
    EXPECT_FALSE(Database::Open(directory_ / "none", {.create_if_missing = false}).ok());
  }
  void Close() {
    table_.reset();
    db_.reset();
  }
  void Repair() { EXPECT_THAT(dolmen::Repair(directory_ / "db", directory_ / "repaired"), IsOk()); }

 private:
  const TempDirectory directory_;
  std::optional<Database> db_;
  std::optional<Table> table_;
  int backups_ = 0;
};

constexpr struct {
  const char* name;
  Guest::Step step;
} kSteps[] = {
    {"open on the disk", &Guest::Open},
    {"open encrypted", &Guest::OpenEncrypted},
    {"write", &Guest::Write},
    {"fail to write", &Guest::FailToWrite},
    {"query", &Guest::Query},
    {"execute a statement", &Guest::Execute},
    {"expire", &Guest::Expire},
    {"subscribe", &Guest::Subscribe},
    {"back up and restore", &Guest::Backup},
    {"open again", &Guest::OpenAgain},
    {"back up again", &Guest::Backup},
    {"fork", &Guest::Fork},
    {"verify", &Guest::Verify},
    {"open in memory", &Guest::OpenInMemory},
    {"open nothing", &Guest::OpenNothing},
    {"close", &Guest::Close},
    {"repair", &Guest::Repair},
};

// Compares the state of the process before, during and after each step.
void ExpectNoStepChangesTheProcess() {
  const std::vector<std::string> before = ReadProcessStates();
  std::optional<Guest> guest(std::in_place);
  for (const auto& [name, step] : kSteps) {
    (*guest.*step)();
    EXPECT_EQ(ReadProcessStates(), before) << name;
  }
  guest.reset();
  EXPECT_EQ(ReadProcessStates(), before);
}

TEST_F(ProcessStateTest, DolmenChangesNoState) { ExpectNoStepChangesTheProcess(); }

TEST_F(ProcessStateTest, DolmenChangesNoStateThatTheProgramHasSet) {
  for (const Change& change : Changes()) change.make();
  ExpectNoStepChangesTheProcess();
  for (const Change& change : Changes()) change.undo();
}

}  // namespace
}  // namespace dolmen::test
