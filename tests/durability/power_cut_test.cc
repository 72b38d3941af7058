// Tests of a power cut. With kSync every acknowledged write survives. With kBuffered a prefix of the
// acknowledged writes survives, in their order.

#include <gmock/gmock.h>

#include <cstdint>
#include <memory>

#include "tests/durability/pair_database.h"
#include "tests/durability/volatile_disk.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::IsOk;

constexpr std::size_t kPowerCuts = 25;    // for each durability
constexpr std::int64_t kWritesMax = 300;  // between two cuts; they fill several logs
constexpr std::size_t kPairPaddingMax = 900;

class PowerCutTest : public test::SeededTest, public testing::WithParamInterface<Durability> {
 protected:
  static OpenOptions Options() {
    OpenOptions options;
    options.durability = GetParam();
    options.write_buffer_bytes = 64 << 10;  // small, so that there are many logs
    return options;
  }

  // Opens the database in `from`, writes, cuts the power, and copies what remains to `to`. Returns
  // the number of the last acknowledged write.
  std::int64_t WriteUntilTheCut(const std::filesystem::path& from, const std::filesystem::path& to,
                                std::int64_t number) {
    const auto disk = std::make_shared<test::VolatileDisk>();
    PairDatabase db;
    EXPECT_THAT(db.Open(from, disk, Options()), IsOk());
    const std::int64_t end = number + random_.Between(0, kWritesMax);
    while (number < end) {
      EXPECT_THAT(db.Write(++number, random_.Below(kPairPaddingMax)), IsOk());
    }
    disk->CutPower();
    disk->CopyRemains(from, to, &random_);
    return number;
  }

  test::TempDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(Durabilities, PowerCutTest,
                         testing::Values(Durability::kSync, Durability::kBuffered),
                         [](const auto& durability) {
                           return durability.param == Durability::kSync ? "sync" : "buffered";
                         });

TEST_P(PowerCutTest, LeavesAPrefixOfTheAcknowledgedWrites) {
  std::filesystem::path path = directory_ / "0";
  std::int64_t number = 0;
  PairDatabase::Contents before;  // the contents when the database was opened
  for (std::size_t cut = 1; cut <= test::TestSteps(kPowerCuts); ++cut) {
    const std::filesystem::path remains = directory_ / std::to_string(cut);
    const std::int64_t acknowledged = WriteUntilTheCut(path, remains, number);
    PairDatabase db;
    ASSERT_THAT(db.Open(remains, std::make_shared<test::VolatileDisk>(), Options()), IsOk())
        << "cut " << cut;
    const PairDatabase::Contents found = db.Read();
    EXPECT_EQ(db.Read("GSI1"), found) << "cut " << cut;
    // Looks for the first writes whose result the database holds. With kSync these are all writes.
    PairDatabase::Contents expected = before;
    std::int64_t kept = number;
    while (kept < acknowledged && (expected != found || GetParam() == Durability::kSync)) {
      PairDatabase::Apply(++kept, &expected);
    }
    ASSERT_EQ(found, expected) << "cut " << cut << " in the writes from " << number + 1 << " to "
                               << acknowledged;
    before = found;
    number = acknowledged;
    std::filesystem::remove_all(path);
    path = remains;
  }
}

}  // namespace
}  // namespace dolmen::engine
