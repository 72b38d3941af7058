// A table on disk and a std::map do the same random operations and must agree about every outcome,
// and now and then about everything they hold.

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
#include "tests/model/reference_table.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kSteps = 100'000;
constexpr std::size_t kStepsPerFullComparison = 2'000;
constexpr std::size_t kStepsPerReopening = 700;

std::optional<Item> CopyOf(const StoredItem* item) {
  if (item == nullptr) return std::nullopt;
  Result<Item> copy = item->Copy();
  EXPECT_THAT(copy, IsOk());
  return copy.ok() ? std::optional(*std::move(copy)) : std::nullopt;
}

Outcome ToOutcome(const Status& status) {
  Outcome outcome{.code = status.code(), .item = CopyOf(status.item())};
  for (const Status& reason : status.reasons()) outcome.reasons.push_back(ToOutcome(reason));
  return outcome;
}

Outcome ToOutcome(const Result<WriteItemOutput>& result) {
  if (!result.ok()) return ToOutcome(result.status());
  return {.item = CopyOf(result->attributes ? &*result->attributes : nullptr)};
}

Outcome ToOutcome(const Result<GetItemOutput>& result) {
  if (!result.ok()) return ToOutcome(result.status());
  return {.item = CopyOf(result->item ? &*result->item : nullptr)};
}

Page ToPage(const QueryOutput& output) {
  Page page{.count = output.count(),
            .scanned_count = output.scanned_count(),
            .last_evaluated_key = output.last_evaluated_key()};
  for (const ItemView item : output) {
    Result<Item> copy = item.Copy();
    EXPECT_THAT(copy, IsOk());
    EXPECT_THAT(item.Check(), IsOk());
    if (copy.ok()) page.items.push_back(*std::move(copy));
  }
  return page;
}

class ModelTest : public SeededTest {
 protected:
  void SetUp() override {
    Open();
    if (HasFatalFailure()) return;
    auto table = db_->CreateTable(ModelTable());
    ASSERT_THAT(table, IsOk());
    table_.emplace(*std::move(table));
  }

  void Open() {
    OpenOptions options;
    options.durability = Durability::kBuffered;
    options.write_buffer_bytes = 256 << 10;  // so that data goes to files and is compacted
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

  template <typename Result>
  void ExpectSame(const Result& expected, const Result& actual, const std::string& operation) {
    ASSERT_TRUE(expected == actual) << "step " << step_ << ", DOLMEN_SEED=" << TestSeed() << "\n"
                                    << operation << "\n  the model:  " << ToString(expected)
                                    << "\n  the table:  " << ToString(actual);
  }

  void DoWrite() {
    const WriteOperation write = generator_.Write();
    const Outcome expected = model_.Write(write);
    const auto actual = [&] {
      switch (write.kind) {
        case WriteOperation::Kind::kPut:
          return ToOutcome(table_->PutItem(ToPut(write)));
        case WriteOperation::Kind::kUpdate:
          return ToOutcome(table_->UpdateItem(ToUpdate(write)));
        default:
          return ToOutcome(table_->DeleteItem(ToDelete(write)));
      }
    }();
    ++outcomes_[static_cast<std::size_t>(expected.code)];
    if (expected == actual) return;
    ExpectSame(expected, actual, ToString(write));
  }

  void DoTransaction() {
    const std::vector<WriteOperation> writes = generator_.Transaction();
    std::vector<TransactWriteItem> actions;
    for (const WriteOperation& write : writes) actions.push_back(ToAction(write, *table_));
    const Outcome expected = model_.Transact(writes);
    const Outcome actual = ToOutcome(db_->TransactWriteItems({.actions = actions}).status());
    ++outcomes_[static_cast<std::size_t>(expected.code)];
    if (expected == actual) return;
    std::string text = "TransactWriteItems";
    for (const WriteOperation& write : writes) text += "\n" + ToString(write);
    ExpectSame(expected, actual, text);
  }

  void DoGet() {
    const GetOperation get = generator_.Get();
    const Outcome expected = model_.Get(get);
    const Outcome actual = ToOutcome(table_->GetItem(ToGet(get)));
    if (!(expected == actual)) ExpectSame(expected, actual, ToString(get));
  }

  // All pages, some through a page that is used again.
  void DoQuery() {
    const QueryOperation query = generator_.Query();
    Item start_key;
    do {
      const Page expected = model_.Query(query, start_key);
      ASSERT_THAT(table_->Query(ToQuery(query, start_key), &page_), IsOk()) << ToString(query);
      const Page actual = ToPage(page_);
      if (!(expected == actual)) {
        ExpectSame(expected, actual,
                   ToString(query) + "\n  start key: " + ToString(AttributeValue(start_key)));
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
    for (const std::string index : {"", "GSI1", "GSI2"}) {
      std::vector<Item> held;
      for (const AttributeValue& partition : OperationGenerator::Partitions(index)) {
        ASSERT_THAT(table_->Query({.index = index, .partition = partition}, &page_), IsOk());
        ASSERT_TRUE(page_.last_evaluated_key().empty());
        for (Item& item : ToPage(page_).items) held.push_back(std::move(item));
      }
      Page expected{.items = model_.Items(index)};
      ExpectSame(expected, Page{.items = std::move(held)}, "everything in \"" + index + "\"");
      if (HasFatalFailure()) return;
      most_[index] = std::max(most_[index], expected.items.size());
    }
  }

  TempDirectory directory_;
  std::optional<Database> db_;
  std::optional<Table> table_;
  QueryOutput page_;
  ReferenceTable model_;
  OperationGenerator generator_{&random_};
  std::size_t step_ = 0;
  std::map<std::size_t, std::size_t> outcomes_;  // how many writes came to which StatusCode
  std::map<std::string, std::size_t> most_;      // the most items that table and indexes ever held
};

TEST_F(ModelTest, TableDoesWhatAMapWouldDo) {
  const std::size_t steps = TestSteps(kSteps);
  for (step_ = 1; step_ <= steps; ++step_) {
    DoStep();
    if (HasFailure()) return;
    if (step_ % kStepsPerFullComparison == 0) CompareAll();
    if (HasFailure()) return;
    if (step_ % kStepsPerReopening == 0) Reopen();
    if (HasFailure()) return;
  }
  CompareAll();
  // A model test that never fails a condition or never fills an index proves little.
  if (steps < kSteps) return;
  for (const StatusCode code :
       {StatusCode::kOk, StatusCode::kValidation, StatusCode::kConditionalCheckFailed,
        StatusCode::kTransactionCanceled}) {
    EXPECT_GT(outcomes_[static_cast<std::size_t>(code)], kSteps / 200) << StatusCodeName(code);
  }
  for (const auto& [index, most] : most_) EXPECT_GT(most, 10u) << index;
}

}  // namespace
}  // namespace dolmen::test
