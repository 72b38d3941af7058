// Compares a table on disk with a std::map. Each test runs the same random operations on the table
// and on the map. Each operation must have the same outcome on both. At intervals the test compares
// the full contents.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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

constexpr std::size_t kTableSteps = 50'000;
constexpr std::size_t kStepsPerFullComparison = 2'000;
constexpr std::size_t kStepsPerReopening = 700;
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

  void Reopen() {
    table_.reset();
    db_.reset();
    Open();
    if (HasFatalFailure()) return;
    auto table = db_->OpenTable("model");
    ASSERT_THAT(table, IsOk());
    table_.emplace(*std::move(table));
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
    ++outcomes_[static_cast<std::size_t>(expected.code)];
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
    ++outcomes_[static_cast<std::size_t>(expected.code)];
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
      most_[index] = std::max<std::size_t>(most_[index], model.Scan(everything).count);
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
  std::map<std::size_t, std::size_t> outcomes_;  // the number of writes by their StatusCode
  std::map<std::string, std::size_t> most_;      // the greatest item count by index
};

TEST_F(ModelTest, TableBehavesLikeAReferenceMap) {
  const std::size_t steps = TestSteps(kTableSteps);
  for (step_ = 1; step_ <= steps; ++step_) {
    DoStep();
    if (HasFailure()) return;
    if (step_ % kStepsPerFullComparison == 0) CompareAll();
    if (HasFailure()) return;
    if (step_ % kStepsPerReopening == 0) Reopen();
    if (HasFailure()) return;
  }
  CompareAll();
  // The operations must include many failed conditions and fill the indexes. Otherwise the
  // comparison would prove little.
  if (steps < kTableSteps) return;
  for (const StatusCode code :
       {StatusCode::kOk, StatusCode::kValidation, StatusCode::kConditionalCheckFailed,
        StatusCode::kTransactionCanceled}) {
    EXPECT_GT(outcomes_[static_cast<std::size_t>(code)], kTableSteps / 200) << StatusCodeName(code);
  }
  for (const auto& [index, most] : most_) EXPECT_GT(most, 10u) << index;
}

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
