// Tests of a process that is killed while it writes. The database then holds every acknowledged
// write. Each write is visible as a whole or not at all. The database holds nothing else.

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <optional>
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

Result<Table> OpenOrCreate(Database& db) {
  Result<Table> table = db.OpenTable("workload");
  return table.ok() ? std::move(table) : db.CreateTable(Workload::TableInput());
}

// Writes from a given number on and acknowledges each write. The parent kills the process at a
// random time.
int Write(const ChildArguments& arguments) {
  const std::string& directory = arguments[0];
  const OpenOptions options = OptionsOf(std::stoull(arguments[1]));
  const Workload workload(std::stoull(arguments[2]));
  std::uint64_t number = std::stoull(arguments[3]);
  TellParent("opening");
  auto db = Database::Open(directory, options);
  if (!db.ok()) return 1;
  const auto table = OpenOrCreate(*db);
  if (!table.ok()) return 2;
  for (;; ++number) {
    if (!workload.Do(number, *db, *table).ok()) return 3;
    if (!TellParent(std::to_string(number))) return 4;
  }
}

const ChildRole kWrite("write", Write);

class KillTest : public SeededTest {
 protected:
  // Runs the child and kills it after `count` acknowledgements, or while it opens the database if
  // `count` is 0. Returns the last write that the child acknowledged, or nothing if it acknowledged
  // none.
  std::optional<std::uint64_t> WriteAndKill(std::size_t count) {
    ChildProcess child(kWrite, {Directory(), std::to_string(random_.Next()),
                                std::to_string(TestSeed()), std::to_string(done_ + 1)});
    EXPECT_EQ(child.ReadLine(), "opening");
    return KillAfter(count, &child);
  }

  // Checks that the database holds the state after write `acknowledged` or after the write that
  // follows. Sets `done_` to the last write that the database holds.
  void ExpectStateAfter(std::uint64_t acknowledged) {
    auto db = Database::Open(Directory(), OptionsOf(random_.Next()));
    ASSERT_THAT(db, IsOk());
    const auto table = OpenOrCreate(*db);
    ASSERT_THAT(table, IsOk());
    const Result<Contents> found = ReadAll(*table);
    ASSERT_THAT(found, IsOk());
    for (; done_ < acknowledged; ++done_) workload_.Apply(done_ + 1, &expected_);
    if (*found == expected_) return;
    // The child may have done one more write and was killed before it acknowledged that write.
    workload_.Apply(++done_, &expected_);
    ASSERT_TRUE(*found == expected_) << "after write " << acknowledged;
  }

  std::string Directory() const { return (directory_ / "db").string(); }

  TempDirectory directory_;
  const Workload workload_{TestSeed()};
  std::uint64_t done_ = 0;
  Contents expected_;  // the state after write done_
};

TEST_F(KillTest, AcknowledgedWritesSurviveAndNoWriteIsPartial) {
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t count = random_.OneIn(5) ? 0 : 1 + random_.Below(kAcknowledgementsMax);
    const std::uint64_t acknowledged = WriteAndKill(count).value_or(done_);
    ExpectStateAfter(acknowledged);
    if (HasFailure()) FAIL() << "round " << round;
  }
  std::cout << done_ << " writes in " << kRounds << " rounds\n";
}

}  // namespace
}  // namespace dolmen::test
