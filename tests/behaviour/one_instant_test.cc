// Tests that an operation asks the clock once. All parts of a request then agree on whether an item
// has expired. The clock of these tests advances by a second at each call.

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"

namespace dolmen::behaviour {
namespace {

using std::chrono::seconds;

// A clock that advances by a second at each call of Now(). It begins to advance when Start() is
// called.
class AdvancingClock : public Clock {
 public:
  Timestamp Now() override { return kStart + seconds(started_ ? calls_.fetch_add(1) : 0); }
  void Start() {
    calls_ = 0;
    started_ = true;
  }
  int calls() const { return calls_; }

 private:
  static constexpr Timestamp kStart{std::chrono::hours(500'000)};
  std::atomic<bool> started_ = false;
  std::atomic<int> calls_ = 0;
};

// A fixture with two tables that hide expired items and have streams. All items expire one second
// after the clock starts to advance, so only the first call of Now() sees them.
class OneInstantTest : public testing::Test {
 protected:
  static constexpr int kItems = 10;

  void SetUp() override {
    auto database = Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt});
    ASSERT_THAT(database, IsOk());
    database_ = *std::move(database);
    for (const std::string name : {"first", "second"}) {
      auto table = database_->CreateTable(
          {.name = name,
           .stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}}});
      ASSERT_THAT(table, IsOk());
      ASSERT_THAT(database_->UpdateTimeToLive(
                      {.table_name = name,
                       .specification = {.attribute_name = "expires", .hide_expired = true}}),
                  IsOk());
      ASSERT_THAT(table->WaitForIndexes(), IsOk());
      tables_.push_back(*std::move(table));
    }
    const auto expires = std::chrono::floor<seconds>(clock_->Now().time_since_epoch()).count() + 1;
    for (int i = 0; i < kItems; ++i) {
      Item item = Key(i);
      item.emplace("expires", expires);
      ASSERT_THAT(TableOf(i).PutItem({.item = item}), IsOk());
    }
    clock_->Start();
  }

  const Database& database() const { return *database_; }
  AdvancingClock& clock() const { return *clock_; }
  const Table& TableOf(int i) const { return tables_[static_cast<std::size_t>(i % 2)]; }
  static Item Key(int i) { return {{"PK", "p"}, {"SK", "s" + std::to_string(i)}}; }

  // Returns a transaction that updates all items and succeeds only if it sees all of them.
  TransactWriteItemsInput UpdateAll() const {
    TransactWriteItemsInput input;
    for (int i = 0; i < kItems; ++i) {
      input.actions.push_back({.table = TableOf(i),
                               .action = UpdateItemInput{.key = Key(i),
                                                         .update = "SET n = :n",
                                                         .condition = "attribute_exists(PK)",
                                                         .values = {{":n", i}}}});
    }
    return input;
  }

 private:
  const std::shared_ptr<AdvancingClock> clock_ = std::make_shared<AdvancingClock>();
  std::optional<Database> database_;
  std::vector<Table> tables_;
};

TEST_F(OneInstantTest, ATransactionJudgesAllItemsAtOneInstant) {
  EXPECT_THAT(database().TransactWriteItems(UpdateAll()), IsOk());
  EXPECT_EQ(clock().calls(), 1);
}

TEST_F(OneInstantTest, ATransactionWithATokenJudgesAllItemsAtOneInstant) {
  TransactWriteItemsInput input = UpdateAll();
  input.client_request_token = "token";
  EXPECT_THAT(database().TransactWriteItems(input), IsOk());
  EXPECT_EQ(clock().calls(), 1);
}

TEST_F(OneInstantTest, ASingleWriteAsksTheClockOnce) {
  EXPECT_THAT(TableOf(0).PutItem({.item = Key(0), .condition = "attribute_exists(PK)"}), IsOk());
  EXPECT_EQ(clock().calls(), 1);
}

TEST_F(OneInstantTest, ATransactionalReadJudgesAllItemsAtOneInstant) {
  TransactGetItemsInput input;
  for (int i = 0; i < kItems; ++i) input.items.push_back({.table = TableOf(i), .key = Key(i)});
  const auto output = database().TransactGetItems(input);
  ASSERT_THAT(output, IsOk());
  for (const std::optional<StoredItem>& item : output->items) EXPECT_TRUE(item);
  EXPECT_EQ(clock().calls(), 1);
}

TEST_F(OneInstantTest, ABatchReadJudgesAllTablesAtOneInstant) {
  const auto output =
      database().BatchGetItem({.requests = {{.table = TableOf(0), .keys = {Key(0)}},
                                            {.table = TableOf(1), .keys = {Key(1)}}}});
  ASSERT_THAT(output, IsOk());
  for (const std::vector<StoredItem>& items : output->responses) EXPECT_EQ(items.size(), 1u);
  EXPECT_EQ(clock().calls(), 1);
}

}  // namespace
}  // namespace dolmen::behaviour
