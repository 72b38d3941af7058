#include "command/copy_estimate.h"

#include <optional>

#include "command/table_copier.h"
#include "command/table_json.h"
#include "tests/command/served_database.h"
#include "tests/command/silent_service.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using command::CopyCounts;
using command::CopyEstimate;
using command::EstimateCopy;
using command::EstimateLimits;
using command::OpenedTable;
using command::TableOf;

constexpr auto kGoOn = [](std::uint64_t) { return true; };

class CopyEstimateTest : public ServedCommandTest {
 protected:
  // Stores items of many sizes. A tenth of them have a text of up to `longest` bytes. A third of them
  // are in the index, which holds a part of each.
  void PutItems(int count, std::uint64_t longest = 20'000) {
    const Table table =
        MakeServedTable({.name = "app",
                         .global_secondary_indexes = {{.name = "byOwner",
                                                       .partition_key = {{"owner"}},
                                                       .projection = ProjectionType::kInclude,
                                                       .non_key_attributes = {"part"}}}});
    for (int i = 0; i < count; ++i) {
      Item item{{"PK", "p" + std::to_string(random_.Below(count / 3 + 1))},
                {"SK", std::to_string(i)},
                {"part", std::string(random_.Below(1500), 'p')},
                {"text", std::string(random_.Below(random_.OneIn(10) ? longest : 1000), 't')}};
      if (random_.OneIn(3)) item.insert_or_assign("owner", "o" + std::to_string(i));
      ASSERT_THAT(table.PutItem({.item = item}), IsOk());
    }
  }

  command::NewTable Definition() const {
    return {.input = {.name = "app"}, .schema = Value(command::TableJson(served_.database, "app"))};
  }

  // Copies the table to an empty one, and returns the units that were counted.
  CopyCounts Counted(const OpenedTable& from) const {
    const Database database = Value(command::CreateInMemory(Definition()));
    const OpenedTable to = Value(TableOf(database, "app"));
    const auto checkpoints = Value(command::CheckpointsOf(database, {}, to.description));
    command::TableCopier copier(from, to, checkpoints.get(), "copy",
                                {.parallel = 2, .interrupted = [] { return false; }});
    EXPECT_THAT(copier.Run(), IsOk());
    return copier.counts();
  }

  OpenedTable Remote() const {
    return Value(
        TableOf(Value(command::ConnectTo({.url = served_.url()})), "app", ContentSizes::kCount));
  }

  static void ExpectNear(const CopyEstimate& estimate, const CopyCounts& counted, double part) {
    EXPECT_NEAR(estimate.write_units, counted.write_units, counted.write_units * part);
    EXPECT_NEAR(estimate.read_units, counted.read_units, counted.read_units * part);
    const auto bytes = static_cast<double>(counted.bytes);
    EXPECT_NEAR(static_cast<double>(estimate.bytes), bytes, bytes * part);
  }
};

TEST_F(CopyEstimateTest, TheEstimateOfAWholeTableIsExact) {
  PutItems(500);
  const OpenedTable local = Value(TableOf(served_.database, "app"));
  const SilentService silent(served_.database);
  for (const OpenedTable& from : {local, Remote(), silent.OpenTable("app")}) {
    const CopyEstimate estimate = Value(EstimateCopy(from, Definition(), kGoOn));
    EXPECT_EQ(estimate.items, 500U);
    ExpectNear(estimate, Counted(local), 0);
  }
}

TEST_F(CopyEstimateTest, TheEstimateOfManyItemsIsWithinFivePercent) {
  // The estimate prices 100 of the last 1,000 items. The standard error of the sum is 0.7 %. With texts
  // of 20,000 bytes it is 1.8 %, which is too near to the limit for a test with random items.
  PutItems(6000, 1000);
  const OpenedTable local = Value(TableOf(served_.database, "app"));
  const EstimateLimits limits{.priced_items = 5000};
  const CopyEstimate estimate = Value(EstimateCopy(local, Definition(), kGoOn, limits));
  EXPECT_EQ(estimate.items, 6000U);
  ExpectNear(estimate, Counted(local), 0.05);
}

TEST_F(CopyEstimateTest, TheEstimateFromASampleIsWithinFivePercent) {
  PutItems(6000, 1000);
  // Reads half of the table. The standard error is 0.5 %.
  const EstimateLimits limits{.whole_bytes = 1, .sample_pages = 4};
  const CopyEstimate estimate = Value(EstimateCopy(Remote(), Definition(), kGoOn, limits));
  EXPECT_EQ(estimate.items, 6000U);
  ExpectNear(estimate, Counted(Value(TableOf(served_.database, "app"))), 0.05);
}

TEST_F(CopyEstimateTest, ThePriceIsThatOfRequestsOnDemand) {
  EXPECT_EQ(command::PriceText(8'000'000, 0), "$1.00");
  EXPECT_EQ(command::PriceText(0, 1'600'000), "$1.00");
}

}  // namespace
}  // namespace dolmen::test
