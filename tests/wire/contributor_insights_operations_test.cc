// Tests of the operations on contributor insights in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kAccessed = R"("ContributorInsightsMode":"ACCESSED_AND_THROTTLED_KEYS")";
constexpr std::string_view kThrottled = R"("ContributorInsightsMode":"THROTTLED_KEYS")";
constexpr std::string_view kOfIndex = R"("IndexName":"GSI1")";

class ContributorInsightsTest : public WireTableTest {
 protected:
  ContributorInsightsTest() {
    clock_->Set(Timestamp(std::chrono::milliseconds(1500)));
    for (const char* name : {"other", "table"}) {
      CreateTableInput input{.name = name};
      input.global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")};
      input.local_secondary_indexes = {{.name = "local", .sort_key = {"age"}}};
      EXPECT_TRUE(db_.CreateTable(input).ok());
    }
  }

  static std::string OnTable(std::string_view more = "", std::string_view name = "table") {
    return Object({R"("TableName":")" + std::string(name) + "\"", more});
  }
  static std::string With(std::string_view index, std::string_view status,
                          std::string_view mode = "", std::string_view more = "") {
    const std::string table = R"("TableName":"table")";
    return Object({table, index, R"("ContributorInsightsStatus":")" + std::string(status) + "\"",
                   mode, more});
  }
  std::string Update(std::string_view index, std::string_view action, std::string_view mode = "") {
    const std::string chosen = R"("ContributorInsightsAction":")" + std::string(action) + "\"";
    return Body("UpdateContributorInsights",
                Object({R"("TableName":"table")", index, chosen, mode}));
  }
  std::string Insights(std::string_view index = "") {
    return Body("DescribeContributorInsights", OnTable(index));
  }
};

TEST_F(ContributorInsightsTest, AreDisabledAtFirst) {
  EXPECT_EQ(Insights(), With("", "DISABLED"));
  EXPECT_EQ(Insights(kOfIndex), With(kOfIndex, "DISABLED"));
  EXPECT_EQ(Body("ListContributorInsights", "{}"), R"({"ContributorInsightsSummaries":[]})");
}

TEST_F(ContributorInsightsTest, AreEnabledAndDisabledForATable) {
  EXPECT_EQ(Update("", "ENABLE"), With("", "ENABLING", kAccessed));
  EXPECT_EQ(Update("", "ENABLE"), With("", "ENABLED", kAccessed));
  EXPECT_EQ(Insights(),
            With("", "ENABLED", kAccessed,
                 R"("ContributorInsightsRuleList":["DynamoDBContributorInsights-PKC-table-1500",)"
                 R"("DynamoDBContributorInsights-PKT-table-1500",)"
                 R"("DynamoDBContributorInsights-SKC-table-1500",)"
                 R"("DynamoDBContributorInsights-SKT-table-1500"],"LastUpdateDateTime":1.5)"));
  EXPECT_EQ(Update("", "DISABLE"), With("", "DISABLING", kAccessed));
  EXPECT_EQ(Insights(), With("", "DISABLED", kAccessed, R"("LastUpdateDateTime":1.5)"));
}

TEST_F(ContributorInsightsTest, AnIndexHasSettingsOfItsOwn) {
  EXPECT_EQ(Update(kOfIndex, "ENABLE", kThrottled), With(kOfIndex, "ENABLING", kThrottled));
  EXPECT_EQ(Insights(kOfIndex),
            With(kOfIndex, "ENABLED", kThrottled,
                 R"("ContributorInsightsRuleList":["DynamoDBContributorInsights-PKT-GSI1-1500",)"
                 R"("DynamoDBContributorInsights-SKT-GSI1-1500"],"LastUpdateDateTime":1.5)"));
  EXPECT_EQ(Insights(), With("", "DISABLED"));
}

TEST_F(ContributorInsightsTest, OnlyGlobalIndexesHaveInsights) {
  for (const std::string index : {"local", "none"}) {
    ExpectNotFound("DescribeContributorInsights", OnTable(R"("IndexName":")" + index + "\""),
                   "Index: " + index + " not found for table: table");
  }
  ExpectNotFound("DescribeContributorInsights", OnTable("", "none"),
                 "Requested resource not found: Table: none not found");
  ExpectInvalid("DescribeContributorInsights", OnTable(R"("IndexName":"ab")"),
                "IndexName must be at least 3 characters long and at most 255 characters long");
}

TEST_F(ContributorInsightsTest, ListsEnabledInsightsInPages) {
  Update("", "ENABLE");
  Update(kOfIndex, "ENABLE");
  Body("UpdateContributorInsights", OnTable(R"("ContributorInsightsAction":"ENABLE")", "other"));
  const std::string other =
      Object({R"("TableName":"other")", R"("ContributorInsightsStatus":"ENABLED")", kAccessed});
  const std::string table = With("", "ENABLED", kAccessed);
  const std::string index = With(kOfIndex, "ENABLED", kAccessed);
  const auto page = [](const std::string& summaries, std::string_view token) {
    return Object({R"("ContributorInsightsSummaries":[)" + summaries + "]", token});
  };
  EXPECT_EQ(Body("ListContributorInsights", "{}"), page(other + "," + table + "," + index, ""));
  EXPECT_EQ(Body("ListContributorInsights", OnTable()), page(table + "," + index, ""));
  EXPECT_EQ(Body("ListContributorInsights", R"({"MaxResults":2})"),
            page(other + "," + table, R"("NextToken":"table")"));
  EXPECT_EQ(Body("ListContributorInsights", R"({"MaxResults":2,"NextToken":"table"})"),
            page(index, ""));
}

TEST_F(ContributorInsightsTest, ADeletedIndexForgetsItsInsights) {
  Update(kOfIndex, "ENABLE");
  Body("UpdateTable",
       OnTable(R"("GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"GSI1"}}])"));
  EXPECT_EQ(Body("ListContributorInsights", "{}"), R"({"ContributorInsightsSummaries":[]})");
}

}  // namespace
}  // namespace dolmen
