// Tests of a power cut during any call of the file system, while a database does all kinds of writes: it imports a table,
// builds an index, sweeps, compacts. A table that is imported exists as a whole or not at all. With kSync every
// acknowledged write survives.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "engine/base/status_macros.h"
#include "engine/storage/files/directory.h"
#include "tests/durability/every_write.h"
#include "tests/support/open_on_disk.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/volatile_disk.h"
#include "tests/support/watchdog.h"

namespace dolmen::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPowerCuts = 20;

class EveryWritePowerCutTest : public SeededTest {
 protected:
  WriteSession SessionIn(const fs::path& directory,
                         const std::shared_ptr<VolatileDisk>& disk) const {
    return {.open = [=, durability = durability_](OpenOptions options) {
      options.durability = durability;
      return OpenOnDisk(directory, disk, options);
    }};
  }

  // Does the steps until the power is cut during one of them. Returns the name of this step. Notes the calls of the
  // import.
  std::string RunUntilTheCut(const std::shared_ptr<VolatileDisk>& disk, ExpectedState* expected) {
    std::string cut = "no step";
    WriteSession session = SessionIn(directory_ / "db", disk);
    RunEveryWrite(&session, [&](const WriteStep& step, const Status* outcome) {
      if (step.kind == WriteStep::Kind::kImport) {
        (outcome == nullptr ? import_begin_ : import_end_) = disk->calls();
      }
      if (outcome == nullptr) return;
      if (cut == "no step" && disk->is_off()) cut = step.name;
      if (outcome->ok()) {
        expected->Acknowledge(step);
      } else {
        EXPECT_TRUE(disk->is_off()) << step.name << ": " << outcome->ToString();
        expected->Fail(step);
      }
    });
    return cut;
  }

  // Cuts the power again and again, each time in a new database. Calls `check` with the database that is opened
  // afterwards.
  void CutPower(const std::function<Status(const Database&, const ExpectedState&)>& check) {
    ASSERT_THAT(engine::PrepareDirectory(directory_ / "new", true), IsOk());
    std::map<std::string, std::size_t> cuts;
    std::size_t calls = 0;
    std::size_t import_begin = 0;
    std::size_t import_calls = 1;
    for (std::size_t cut = 0; cut <= TestSteps(kPowerCuts) && !HasFailure(); ++cut) {
      const std::string name = "cut " + std::to_string(cut);
      SCOPED_TRACE(name);
      const Watchdog watchdog(name);
      fs::remove_all(directory_ / "db");
      fs::remove_all(directory_ / "remains");
      fs::copy(directory_ / "new", directory_ / "db");
      const auto disk = std::make_shared<VolatileDisk>();
      const bool is_first = cut == 0;  // without a cut
      const std::size_t call = random_.OneIn(2) ? import_begin + random_.Below(import_calls)
                                                : random_.Below(std::max<std::size_t>(calls, 1));
      if (!is_first) disk->CutPowerAfter(call, &random_);
      ExpectedState expected;
      ++cuts[RunUntilTheCut(disk, &expected)];
      if (is_first) {
        calls = disk->calls();
        import_begin = import_begin_;
        import_calls = import_end_ - import_begin_;
      }
      disk->CutPower();
      disk->CopyRemains(directory_ / "db", directory_ / "remains", &random_);
      WriteSession session = SessionIn(directory_ / "remains", nullptr);
      ASSERT_THAT(EveryWrite().front().run(session), IsOk());
      EXPECT_THAT(check(*session.db, expected), IsOk());
    }
    EXPECT_GT(cuts["import a table"], 0u);
    for (const auto& [step, count] : cuts) std::cout << count << " cuts during: " << step << '\n';
  }

  Durability durability_ = Durability::kSync;
  std::size_t import_begin_ = 0;
  std::size_t import_end_ = 0;
  TempDirectory directory_;
};

TEST_F(EveryWritePowerCutTest, LosesNoSyncedWriteAndHalvesNone) {
  CutPower([](const Database& db, const ExpectedState& expected) { return expected.Check(db); });
}

TEST_F(EveryWritePowerCutTest, LeavesABufferedImportAsAWholeOrNotAtAll) {
  durability_ = Durability::kBuffered;
  CutPower([](const Database& db, const ExpectedState&) -> Status {
    DOLMEN_RETURN_IF_ERROR(ExpectedState().CheckImported(db));
    DOLMEN_ASSIGN_OR_RETURN(const VerifyOutput verified, db.Verify());
    return verified.finding_count == 0 ? Status()
                                       : Status::Corruption(verified.findings[0].message);
  });
}

}  // namespace
}  // namespace dolmen::test
