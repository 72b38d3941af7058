// Tests in which one call of the file system fails, and then another one, during a workload of all
// kinds of writes. A failed call is an error of the operation or has no consequence. The database
// that is opened again holds everything that was acknowledged, and no change in part.

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/storage/files/directory.h"
#include "tests/durability/every_write.h"
#include "tests/support/failing_disk.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFailingCalls = 40;

class FailingCallTest : public SeededTest {
 protected:
  // Does the workload on the disk and notes the outcomes. Returns the number of failed steps.
  std::size_t DoSteps(const std::shared_ptr<FailingDisk>& disk, ExpectedState* expected) {
    std::size_t failures = 0;
    failed_.clear();
    WriteSession session = SessionOn(disk);
    RunEveryWrite(&session, [&](const WriteStep& step, const Status* outcome) {
      if (outcome == nullptr) {
        if (step.kind == WriteStep::Kind::kClose) CompareOpen(session, *expected);
      } else if (outcome->ok()) {
        expected->Acknowledge(step);
      } else {
        ++failures;
        expected->Fail(step);
        failed_ += "\n  " + step.name + ": " + outcome->ToString();
      }
    });
    return failures;
  }

  WriteSession SessionOn(const std::shared_ptr<FailingDisk>& disk) {
    const auto open = [this, disk](const OpenOptions& options) {
      return OpenOnDisk(directory_ / "db", disk, options);
    };
    return {.open = open, .backup_directory = directory_ / "backup"};
  }

  // Checks that no failed write is visible before the database is opened again.
  void CompareOpen(const WriteSession& session, const ExpectedState& expected) {
    if (!session.table) return;
    const Result<Contents> found = TryReadContents(*session.table, "");
    if (!found.ok()) return;
    EXPECT_THAT(expected.Compare(*found), IsOk());
  }

  // Runs the workload on a disk with the fault, and checks what the disk then holds. Returns the
  // outcome in words.
  std::string Run(const DiskFault& fault) {
    const std::string name = ToString(fault);
    const Watchdog watchdog(name);
    SCOPED_TRACE(name);
    fs::remove_all(directory_ / "db");
    fs::copy(directory_ / "new", directory_ / "db");
    const auto disk = std::make_shared<FailingDisk>(fault);
    ExpectedState expected;
    const std::size_t failures = DoSteps(disk, &expected);
    if (!disk->HasFailed()) return "the call did not happen";
    WriteSession session = SessionOn(std::make_shared<FailingDisk>());
    const Status reopened = EveryWrite().front().run(session);
    EXPECT_THAT(reopened, IsOk());
    if (!reopened.ok()) return "cannot be opened again";
    EXPECT_THAT(expected.Check(*session.db), IsOk()) << "these steps failed:" << failed_;
    return failures == 0 ? "no step failed" : "steps failed";
  }

  // Returns all faults of all calls of the workload.
  std::vector<DiskFault> AllFaults() {
    EXPECT_THAT(engine::PrepareDirectory(directory_ / "new", true), IsOk());
    fs::copy(directory_ / "new", directory_ / "db");
    const auto disk = std::make_shared<FailingDisk>();
    ExpectedState expected;
    EXPECT_EQ(DoSteps(disk, &expected), 0u);
    std::vector<DiskFault> faults;
    for (std::size_t k = 0; k < DiskCall::kKinds; ++k) {
      const auto kind = static_cast<DiskCall::Kind>(k);
      const DiskCall call{kind, "", ""};
      std::cout << disk->Count(kind) << " calls: " << DiskCall::NameOf(kind) << '\n';
      for (std::size_t number = 1; number <= disk->Count(kind); ++number) {
        for (const bool for_good : {false, true}) {
          for (const bool is_full : {false, true}) {
            for (const bool has_effect : {false, true}) {
              if (!call.Changes() && (is_full || has_effect)) continue;
              faults.push_back({kind, number, for_good, is_full, has_effect});
            }
          }
        }
      }
    }
    return faults;
  }

  // Runs the workload once for each fault, and prints the outcomes.
  std::map<std::string, std::size_t> RunAll(const std::vector<DiskFault>& faults) {
    std::map<std::string, std::size_t> outcomes;
    for (const DiskFault& fault : faults) ++outcomes[Run(fault)];
    for (const auto& [name, count] : outcomes) std::cout << count << " cases: " << name << '\n';
    return outcomes;
  }

  TempDirectory directory_;
  std::string failed_;  // the failed steps of the latest run
};

TEST_F(FailingCallTest, LosesNoAcknowledgedWriteAndHalvesNone) {
  std::vector<DiskFault> faults = AllFaults();
  std::cout << faults.size() << " faults\n";
  random_.Shuffle(&faults);
  if (faults.size() > TestSteps(kFailingCalls)) faults.resize(TestSteps(kFailingCalls));
  EXPECT_GT(RunAll(faults)["steps failed"], 0u);
}

// RocksDB 7.8 ends the process if it cannot look for the archive of its logs.
TEST_F(FailingCallTest, NoFailedLookForAFileEndsTheProcess) {
  std::vector<DiskFault> looks = AllFaults();
  std::erase_if(looks, [](const DiskFault& fault) {
    return fault.kind != DiskCall::Kind::kLook || fault.for_good;
  });
  EXPECT_GT(RunAll(looks)["steps failed"], 0u);
}

}  // namespace
}  // namespace dolmen::test
