// Tests of limits on legacy parameters. The limits of expressions do not apply to legacy
// parameters, and an error names the parameter of the request, not an expression.

#include <string>
#include <string_view>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

constexpr std::string_view kTooMany =
    "A parameter has more than 16384 attributes, values and conditions in it";
constexpr std::string_view kNameLength = "Empty attribute name";

class LegacyLimitsTest : public WireItemTest {
 protected:
  LegacyLimitsTest() { Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"5"}})"); }

  static std::string OnItem(std::string_view members) {
    return R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},)" + std::string(members) +
           "}";
  }
  // Returns `count` members that all have the value `what`. For two members with the value {} the
  // result is "a0":{},"a1":{}.
  static std::string Each(int count, std::string_view what) {
    std::string members;
    for (int i = 0; i < count; ++i) {
      members.append(i > 0 ? "," : "").append("\"a").append(std::to_string(i)).append("\":");
      members.append(what);
    }
    return members;
  }
  static std::string Numbers(int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list.append(i > 0 ? "," : "").append(R"({"N":")").append(std::to_string(i)).append("\"}");
    }
    return list;
  }
};

TEST_F(LegacyLimitsTest, ExpectedAcceptsManyConditions) {
  const std::string absent = R"("Expected":{)" + Each(5000, R"({"Exists":false})");
  EXPECT_EQ(Body("UpdateItem", OnItem(absent + "}")), "{}");
  Body("UpdateItem", OnItem(absent + R"(,"n":{"Exists":false}})"), 400);
  EXPECT_EQ(
      Body("UpdateItem", OnItem(absent + R"(},"AttributeUpdates":{"a1":{"Action":"DELETE"}})")),
      "{}");
  EXPECT_EQ(Body("DeleteItem", OnItem(absent + "}")), "{}");
}

TEST_F(LegacyLimitsTest, FiltersAcceptManyConditions) {
  EXPECT_EQ(Body("Scan", R"({"TableName":"app","Select":"COUNT","ScanFilter":{)" +
                             Each(5000, R"({"ComparisonOperator":"NULL"})") + "}}"),
            R"({"Count":1,"ScannedCount":1})");
  EXPECT_EQ(Body("Scan", R"({"TableName":"app","Select":"COUNT","ConditionalOperator":"OR",)"
                         R"("ScanFilter":{)" +
                             Each(5000, R"({"ComparisonOperator":"NOT_NULL"})") + "}}"),
            R"({"Count":0,"ScannedCount":1})");
}

TEST_F(LegacyLimitsTest, InAcceptsManyArguments) {
  const auto in = [](const std::string& values) {
    return OnItem(R"("Expected":{"n":{"ComparisonOperator":"IN","AttributeValueList":[)" + values +
                  "]}}");
  };
  EXPECT_EQ(Body("UpdateItem", in(Numbers(101))), "{}");
  EXPECT_EQ(Body("UpdateItem", in(Numbers(10'000))), "{}");
  Body("UpdateItem", in(Numbers(5)), 400);  // 0 to 4 are listed, and n is 5
}

TEST_F(LegacyLimitsTest, AttributeUpdatesAcceptsManyAttributes) {
  Body("UpdateItem",
       OnItem(R"("AttributeUpdates":{)" + Each(5000, R"({"Value":{"N":"1"}})") + "}"));
  EXPECT_EQ(Body("GetItem", OnItem(R"("AttributesToGet":["a4999"])")),
            R"({"Item":{"a4999":{"N":"1"}}})");
  const std::string removes =
      R"("AttributeUpdates":{)" + Each(5000, R"({"Action":"DELETE"})") + "}";
  Body("UpdateItem", OnItem(removes));
  EXPECT_EQ(Get("p", "s"), R"({"Item":{"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"5"}}})");
}

TEST_F(LegacyLimitsTest, AttributesToGetAcceptsManyNames) {
  std::string names = R"("n")";
  for (int i = 0; i < 5000; ++i) names += ",\"a" + std::to_string(i) + '"';
  EXPECT_EQ(Body("GetItem", OnItem(R"("AttributesToGet":[)" + names + "]")),
            R"({"Item":{"n":{"N":"5"}}})");
}

TEST_F(LegacyLimitsTest, AParameterHasAtMost16384Elements) {
  const auto deleting = [](int count) {
    return OnItem(R"("AttributeUpdates":{)" + Each(count, R"({"Action":"DELETE"})") + "}");
  };
  EXPECT_EQ(Body("UpdateItem", deleting(16'384)), "{}");
  ExpectCounted("UpdateItem", deleting(16'385), kTooMany);
  ExpectCounted("PutItem",
                R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"s"}},"Expected":{)" +
                    Each(16'385, R"({"Exists":false})") + "}}",
                kTooMany);
  ExpectCounted("DeleteItem",
                OnItem(R"("Expected":{"n":{"ComparisonOperator":"IN","AttributeValueList":[)" +
                       Numbers(16'385) + "]}}"),
                kTooMany);
}

TEST_F(LegacyLimitsTest, TheLimitIsTheSameForAllUpdates) {
  const auto updating = [](int count, std::string_view update) {
    return OnItem(R"("AttributeUpdates":{"n":)" + std::string(update) + R"(},"Expected":{)" +
                  Each(count, R"({"Exists":false})") + "}");
  };
  // The limit is a number of elements. Each condition has two elements, and the update has one.
  for (const std::string_view update : {R"({"Value":{"N":"5"}})", R"({"Action":"DELETE"})"}) {
    EXPECT_EQ(Body("UpdateItem", updating(8191, update)), "{}");
    ExpectCounted("UpdateItem", updating(8192, update), kTooMany);
  }
  EXPECT_EQ(Get("p", "s"), R"({"Item":{"PK":{"S":"p"},"SK":{"S":"s"}}})");
}

TEST_F(LegacyLimitsTest, AnEmptyNameIsRejectedWithoutNamingAnExpression) {
  constexpr std::string_view kItem = R"({"PK":{"S":"p"},"SK":{"S":"s"}})";
  constexpr std::string_view kAbsent = R"("Expected":{"":{"Exists":false}})";
  ExpectCounted(
      "PutItem",
      R"({"TableName":"app","Item":)" + std::string(kItem) + "," + std::string(kAbsent) + "}",
      kNameLength);
  ExpectCounted("DeleteItem", OnItem(kAbsent), kNameLength);
  ExpectCounted("UpdateItem", OnItem(R"("AttributeUpdates":{"":{"Value":{"N":"1"}}})"),
                kNameLength);
  ExpectInvalid("GetItem", OnItem(R"("AttributesToGet":[""])"), kNameLength);
  ExpectInvalid(
      "BatchGetItem",
      R"({"RequestItems":{"app":{"AttributesToGet":[""],"Keys":[)" + std::string(kItem) + "]}}}",
      kNameLength);
  ExpectInvalid("Scan", R"({"TableName":"app","ScanFilter":{"":{"ComparisonOperator":"NULL"}}})",
                kNameLength);
  ExpectInvalid("Query",
                R"({"TableName":"app","KeyConditions":{"":{"ComparisonOperator":"EQ",)"
                R"("AttributeValueList":[{"S":"p"}]}}})",
                kNameLength);
}

TEST_F(LegacyLimitsTest, MessagesNameTheParameterOfTheRequest) {
  ExpectInvalid("Scan", R"({"TableName":"app","Select":"COUNT","AttributesToGet":["a"]})",
                "Cannot specify the AttributesToGet when choosing to get only the Count");
  ExpectInvalid("Scan", R"({"TableName":"app","Select":"COUNT","ProjectionExpression":"a"})",
                "Cannot specify the ProjectionExpression when choosing to get only the Count");
  constexpr std::string_view kQuery =
      R"({"TableName":"app","KeyConditions":{"PK":{"ComparisonOperator":"EQ",)"
      R"("AttributeValueList":[{"S":"p"}]}},)";
  constexpr std::string_view kRest =
      " can only contain non-primary key attributes: Primary key attribute: SK";
  // Query has no parameter ScanFilter. Such an unknown parameter does not change the message.
  ExpectInvalid(
      "Query",
      std::string(kQuery) + R"j("FilterExpression":"attribute_exists(SK)","ScanFilter":{}})j",
      "Filter Expression" + std::string(kRest));
  ExpectInvalid("Query",
                std::string(kQuery) + R"("QueryFilter":{"SK":{"ComparisonOperator":"NOT_NULL"}}})",
                "QueryFilter" + std::string(kRest));
}

}  // namespace
}  // namespace dolmen
