#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/query.h"
#include "remote/backend.h"
#include "tests/remote/backend_fixture.h"
#include "tests/remote/scripted_server.h"

namespace dolmen::remote {
namespace {

// Returns the items of all pages, one text for each page.
std::vector<std::string> Pages(const Table& table, QueryInput input) {
  std::vector<std::string> pages;
  do {
    const QueryOutput page = Value(table.Query(input));
    std::string& text = pages.emplace_back();
    for (const ItemView item : page) text += item.ToString();
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return pages;
}

std::vector<std::optional<SortKeyCondition>> Conditions() {
  return {std::nullopt, Equal("2"),          Less("3"),         LessOrEqual("3"),
          Greater("1"), GreaterOrEqual("1"), Between("1", "3"), BeginsWith("1")};
}

TEST_F(BackendTest, SeveralPartitionsHaveThePagesOfAnEmbeddedDatabase) {
  const Table table = Value(remote_.CreateTable(
      {.name = "app", .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")}}));
  for (const char* partition : {"a", "b", "c"}) {
    for (const char* sort : {"1", "10", "2", "3", "30"}) {
      if (std::string(partition) == "b" && std::string(sort) == "2") continue;
      Value(table.PutItem({.item = {{"PK", partition},
                                    {"SK", sort},
                                    {"GSI1PK", partition},
                                    {"GSI1SK", std::string(sort).substr(0, 1)},
                                    {"n", 1}}}));
    }
  }
  const Table local = Value(local_.OpenTable("app"));
  for (const char* index : {"", "GSI1"}) {
    for (const auto& condition : Conditions()) {
      for (const bool forward : {true, false}) {
        for (const std::optional<std::uint32_t> limit : {0u, 1u, 2u, 4u}) {
          QueryInput input{.index = index,
                           .key_condition = Partitions({"c", "a", "b"}, condition),
                           .forward = forward,
                           .exact_end = true};
          if (*limit > 0) input.limit = limit;
          EXPECT_EQ(Pages(table, input), Pages(local, input))
              << index << ", condition " << (condition ? static_cast<int>(condition->op) : -1)
              << ", forward " << forward << ", limit " << *limit;
        }
      }
    }
  }
}

// A service with a table whose index has equal sort keys. The items of a partition are not in the order
// of the table's keys: p has 2, 1 and q has 4, 3. A page has one item.
std::string UnorderedService(const test::ReceivedRequest& request) {
  if (request.fields.at("x-amz-target").ends_with(".DescribeTable")) {
    return test::ResponseText(
        200,
        R"({"Table":{"TableName":"app","TableStatus":"ACTIVE","KeySchema":[)"
        R"({"AttributeName":"id","KeyType":"HASH"}],"AttributeDefinitions":[)"
        R"({"AttributeName":"id","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},)"
        R"({"AttributeName":"s","AttributeType":"S"}],"GlobalSecondaryIndexes":[)"
        R"({"IndexName":"by_g","IndexStatus":"ACTIVE","KeySchema":[)"
        R"({"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],)"
        R"("Projection":{"ProjectionType":"ALL"}}]}})");
  }
  if (!request.fields.at("x-amz-target").ends_with(".Query")) return test::ResponseText(200, "{}");
  const auto has = [&](const std::string& text) {
    return request.body.find(text) != request.body.npos;
  };
  const bool is_p = has(R"({"S":"p"})");
  const std::string first = is_p ? "2" : "4";
  const std::string second = is_p ? "1" : "3";
  const bool is_begun = has("ExclusiveStartKey");
  if (is_begun && has(R"("id":{"S":")" + second)) return test::ResponseText(200, R"({"Count":0})");
  const std::string key = R"({"id":{"S":")" + (is_begun ? second : first) + R"("},"g":{"S":")" +
                          (is_p ? "p" : "q") + R"("},"s":{"S":"same"}})";
  return test::ResponseText(200, R"({"Count":1,"ScannedCount":1,"Items":[)" + key +
                                     R"(],"LastEvaluatedKey":)" + key + "}");
}

TEST(PartitionsQueryTest, ItemsWithEqualSortKeysMayHaveAnyOrderInAPartition) {
  test::ScriptedServer service(UnorderedService);
  const Database remote = Value(Database::Connect({.endpoint = service.url()}));
  const Table table = Value(remote.OpenTable("app"));
  for (const std::optional<std::uint32_t> limit : {1u, 3u}) {
    std::string ids;
    QueryInput input{.index = "by_g", .key_condition = Partitions({"q", "p"}), .limit = limit};
    do {
      const QueryOutput page = Value(table.Query(input));
      for (const ItemView item : page) ids += *item["id"].AsString();
      input.exclusive_start_key = page.last_evaluated_key();
    } while (!input.exclusive_start_key.empty());
    EXPECT_EQ(ids, "2143") << *limit;
  }
}

TEST_F(BackendTest, AProjectionOfSeveralPartitionsHasOnlyItsAttributes) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  Value(table.PutItem({.item = {{"PK", "a"}, {"SK", "1"}, {"n", 1}, {"m", 2}}}));
  const QueryInput input{.key_condition = Partitions({"a", "b"}), .projection = "n"};
  EXPECT_THAT(Pages(table, input), testing::ElementsAre("{n: 1}"));
}

TEST_F(BackendTest, APageThatBeginsBehindAPartitionHasTheSameProjection) {
  const Table table = Value(
      remote_.CreateTable({.name = "app", .partition_key = {"PK"}, .sort_key = std::nullopt}));
  Value(table.PutItem({.item = {{"PK", "a"}, {"n", 1}}}));
  Value(table.PutItem({.item = {{"PK", "b"}, {"n", 2}}}));
  const QueryInput input{.key_condition = Partitions({"a", "b"}), .projection = "n", .limit = 1};
  EXPECT_THAT(Pages(table, input), testing::ElementsAre("{n: 1}", "{n: 2}", ""));
}

TEST_F(BackendTest, ScannedBytesOfSeveralPartitionsAreThoseOfAnEmbeddedDatabase) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  for (const char* partition : {"a", "b", "c"}) {
    for (const char* sort : {"1", "2", "3"}) {
      Value(table.PutItem({.item = {{"PK", partition}, {"SK", sort}, {"n", 1}}}));
    }
  }
  const Table local = Value(local_.OpenTable("app"));
  QueryInput input{.key_condition = Partitions({"a", "b", "c"}), .exact_end = true};
  input.options.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  QueryInput limited = input;
  limited.limit = 4;
  QueryInput filtered = input;
  filtered.filter = "n > :one";
  filtered.values = {{":one", 1}};
  QueryInput projected = input;
  projected.projection = "n";
  for (const QueryInput& one : {input, limited, filtered, projected}) {
    EXPECT_EQ(Value(table.Query(one)).scanned_bytes(), Value(local.Query(one)).scanned_bytes());
  }
}

TEST_F(BackendTest, EqualPartitionsAreRefused) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  EXPECT_THAT(table.Query({.key_condition = Partitions({"a", "a"})}),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("Give each partition once")));
}

}  // namespace
}  // namespace dolmen::remote
