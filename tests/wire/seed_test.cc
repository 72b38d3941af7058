// Tests of seeds, which create tables with their items.

#include "dolmen/testing/seed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class SeedTest : public testing::Test {
 protected:
  // Returns the number of items in the table.
  std::size_t CountIn(const std::string& table) const {
    std::size_t count = 0;
    const Table opened = Value(database_.OpenTable(table));
    ItemRange items = opened.ScanAll({});
    for ([[maybe_unused]] const ItemView item : items) ++count;
    return count;
  }

  const Database database_ = Value(Database::InMemory({.expiry_lag = std::nullopt}));
};

// Returns the members of a table with the string key `id` and, if not empty, further members.
std::string SeedTable(const std::string& name, const std::string& members = "") {
  return R"({"TableName":")" + name +
         R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"id",)"
         R"("KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"id",)"
         R"("AttributeType":"S"}])" +
         (members.empty() ? "" : "," + members) + "}";
}
std::string Seed(const std::string& tables) { return R"({"Tables":[)" + tables + "]}"; }

TEST_F(SeedTest, CreatesTablesWithTheirItems) {
  ASSERT_THAT(
      LoadSeed(
          database_,
          Seed(SeedTable("app", R"("Items":[{"id":{"S":"a"},"n":{"N":"7"}},{"id":{"S":"b"}}])") +
               "," + SeedTable("empty"))),
      IsOk());
  EXPECT_EQ(CountIn("app"), 2);
  EXPECT_EQ(CountIn("empty"), 0);
  const auto read = Value(Value(database_.OpenTable("app")).GetItem({.key = {{"id", "a"}}}));
  EXPECT_EQ(Value(read.item->view().Copy()), (Item{{"id", "a"}, {"n", 7}}));
}

TEST_F(SeedTest, ATableIsARequestOfCreateTable) {
  ASSERT_THAT(
      LoadSeed(database_,
               Seed(SeedTable(
                   "app", R"("StreamSpecification":{"StreamEnabled":true,)"
                          R"("StreamViewType":"NEW_IMAGE"},"DeletionProtectionEnabled":true)"))),
      IsOk());
  const TableDescription table = Value(database_.DescribeTable("app"));
  EXPECT_EQ(table.partition_key, KeyAttribute{"id"});
  EXPECT_EQ(table.stream_specification->view_type, StreamViewType::kNewImage);
  EXPECT_TRUE(table.deletion_protection);
}

TEST_F(SeedTest, ATableMayHaveATimeToLive) {
  ASSERT_THAT(
      LoadSeed(database_, Seed(SeedTable("app", R"("TimeToLiveSpecification":{"Enabled":true,)"
                                                R"("AttributeName":"expires"})"))),
      IsOk());
  EXPECT_EQ(Value(database_.DescribeTimeToLive("app")).attribute_name, "expires");
}

TEST_F(SeedTest, ADataModelOfWorkbenchIsASeed) {
  ASSERT_THAT(
      LoadSeed(database_, R"({"DataModel":[{"TableName":"app","KeyAttributes":{"PartitionKey":)"
                          R"({"AttributeName":"id","AttributeType":"S"}},)"
                          R"("TableData":[{"id":{"S":"a"}}]}]})"),
      IsOk());
  EXPECT_EQ(CountIn("app"), 1);
}

TEST_F(SeedTest, ATextThatIsNoSeedIsRejected) {
  for (const char* json : {"", "{", "[]", "1", "{}", R"({"Tables":{}})", R"({"Tables":[]})"}) {
    EXPECT_THAT(LoadSeed(database_, json), StatusIs(StatusCode::kValidation, HasSubstr("the seed")))
        << json;
  }
}

TEST_F(SeedTest, AnErrorNamesTheTableAndLeavesNoTable) {
  const struct {
    std::string table;
    const char* says;
  } cases[] = {
      {R"({"TableName":"bad"})", "attributeDefinitions"},
      {SeedTable("bad", R"("Items":{})"), "Items must be a list"},
      {SeedTable("bad", R"("Items":[{"id":{"S":"a"}},{"id":{"S":1}}])"), "item 2"},
      {SeedTable(
           "bad",
           R"("Items":[{"id":{"S":"a"},"n":{"N":"1234567890123456789012345678901234567891"}}])"),
       R"(item 1: n: {"N":"1234567890123456789012345678901234567891"}: Attempting)"},
      {SeedTable("bad", R"("Items":[{"id":{"N":123456789012345678901234567890}}])"),
       "item 1: id: "},
      {SeedTable("bad", R"("Items":[{"name":{"S":"no key"}}])"), "item 1"},
      {SeedTable("bad", R"("TimeToLiveSpecification":{"Enabled":true})"), "AttributeName"},
  };
  for (const auto& [table, says] : cases) {
    EXPECT_THAT(LoadSeed(database_, Seed(SeedTable("good") + "," + table)),
                StatusIs(StatusCode::kValidation, AllOf(HasSubstr("table bad"), HasSubstr(says))));
    EXPECT_THAT(Value(database_.ListTables({})).table_names, IsEmpty());
  }
}

TEST_F(SeedTest, ATableThatExistsStaysAsItIs) {
  const std::string seed = Seed(SeedTable("app", R"("Items":[{"id":{"S":"a"}}])"));
  ASSERT_THAT(LoadSeed(database_, seed), IsOk());
  EXPECT_THAT(LoadSeed(database_, seed), StatusIs(StatusCode::kResourceInUse, testing::_));
  EXPECT_EQ(CountIn("app"), 1);
}

}  // namespace
}  // namespace dolmen::test
