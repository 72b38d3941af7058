// States of tables, indexes and times to live that last for a time on the database's clock.
// tests/wire/table_delay_test.cc tests new tables in DynamoDB's JSON.

#include <chrono>

#include "dolmen/wire.h"
#include "tests/simulate/fixture.h"

namespace dolmen::simulate {
namespace {

class TableStatesTest : public SimulateTest {
 protected:
  TableStatesTest() {
    Simulate(SimulateOptions{.delays = {.create_table = std::chrono::seconds(5),
                                        .update_table = std::chrono::seconds(5),
                                        .delete_table = std::chrono::seconds(5),
                                        .create_index = std::chrono::seconds(60),
                                        .time_to_live = std::chrono::seconds(5)}});
  }

  TableStatus StateOf(std::string_view table) const {
    return test::Value(db_.DescribeTable(table)).status;
  }
  Status Protect(bool on) const {
    return db_.UpdateTable({.name = "app", .deletion_protection = on}).status();
  }
  Status SetTimeToLive(bool enabled) const {
    return db_
        .UpdateTimeToLive(
            {.table_name = "app", .specification = {.enabled = enabled, .attribute_name = "ttl"}})
        .status();
  }
  TimeToLiveStatus TimeToLive() const { return test::Value(db_.DescribeTimeToLive("app")).status; }
  static auto IsInUse() { return StatusIs(StatusCode::kResourceInUse, _); }
};

TEST_F(TableStatesTest, ANewTableIsCreating) {
  const Table table = test::Value(db_.CreateTable({.name = "new"}));
  EXPECT_EQ(StateOf("new"), TableStatus::kCreating);
  EXPECT_EQ(StateOf("app"), TableStatus::kActive);
  EXPECT_THAT(table.PutItem({.item = KeyOf("a", "1")}), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(db_.OpenTable("new"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(db_.CreateTable({.name = "new"}), IsInUse());
  EXPECT_THAT(db_.DeleteTable("new"), IsInUse());
  clock_->Advance(std::chrono::seconds(5));
  EXPECT_EQ(StateOf("new"), TableStatus::kActive);
  EXPECT_THAT(table.PutItem({.item = KeyOf("a", "1")}), IsOk());
}

TEST_F(TableStatesTest, AnUpdatedTableCanBeUsedButNotChanged) {
  ASSERT_THAT(Protect(true), IsOk());
  EXPECT_EQ(StateOf("app"), TableStatus::kUpdating);
  EXPECT_THAT(Put("p", "9"), IsOk());
  EXPECT_THAT(Protect(false), IsInUse());
  EXPECT_THAT(db_.DeleteTable("app"), IsInUse());
  clock_->Advance(std::chrono::seconds(5));
  EXPECT_EQ(StateOf("app"), TableStatus::kActive);
  EXPECT_THAT(Protect(false), IsOk());
}

TEST_F(TableStatesTest, ADeletedTableIsDeleting) {
  ASSERT_THAT(db_.DeleteTable("app"), IsOk());
  EXPECT_EQ(StateOf("app"), TableStatus::kDeleting);
  EXPECT_THAT(Get("p", "1"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(db_.CreateTable({.name = "app"}), IsInUse());
  EXPECT_THAT(db_.DeleteTable("app"), IsInUse());
  clock_->Advance(std::chrono::seconds(5));
  EXPECT_THAT(db_.DescribeTable("app"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(db_.CreateTable({.name = "app"}), IsOk());
}

TEST_F(TableStatesTest, ANewIndexIsCreating) {
  ASSERT_THAT(
      db_.UpdateTable({.name = "app", .create_index = GlobalSecondaryIndex::Overloaded("GSI1")}),
      IsOk());
  ASSERT_THAT(table_.WaitForIndexes(), IsOk());
  const auto index = [this] {
    return test::Value(db_.DescribeTable("app")).global_secondary_indexes[0];
  };
  const auto query = [this] {
    return table_.Query({.index = "GSI1", .key_condition = Partition("g")}).status();
  };
  EXPECT_EQ(index().status, IndexStatus::kCreating);
  EXPECT_TRUE(index().backfill.has_value());
  EXPECT_THAT(query(), StatusIs(StatusCode::kValidation, testing::HasSubstr("backfilling")));
  EXPECT_THAT(table_.Query({.key_condition = Partition("p")}), IsOk());
  clock_->Advance(std::chrono::seconds(60));
  EXPECT_EQ(index().status, IndexStatus::kActive);
  EXPECT_THAT(query(), IsOk());
}

TEST_F(TableStatesTest, ATableWhoseIndexIsCreatingIsNotDeletedAndGetsNoOtherIndex) {
  const auto add_index = [this](const std::string& name) {
    return db_.UpdateTable({.name = "app", .create_index = GlobalSecondaryIndex::Overloaded(name)})
        .status();
  };
  ASSERT_THAT(add_index("GSI1"), IsOk());
  ASSERT_THAT(table_.WaitForIndexes(), IsOk());
  clock_->Advance(std::chrono::seconds(5));
  EXPECT_EQ(StateOf("app"), TableStatus::kActive);
  EXPECT_THAT(db_.DeleteTable("app"),
              StatusIs(StatusCode::kResourceInUse,
                       "Cannot delete table while indexes are being created, updated, or deleted"));
  EXPECT_THAT(add_index("GSI2"),
              StatusIs(StatusCode::kLimitExceeded,
                       "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                       "simultaneously per table"));
  clock_->Advance(std::chrono::seconds(55));
  ASSERT_THAT(add_index("GSI2"), IsOk());
  clock_->Advance(std::chrono::seconds(60));
  EXPECT_THAT(db_.DeleteTable("app"), IsOk());
}

TEST_F(TableStatesTest, ATimeToLiveSettles) {
  ASSERT_THAT(SetTimeToLive(true), IsOk());
  EXPECT_EQ(TimeToLive(), TimeToLiveStatus::kEnabling);
  EXPECT_THAT(SetTimeToLive(false), StatusIs(StatusCode::kValidation, _));
  clock_->Advance(std::chrono::seconds(5));
  ASSERT_THAT(SetTimeToLive(false), IsOk());
  EXPECT_EQ(TimeToLive(), TimeToLiveStatus::kDisabling);
  clock_->Advance(std::chrono::seconds(5));
  EXPECT_EQ(TimeToLive(), TimeToLiveStatus::kDisabled);
}

TEST_F(TableStatesTest, TheWireWritesTheStates) {
  const Endpoint endpoint(db_);
  const auto describe = [&] {
    return endpoint.Execute("DescribeTable", R"({"TableName":"app"})").body;
  };
  ASSERT_THAT(Protect(false), IsOk());
  EXPECT_THAT(describe(), testing::HasSubstr(R"("TableStatus":"UPDATING")"));
  clock_->Advance(std::chrono::seconds(5));
  ASSERT_THAT(db_.DeleteTable("app"), IsOk());
  EXPECT_THAT(describe(), testing::HasSubstr(R"("TableStatus":"DELETING")"));
}

}  // namespace
}  // namespace dolmen::simulate
