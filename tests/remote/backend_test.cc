#include "remote/backend.h"

#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/key_condition_builder.h"
#include "dolmen/projection_builder.h"
#include "dolmen/update_builder.h"
#include "tests/remote/backend_fixture.h"
#include "tests/remote/scripted_server.h"
#include "tests/support/forked_child.h"

namespace dolmen::remote {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kValidation = StatusCode::kValidation;

Item Row(const std::string& partition, const std::string& sort) {
  return {{"PK", partition}, {"SK", sort}};
}

TEST_F(BackendTest, CreateTableReturnsWhenTheTableIsActive) {
  Simulate({.delays = {.create_table = std::chrono::seconds(5)}});
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  EXPECT_GT(pauses_, 0);
  EXPECT_THAT(table.PutItem({.item = Row("a", "1")}), IsOk());
}

TEST_F(BackendTest, CreateTableKeepsTheTagsOfARequest) {
  const Endpoint local(local_);
  const std::string tags = R"("Tags":[{"Key":"team","Value":"blue"}])";
  const std::string request =
      R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",)"
      R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],)" +
      tags + "}";
  EXPECT_EQ(Endpoint(remote_).Execute("CreateTable", request).status, 200);
  EXPECT_THAT(
      local
          .Execute("ListTagsOfResource", R"({"ResourceArn":)"
                                         R"("arn:aws:dynamodb:us-east-1:000000000000:table/app"})")
          .body,
      HasSubstr(tags));
  EXPECT_THAT(remote_.CreateTable({.name = "other", .annotations = {{"a", 1}}}),
              StatusIs(kValidation, HasSubstr("has no annotations")));
}

TEST_F(BackendTest, AStreamKeepsItsRetention) {
  CreateTableInput input{.name = "app"};
  input.stream_specification = {.view_type = StreamViewType::kKeysOnly,
                                .retention = std::chrono::hours(72)};
  Value(remote_.CreateTable(input));
  EXPECT_EQ(Value(local_.DescribeTable("app")).stream_specification, input.stream_specification);
  EXPECT_EQ(Value(remote_.DescribeTable("app")).stream_specification, input.stream_specification);

  UpdateTableInput update{.name = "app"};
  update.stream_specification = {.enabled = false};
  Value(remote_.UpdateTable(update));
  update.stream_specification = {.view_type = StreamViewType::kNewImage,
                                 .retention = std::chrono::hours(1)};
  EXPECT_EQ(Value(remote_.UpdateTable(update)).stream_specification, update.stream_specification);
  EXPECT_EQ(Value(local_.DescribeTable("app")).stream_specification, update.stream_specification);
}

// A child that used a connection of its parent would take the parent's responses.
TEST_F(BackendTest, AChildOfForkMustConnectAgain) {
  Value(remote_.CreateTable({.name = "app"}));
  const std::string child = test::RunInForkedChild([&] {
    const Status refused = remote_.ListTables().status();
    const auto tables = Connect().ListTables();
    return refused.message() + (tables.ok() ? " connected" : " not connected");
  });
  EXPECT_THAT(child, AllOf(HasSubstr("is a child of fork(2)"), HasSubstr(" connected")));
  EXPECT_THAT(remote_.ListTables(), IsOk());
}

// A service that ignores the members that it does not know, with one table.
std::string OtherService(const test::ReceivedRequest& request) {
  if (!request.fields.at("x-amz-target").ends_with(".DescribeTable")) {
    return test::ResponseText(200, "{}");
  }
  return test::ResponseText(200,
                            R"({"Table":{"TableName":"app","TableStatus":"ACTIVE","KeySchema":[)"
                            R"({"AttributeName":"PK","KeyType":"HASH"}],"AttributeDefinitions":[)"
                            R"({"AttributeName":"PK","AttributeType":"S"}],"StreamSpecification":)"
                            R"({"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}})");
}

TEST(OtherServiceTest, AStreamOfAnotherServiceHasARetentionOf24Hours) {
  for (const auto retention : {std::chrono::hours(24), std::chrono::hours(72)}) {
    test::ScriptedServer service(OtherService);
    const Database remote = Value(Database::Connect({.endpoint = service.url()}));
    CreateTableInput input{.name = "app", .sort_key = std::nullopt};
    input.stream_specification = {.view_type = StreamViewType::kKeysOnly, .retention = retention};
    Value(remote.CreateTable(input));
    EXPECT_EQ(service.requests()[0].body.find("Dolmen") == std::string::npos,
              retention == std::chrono::hours(24));
    EXPECT_EQ(Value(remote.DescribeTable("app")).stream_specification->retention,
              std::chrono::hours(24));
  }
}

TEST_F(BackendTest, DeleteTableReturnsWhenTheTableIsGone) {
  Value(remote_.CreateTable({.name = "app"}));
  Simulate({.delays = {.delete_table = std::chrono::seconds(5)}});
  EXPECT_THAT(remote_.DeleteTable("app"), IsOk());
  EXPECT_THAT(remote_.CreateTable({.name = "app"}), IsOk());
}

TEST_F(BackendTest, WaitForIndexesReturnsWhenTheIndexIsActive) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  Simulate({.delays = {.create_index = std::chrono::seconds(5)}});
  Value(remote_.UpdateTable(
      {.name = "app", .create_index = GlobalSecondaryIndex::Overloaded("GSI1")}));
  EXPECT_THAT(table.WaitForIndexes(), IsOk());
  EXPECT_THAT(table.Query({.index = "GSI1", .key_condition = Partition("a")}), IsOk());
}

TEST_F(BackendTest, ABuiltExpressionKeepsItsMeaning) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  Item item = Row("a", "1");
  item["name"] = "Ann";  // a reserved word
  item["address"] = Map{{"city", "Bonn"}, {"zip.code", 53111}};
  item["tags"] = List{"x", "y"};
  Value(table.PutItem({.item = item}));
  const ConditionBuilder condition = (Attr("name").BeginsWith("A") || Attr("name") == "Bob") &&
                                     !(Attr("address")["zip.code"] < 1) &&
                                     Attr("tags")[1].Contains("y") && Size("tags") == 2;
  EXPECT_THAT(table.UpdateItem({.key = Row("a", "1"),
                                .update = Update()
                                              .Set("count", IfNotExists("count", 1))
                                              .Set("tags", ListAppend(Attr("tags"), List{"z"}))
                                              .Remove(Attr("address")["city"]),
                                .condition = condition}),
              IsOk());
  const GetItemOutput got = Value(
      table.GetItem({.key = Row("a", "1"), .projection = Project("count", "tags", "address")}));
  EXPECT_EQ(got.item->ToString(),
            R"({address: {zip.code: 53111}, count: 1, tags: ["x", "y", "z"]})");
}

TEST_F(BackendTest, PlaceholdersOfABuiltConditionDifferFromThoseOfAText) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  EXPECT_THAT(table.UpdateItem({.key = Row("a", "1"),
                                .update = "SET #n0 = :v0",
                                .condition = AttributeNotExists("PK") || Attr("x") == 1,
                                .names = {{"#n0", "size"}},
                                .values = {{":v0", 7}}}),
              IsOk());
  EXPECT_EQ(Value(table.GetItem({.key = Row("a", "1")})).item->view()["size"].AsInt64(), 7);
}

// A table with a time to live that hides an expired item with the key ("a", "1").
class HiddenItemTest : public BackendTest {
 protected:
  HiddenItemTest() {
    Value(remote_.UpdateTimeToLive(
        {.table_name = "app", .specification = {.attribute_name = "ttl", .hide_expired = true}}));
    Item item = Row("a", "1");
    item["ttl"] = std::chrono::duration_cast<std::chrono::seconds>(
                      clock_->Now().time_since_epoch() - std::chrono::hours(1))
                      .count();
    item["old"] = true;
    Value(local_.OpenTable("app")).PutItem({.item = item}).status().IgnoreError();
  }

  std::string Stored() const {
    const auto got = Value(Value(local_.OpenTable("app")).GetItem({.key = Row("a", "1")}));
    return got.item ? got.item->ToString() : "none";
  }

  Table table_ = Value(remote_.CreateTable({.name = "app"}));
};

TEST_F(HiddenItemTest, ReadsDoNotReturnAHiddenItem) {
  EXPECT_FALSE(Value(table_.GetItem({.key = Row("a", "1")})).item.has_value());
  EXPECT_EQ(Value(table_.Query({.key_condition = Partition("a")})).size(), 0u);
  EXPECT_EQ(Value(table_.Scan({.select = Select::kCount})).count(), 0u);
  EXPECT_EQ(Value(table_.Scan({.options = {.hide_expired = false}})).size(), 1u);
  const auto read =
      Value(remote_.TransactGetItems({.items = {{.table = table_, .key = Row("a", "1")}}}));
  EXPECT_FALSE(read.items[0].has_value());
}

TEST_F(HiddenItemTest, ScannedBytesHaveHiddenItems) {
  QueryInput input{.key_condition = Partition("a")};
  input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  QueryInput all = input;
  all.options.hide_expired = false;
  EXPECT_EQ(Value(table_.Query(input)).size(), 0u);
  EXPECT_EQ(Value(table_.Query(input)).scanned_bytes(), Value(table_.Query(all)).scanned_bytes());
}

TEST_F(HiddenItemTest, AnIndexWithTheTimeInItsKeyCountsOnlyVisibleItems) {
  GlobalSecondaryIndex index{.name = "by_time", .partition_key = {{"PK"}}};
  index.sort_key = {{"ttl", AttributeType::kN}};
  EXPECT_THAT(remote_.UpdateTable({.name = "app", .create_index = index}), IsOk());
  EXPECT_THAT(table_.WaitForIndexes(), IsOk());
  Item visible = Row("a", "2");
  visible["ttl"] = std::chrono::duration_cast<std::chrono::seconds>(
                       clock_->Now().time_since_epoch() + std::chrono::hours(1))
                       .count();
  Value(table_.PutItem({.item = visible}));
  QueryInput input{.index = "by_time", .key_condition = Partition("a")};
  EXPECT_EQ(Value(table_.Query(input)).size(), 1u);
  input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  const QueryOutput page = Value(table_.Query(input));
  EXPECT_GT(page.scanned_bytes(), page[0].size_bytes()) << "the hidden item counts, too";
  input.select = Select::kCount;
  EXPECT_EQ(Value(table_.Query(input)).count(), 1u);
}

TEST_F(HiddenItemTest, ANewConnectionHidesItToo) {
  const Database other = Connect();
  const Table table = Value(other.OpenTable("app"));
  EXPECT_FALSE(Value(table.GetItem({.key = Row("a", "1")})).item.has_value());
  EXPECT_TRUE(Value(other.DescribeTimeToLive("app")).hide_expired);
}

// A program that has the database in its process stores hide_expired in the table's schema.
TEST_F(BackendTest, HideExpiredOfAnEmbeddedProgramIsSeenAndChanged) {
  Value(local_.CreateTable({.name = "app"}));
  TimeToLiveSpecification expiry{.attribute_name = "ttl", .hide_expired = true};
  Value(local_.UpdateTimeToLive({.table_name = "app", .specification = expiry}));
  EXPECT_TRUE(Value(remote_.DescribeTimeToLive("app")).hide_expired);
  expiry.hide_expired = false;
  EXPECT_THAT(remote_.UpdateTimeToLive({.table_name = "app", .specification = expiry}), IsOk());
  EXPECT_FALSE(Value(remote_.DescribeTimeToLive("app")).hide_expired);
  EXPECT_FALSE(Value(local_.DescribeTimeToLive("app")).hide_expired);
}

TEST_F(HiddenItemTest, AnUpdateReplacesAHiddenItem) {
  EXPECT_THAT(table_.UpdateItem({.key = Row("a", "1"),
                                 .update = Update().Set("new", 1),
                                 .condition = AttributeNotExists("PK")}),
              IsOk());
  EXPECT_EQ(Stored(), R"({PK: "a", SK: "1", new: 1})");
}

TEST_F(HiddenItemTest, AnUpdateInATransactionReplacesAHiddenItem) {
  EXPECT_THAT(remote_.TransactWriteItems(
                  {.actions = {{table_, UpdateItemInput{.key = Row("a", "1"),
                                                        .update = Update().Set("new", 1)}}}}),
              IsOk());
  EXPECT_EQ(Stored(), R"({PK: "a", SK: "1", new: 1})");
}

TEST_F(HiddenItemTest, ADeletionReturnsNoHiddenItem) {
  const auto deleted =
      Value(table_.DeleteItem({.key = Row("a", "1"), .return_values = ReturnValues::kAllOld}));
  EXPECT_FALSE(deleted.attributes.has_value());
  EXPECT_EQ(Stored(), "none");
}

TEST_F(HiddenItemTest, AConditionSeesNoHiddenItem) {
  const auto put = table_.PutItem({.item = Row("a", "1"), .condition = AttributeExists("PK")});
  EXPECT_THAT(put, StatusIs(StatusCode::kConditionalCheckFailed, testing::_));
  EXPECT_EQ(put.status().item(), nullptr);
}

TEST_F(BackendTest, OperationsOfAnEmbeddedDatabaseAreRefusedWithWords) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  const auto is_refused =
      StatusIs(kValidation, HasSubstr("works only on a database in this process"));
  EXPECT_THAT(remote_.Fork(), is_refused);
  EXPECT_THAT(remote_.Backup("directory"), is_refused);
  EXPECT_THAT(remote_.Verify(), is_refused);
  EXPECT_THAT(remote_.Stats(), is_refused);
  EXPECT_THAT(table.ExpireNow(), is_refused);
  EXPECT_THAT(table.ItemCollectionSize("a"), is_refused);
  Database copy = remote_;
  EXPECT_THAT(copy.Reset(), is_refused);
}

}  // namespace
}  // namespace dolmen::remote
