// Tests of data models in the format of NoSQL Workbench.

#include "dolmen/design/workbench.h"

#include <dolmen/entity.h>
#include <dolmen/entity/describe.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

struct Track {
  std::string album = {};
  int number = 0;
  std::string title = {};
  double seconds = 0;
  std::optional<std::string> lyrics = {};
};
constexpr auto DescribeEntity(const Track*) {
  return DefineEntity<Track>(
      "track",
      {Attribute<&Track::album>("album").InKeyOnly(),
       Attribute<&Track::number>("number").InKeyOnly(), Attribute<&Track::title>("title"),
       Attribute<&Track::seconds>("seconds"), Attribute<&Track::lyrics>("lyrics")},
      {PrimaryKey("ALBUM#{album}", "TRACK#{number:02}"), IndexKey("GSI1", "TITLE#{title}")});
}

Database Memory() { return Value(Database::InMemory({.expiry_lag = std::nullopt})); }

std::vector<Item> ItemsIn(const Database& database, const std::string& table) {
  std::vector<Item> items;
  const Table opened = Value(database.OpenTable(table));
  ItemRange range = opened.ScanAll({});
  for (const ItemView item : range) items.push_back(Value(item.Copy()));
  return items;
}

// Returns the JSON value at the pointer, as text.
std::string At(const std::string& json, const std::string& pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  EXPECT_EQ(parser.parse(json).at_pointer(pointer).get(element), simdjson::SUCCESS) << pointer;
  return simdjson::minify(element);
}

// A model with one table, whose members after TableName are `members`.
std::string ModelWith(const std::string& members) {
  return R"({"ModelName":"m","DataModel":[{"TableName":"app",)" + members + "}]}";
}
constexpr const char* kKeys =
    R"("KeyAttributes":{"PartitionKey":{"AttributeName":"PK","AttributeType":"S"},)"
    R"("SortKey":{"AttributeName":"SK","AttributeType":"N"}})";

TEST(WorkbenchTest, ADesignBecomesATableWithAFacetForEachEntity) {
  const Item item = Value(ToItem(Track{"blue", 3, "Little Green", 207.5}));
  const std::string model =
      Value(WriteDataModel(Describe<Track>("music"), std::vector<Item>{item},
                           {.name = "Music",
                            .author = "Ann",
                            .created_at = Value(ParseIso8601("2026-04-15T13:05:00Z"))}));
  EXPECT_EQ(At(model, "/ModelName"), R"("Music")");
  EXPECT_EQ(At(model, "/ModelMetadata"),
            R"({"Author":"Ann","DateCreated":"Apr 15, 2026, 01:05 PM",)"
            R"("DateLastModified":"Apr 15, 2026, 01:05 PM","Description":"",)"
            R"("AWSService":"Amazon DynamoDB","Version":"3.0"})");
  EXPECT_EQ(At(model, "/DataModel/0/KeyAttributes"),
            R"({"PartitionKey":{"AttributeName":"PK","AttributeType":"S"},)"
            R"("SortKey":{"AttributeName":"SK","AttributeType":"S"}})");
  EXPECT_EQ(At(model, "/DataModel/0/NonKeyAttributes"),
            R"([{"AttributeName":"GSI1PK","AttributeType":"S"},)"
            R"({"AttributeName":"entityType","AttributeType":"S"},)"
            R"({"AttributeName":"lyrics","AttributeType":"S"},)"
            R"({"AttributeName":"seconds","AttributeType":"N"},)"
            R"({"AttributeName":"title","AttributeType":"S"}])");
  EXPECT_EQ(At(model, "/DataModel/0/TableFacets/0/KeyAttributeAlias"),
            R"({"PartitionKeyAlias":"ALBUM#{album}","SortKeyAlias":"TRACK#{number:02}"})");
  EXPECT_EQ(At(model, "/DataModel/0/TableFacets/0/NonKeyAttributes"),
            R"(["entityType","GSI1PK","title","seconds","lyrics"])");
  EXPECT_EQ(At(model, "/DataModel/0/GlobalSecondaryIndexes"),
            R"([{"IndexName":"GSI1","KeyAttributes":{"PartitionKey":)"
            R"({"AttributeName":"GSI1PK","AttributeType":"S"}},)"
            R"("Projection":{"ProjectionType":"ALL"}}])");
  EXPECT_EQ(At(model, "/DataModel/0/TableData/0/title"), R"({"S":"Little Green"})");
  EXPECT_EQ(At(model, "/DataModel/0/BillingMode"), R"("PAY_PER_REQUEST")");
}

TEST(WorkbenchTest, TablesAndItemsAreTheSameAfterARoundTrip) {
  const Database source = Memory();
  CreateTableInput input = {
      .name = "app", .partition_key = {"id", AttributeType::kN}, .sort_key = std::nullopt};
  input.global_secondary_indexes = {{.name = "by-hash",
                                     .partition_key = {{"hash", AttributeType::kB}},
                                     .sort_key = {{"at"}},
                                     .projection = ProjectionType::kInclude,
                                     .non_key_attributes = {"name"}}};
  const Table table = Value(source.CreateTable(input));
  Value(source.CreateTable({.name = "other"}));
  Value(table.PutItem({.item = {{"id", 1},
                                {"hash", B("\x01\xFF")},
                                {"at", "2026"},
                                {"name", "a\n\"b\""},
                                {"all", List{Map{{"x", nullptr}}, true, StringSet{"a"}}}}}));
  const std::string model = Value(WriteDataModel(source, {"app", "other"}));

  const Database target = Memory();
  ASSERT_THAT(LoadDataModel(target, model), IsOk());
  EXPECT_EQ(ItemsIn(target, "app"), ItemsIn(source, "app"));
  const TableDescription loaded = Value(target.DescribeTable("app"));
  EXPECT_EQ(loaded.partition_key, input.partition_key);
  EXPECT_EQ(loaded.sort_key, std::nullopt);
  ASSERT_EQ(loaded.global_secondary_indexes.size(), 1);
  EXPECT_EQ(loaded.global_secondary_indexes[0].index, input.global_secondary_indexes[0]);
  EXPECT_EQ(Value(target.DescribeTable("other")).sort_key, KeyAttribute{"SK"});
}

TEST(WorkbenchTest, AModelHasAtMostTheRequestedNumberOfItems) {
  const Database source = Memory();
  const Table table = Value(source.CreateTable({.name = "app"}));
  for (const char* key : {"a", "b", "c"})
    Value(table.PutItem({.item = {{"PK", key}, {"SK", "1"}}}));
  const Database target = Memory();
  ASSERT_THAT(LoadDataModel(target, Value(WriteDataModel(source, {"app"}, {.items_max = 2}))),
              IsOk());
  EXPECT_EQ(ItemsIn(target, "app").size(), 2);
}

TEST(WorkbenchTest, TheItemsOfFacetsAreLoaded) {
  const Database database = Memory();
  ASSERT_THAT(LoadDataModel(
                  database,
                  ModelWith(std::string(kKeys) +
                            R"(,"TableData":[{"PK":{"S":"a"},"SK":{"N":"1"}}],"TableFacets":[)"
                            R"({"FacetName":"f","TableData":[{"PK":{"S":"b"},"SK":{"N":"2"}}]}])")),
              IsOk());
  EXPECT_EQ(ItemsIn(database, "app").size(), 2);
}

// NoSQL Workbench stores the map or list of a sample as its author typed it.
TEST(WorkbenchTest, AMapOfASampleIsReadAsItsAuthorTypedIt) {
  const struct {
    const char* sample;
    AttributeValue value;
  } cases[] = {
      {R"({"M":{"gold":{"N":"100"}}})", Map{{"gold", 100}}},
      {R"({"M":{"M":{"gold":{"N":"100"}}}})", Map{{"gold", 100}}},
      {R"({"L":[{"S":"a"}]})", List{"a"}},
      {R"({"M":{"on":true,"left":{"x":59},"n":12345678901234567.89}})",
       Map{{"on", true},
           {"left", Map{{"x", 59}}},
           {"n", Value(Number::Parse("12345678901234567.89"))}}},
      {R"({"L":["a",{"b":null}]})", List{"a", Map{{"b", nullptr}}}},
  };
  for (const auto& [sample, value] : cases) {
    const Database database = Memory();
    ASSERT_THAT(
        LoadDataModel(database, ModelWith(std::string(kKeys) +
                                          R"(,"TableFacets":[{"FacetName":"f","TableData":[)"
                                          R"({"PK":{"S":"a"},"SK":{"N":"1"},"v":)" +
                                          sample + "}]}]")),
        IsOk())
        << sample;
    EXPECT_EQ(ItemsIn(database, "app").at(0).at("v"), value) << sample;
  }
}

TEST(WorkbenchTest, ASampleThatCanBeReadInTwoWaysIsNamed) {
  for (const char* sample : {R"({"M":{"a":1,"b":{"N":"2"}}})", R"({"M":{"a":{"N":2}}})",
                             R"({"L":[1,{"S":"a"}]})", R"({"S":{"a":1}})"}) {
    EXPECT_THAT(
        LoadDataModel(Memory(), ModelWith(std::string(kKeys) +
                                          R"(,"TableFacets":[{"FacetName":"f","TableData":[)"
                                          R"({"PK":{"S":"a"},"SK":{"N":"1"},"v":)" +
                                          sample + "}]}]")),
        StatusIs(
            StatusCode::kValidation,
            AllOf(HasSubstr("the table app"), HasSubstr("the facet f: item 1: the attribute v: "))))
        << sample;
  }
}

TEST(WorkbenchTest, ATextThatIsNoDataModelIsRejected) {
  for (const char* json :
       {"", "{", "[]", "1", "{}", R"({"DataModel":{}})", R"({"DataModel":[]})"}) {
    EXPECT_THAT(LoadDataModel(Memory(), json),
                StatusIs(StatusCode::kValidation, HasSubstr("the data model")))
        << json;
  }
}

TEST(WorkbenchTest, ARejectedTableIsNamed) {
  for (const char* members :
       {R"("KeyAttributes":{})",
        R"("KeyAttributes":{"PartitionKey":{"AttributeName":"PK","AttributeType":"M"}})",
        R"("KeyAttributes":7)"}) {
    EXPECT_THAT(LoadDataModel(Memory(), ModelWith(members)),
                StatusIs(StatusCode::kValidation, HasSubstr("the table app of the data model")))
        << members;
  }
  EXPECT_THAT(
      LoadDataModel(Memory(), ModelWith(std::string(kKeys) + R"(,"TableData":[{"PK":{"S":1}}])")),
      StatusIs(StatusCode::kValidation, AllOf(HasSubstr("the table app"), HasSubstr("item 1"))));
}

TEST(WorkbenchTest, AnErrorLeavesNoneOfTheTables) {
  const Database database = Memory();
  const std::string good = R"({"TableName":"good",)" + std::string(kKeys) + "}";
  const std::string bad = R"({"TableName":"bad",)" + std::string(kKeys) +
                          R"(,"TableData":[{"PK":{"S":"no sort key"}}]})";
  EXPECT_THAT(LoadDataModel(database, R"({"DataModel":[)" + good + "," + bad + "]}"),
              StatusIs(StatusCode::kValidation, HasSubstr("item 1 of the table bad is rejected")));
  EXPECT_THAT(Value(database.ListTables({})).table_names, IsEmpty());
}

TEST(WorkbenchTest, ATableThatExistsStaysAsItIs) {
  const Database database = Memory();
  const Table table = Value(database.CreateTable({.name = "app"}));
  Value(table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}}}));
  EXPECT_THAT(LoadDataModel(database, ModelWith(kKeys)),
              StatusIs(StatusCode::kResourceInUse, testing::_));
  EXPECT_EQ(ItemsIn(database, "app").size(), 1);
}

TEST(WorkbenchTest, KeysThatTheFormatCannotExpressAreRejected) {
  const Database database = Memory();
  CreateTableInput local = {.name = "local"};
  local.local_secondary_indexes = {{.name = "by-age", .sort_key = {"age"}}};
  CreateTableInput wide = {.name = "wide"};
  wide.global_secondary_indexes = {{.name = "by-day", .partition_key = {{"year"}, {"month"}}}};
  for (const CreateTableInput& input : {local, wide}) {
    Value(database.CreateTable(input));
    EXPECT_THAT(WriteDataModel(database, {input.name}),
                StatusIs(StatusCode::kValidation, HasSubstr("does not fit into a data model")));
  }
  EXPECT_THAT(WriteDataModel(database, {"none"}),
              StatusIs(StatusCode::kResourceNotFound, testing::_));
}

}  // namespace
}  // namespace dolmen::test
