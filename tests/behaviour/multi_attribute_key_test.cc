// Tests of global secondary indexes with up to four attributes in each of their two keys.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html

#include <optional>
#include <string>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

class MultiAttributeKeyTest : public testing::Test {
 protected:
  void SetUp() override {
    auto table = db_->CreateTable(
        {.name = "matches",
         .partition_key = {"id"},
         .sort_key = std::nullopt,
         .global_secondary_indexes = {
             {.name = "by_round",
              .partition_key = {{"tournament"}, {"region"}},
              .sort_key = {{"round"}, {"table", AttributeType::kN}, {"player"}}}}});
    ASSERT_THAT(table, IsOk());
    table_ = *table;
    Put("1", "WINTER", "EU", "FINAL", 2, "ann");
    Put("2", "WINTER", "EU", "FINAL", 10, "bob");
    Put("3", "WINTER", "EU", "FINAL", 2, "cyd");
    Put("4", "WINTER", "EU", "SEMI", 1, "dan");
    Put("5", "WINTER", "US", "FINAL", 1, "eve");
    // Item "6" and item "1" have different index keys. But the concatenated values of the two index
    // keys are equal, so an ambiguous encoding would mix up the items.
    Put("6", "WINT", "EREU", "FINAL", 2, "ann");
  }

  void Put(const char* id, const char* tournament, const char* region, const char* round, int table,
           const char* player) {
    ASSERT_THAT(table_->PutItem({.item = {{"id", id},
                                          {"tournament", tournament},
                                          {"region", region},
                                          {"round", round},
                                          {"table", table},
                                          {"player", player}}}),
                IsOk());
  }

  // Returns the names of the placeholders #table and #region, if the condition uses them. `table`
  // and `region` are reserved words.
  static Names NamesIn(const std::string& condition) {
    Names names;
    for (const char* name : {"table", "region"}) {
      const std::string token = std::string("#") + name;
      if (condition.find(token) != condition.npos) names.emplace(token, name);
    }
    return names;
  }

  std::vector<std::string> Ids(const std::string& condition, const Values& values,
                               std::uint32_t limit = 100, bool forward = true) {
    std::vector<std::string> ids;
    const QueryInput input{.index = "by_round",
                           .key_condition = condition,
                           .names = NamesIn(condition),
                           .values = values,
                           .forward = forward,
                           .limit = limit};
    test::VisitItems(*table_, input,
                     [&](ItemView item) { ids.emplace_back(*item["id"].AsString()); });
    return ids;
  }

  Result<Database> db_ = Database::InMemory();
  std::optional<Table> table_;
};

const Values kWinterInEurope = {{":t", "WINTER"}, {":r", "EU"}};

Values With(Values values, const Values& more) {
  values.insert(more.begin(), more.end());
  return values;
}

TEST_F(MultiAttributeKeyTest, AnIndexOrdersItemsByEachSortKeyAttributeInTurn) {
  for (const std::uint32_t limit : {1u, 2u, 100u}) {
    EXPECT_THAT(Ids("tournament = :t AND #region = :r", kWinterInEurope, limit),
                ElementsAre("1", "3", "2", "4"));
    EXPECT_THAT(Ids("tournament = :t AND #region = :r", kWinterInEurope, limit, false),
                ElementsAre("4", "2", "3", "1"));
  }
}

TEST_F(MultiAttributeKeyTest, AKeyConditionNamesSortKeyAttributesFromLeftToRight) {
  const std::string partition = "tournament = :t AND #region = :r";
  EXPECT_THAT(Ids(partition + " AND round = :o", With(kWinterInEurope, {{":o", "FINAL"}})),
              ElementsAre("1", "3", "2"));
  EXPECT_THAT(Ids(partition + " AND begins_with(round, :o)", With(kWinterInEurope, {{":o", "S"}})),
              ElementsAre("4"));
  EXPECT_THAT(Ids(partition + " AND round = :o AND #table > :n",
                  With(kWinterInEurope, {{":o", "FINAL"}, {":n", 2}})),
              ElementsAre("2"));
  EXPECT_THAT(Ids(partition + " AND round = :o AND #table = :n AND player BETWEEN :a AND :b",
                  With(kWinterInEurope, {{":o", "FINAL"}, {":n", 2}, {":a", "b"}, {":b", "d"}})),
              ElementsAre("3"));
}

TEST_F(MultiAttributeKeyTest, AKeyConditionBuilderNamesSeveralKeyAttributes) {
  const auto page =
      table_->Query({.index = "by_round",
                     .key_condition = Key("tournament") == "WINTER" && Key("region") == "EU" &&
                                      Key("round") == "FINAL" && Key("table") < 10});
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->count(), 2u);
}

// A key condition must name all attributes of the partition key. If it names an attribute
// of the sort key, it must also name all earlier attributes of the sort key.
TEST_F(MultiAttributeKeyTest, QueryRejectsGapsInTheKey) {
  const std::string partition = "tournament = :v AND #region = :v";
  const auto must_equal = [](const std::string& part, const std::string& missing,
                             const std::string& present) {
    return part + " key attributes " + missing +
           " must have equality conditions specified in the query" +
           (present.empty() ? "" : " because a condition is present on key attribute " + present);
  };
  struct Row {
    std::string condition;
    std::string error;
  };
  for (const auto& [condition, error] : std::vector<Row>{
           {"tournament = :v", must_equal("HASH", "region", "")},
           {"#region = :v", must_equal("HASH", "tournament", "")},
           {"tournament = :v AND round = :v", must_equal("HASH", "region", "")},
           {"round = :v AND player = :v", must_equal("HASH", "tournament, region", "")},
           {"tournament < :v AND #region = :v", must_equal("HASH", "tournament", "")},
           {partition + " AND player = :v", must_equal("RANGE", "round, table", "player")},
           {partition + " AND round > :v AND player = :v",
            must_equal("RANGE", "round, table", "player")},
           {partition + " AND round > :v AND #table = :n", must_equal("RANGE", "round", "table")},
           {"tournament = :v AND #region > :v", must_equal("HASH", "region", "")},
           {"other_ = :v", "Query condition missed key schema element: tournament"},
       }) {
    Values values;
    if (condition.find(":v") != condition.npos) values[":v"] = "x";
    if (condition.find(":n") != condition.npos) values[":n"] = 1;
    EXPECT_THAT(table_->Query({.index = "by_round",
                               .key_condition = condition,
                               .names = NamesIn(condition),
                               .values = values}),
                StatusIs(kValidation, error))
        << condition;
  }
}

// Partition holds one value, so it cannot describe a partition key of several attributes.
TEST_F(MultiAttributeKeyTest, QueryRejectsATypedConditionOnSeveralAttributes) {
  EXPECT_THAT(table_->Query({.index = "by_round", .key_condition = Partition("WINTER")}),
              StatusIs(kValidation, HasSubstr("several attributes")));
}

TEST_F(MultiAttributeKeyTest, AStatementCannotReadTheIndex) {
  const std::string refused =
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
      "multi-attribute RANGE keys.";
  const std::string from = " FROM matches.by_round";
  for (const std::string& statement :
       {"SELECT *" + from, "SELECT *" + from + " WHERE tournament='WINTER' AND \"region\"='EU'",
        "SELECT *" + from + " WHERE tournament=1", "SELECT COUNT(*)" + from,
        "SELECT *" + from + " ORDER BY id"}) {
    EXPECT_THAT(db_->Execute(statement), StatusIs(kValidation, refused)) << statement;
  }
  ExecuteStatementOutput output;
  EXPECT_THAT(
      db_->ExecuteStatement({.statement = "SELECT *" + from, .consistent_read = true}, &output),
      StatusIs(kValidation, refused));
  // Errors that come before.
  EXPECT_THAT(db_->Execute("SELECT * FROM matches.by_round WHERE").status().message(),
              testing::StartsWith("Statement wasn't well formed"));
  EXPECT_THAT(db_->Execute("SELECT *" + from + " WHERE tournament=1e126").status().message(),
              testing::StartsWith("Number overflow"));
  EXPECT_THAT(db_->Execute("SELECT *" + from + " WHERE tournament=?").status().message(),
              testing::StartsWith("Number of parameters"));
  EXPECT_THAT(db_->Execute("SELECT * FROM nosuch.by_round").status().code(),
              StatusCode::kResourceNotFound);
  // In a batch only the statement fails.
  const auto batch = db_->BatchExecuteStatement(
      {.statements = {{.statement = "SELECT *" + from},
                      {.statement = "SELECT id FROM matches WHERE id='1'"}}});
  ASSERT_THAT(batch, IsOk());
  EXPECT_THAT(batch->responses[0].status, StatusIs(kValidation, refused));
  EXPECT_THAT(batch->responses[1].status, IsOk());
}

TEST_F(MultiAttributeKeyTest, AStatementReadsAndWritesTheTableOfTheIndex) {
  EXPECT_THAT(db_->Execute("SELECT * FROM matches WHERE id='1'"), IsOk());
  EXPECT_THAT(db_->Execute("INSERT INTO matches VALUE {'id':'7'}"), IsOk());
  EXPECT_THAT(db_->Execute("UPDATE matches SET round='SEMI' WHERE id='1'"), IsOk());
  EXPECT_THAT(db_->Execute("DELETE FROM matches WHERE id='1'"), IsOk());
}

TEST_F(MultiAttributeKeyTest, AnItemWithoutOneKeyAttributeIsNotInTheIndex) {
  for (const char* attribute : {"tournament", "region", "round", "player"}) {
    ASSERT_THAT(table_->UpdateItem(
                    {.key = {{"id", "5"}}, .update = "REMOVE #a", .names = {{"#a", attribute}}}),
                IsOk());
    EXPECT_EQ(table_->Scan({.index = "by_round"})->count(), 5u) << attribute;
    ASSERT_THAT(table_->UpdateItem({.key = {{"id", "5"}},
                                    .update = "SET #a = :v",
                                    .names = {{"#a", attribute}},
                                    .values = {{":v", "x"}}}),
                IsOk());
    EXPECT_EQ(table_->Scan({.index = "by_round"})->count(), 6u) << attribute;
  }
}

// The attributes of the partition key have at most 2048 bytes together. Every write that would
// exceed this limit is rejected, whichever attribute it adds.
TEST_F(MultiAttributeKeyTest, ThePartitionKeyAttributesTogetherHaveAtMost2048Bytes) {
  Item item{{"id", "7"},
            {"tournament", std::string(2048, 'y')},
            {"round", "FINAL"},
            {"table", 1},
            {"player", "fay"}};
  ASSERT_THAT(table_->PutItem({.item = item}), IsOk());
  EXPECT_THAT(table_->UpdateItem({.key = {{"id", "7"}},
                                  .update = "SET #region = :r",
                                  .names = {{"#region", "region"}},
                                  .values = {{":r", "x"}}}),
              StatusIs(kValidation, HasSubstr("beyond allowed size limits")));
  item.emplace("region", "x");
  EXPECT_THAT(table_->PutItem({.item = item}), StatusIs(kValidation, HasSubstr("hashkey")));
  EXPECT_THAT(table_->UpdateItem(
                  {.key = {{"id", "7"}}, .update = "SET player = :p", .values = {{":p", "gus"}}}),
              IsOk());
}

TEST_F(MultiAttributeKeyTest, AnIndexHasOneToFourPartitionAndUpToFourSortKeyAttributes) {
  const std::vector<KeyAttribute> five = {{"a"}, {"b"}, {"c"}, {"d"}, {"e"}};
  const auto create = [&](std::vector<KeyAttribute> partition, std::vector<KeyAttribute> sort) {
    return db_
        ->CreateTable({.name = "refused",
                       .global_secondary_indexes = {{.name = "index",
                                                     .partition_key = std::move(partition),
                                                     .sort_key = std::move(sort)}}})
        .status();
  };
  EXPECT_THAT(create(five, {}),
              StatusIs(kValidation, HasSubstr("The KeySchema exceeds the maximum allowed number of "
                                              "HASH key attributes")));
  EXPECT_THAT(create({{"x"}}, five),
              StatusIs(kValidation, HasSubstr("maximum allowed number of RANGE")));
  EXPECT_THAT(create({}, {}), StatusIs(kValidation, HasSubstr("1 to 4 attributes")));
  EXPECT_THAT(create({{"a"}, {"a"}}, {}), StatusIs(kValidation, HasSubstr("same name")));
}

}  // namespace
}  // namespace dolmen::behaviour
