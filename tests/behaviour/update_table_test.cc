// Tests of changes of tables: indexes created and deleted on a live table, tables described, listed
// and deleted.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.html

#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

const GlobalSecondaryIndex kByColour{.name = "by_colour", .partition_key = {{.name = "colour"}}};

class UpdateTableTest : public testing::Test {
 protected:
  void SetUp() override {
    auto table = db_->CreateTable({.name = "things"});
    ASSERT_THAT(table, IsOk());
    table_ = *table;
  }

  void PutThings(int count, const AttributeValue& colour = "red") {
    for (int i = 0; i < count; ++i) {
      ASSERT_THAT(table_->PutItem({.item = {{"PK", "p" + std::to_string(i % 7)},
                                            {"SK", std::to_string(i)},
                                            {"colour", colour}}}),
                  IsOk());
    }
  }

  std::uint32_t Count(const std::string& index, const AttributeValue& partition) {
    const auto page = table_->Query(
        {.index = index, .key_condition = Partition(partition), .select = Select::kCount});
    EXPECT_THAT(page, IsOk());
    return page.ok() ? page->count() : 0;
  }

  Status AddIndex(const GlobalSecondaryIndex& index) {
    return db_->UpdateTable({.name = "things", .create_index = index}).status();
  }
  Status DropIndex(const std::string& name) {
    return db_->UpdateTable({.name = "things", .delete_index = name}).status();
  }

  Result<Database> db_ = Database::InMemory();
  std::optional<Table> table_;
};

TEST_F(UpdateTableTest, ANewIndexHoldsTheExistingItems) {
  PutThings(500);
  ASSERT_THAT(AddIndex(kByColour), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  EXPECT_EQ(Count("by_colour", "red"), 500u);
  const auto description = db_->DescribeTable("things");
  ASSERT_THAT(description, IsOk());
  ASSERT_EQ(description->global_secondary_indexes.size(), 1u);
  EXPECT_EQ(description->global_secondary_indexes[0].index, kByColour);
  EXPECT_EQ(description->global_secondary_indexes[0].status, IndexStatus::kActive);
  EXPECT_FALSE(description->global_secondary_indexes[0].backfill.has_value());
}

// A table handle that was opened before the index was created writes to the index, too.
TEST_F(UpdateTableTest, ANewIndexFollowsLaterWrites) {
  PutThings(20);
  ASSERT_THAT(AddIndex(kByColour), IsOk());
  PutThings(10, "blue");
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  PutThings(5, "green");
  EXPECT_EQ(Count("by_colour", "red"), 10u);
  EXPECT_EQ(Count("by_colour", "blue"), 5u);
  EXPECT_EQ(Count("by_colour", "green"), 5u);
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.OnlineOps.ViolationDetection.html
TEST_F(UpdateTableTest, ABackfillLeavesOutItemsThatTheIndexCannotHold) {
  PutThings(3);
  const Item wrong{{"PK", "wrong"}, {"SK", "type"}, {"colour", 7}};
  const Item empty{{"PK", "wrong"}, {"SK", "empty"}, {"colour", ""}};
  const Item large{{"PK", "wrong"}, {"SK", "large"}, {"colour", std::string(2049, 'x')}};
  for (const Item& item : {wrong, empty, large}) {
    ASSERT_THAT(table_->PutItem({.item = item}), IsOk());
  }
  ASSERT_THAT(AddIndex(kByColour), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  const auto entries = table_->Scan({.index = "by_colour"});
  ASSERT_THAT(entries, IsOk());
  EXPECT_EQ(entries->count(), 3u);

  // The index exists now, so PutItem rejects an item with an invalid index key value. The table
  // still holds items with invalid values from the time before the index. UpdateItem accepts an
  // update of these items if the update leaves the index key value unchanged.
  EXPECT_THAT(table_->PutItem({.item = wrong}),
              StatusIs(kValidation, HasSubstr("Type mismatch for Index Key colour")));
  const auto update = [&](const std::string& sort, const std::string& expression, int value) {
    return table_->UpdateItem(
        {.key = {{"PK", "wrong"}, {"SK", sort}}, .update = expression, .values = {{":v", value}}});
  };
  EXPECT_THAT(update("type", "SET n = :v", 1), IsOk());
  EXPECT_THAT(update("empty", "SET n = :v", 1), IsOk());
  EXPECT_THAT(update("large", "SET n = :v", 1), IsOk());
  EXPECT_THAT(update("type", "SET colour = :v", 1),
              StatusIs(kValidation, HasSubstr("Type mismatch for Index Key colour")));
  EXPECT_THAT(table_->UpdateItem({.key = {{"PK", "wrong"}, {"SK", "type"}},
                                  .update = "SET colour = :v",
                                  .values = {{":v", "blue"}}}),
              IsOk());
  EXPECT_EQ(Count("by_colour", "blue"), 1u);
  EXPECT_THAT(table_->DeleteItem({.key = {{"PK", "wrong"}, {"SK", "large"}}}), IsOk());
}

TEST_F(UpdateTableTest, ADeletedIndexIsGoneAtOnceAndItsNameCanBeUsedAgain) {
  PutThings(100);
  ASSERT_THAT(AddIndex(kByColour), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  ASSERT_THAT(DropIndex("by_colour"), IsOk());
  EXPECT_THAT(table_->Query({.index = "by_colour", .key_condition = Partition("red")}),
              StatusIs(kValidation, "The table does not have the specified index: by_colour"));
  PutThings(50, 7);  // the deleted index would reject a number
  GlobalSecondaryIndex numbers = kByColour;
  numbers.partition_key[0].type = AttributeType::kN;
  ASSERT_THAT(AddIndex(numbers), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  EXPECT_EQ(Count("by_colour", 7), 50u);
}

TEST_F(UpdateTableTest, AnIndexMayBeDeletedWhileItIsBuilt) {
  PutThings(2000);
  for (int i = 0; i < 20; ++i) {
    ASSERT_THAT(AddIndex(kByColour), IsOk());
    ASSERT_THAT(DropIndex("by_colour"), IsOk());
  }
  ASSERT_THAT(AddIndex(kByColour), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  EXPECT_EQ(Count("by_colour", "red"), 2000u);
}

TEST_F(UpdateTableTest, UpdateTableRejectsInvalidChanges) {
  EXPECT_THAT(db_->UpdateTable({.name = "things"}),
              StatusIs(kValidation, HasSubstr("At least one of ProvisionedThroughput")));
  EXPECT_THAT(db_->UpdateTable({.name = "none", .create_index = kByColour}),
              StatusIs(StatusCode::kResourceNotFound,
                       "Requested resource not found: Table: none not found"));
  EXPECT_THAT(DropIndex("none"), StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
  EXPECT_THAT(
      db_->UpdateTable({.name = "things", .create_index = kByColour, .delete_index = "by_colour"}),
      StatusIs(StatusCode::kLimitExceeded,
               "Subscriber limit exceeded: Only 1 online index can be created or deleted "
               "simultaneously per table"));
  ASSERT_THAT(AddIndex(kByColour), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  EXPECT_THAT(AddIndex(kByColour),
              StatusIs(kValidation, "Attempting to create an index which already exists"));
  GlobalSecondaryIndex other{.name = "other", .partition_key = {{"colour", AttributeType::kN}}};
  EXPECT_THAT(
      AddIndex(other),
      StatusIs(kValidation,
               "One or more parameter values were invalid: Attributes cannot be redefined. Please "
               "check that your attribute has the same type as previously defined. Existing "
               "schema: [colour: S]; new schema: [colour: N]"));
}

TEST_F(UpdateTableTest, ATableHasAtMostTwentyGlobalIndexes) {
  for (int i = 0; i < 20; ++i) {
    const std::string name = "index" + std::to_string(i);
    ASSERT_THAT(AddIndex({.name = name, .partition_key = {{name}}}), IsOk());
    ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  }
  EXPECT_THAT(AddIndex(kByColour),
              StatusIs(StatusCode::kLimitExceeded, HasSubstr("exceeds the per-table limit of 20")));
}

TEST_F(UpdateTableTest, ADeletedTableIsGoneForAllItsHandles) {
  PutThings(10);
  const Table handle = *table_;
  ASSERT_THAT(db_->DeleteTable("things"), IsOk());
  const auto missing = StatusIs(StatusCode::kResourceNotFound, "Requested resource not found");
  EXPECT_THAT(handle.GetItem({.key = {{"PK", "p"}, {"SK", "s"}}}), missing);
  EXPECT_THAT(handle.PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}), missing);
  EXPECT_THAT(handle.Query({.key_condition = Partition("p0")}), missing);
  EXPECT_THAT(handle.Scan({}), missing);
  EXPECT_THAT(
      handle.WaitForIndexes(),
      StatusIs(StatusCode::kResourceNotFound, testing::StartsWith("Requested resource not found")));
  EXPECT_THAT(db_->OpenTable("things"), missing);
  EXPECT_THAT(db_->TransactWriteItems(
                  {.actions = {{handle, PutItemInput{.item = {{"PK", "p"}, {"SK", "s"}}}}}}),
              missing);
  EXPECT_THAT(db_->DeleteTable("things"),
              StatusIs(StatusCode::kResourceNotFound,
                       "Requested resource not found: Table: things not found"));

  const auto again = db_->CreateTable({.name = "things"});
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->Scan({})->count(), 0u);
}

TEST_F(UpdateTableTest, AHandleOfADeletedTableDoesNotReachALaterTable) {
  const Table handle = *table_;
  ASSERT_THAT(db_->DeleteTable("things"), IsOk());
  ASSERT_THAT(db_->CreateTable({.name = "things"}), IsOk());
  EXPECT_THAT(handle.Scan({}),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
}

TEST_F(UpdateTableTest, DeletionProtectionPreventsDeleteTable) {
  ASSERT_THAT(db_->UpdateTable({.name = "things", .deletion_protection = true}), IsOk());
  EXPECT_TRUE(db_->DescribeTable("things")->deletion_protection);
  EXPECT_THAT(db_->DeleteTable("things"),
              StatusIs(kValidation,
                       "Resource cannot be deleted as it is currently protected against deletion. "
                       "Disable deletion protection first."));
  ASSERT_THAT(db_->UpdateTable({.name = "things", .deletion_protection = false}), IsOk());
  EXPECT_THAT(db_->DeleteTable("things"), IsOk());
}

TEST_F(UpdateTableTest, ATableMayBeDeletedWhileAnIndexIsBuilt) {
  for (int i = 0; i < 10; ++i) {
    PutThings(1000);
    ASSERT_THAT(AddIndex(kByColour), IsOk());
    ASSERT_THAT(db_->DeleteTable("things"), IsOk());
    auto table = db_->CreateTable({.name = "things"});
    ASSERT_THAT(table, IsOk());
    table_ = *table;
    EXPECT_EQ(table_->Scan({})->count(), 0u);
  }
}

TEST_F(UpdateTableTest, ListTablesReturnsNamesInOrderAndByPages) {
  for (const char* name : {"zebra", "Ant", "bee", "cat"}) {
    ASSERT_THAT(db_->CreateTable({.name = name}), IsOk());
  }
  const auto all = db_->ListTables();
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(all->table_names, ElementsAre("Ant", "bee", "cat", "things", "zebra"));
  EXPECT_EQ(all->last_evaluated_table_name, "");
  const auto first = db_->ListTables({.limit = 2});
  EXPECT_THAT(first->table_names, ElementsAre("Ant", "bee"));
  EXPECT_EQ(first->last_evaluated_table_name, "bee");
  EXPECT_THAT(db_->ListTables({.exclusive_start_table_name = "bus"})->table_names,
              ElementsAre("cat", "things", "zebra"));
  EXPECT_THAT(db_->ListTables({.limit = 0}), StatusIs(kValidation, HasSubstr("limit")));
  EXPECT_THAT(db_->ListTables({.limit = 101}), StatusIs(kValidation, HasSubstr("limit")));
}

TEST(DescribeTableTest, DescribeTableReturnsTheInputOfCreateTable) {
  auto db = Database::InMemory({.clock = std::make_shared<ManualClock>(Timestamp())});
  ASSERT_THAT(db, IsOk());
  const CreateTableInput input{
      .name = "described",
      .partition_key = {"p", AttributeType::kB},
      .sort_key = KeyAttribute{"s", AttributeType::kN},
      .global_secondary_indexes = {{.name = "global",
                                    .partition_key = {{"a"}, {"b", AttributeType::kN}},
                                    .sort_key = {{"c"}, {"d"}, {"e"}, {"f"}},
                                    .projection = ProjectionType::kInclude,
                                    .non_key_attributes = {"x", "y"}}},
      .local_secondary_indexes = {{.name = "local",
                                   .sort_key = {"l"},
                                   .projection = ProjectionType::kKeysOnly}},
      .deletion_protection = true};
  ASSERT_THAT(db->CreateTable(input), IsOk());
  const auto description = db->DescribeTable("described");
  ASSERT_THAT(description, IsOk());
  EXPECT_EQ(description->name, "described");
  EXPECT_EQ(description->partition_key, input.partition_key);
  EXPECT_EQ(description->sort_key, input.sort_key);
  ASSERT_EQ(description->global_secondary_indexes.size(), 1u);
  EXPECT_EQ(description->global_secondary_indexes[0].index, input.global_secondary_indexes[0]);
  ASSERT_EQ(description->local_secondary_indexes.size(), 1u);
  EXPECT_EQ(description->local_secondary_indexes[0].index, input.local_secondary_indexes[0]);
  EXPECT_TRUE(description->deletion_protection);
  EXPECT_EQ(description->created_at, Timestamp());
}

TEST(UpdateTableOnDiskTest, ChangesSurviveReopeningAndTheBackfillResumes) {
  const test::TempDirectory directory;
  const auto open = [&] { return Database::Open(directory / "db"); };
  {
    auto db = open();
    ASSERT_THAT(db, IsOk());
    for (const char* name : {"kept", "dropped"}) {
      auto table = db->CreateTable({.name = name});
      ASSERT_THAT(table, IsOk());
      for (int i = 0; i < 300; ++i) {
        ASSERT_THAT(
            table->PutItem({.item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"colour", "red"}}}),
            IsOk());
      }
    }
    ASSERT_THAT(db->DeleteTable("dropped"), IsOk());
    ASSERT_THAT(db->UpdateTable({.name = "kept", .create_index = kByColour}), IsOk());
  }  // the database closes during the backfill
  auto db = open();
  ASSERT_THAT(db, IsOk());
  EXPECT_THAT(db->ListTables()->table_names, ElementsAre("kept"));
  const auto table = db->OpenTable("kept");
  ASSERT_THAT(table, IsOk());
  ASSERT_THAT(table->WaitForIndexes(), IsOk());
  EXPECT_EQ(table->Query({.index = "by_colour", .key_condition = Partition("red")})->count(), 300u);
}

}  // namespace
}  // namespace dolmen::behaviour
