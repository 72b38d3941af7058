// Tests of a directory whose files are of two states of a database, as after `cp -r old/. db/`. Each file is
// of the one state or of the other. Open either refuses the directory or finds all of one state.

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/storage/files/directory.h"
#include "tests/durability/pair_database.h"
#include "tests/support/failing_disk.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

namespace fs = std::filesystem;
using test::IsOk;
using test::StatusIs;
using testing::AnyOf;
using testing::Eq;

constexpr std::size_t kHistories = 6;
constexpr std::size_t kMixedFilesMax = 10;  // of more files not each mixture is tried
constexpr std::size_t kSessionsMax = 4;     // between two states
constexpr std::int64_t kSessionWritesMax = 60;
constexpr std::size_t kItemPadding = 700;

class MixtureTest : public test::SeededTest {
 protected:
  // A copy of the database's directory, and what the database held.
  struct State {
    std::string name;
    PairDatabase::Contents contents = {};
    bool is_closed = false;
  };

  // Opens the database in "db" and writes a few times. Copies the directory to `*state` before the database is
  // closed, or afterwards. The former is what a killed process leaves.
  void Session(State* state) {
    const OpenOptions options = {
        .durability = random_.OneIn(2) ? Durability::kSync : Durability::kBuffered,
        .write_buffer_bytes = std::size_t{64} << (random_.OneIn(2) ? 10 : 20)};
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "db", disk_, options), IsOk());
    const std::int64_t writes = random_.OneIn(3) ? 0 : random_.Between(1, kSessionWritesMax);
    for (std::int64_t write = 0; write < writes; ++write) {
      ASSERT_THAT(db.Write(++number_, kItemPadding), IsOk());
    }
    state->contents = db.Read();
    state->is_closed = random_.OneIn(2);
    if (state->is_closed) db.Close();
    const fs::path copy = directory_ / state->name;
    std::error_code error;  // a file may vanish
    do {                    // until no compaction has changed a file meanwhile
      fs::remove_all(copy);
      fs::copy(directory_ / "db", copy, fs::copy_options::recursive, error);
    } while (FilesIn(state->name) != FilesIn("db"));
    db.Close();
  }

  State MakeState(const std::string& name) {
    State state{.name = name};
    for (std::size_t left = 1 + random_.Below(kSessionsMax); left > 0 && !HasFatalFailure();
         --left) {
      Session(&state);
    }
    return state;
  }

  // Makes "db" the database of this state.
  void GoBackTo(const State& state) {
    fs::remove_all(directory_ / "db");
    fs::copy(directory_ / state.name, directory_ / "db", fs::copy_options::recursive);
  }

  // Returns the bytes of the files in this directory by their names.
  std::map<std::string, std::string> FilesIn(const std::string& name) const {
    std::map<std::string, std::string> files;
    for (const auto& [path, bytes] : test::FilesBelow(directory_ / name)) {
      files.emplace(fs::path(path).filename().string(), bytes);
    }
    return files;
  }

  // Returns the files that differ between two states. A file may be absent in one of them.
  std::vector<std::string> DifferentFiles(const State& one, const State& other) const {
    const auto first = FilesIn(one.name);
    const auto second = FilesIn(other.name);
    std::set<std::string> names;
    for (const auto& [name, bytes] : first) {
      if (!second.contains(name) || second.at(name) != bytes) names.insert(name);
    }
    for (const auto& [name, bytes] : second) {
      if (!first.contains(name)) names.insert(name);
    }
    std::erase_if(names, [](const std::string& name) {  // they hold no data
      return name.starts_with("LOG") || name.starts_with("OPTIONS");
    });
    return {names.begin(), names.end()};
  }

  // Makes "mixture" a copy of `base`, in which the named files are as in `other`.
  void Mix(const State& base, const State& other, const std::vector<std::string>& names) const {
    const fs::path mixture = directory_ / "mixture";
    fs::remove_all(mixture);
    fs::copy(directory_ / base.name, mixture, fs::copy_options::recursive);
    for (const std::string& name : names) {
      fs::remove(mixture / name);
      if (fs::exists(directory_ / other.name / name)) {
        fs::copy_file(directory_ / other.name / name, mixture / name);
      }
    }
  }

  void ExpectRefusedOrWhole(const State& one, const State& other) {
    PairDatabase db;
    const Status opened = db.Open(directory_ / "mixture", disk_, {});
    if (opened.ok()) {
      const PairDatabase::Contents found = db.Read();
      EXPECT_THAT(found, AnyOf(Eq(one.contents), Eq(other.contents)));
      EXPECT_EQ(db.Read("GSI1"), found);
      EXPECT_EQ(db.ReadStream(), found);
      ++whole_;
    } else {
      EXPECT_THAT(opened.code(), AnyOf(StatusCode::kCorruption, StatusCode::kStorage))
          << opened.ToString();
      ++refused_;
    }
  }

  // Tries all mixtures of two states, or many if they differ in many files.
  void TryMixtures(const State& one, const State& other) {
    const std::vector<std::string> names = DifferentFiles(one, other);
    const bool all = names.size() <= kMixedFilesMax;
    const std::size_t count = std::size_t{1} << (all ? names.size() : kMixedFilesMax);
    for (std::size_t mixture = 0; mixture < count && !HasFailure(); ++mixture) {
      const std::uint64_t mask = all ? mixture : random_.Next();
      std::vector<std::string> replaced;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if ((mask >> i & 1) != 0) replaced.push_back(names[i]);
      }
      SCOPED_TRACE(one.name + " with these files of " + other.name + ": " +
                   testing::PrintToString(replaced) + " of " + testing::PrintToString(names));
      Mix(one, other, replaced);
      ExpectRefusedOrWhole(one, other);
    }
  }

  test::TempDirectory directory_;
  const std::shared_ptr<test::FailingDisk> disk_ =
      std::make_shared<test::FailingDisk>();  // syncs nothing
  std::int64_t number_ = 0;
  std::size_t whole_ = 0;
  std::size_t refused_ = 0;
};

// A user restores a copy over the directory that he has used meanwhile, and does not empty the directory before.
TEST_F(MixtureTest, AnOldCopyOverANewerDirectoryIsRefused) {
  State old{.name = "old"};
  Session(&old);
  for (int session = 0; session < 3; ++session) {
    PairDatabase db;
    ASSERT_THAT(db.Open(directory_ / "db", disk_, {}), IsOk());
    for (int write = 0; write < 5; ++write) ASSERT_THAT(db.Write(++number_, kItemPadding), IsOk());
  }
  fs::copy(directory_ / "old", directory_ / "db",
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  PairDatabase db;
  EXPECT_THAT(
      db.Open(directory_ / "db", disk_, {}),
      StatusIs(StatusCode::kCorruption,
               testing::HasSubstr("of another state of the database than DOLMEN.logs, as after a "
                                  "copy over a directory that was not empty")));
}

TEST_F(MixtureTest, AMixtureOfTwoStatesIsRefusedOrWhole) {
  for (std::size_t history = test::TestSteps(kHistories); history > 0 && !HasFailure(); --history) {
    fs::remove_all(directory_ / "db");
    const State before = MakeState("before");
    const State after = MakeState("after");
    GoBackTo(before);
    const State otherwise = MakeState("otherwise");
    if (HasFatalFailure()) return;
    TryMixtures(before, after);
    // The first bytes of a log that a killed process leaves are not listed. So it can't be told from a log
    // with the same number and as many writes before it.
    if (after.is_closed && otherwise.is_closed) TryMixtures(after, otherwise);
  }
  std::cout << refused_ << " mixtures were refused, " << whole_ << " held all of one state\n";
  EXPECT_GT(whole_, 0u);
  EXPECT_GT(refused_, whole_);
}

}  // namespace
}  // namespace dolmen::engine
