// Compares a table and its forks with references. The test runs the same random operations on a table
// and on its reference. Each operation must have the same outcome on both. At intervals the test
// compares the full contents, and continues with a fork.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"
#include "tests/model/random_operation.h"
#include "tests/model/real_results.h"
#include "tests/model/reference_database.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kStepsPerFullComparison = 2'000;
constexpr std::size_t kForkSteps = 20'000;
constexpr std::size_t kStepsPerSwitch = 100;

class ModelTest : public SeededTest {
 protected:
  void SetUp() override {
    model_.Create(0, ModelTable());
    generator_.Use(&model_.table(0).description());
    Open();
    if (HasFatalFailure()) return;
    auto table = db_->CreateTable(ModelTable());
    ASSERT_THAT(table, IsOk());
    table_.emplace(*std::move(table));
  }

  void Open() {
    OpenOptions options;
    options.durability = Durability::kBuffered;
    options.write_buffer_bytes = 256 << 10;  // small, so that data reaches files and compaction
    auto db = Database::Open(directory_.path() / "db", options);
    ASSERT_THAT(db, IsOk());
    db_.emplace(*std::move(db));
  }

  // Replaces the other database by a fork of this one, in memory or on disk.
  void Fork() {
    other_ = {};
    ForkOptions options;
    if (random_.OneIn(2)) options.directory = directory_ / ("fork" + std::to_string(step_));
    auto fork = db_->Fork(options);
    ASSERT_THAT(fork, IsOk());
    auto table = fork->OpenTable("model");
    ASSERT_THAT(table, IsOk());
    other_ = {*std::move(fork), *std::move(table), model_};
  }

  // Continues with the other database and its model.
  void Switch() {
    page_ = {};
    std::swap(db_, other_.db);
    std::swap(table_, other_.table);
    std::swap(model_, other_.model);
    generator_.Use(&model_.table(0).description());
  }

  template <typename Result>
  void ExpectSame(const Result& expected, const Result& actual, const std::string& operation) {
    ASSERT_TRUE(expected == actual) << "step " << step_ << ", DOLMEN_SEED=" << TestSeed() << "\n"
                                    << operation << "\n  the model:  " << ToString(expected)
                                    << "\n  the table:  " << ToString(actual);
  }

  void DoWrite() {
    const WriteOperation write = generator_.Write();
    const Outcome expected = model_.table(0).Write(write);
    const Outcome actual = Write(write, *table_);
    if (expected == actual) return;
    ExpectSame(expected, actual, ToString(write));
  }

  void DoTransaction() {
    TransactOperation operation;
    TransactWriteItemsInput input;
    for (const WriteOperation& write : generator_.Actions(1 + random_.Below(6))) {
      operation.writes.push_back({.write = write});
      input.actions.push_back(ToAction(write, *table_));
    }
    if (operation.writes.empty()) return;
    const Outcome expected = model_.Transact(operation);
    const Outcome actual = ToOutcome(db_->TransactWriteItems(input));
    if (!(expected == actual)) ExpectSame(expected, actual, ToString(operation));
  }

  void DoGet() {
    const GetOperation get = generator_.Get();
    const Outcome expected = model_.table(0).Get(get);
    const Outcome actual = ToOutcome(table_->GetItem(ToGet(get)));
    if (!(expected == actual)) ExpectSame(expected, actual, ToString(get));
  }

  // Reads and compares all pages. Some Query calls reuse the page object of an earlier call.
  void DoQuery() {
    const QueryOperation query = generator_.Query();
    const Shape& shape = model_.table(0).shape(query.index);
    Item start_key;
    do {
      const Page expected = model_.table(0).Query(query, start_key);
      const Status status = table_->Query(ToQuery(query, shape, start_key), &page_);
      const Page actual = ToPage(status, page_);
      if (!(expected == actual)) {
        ExpectSame(
            expected, actual,
            ToString(query, shape) + "\n  start key: " + ToString(AttributeValue(start_key)));
      }
      if (HasFatalFailure()) return;
      start_key = actual.last_evaluated_key;
    } while (!start_key.empty());
  }

  void DoStep() {
    switch (random_.Below(16)) {
      case 0:
        return DoGet();
      case 1:
      case 2:
        return DoTransaction();
      case 3:
      case 4:
      case 5:
        return DoQuery();
      default:
        return DoWrite();
    }
  }

  void CompareAll() {
    const ReferenceTable& model = model_.table(0);
    for (const std::string& index : IndexNames(model.description())) {
      ScanOperation everything;
      everything.index = index;
      ASSERT_EQ(Difference(everything, model, Scan(everything, *table_)), "")
          << "step " << step_ << ", everything in \"" << index << "\"";
    }
  }

  struct Side {
    std::optional<Database> db = {};
    std::optional<Table> table = {};
    ReferenceDatabase model = {};
  };

  TempDirectory directory_;
  std::optional<Database> db_;
  std::optional<Table> table_;
  QueryOutput page_;
  ReferenceDatabase model_;
  Side other_;  // in tests of forks: the database that rests
  OperationGenerator generator_{&random_};
  std::size_t step_ = 0;
};

TEST_F(ModelTest, ForksAndTheirOriginalsGoOnIndependently) {
  const std::size_t steps = TestSteps(kForkSteps);
  std::size_t forks = 0;
  for (step_ = 1; step_ <= steps && !HasFailure(); ++step_) {
    DoStep();
    if (step_ % kStepsPerFullComparison == 0) CompareAll();
    if (step_ % kStepsPerSwitch != 0) continue;
    if (!other_.db || random_.OneIn(4)) {
      Fork();
      ++forks;
    }
    if (!HasFatalFailure()) Switch();
    if (!HasFatalFailure()) CompareAll();
  }
  EXPECT_GT(forks, steps / kStepsPerSwitch / 8);
}

}  // namespace
}  // namespace dolmen::test
