// Tests of the counts of contributor insights.

#include "wire/contributor_insights.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "dolmen/testing/simulate.h"
#include "tests/wire/tables.h"
#include "wire/json.h"

namespace dolmen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class InsightsCountTest : public WireTest {
 protected:
  InsightsCountTest() {
    clock_->Set(Timestamp(std::chrono::milliseconds(1500)));
    db_ = test::Value(Database::InMemory({.clock = clock_, .simulate = Simulate({})}));
    endpoint_ = Endpoint(db_);
    for (const char* name : {"app", "other"}) {
      CreateTableInput input{.name = name};
      input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
      EXPECT_TRUE(db_.CreateTable(input).ok());
    }
  }

  void Update(std::string_view action, std::string_view more = "") {
    Body("UpdateContributorInsights",
         Object({R"("TableName":"app")",
                 R"("ContributorInsightsAction":")" + std::string(action) + "\"", more}));
  }
  void Enable(std::string_view more = "") { Update("ENABLE", more); }
  void Fail(SimulateRule rule) {
    EXPECT_TRUE(Simulation::Of(db_)->Restart({.rules = {std::move(rule)}}).ok());
  }

  static std::string Key(std::string_view sort, std::string_view partition = "p") {
    return R"({"PK":{"S":")" + std::string(partition) + R"("},"SK":{"S":")" + std::string(sort) +
           "\"}}";
  }
  void Put(std::string_view sort, int status = 200) {
    Body("PutItem", R"({"TableName":"app","Item":)" + Key(sort) + "}", status);
  }

  // Returns the contributors of a rule as "KEY=COUNT", for example of the rule "SKC-app".
  std::vector<std::string> Rule(const std::string& rule) {
    simdjson::dom::parser parser;
    const std::string report = endpoint_.ContributorInsights();
    const wire::Json json = test::Value(wire::ParseJson(report, "the report", &parser));
    std::vector<std::string> contributors;
    for (const wire::Json resource : wire::ArrayOf(json)) {
      for (const wire::Json found :
           wire::ArrayOf(*wire::Member(wire::ObjectOf(resource), "Rules"))) {
        const auto members = wire::ObjectOf(found);
        if (wire::StringMember(members, "Name") !=
            "DynamoDBContributorInsights-" + rule + "-1500") {
          continue;
        }
        for (const wire::Json entry : wire::ArrayOf(*wire::Member(members, "Contributors"))) {
          contributors.push_back(
              simdjson::minify(*wire::Member(wire::ObjectOf(entry), "Keys")) + "=" +
              std::to_string(*wire::IntegerMember(wire::ObjectOf(entry), "Count")));
        }
      }
    }
    return contributors;
  }
};

constexpr std::string_view kOfGsi1 = R"("IndexName":"GSI1")";

TEST_F(InsightsCountTest, DisabledInsightsCountNothing) {
  Put("a");
  EXPECT_EQ(endpoint_.ContributorInsights(), "[]");
}

TEST_F(InsightsCountTest, TheReportHasTheRulesOfEachTable) {
  Enable();
  Put("a");
  const std::string total = R"("Total":1,"Contributors":[{"Keys":)";
  const std::string none = R"(,"Total":0,"Contributors":[]})";
  EXPECT_EQ(endpoint_.ContributorInsights(),
            R"([{"TableName":"app","Since":"1970-01-01T00:00:01.500Z","Rules":[)"
            R"({"Name":"DynamoDBContributorInsights-PKC-app-1500",)" +
                total +
                R"({"PK":{"S":"p"}},"Count":1,"ErrorMax":0}]},)"
                R"({"Name":"DynamoDBContributorInsights-PKT-app-1500")" +
                none + R"(,{"Name":"DynamoDBContributorInsights-SKC-app-1500",)" + total +
                Key("a") +
                R"(,"Count":1,"ErrorMax":0}]},)"
                R"({"Name":"DynamoDBContributorInsights-SKT-app-1500")" +
                none + "]}]");
}

TEST_F(InsightsCountTest, EachOperationOnItemsCountsItsKeys) {
  Enable();
  const std::string on_app = R"({"TableName":"app",)";
  const std::string key = R"("Key":)";
  Put("put");
  Body("GetItem", on_app + key + Key("get") + "}");
  Body("UpdateItem", on_app + key + Key("update") + "}");
  Body("DeleteItem", on_app + key + Key("delete") + "}");
  Body("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + Key("batch get") + "]}}}");
  Body("BatchWriteItem", R"({"RequestItems":{"app":[{"PutRequest":{"Item":)" + Key("batch put") +
                             R"(}},{"DeleteRequest":{"Key":)" + Key("batch delete") + "}}]}}");
  Body("TransactGetItems",
       R"({"TransactItems":[{"Get":)" + on_app + key + Key("transact get") + "}}]}");
  Body("TransactWriteItems",
       R"({"TransactItems":[{"Put":)" + on_app + R"("Item":)" + Key("transact put") +
           R"(}},{"Delete":{"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)" +
           key + Key("transact delete") + "}}]}");
  for (const char* name : {"put", "get", "update", "delete", "batch get", "batch put",
                           "batch delete", "transact get", "transact put", "transact delete"}) {
    EXPECT_THAT(Rule("SKC-app"), testing::Contains(Key(name) + "=1"));
  }
  EXPECT_THAT(Rule("PKC-app"), ElementsAre(R"({"PK":{"S":"p"}}=10)"));
}

TEST_F(InsightsCountTest, AQueryCountsTheKeysOfItsCondition) {
  Enable();
  Enable(kOfGsi1);
  const auto query = [&](const std::string& more) {
    Body("Query", R"({"TableName":"app",)" + more + "}");
  };
  const std::string values = R"(,"ExpressionAttributeValues":{":p":{"S":"p"},":s":{"S":"s"}})";
  query(R"("KeyConditionExpression":"PK=:p AND SK >= :s")" + values);
  query(R"("KeyConditionExpression":"(SK = :s) and #p = :p",)"
        R"("ExpressionAttributeNames":{"#p":"PK"})" +
        values);
  query(R"("KeyConditions":{"PK":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"q"}]}})");
  query(R"("IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",)"
        R"("ExpressionAttributeValues":{":p":{"S":"p"}})");
  EXPECT_THAT(Rule("PKC-app"), ElementsAre(R"({"PK":{"S":"p"}}=2)", R"({"PK":{"S":"q"}}=1)"));
  EXPECT_THAT(Rule("SKC-app"), ElementsAre(Key("s") + "=1"));
  EXPECT_THAT(Rule("PKC-GSI1"), ElementsAre(R"({"GSI1PK":{"S":"p"}}=1)"));
  EXPECT_THAT(Rule("SKC-GSI1"), IsEmpty());
}

TEST_F(InsightsCountTest, ScansAndStatementsCountNothing) {
  Enable();
  Body("Scan", R"({"TableName":"app"})");
  Body("ExecuteStatement", R"({"Statement":"INSERT INTO app VALUE {'PK': 'p', 'SK': 'a'}"})");
  Body("ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE PK = 'p' AND SK = 'a'"})");
  EXPECT_THAT(Rule("PKC-app"), IsEmpty());
  EXPECT_THAT(Rule("SKC-app"), IsEmpty());
}

TEST_F(InsightsCountTest, AFalseConditionIsAnAccessAndAnInvalidRequestIsNone) {
  Enable();
  const auto put_if = [&](const std::string& condition, const std::string& sort) {
    Body("PutItem",
         R"({"TableName":"app","ConditionExpression":")" + condition + R"(","Item":)" + Key(sort) +
             "}",
         400);
  };
  put_if("attribute_exists(PK)", "a");
  put_if("(", "b");
  EXPECT_THAT(Rule("SKC-app"), ElementsAre(Key("a") + "=1"));
}

TEST_F(InsightsCountTest, ThrottledKeysAreCountedInTheirRules) {
  Enable();
  Put("a");
  Fail({.fault = SimulatedFault::kProvisionedThroughputExceeded});
  Put("b", 400);
  EXPECT_THAT(Rule("SKC-app"), ElementsAre(Key("a") + "=1"));
  EXPECT_THAT(Rule("SKT-app"), ElementsAre(Key("b") + "=1"));
  EXPECT_THAT(Rule("PKT-app"), ElementsAre(R"({"PK":{"S":"p"}}=1)"));
}

TEST_F(InsightsCountTest, UnprocessedItemsOfABatchAreThrottled) {
  Enable();
  Fail({.fault = SimulatedFault::kPartialBatch});
  const std::string response =
      Body("BatchWriteItem", R"({"RequestItems":{"app":[{"PutRequest":{"Item":)" + Key("a") +
                                 R"(}},{"PutRequest":{"Item":)" + Key("b") + "}}]}}");
  const bool left_a = response.find(R"("SK":{"S":"a"})") != response.npos;
  EXPECT_THAT(Rule("SKT-app"), ElementsAre(Key(left_a ? "a" : "b") + "=1")) << response;
  EXPECT_THAT(Rule("SKC-app"), ElementsAre(Key(left_a ? "b" : "a") + "=1")) << response;
}

TEST_F(InsightsCountTest, TheModeThrottledKeysCountsNoOtherAccesses) {
  Enable(R"("ContributorInsightsMode":"THROTTLED_KEYS")");
  Put("a");
  Fail({.fault = SimulatedFault::kThrottling});
  Put("b", 400);
  EXPECT_THAT(endpoint_.ContributorInsights(), Not(HasSubstr("PKC-")));
  EXPECT_THAT(Rule("SKT-app"), ElementsAre(Key("b") + "=1"));
}

TEST_F(InsightsCountTest, ARepeatedEnablingKeepsTheCountsAndADisablingForgetsThem) {
  Enable();
  Put("a");
  Enable();
  Body("UpdateContributorInsights",
       R"({"TableName":"other","ContributorInsightsAction":"ENABLE"})");
  Put("a");
  EXPECT_THAT(Rule("SKC-app"), ElementsAre(Key("a") + "=2"));
  Update("DISABLE");
  Put("a");
  EXPECT_THAT(endpoint_.ContributorInsights(), Not(HasSubstr("-app-")));
  Enable();
  EXPECT_THAT(Rule("SKC-app"), IsEmpty());
}

TEST_F(InsightsCountTest, ANewEndpointCountsFromZeroWithTheStoredSettings) {
  Enable();
  Put("a");
  endpoint_ = Endpoint(db_);
  Put("b");
  EXPECT_THAT(Rule("SKC-app"), ElementsAre(Key("b") + "=1"));
}

TEST_F(InsightsCountTest, ATableThatIsCreatedAgainHasNoInsights) {
  Enable();
  Put("a");
  EXPECT_TRUE(db_.DeleteTable("app").ok());
  EXPECT_TRUE(db_.CreateTable({.name = "app"}).ok());
  Put("b");
  EXPECT_EQ(endpoint_.ContributorInsights(), "[]");
}

}  // namespace
}  // namespace dolmen
