// Tests of Expected, ScanFilter and QueryFilter: names, and the message for each invalid use.
// legacy_equality_test.cc tests the meaning of their operators.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html

#include <string>
#include <string_view>
#include <vector>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

constexpr std::string_view kFailed =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
    R"("message":"The conditional request failed"})";

std::string Invalid(std::string_view what) {
  return "One or more parameter values were invalid: " + std::string(what);
}

class LegacyConditionsTest : public WireItemTest {
 protected:
  LegacyConditionsTest() {
    Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"5"},"s":{"S":"banana"},"b":{"B":"AQID"},)"
        R"("ss":{"SS":["x","y"]},"ns":{"NS":["1","2"]},"l":{"L":[{"S":"x"},{"N":"1"}]},)"
        R"("m":{"M":{"k":{"N":"1"}}},"t":{"BOOL":true},"z":{"NULL":true},"a.b":{"S":"dotted"}})");
  }

  // Returns an UpdateItem request that has the condition and changes nothing.
  static std::string Expecting(std::string_view expected, std::string_view more = "") {
    return R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},"Expected":)" +
           std::string(expected) + std::string(more) + "}";
  }
  static std::string Filtering(std::string_view filter, std::string_view more = "") {
    return R"({"TableName":"app","Select":"COUNT","ScanFilter":)" + std::string(filter) +
           std::string(more) + "}";
  }

  // Returns true if the condition holds for the item's attribute. Expects Expected and ScanFilter
  // to agree.
  bool Holds(std::string_view attribute, std::string_view op, std::string_view values) {
    const std::string conditions = R"({")" + std::string(attribute) +
                                   R"(":{"ComparisonOperator":")" + std::string(op) +
                                   R"(","AttributeValueList":[)" + std::string(values) + "]}}";
    return Passes(conditions);
  }
  bool Passes(std::string_view conditions, std::string_view more = "") {
    const EndpointResponse expected = endpoint_.Execute("UpdateItem", Expecting(conditions, more));
    const EndpointResponse filtered = endpoint_.Execute("Scan", Filtering(conditions, more));
    EXPECT_TRUE(expected.body == "{}" || expected.body == kFailed) << expected.body;
    EXPECT_EQ(filtered.status, 200) << filtered.body;
    const bool found = filtered.body.starts_with(R"({"Count":1,)");
    EXPECT_EQ(found, expected.status == 200) << conditions;
    return found;
  }

  // Expects UpdateItem with Expected and Scan with ScanFilter to reject the conditions with the
  // same message.
  void ExpectRefused(std::string_view conditions, std::string_view message) {
    ExpectCounted("UpdateItem", Expecting(conditions), message);
    ExpectInvalid("Scan", Filtering(conditions), message);
  }
};

TEST_F(LegacyConditionsTest, ANullConditionNeedsNoValues) {
  EXPECT_TRUE(Passes(R"({"absent":{"ComparisonOperator":"NULL"}})"));
}

TEST_F(LegacyConditionsTest, NamesAreNotReadAsPaths) {
  EXPECT_TRUE(Holds("a.b", "EQ", R"({"S":"dotted"})"));
  EXPECT_FALSE(Holds("m.k", "EQ", R"({"N":"1"})"));
  EXPECT_FALSE(Holds("l[0]", "EQ", R"({"S":"x"})"));
}

TEST_F(LegacyConditionsTest, AnEmptyMapOfConditionsHolds) { EXPECT_TRUE(Passes("{}")); }

TEST_F(LegacyConditionsTest, TheLastConditionOnADuplicateAttributeCounts) {
  EXPECT_TRUE(Passes(R"({"n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"6"}]},)"
                     R"("n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"5"}]}})"));
}

TEST_F(LegacyConditionsTest, OperatorsRejectAWrongNumberOfArguments) {
  const auto refused = [&](std::string_view op, std::string_view values) {
    ExpectRefused(R"({"n":{"ComparisonOperator":")" + std::string(op) +
                      R"(","AttributeValueList":[)" + std::string(values) + "]}}",
                  Invalid("Invalid number of argument(s) for the " + std::string(op) +
                          " ComparisonOperator"));
  };
  for (const std::string_view op : {"EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS",
                                    "BEGINS_WITH", "BETWEEN", "IN"}) {
    refused(op, "");
  }
  for (const std::string_view op :
       {"EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"}) {
    refused(op, R"({"S":"a"},{"S":"b"})");
  }
  for (const std::string_view op : {"NULL", "NOT_NULL", "BETWEEN"}) refused(op, R"({"S":"a"})");
  refused("BETWEEN", R"({"S":"a"},{"S":"b"},{"S":"c"})");
}

TEST_F(LegacyConditionsTest, ArgumentsMustBeOfOneType) {
  for (const std::string_view op : {"BETWEEN", "IN"}) {
    ExpectRefused(R"({"n":{"ComparisonOperator":")" + std::string(op) +
                      R"(","AttributeValueList":[{"S":"a"},{"N":"1"}]}})",
                  Invalid("AttributeValues inside AttributeValueList must be of same type"));
  }
}

TEST_F(LegacyConditionsTest, OperatorsRejectArgumentsOfUnsupportedTypes) {
  const auto refused = [&](std::string_view op, std::string_view values, std::string_view type) {
    ExpectRefused(R"({"n":{"ComparisonOperator":")" + std::string(op) +
                      R"(","AttributeValueList":[)" + std::string(values) + "]}}",
                  Invalid("ComparisonOperator " + std::string(op) + " is not valid for " +
                          std::string(type) + " AttributeValue type"));
  };
  for (const std::string_view op :
       {"LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN"}) {
    refused(op, R"({"SS":["a"]})", "SS");
    refused(op, R"({"BOOL":true})", "BOOL");
    refused(op, R"({"L":[]})", "L");
  }
  refused("BETWEEN", R"({"NULL":true},{"NULL":true})", "NULL");
  refused("BEGINS_WITH", R"({"N":"1"})", "N");
}

TEST_F(LegacyConditionsTest, BetweenRejectsALowerBoundAboveTheUpperBound) {
  constexpr std::string_view kMessage =
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
      "bound";
  for (const std::string_view values :
       {R"({"N":"10"},{"N":"9"})", R"({"S":"b"},{"S":"a"})", R"({"B":"/w=="},{"B":"AA=="})"}) {
    ExpectRefused(R"({"n":{"ComparisonOperator":"BETWEEN","AttributeValueList":[)" +
                      std::string(values) + "]}}",
                  kMessage);
  }
}

// DynamoDB checks the value and then the structure of an attribute before it reads the next one.
TEST_F(LegacyConditionsTest, ValuesOfAnAttributeAreCheckedBeforeItsStructure) {
  ExpectRefused(R"({"a":{"ComparisonOperator":"EQ","AttributeValueList":[]},)"
                R"("b":{"ComparisonOperator":"EQ","AttributeValueList":[{}]}})",
                Invalid("Invalid number of argument(s) for the EQ ComparisonOperator"));
  ExpectRefused(R"({"b":{"ComparisonOperator":"NULL","AttributeValueList":[{"N":"x"}]}})",
                "The parameter cannot be converted to a numeric value: x");
}

TEST_F(LegacyConditionsTest, ExpectedTakesAValueOrAbsence) {
  const auto passes = [&](std::string_view expected) {
    return endpoint_.Execute("UpdateItem", Expecting(expected)).status == 200;
  };
  EXPECT_TRUE(passes(R"({"n":{"Value":{"N":"5"}}})"));
  EXPECT_FALSE(passes(R"({"n":{"Value":{"N":"6"}}})"));
  EXPECT_TRUE(passes(R"({"n":{"Value":{"N":"5"},"Exists":true}})"));
  EXPECT_TRUE(passes(R"({"absent":{"Exists":false}})"));
  EXPECT_FALSE(passes(R"({"n":{"Exists":false}})"));
  EXPECT_TRUE(passes(R"({"n":{"ComparisonOperator":"GT","Value":{"N":"4"}}})"));
  EXPECT_TRUE(passes(R"({"n":{"ComparisonOperator":"NOT_NULL"}})"));
}

TEST_F(LegacyConditionsTest, EveryWriteOperationChecksExpected) {
  constexpr std::string_view kNoItem = R"(,"Expected":{"PK":{"Exists":false}}})";
  constexpr std::string_view kInTable = R"({"TableName":"app",)";
  constexpr std::string_view kOfItem = R"({"PK":{"S":"p"},"SK":{"S":"s"}})";
  const std::string table(kInTable);
  EXPECT_EQ(
      Body("PutItem", table + R"("Item":)" + std::string(kOfItem) + std::string(kNoItem), 400),
      kFailed);
  for (const std::string_view operation : {"UpdateItem", "DeleteItem"}) {
    EXPECT_EQ(
        Body(operation, table + R"("Key":)" + std::string(kOfItem) + std::string(kNoItem), 400),
        kFailed);
  }
}

TEST_F(LegacyConditionsTest, ExpectedRejectsContradictoryMembers) {
  const auto refused = [&](std::string_view expected, std::string_view message) {
    ExpectCounted("UpdateItem", Expecting(expected), Invalid(message));
  };
  refused(R"({"a":{"Value":{"N":"1"},"AttributeValueList":[]}})",
          "Value and AttributeValueList cannot be used together for Attribute: a");
  refused(R"({"a":{"Exists":false,"ComparisonOperator":"NULL"}})",
          "Exists and ComparisonOperator cannot be used together for Attribute: a");
  refused(R"({"a":{"ComparisonOperator":"LT"}})",
          "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a");
  refused(R"({"a":{"AttributeValueList":[{"N":"1"}]}})",
          "AttributeValueList can only be used with a ComparisonOperator for Attribute: a");
  refused(R"({"a":{}})", "Value must be provided when Exists is null for Attribute: a");
  refused(R"({"a":{"Exists":true}})",
          "Value must be provided when Exists is true for Attribute: a");
  refused(R"({"a":{"Exists":false,"Value":{"N":"1"}}})",
          "Value cannot be used when Exists is false for Attribute: a");
  refused(R"({"a":{"ComparisonOperator":"NULL","Value":{"N":"1"}}})",
          "Invalid number of argument(s) for the NULL ComparisonOperator");
}

TEST_F(LegacyConditionsTest, AConditionalOperatorNeedsTwoConditions) {
  constexpr std::string_view kNothing =
      "ConditionalOperator cannot be used without Filter or Expected";
  constexpr std::string_view kOne =
      "ConditionalOperator can only be used when Filter or Expected has two or more elements";
  constexpr std::string_view kOr = R"(,"ConditionalOperator":"OR")";
  constexpr std::string_view kOneCondition = R"({"a":{"ComparisonOperator":"NULL"}})";
  ExpectCounted("UpdateItem", Expecting("{}", kOr), kNothing);
  ExpectCounted("UpdateItem", Expecting("null", kOr), kNothing);
  ExpectCounted("UpdateItem", Expecting(kOneCondition, kOr), kOne);
  ExpectInvalid("Scan", Filtering("null", kOr), kNothing);
  ExpectInvalid("Scan", Filtering(kOneCondition, kOr), kOne);
}

TEST_F(LegacyConditionsTest, UnknownOperatorsAreRejected) {
  ExpectInvalid("Scan", Filtering(R"({"a":{"ComparisonOperator":"LIKE"}})"),
                "1 validation error detected: Value 'LIKE' at "
                "'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member "
                "must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, "
                "NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]");
  ExpectInvalid("Scan", Filtering(R"({"a":{}})"),
                "1 validation error detected: Value null at "
                "'scanFilter.a.member.comparisonOperator' failed to satisfy constraint: Member "
                "must not be null");
  ExpectInvalid("Scan", Filtering("{}", R"(,"ConditionalOperator":"XOR")"),
                "1 validation error detected: Value 'XOR' at 'conditionalOperator' failed to "
                "satisfy constraint: Member must satisfy enum value set: [OR, AND]");
}

// A parameter that the operation does not declare is ignored, even if the parameter's content is
// invalid.
TEST_F(LegacyConditionsTest, ParametersOfOtherOperationsAreIgnored) {
  constexpr std::string_view kNotTheItem =
      R"({"n":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"6"}]}})";
  const auto query = [](std::string_view filters) {
    return R"({"TableName":"app","Select":"COUNT","KeyConditions":{"PK":{"ComparisonOperator":)"
           R"("EQ","AttributeValueList":[{"S":"p"}]}},)" +
           std::string(filters) + "}";
  };
  EXPECT_EQ(Body("Query", query(R"("ScanFilter":{},"QueryFilter":)" + std::string(kNotTheItem))),
            R"({"Count":0,"ScannedCount":1})");
  EXPECT_EQ(Body("Query", query(R"("ScanFilter":)" + std::string(kNotTheItem))),
            R"({"Count":1,"ScannedCount":1})");
  EXPECT_EQ(Body("Scan", Filtering("null", R"(,"QueryFilter":)" + std::string(kNotTheItem))),
            R"({"Count":1,"ScannedCount":1})");
  EXPECT_EQ(Body("Scan", R"({"TableName":"app","Select":"COUNT","QueryFilter":{"a":1}})"),
            R"({"Count":1,"ScannedCount":1})");
}

}  // namespace
}  // namespace dolmen
