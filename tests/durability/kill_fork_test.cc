// Tests of a process that is killed while it forks its database to a directory. The database then
// holds every acknowledged write. The directory holds the whole fork, or no database.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/durability/acknowledgements.h"
#include "tests/durability/workload.h"
#include "tests/support/child_process.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kWritesPerFork = 4;

// Writes from a given number on. After some writes, forks the database to a directory that is named
// after the write. Acknowledges each write after its fork.
int WriteAndFork(const ChildArguments& arguments) {
  const fs::path directory = arguments[0];
  const Workload workload(std::stoull(arguments[2]));
  auto db = Database::Open(directory / "db", OptionsOf(std::stoull(arguments[1])));
  if (!db.ok()) return 1;
  Result<Table> table = db->OpenTable("workload");
  if (!table.ok()) table = db->CreateTable(Workload::TableInput());
  if (!table.ok()) return 2;
  for (std::uint64_t number = std::stoull(arguments[3]);; ++number) {
    if (!workload.Do(number, *db, *table).ok()) return 3;
    const fs::path fork = directory / "forks" / std::to_string(number);
    if (number % kWritesPerFork == 0 && !db->Fork({.directory = fork}).ok()) return 4;
    if (!TellParent(std::to_string(number))) return 5;
  }
}

const ChildRole kWriteAndFork("write_and_fork", WriteAndFork);

class KillForkTest : public SeededTest {
 protected:
  // Returns the contents after the first `count` writes.
  Contents StateAfter(std::uint64_t count) const {
    Contents state;
    for (std::uint64_t number = 1; number <= count; ++number) workload_.Apply(number, &state);
    return state;
  }

  static Result<Contents> Read(const Database& db) {
    return db.OpenTable("workload").and_then([](const Table& table) { return ReadAll(table); });
  }

  // Checks the forks of a process that was killed, and deletes them. The forks that were complete
  // before the write `acknowledged` must be databases.
  void CheckForks(std::uint64_t acknowledged) {
    for (const auto& entry : fs::directory_iterator(directory_ / "forks")) {
      const std::uint64_t number = std::stoull(entry.path().filename());
      const auto db = Database::Open(entry.path(), {.create_if_missing = false});
      db.ok() ? ++whole_ : ++broken_;
      if (db.ok()) {
        EXPECT_THAT(Read(*db), IsOkAndHolds(StateAfter(number))) << number;
      } else {
        EXPECT_EQ(db.status().code(), StatusCode::kValidation) << db.status().ToString();
        EXPECT_GT(number, acknowledged) << db.status().ToString();
      }
    }
    fs::remove_all(directory_ / "forks");
  }

  const TempDirectory directory_;
  const Workload workload_{TestSeed()};
  int whole_ = 0;
  int broken_ = 0;
};

TEST_F(KillForkTest, AForkIsWholeOrNoDatabaseAndItsOriginalIsUnharmed) {
  std::uint64_t done = 0;
  for (std::size_t round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    fs::create_directories(directory_ / "forks");
    ChildProcess child(kWriteAndFork, {directory_.path().string(), std::to_string(random_.Next()),
                                       std::to_string(TestSeed()), std::to_string(done + 1)});
    const std::uint64_t acknowledged = KillAfter(1 + random_.Below(20), &child).value_or(done);
    CheckForks(acknowledged);
    const auto db = Database::Open(directory_ / "db");
    ASSERT_THAT(db, IsOk());
    // The process may have done one more write before it was killed.
    done = acknowledged;
    const Result<Contents> found = Read(*db);
    ASSERT_THAT(found, IsOk());
    if (*found == StateAfter(done)) continue;
    ASSERT_TRUE(*found == StateAfter(++done)) << "after write " << acknowledged;
  }
  std::cout << whole_ << " forks were whole, and " << broken_ << " were no database\n";
}

}  // namespace
}  // namespace dolmen::test
