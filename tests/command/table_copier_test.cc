#include "command/table_copier.h"

#include <chrono>
#include <functional>
#include <memory>

#include "tests/command/command_fixture.h"
#include "tests/command/silent_service.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using command::CheckpointsOf;
using command::CheckpointStore;
using command::CopierOptions;
using command::CopyCounts;
using command::OpenedTable;
using command::TableCopier;
using command::TableOf;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// A source of several pages and a target, in memory.
class TableCopierTest : public SeededTest {
 protected:
  static constexpr int kItems = 500;

  static OpenedTable NewTable(const CreateTableInput& table) {
    const Database database = Value(Database::InMemory({.expiry_lag = std::nullopt}));
    EXPECT_THAT(database.CreateTable(table), IsOk());
    return Value(TableOf(database, table.name));
  }

  void SetUp() override {
    for (int i = 0; i < kItems; ++i) {
      const std::size_t size = random_.Below(20'000);
      ASSERT_THAT(from_.table.PutItem({.item = {{"PK", "p" + std::to_string(i % 50)},
                                                {"SK", std::to_string(i)},
                                                {"GSI1PK", "g"},
                                                {"GSI1SK", std::to_string(i)},
                                                {"text", std::string(size, 'x')}}}),
                  IsOk());
    }
  }

  CopierOptions Options(std::function<bool()> interrupted = [] { return false; }) const {
    return {.parallel = 3, .interrupted = std::move(interrupted)};
  }

  // The page that shows the end of a segment may be empty, as in DynamoDB.
  static bool EndsWithAnEmptyPage(const TableCopier& copier) {
    return copier.complete() && copier.counts().items == kItems;
  }

  std::unique_ptr<CheckpointStore> Checkpoints() const {
    return Value(CheckpointsOf(to_.database, {},
                               Value(to_.database.DescribeTable("app", ContentSizes::kOmit))));
  }

  const OpenedTable from_ = NewTable(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
  const OpenedTable to_ = NewTable(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}});
};

TEST_F(TableCopierTest, AnInterruptedCopyResumesAfterItsLastPage) {
  int runs = 0;
  CopyCounts counts;
  for (bool complete = false; !complete; ++runs) {
    ASSERT_LT(runs, 50);
    const auto checkpoints = Checkpoints();
    bool written = false;
    CopierOptions options = Options([&] { return written; });
    options.on_checkpoint = [&] { written = true; };
    TableCopier copier(from_, to_, checkpoints.get(), "copy", options);
    ASSERT_THAT(copier.Run(), IsOk());
    EXPECT_EQ(copier.counts_before().items, counts.items);
    EXPECT_TRUE(copier.counts().items > counts.items || EndsWithAnEmptyPage(copier));
    counts = copier.counts();
    complete = copier.complete();
  }
  EXPECT_GT(runs, 3);
  EXPECT_EQ(counts.items, static_cast<std::uint64_t>(kItems));
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(TableCopierTest, APausedCopyCopiesAPageAndGoesOnLater) {
  const auto checkpoints = Checkpoints();
  std::uint64_t items = 0;
  int runs = 0;
  for (bool complete = false; !complete; ++runs) {
    ASSERT_LT(runs, 50);
    CopierOptions options = Options();
    options.pauses = [] { return true; };
    TableCopier copier(from_, to_, checkpoints.get(), "copy", options);
    ASSERT_THAT(copier.Run(), IsOk());
    EXPECT_TRUE(copier.counts().items > items || EndsWithAnEmptyPage(copier));
    items = copier.counts().items;
    complete = copier.complete();
  }
  EXPECT_GT(runs, 3);
  EXPECT_EQ(ReadContents(to_.table), ReadContents(from_.table));
}

TEST_F(TableCopierTest, PagesBeforeTheCheckpointAreNotCopiedAgain) {
  const auto checkpoints = Checkpoints();
  bool written = false;
  CopierOptions options = Options([&] { return written; });
  options.on_checkpoint = [&] { written = true; };
  TableCopier first(from_, to_, checkpoints.get(), "copy", options);
  ASSERT_THAT(first.Run(), IsOk());
  const Item copied = ReadContents(to_.table).begin()->second;
  const Item key{{"PK", copied.at("PK")}, {"SK", copied.at("SK")}};
  ASSERT_THAT(to_.table.DeleteItem({.key = key}), IsOk());
  TableCopier second(from_, to_, checkpoints.get(), "copy", Options());
  ASSERT_THAT(second.Run(), IsOk());
  EXPECT_TRUE(second.complete());
  EXPECT_EQ(ReadContents(to_.table).size(), static_cast<std::size_t>(kItems - 1));
  // A copy with another name, or with `restart`, begins with the first item.
  for (const bool restart : {false, true}) {
    ASSERT_THAT(to_.table.DeleteItem({.key = key}), IsOk());
    CopierOptions anew = Options();
    anew.restart = restart;
    TableCopier copier(from_, to_, checkpoints.get(), restart ? "copy" : "other", anew);
    ASSERT_THAT(copier.Run(), IsOk());
    EXPECT_EQ(ReadContents(to_.table).size(), static_cast<std::size_t>(kItems));
  }
}

TEST_F(TableCopierTest, TheCountsAreThoseOfTheDatabases) {
  double write_units = 0;
  std::uint64_t bytes = 0;
  for (const ItemView item : from_.table.ScanAll({})) {
    write_units += 2.0 * ((item.size_bytes() + 1023) / 1024);  // of the table and of the index
    bytes += item.size_bytes();
  }
  const auto checkpoints = Checkpoints();
  TableCopier copier(from_, to_, checkpoints.get(), "copy", Options());
  ASSERT_THAT(copier.Run(), IsOk());
  EXPECT_EQ(copier.counts().write_units, write_units);
  EXPECT_EQ(copier.counts().bytes, bytes);
  EXPECT_NEAR(copier.counts().read_units, static_cast<double>(bytes) / 4096, 20);
}

// A copy with a pace, whose waits take no time.
struct PacedRun {
  CopyCounts counts;
  double seconds = 0;  // the sum of the waits
};

PacedRun RunPaced(const OpenedTable& from, const OpenedTable& to, CheckpointStore* checkpoints,
                  CopierOptions options) {
  std::chrono::duration<double> elapsed{0};
  options.parallel = 1;
  options.restart = true;
  options.waiting = {.now =
                         [&] {
                           return command::Pace::Clock::time_point(
                               std::chrono::duration_cast<command::Pace::Clock::duration>(elapsed));
                         },
                     .sleep = [&](command::Pace::Clock::duration time) { elapsed += time; }};
  TableCopier copier(from, to, checkpoints, "copy", options);
  EXPECT_THAT(copier.Run(), IsOk());
  return {copier.counts(), elapsed.count()};
}

TEST_F(TableCopierTest, ACopyKeepsItsPace) {
  for (const bool by_units : {true, false}) {
    CopierOptions options = Options();
    options.units_per_second = by_units ? 100 : 0;
    options.bytes_per_second = by_units ? 0 : 50'000;
    const auto [counts, waited] = RunPaced(from_, to_, Checkpoints().get(), options);
    const double wanted = by_units ? (counts.read_units + counts.write_units) / 100
                                   : static_cast<double>(counts.bytes) / 50'000;
    EXPECT_NEAR(waited, wanted, wanted / 1000);
  }
}

TEST_F(TableCopierTest, ACopyKeepsItsPaceIfNoUnitsAreReported) {
  if (!command::ConnectTo({.url = "http://127.0.0.1:1"}).ok()) GTEST_SKIP() << "no libcurl";
  CopierOptions options = Options();
  options.units_per_second = 100;
  const CopyCounts reported = RunPaced(from_, to_, Checkpoints().get(), options).counts;
  const SilentService source(from_.database);
  const SilentService target(to_.database);
  const auto [counts, waited] =
      RunPaced(source.OpenTable("app"), target.OpenTable("app"), Checkpoints().get(), options);
  EXPECT_EQ(counts.read_units, reported.read_units);
  EXPECT_EQ(counts.write_units,
            reported.write_units / 2);  // without the index, which has each item
  const double wanted = (counts.read_units + counts.write_units) / 100;
  EXPECT_NEAR(waited, wanted, wanted / 1000);
}

TEST_F(TableCopierTest, AnItemThatTheTargetRejectsIsNamed) {
  const OpenedTable numbers =
      NewTable({.name = "numbers",
                .global_secondary_indexes = {
                    {.name = "byText", .partition_key = {{"text", AttributeType::kN}}}}});
  const auto checkpoints = Value(CheckpointsOf(numbers.database, {}, numbers.description));
  TableCopier copier(from_, numbers, checkpoints.get(), "copy", Options());
  EXPECT_THAT(copier.Run(), StatusIs(StatusCode::kValidation,
                                     AllOf(HasSubstr("the table numbers rejects the item {PK: "),
                                           HasSubstr("SK: "), HasSubstr("text"))));
  EXPECT_FALSE(copier.complete());
  EXPECT_THAT(ReadContents(numbers.table), IsEmpty());
}

}  // namespace
}  // namespace dolmen::test
