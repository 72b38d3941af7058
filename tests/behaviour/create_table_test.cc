// Tests of CreateTable and OpenTable.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html

#include <string>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

using CreateTableTest = TableTest;

TEST_F(CreateTableTest, RejectsTheNameOfAnExistingTable) {
  EXPECT_THAT(database().CreateTable({.name = "twice"}), IsOk());
  EXPECT_THAT(database().CreateTable({.name = "twice"}),
              StatusIs(StatusCode::kResourceInUse, "Table already exists: twice"));
  EXPECT_THAT(database().OpenTable("twice"), IsOk());
  EXPECT_THAT(database().OpenTable("never"),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
}

// An item of one table is not visible in another table, even under the same key.
TEST_F(CreateTableTest, SeparatesTheItemsOfTables) {
  const auto a = database().CreateTable({.name = "apart-a"});
  const auto b = database().CreateTable({.name = "apart-b"});
  ASSERT_THAT(a, IsOk());
  ASSERT_THAT(b, IsOk());
  EXPECT_THAT(a->PutItem({.item = {{"PK", "p"}, {"SK", "s"}}}), IsOk());
  EXPECT_EQ(b->Query({.key_condition = Partition("p")})->size(), 0u);
  EXPECT_FALSE(b->GetItem({.key = {{"PK", "p"}, {"SK", "s"}}})->item);
}

TEST_F(CreateTableTest, RejectsInvalidNamesOfTablesAndIndexes) {
  for (const std::string& name : {std::string("ab"), std::string(), std::string(256, 'x')}) {
    EXPECT_THAT(database().CreateTable({.name = name}),
                StatusIs(kValidation,
                         "TableName must be at least 3 characters long and at most "
                         "255 characters long"));
  }
  EXPECT_THAT(database().CreateTable({.name = "a table"}),
              StatusIs(kValidation, HasSubstr("[a-zA-Z0-9_.-]+")));
  EXPECT_THAT(
      database().CreateTable({.name = "names", .global_secondary_indexes = {{.name = "ix"}}}),
      StatusIs(kValidation, HasSubstr("IndexName")));
}

TEST_F(CreateTableTest, RejectsInvalidKeysAndTooManyIndexes) {
  const auto with = [](KeyAttribute partition, std::optional<KeyAttribute> sort,
                       std::vector<GlobalSecondaryIndex> indexes = {}) {
    CreateTableInput input;
    input.name = "keys";
    input.partition_key = std::move(partition);
    input.sort_key = std::move(sort);
    input.global_secondary_indexes = std::move(indexes);
    return database().CreateTable(input);
  };
  EXPECT_THAT(with({"a", AttributeType::kL}, std::nullopt), StatusIs(kValidation, HasSubstr("a")));
  EXPECT_THAT(with({"", AttributeType::kS}, std::nullopt), StatusIs(kValidation, testing::_));
  EXPECT_THAT(with({"a"}, KeyAttribute{"a"}),
              StatusIs(kValidation, HasSubstr("have the same name")));
  EXPECT_THAT(with({"a"}, std::nullopt, {{"index", {{"a", AttributeType::kN}}}}),
              StatusIs(kValidation, HasSubstr("Duplicate AttributeName")));
  EXPECT_THAT(with({"a"}, std::nullopt, {{"index", {{"b"}}}, {"index", {{"c"}}}}),
              StatusIs(kValidation,
                       "One or more parameter values were invalid: Duplicate index name: index"));
  std::vector<GlobalSecondaryIndex> many(21, {"", {{"b"}}});
  for (std::size_t i = 0; i < many.size(); ++i) many[i].name = "index" + std::to_string(i);
  EXPECT_THAT(with({"a"}, std::nullopt, many),
              StatusIs(kValidation, HasSubstr("exceeds the per-table limit of 20")));
}

TEST_F(CreateTableTest, AcceptsStringNumberAndBinaryKeys) {
  for (const AttributeType type : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    CreateTableInput input;
    input.name = "typed-" + std::string(AttributeTypeName(type));
    input.partition_key = {"PK", type};
    input.sort_key = KeyAttribute{"SK", type};
    EXPECT_THAT(database().CreateTable(input), IsOk());
  }
  const auto binary = database().OpenTable("typed-B");
  ASSERT_THAT(binary, IsOk());
  EXPECT_THAT(binary->PutItem({.item = {{"PK", Binary{"p"}}, {"SK", Binary{"s"}}}}), IsOk());
  EXPECT_EQ(binary->Query({.key_condition = Partition(Binary{"p"})})->size(), 1u);
}

}  // namespace
}  // namespace dolmen::behaviour
