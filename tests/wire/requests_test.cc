// Tests of the checks before an operation runs: valid JSON, a known operation, the types and the
// constraints of the members.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

constexpr std::string_view kUnreadable =
    R"({"__type":"com.amazon.coral.service#SerializationException"})";
constexpr std::string_view kUnknownType = "com.amazon.coral.service#UnknownOperationException";

TEST_F(WireItemTest, ABodyThatIsNotAJsonObjectIsRejected) {
  for (const std::string_view json : {"", " ", "{", "{}}", "[]", "null", "1", R"("text")",
                                      "{\"a\":\"\xff\"}", R"({'a':1})", R"({"a":01})"}) {
    EXPECT_EQ(Body("ListTables", json, 400), kUnreadable) << json;
  }
}

TEST_F(WireItemTest, VeryDeeplyNestedBodiesAreRejected) {
  EXPECT_EQ(Body("ListTables", std::string(1'000'000, '['), 400), kUnreadable);
  EXPECT_EQ(
      Body("ListTables", R"({"a":)" + std::string(5000, '[') + std::string(5000, ']') + "}", 400),
      kUnreadable);
}

TEST_F(WireItemTest, AnUnknownOperationHasNoMessage) {
  for (const std::string_view operation : {"getitem", "Vacuum", "", "\xff", "a\"b"}) {
    EXPECT_EQ(Body(operation, "{}", 400),
              R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  }
}

TEST_F(WireItemTest, UnreadableReturnsTheErrorWithoutExecutingTheRequest) {
  EXPECT_EQ(endpoint_.Unreadable("GetItem", "{")->body, kUnreadable);
  EXPECT_EQ(endpoint_.Unreadable("Nothing", "{}")->body, Body("Nothing", "{}", 400));
  EXPECT_FALSE(endpoint_.Unreadable("GetItem", "{}").has_value());
}

TEST_F(WireItemTest, TypesAreCheckedBeforeConstraints) {
  ExpectUnserializable("GetItem", R"({"TableName":"a","Key":"b"})", "Unexpected field type");
  ExpectUnserializable("Query", R"({"TableName":1,"Limit":0})",
                       "NUMBER_VALUE cannot be converted to String");
  ExpectUnserializable("Query", R"({"Limit":"1"})", "STRING_VALUE cannot be converted to Integer");
  ExpectUnserializable("Query", R"({"ConsistentRead":1})",
                       "NUMBER_VALUE cannot be converted to Boolean");
  // The request has members that violate constraints: the name "a;", its empty list and a null
  // element. The last attribute value has a wrong type. Dolmen must report only the wrong type,
  // although it comes last.
  ExpectUnserializable("BatchWriteItem",
                       R"({"RequestItems":{"a;":[],"app":[null,{"PutRequest":{"Item":{)"
                       R"("PK":{"S":"p"},"a":{"M":{"b":{"SS":[null,1]}}}}}}]}})",
                       "NUMBER_VALUE cannot be converted to String");
}

TEST_F(WireItemTest, AScalarInPlaceOfAStructureListOrMapIsNamedByItsPlace) {
  struct {
    std::string_view operation;
    std::string_view json;
  } const fields[] = {
      {"GetItem", R"({"Key":"b"})"},
      {"CreateTable", R"({"ProvisionedThroughput":1})"},
      {"CreateTable", R"({"KeySchema":true})"},
      {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":"b"}}})"},
      {"PutItem", R"({"Item":{"a":{"M":"b"}}})"},
      {"PutItem", R"({"Item":{"a":{"L":1}}})"},
  };
  for (const auto& [operation, json] : fields) {
    ExpectUnserializable(operation, json, "Unexpected field type");
  }
  struct {
    std::string_view operation;
    std::string_view json;
  } const elements[] = {
      {"GetItem", R"({"Key":{"PK":"p"}})"},
      {"CreateTable", R"({"KeySchema":["PK"]})"},
      {"BatchGetItem", R"({"RequestItems":{"app":"b"}})"},
      {"BatchGetItem", R"({"RequestItems":{"app":{"Keys":["b"]}}})"},
      {"BatchWriteItem", R"({"RequestItems":{"app":1}})"},
      {"PutItem", R"({"Item":{"a":{"M":{"b":false}}}})"},
      {"PutItem", R"({"Item":{"a":{"L":[{"S":"b"},"c"]}}})"},
  };
  for (const auto& [operation, json] : elements) {
    ExpectUnserializable(operation, json, "Unexpected value type in payload");
  }
}

TEST_F(WireItemTest, ViolationsAreReportedInTheOrderOfTheShape) {
  ExpectInvalid("GetItem", R"({"ReturnConsumedCapacity":"x","Key":null,"TableName":""})",
                "3 validation errors detected: Value at 'TableName' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1; Value null at "
                "'key' failed to satisfy constraint: Member must not be null; Value 'x' at "
                "'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
                "value set: [INDEXES, TOTAL, NONE]");
}

TEST_F(WireItemTest, ARequiredMemberMustNotBeNull) {
  ExpectInvalid("GetItem", R"({"Key":{}})",
                "1 validation error detected: Value null at 'tableName' failed to satisfy "
                "constraint: Member must not be null");
  ExpectInvalid("GetItem", R"({"TableName":null,"Key":null})",
                "2 validation errors detected: Value null at 'tableName' failed to satisfy "
                "constraint: Member must not be null; Value null at 'key' failed to satisfy "
                "constraint: Member must not be null");
}

TEST_F(WireItemTest, TableNamesAreCheckedAgainstAPatternAndALength) {
  ExpectInvalid("GetItem", R"({"TableName":"a;","Key":{}})",
                "1 validation error detected: Value 'a;' at 'tableName' failed to satisfy "
                "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  const std::string name(256, 'a');
  ExpectInvalid("GetItem", R"({"TableName":")" + name + R"(","Key":{}})",
                "1 validation error detected: Value '" + name +
                    "' at 'tableName' failed to satisfy constraint: Member must have length less "
                    "than or equal to 255");
}

TEST_F(WireItemTest, AMessageListsTheValuesOfAnEnum) {
  ExpectInvalid(
      "PutItem",
      R"({"TableName":"app","Item":{},"ReturnValues":"ALL","ReturnConsumedCapacity":"all"})",
      "2 validation errors detected: "
      "Value 'all' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
      "enum value set: [INDEXES, TOTAL, NONE]; Failed to satisfy constraint: Member must satisfy "
      "enum value set: "
      "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]");
}

TEST_F(WireItemTest, NumbersOutOfRangeAreRejected) {
  ExpectInvalid("Query", R"({"TableName":"app","Limit":0})",
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
  ExpectInvalid("Scan", R"({"TableName":"app","Limit":0})",
                "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1");
  ExpectInvalid("Scan", R"({"TableName":"app","Segment":1000000,"TotalSegments":1000001})",
                "2 validation errors detected: Value '1000001' at 'totalSegments' failed to "
                "satisfy constraint: Member must have value less than or equal to 1000000; Value "
                "'1000000' at 'segment' failed to satisfy constraint: Member must have value less "
                "than or equal to 999999");
}

TEST_F(WireItemTest, AtMostTenErrorsAreReported) {
  std::string actions;
  for (int i = 0; i < 20; ++i) actions += std::string(i > 0 ? "," : "") + R"({"Get":{}})";
  const std::string body = Body("TransactGetItems", R"({"TransactItems":[)" + actions + "]}", 400);
  EXPECT_NE(body.find("10 validation errors detected: Value null at "
                      "'transactItems.1.member.get.key'"),
            body.npos)
      << body;
}

TEST_F(WireItemTest, ListsAndMapsOfInvalidLengthAreRejected) {
  ExpectInvalid("TransactGetItems", R"({"TransactItems":[]})",
                "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1");
  ExpectInvalid("BatchGetItem", R"({"RequestItems":{}})",
                "1 validation error detected: Value at 'RequestItems' failed to satisfy "
                "constraint: Member must have length greater than or equal to 1");
  ExpectInvalid("BatchWriteItem", R"({"RequestItems":{}})",
                "The requestItems parameter is required for BatchWriteItem");
  std::string keys = R"({"PK":{"S":"p"}})";
  for (int i = 0; i < 100; ++i) keys += R"(,{"PK":{"S":"p"}})";
  for (const auto& [list, constraint] :
       {std::pair<std::string, std::string>("", "greater than or equal to 1"),
        {keys, "less than or equal to 100"}}) {
    ExpectInvalid("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + list + "]}}}",
                  "1 validation error detected: Value at 'RequestItems.app.member.Keys' failed to "
                  "satisfy constraint: Member must have length " +
                      constraint);
  }
  ExpectInvalid("BatchWriteItem", R"({"RequestItems":{"app":[]}})",
                "1 validation error detected: Value '{app=[]}' at 'requestItems' failed to satisfy "
                "constraint: Map value must satisfy constraint: [Member must have length less than "
                "or equal to 25, Member must have length greater than or equal to 1]");
  ExpectInvalid("BatchGetItem", R"({"RequestItems":{"a;":{"Keys":[{"a":{"S":"b"}}]}}})",
                "1 validation error detected: Value '{\"a;\":{\"Keys\":[{\"a\":{\"S\":\"b\"}}]}}' "
                "at 'requestItems' failed to satisfy constraint: Map keys "
                "must satisfy constraint: [Member must have length less than or equal to 255, "
                "Member must have length greater than or equal to 3, Member must satisfy regular "
                "expression pattern: [a-zA-Z0-9_.-]+]");
}

TEST_F(WireItemTest, NullElementsAreRejected) {
  ExpectInvalid("TransactWriteItems", R"({"TransactItems":[null]})",
                "1 validation error detected: Value null at 'transactItems.1.member' failed to "
                "satisfy constraint: Member must not be null");
  ExpectInvalid("BatchGetItem", R"({"RequestItems":{"app":null}})",
                "1 validation error detected: Value null at 'requestItems.app.member' failed to "
                "satisfy constraint: Member must not be null");
}

TEST_F(WireItemTest, TheFractionOfAnIntegerMemberIsDropped) {
  Put(R"({"PK":{"S":"a"},"SK":{"S":"1"}})");
  Put(R"({"PK":{"S":"a"},"SK":{"S":"2"}})");
  EXPECT_EQ(Body("Scan", R"({"TableName":"app","Limit":1.9,"Select":"COUNT"})"),
            R"({"Count":1,"ScannedCount":1,"LastEvaluatedKey":{"PK":{"S":"a"},"SK":{"S":"1"}}})");
}

// DynamoDB counts UTF-16 code units, as Java does. A character of two code units counts twice.
TEST_F(WireItemTest, TheLengthOfATextIsCountedInUtf16CodeUnits) {
  const auto many = [](int count, const char* character) {
    std::string text;
    while (count-- > 0) text += character;
    return text;
  };
  const auto tag = [&](const std::string& key, int status) {
    return Body("TagResource",
                R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",)"
                R"("Tags":[{"Key":")" +
                    key + R"(","Value":""}]})",
                status);
  };
  tag(many(128, "ä"), 200);
  tag(many(64, "😀"), 200);
  for (const std::string& key : {many(129, "ä"), many(65, "😀")}) {
    EXPECT_EQ(tag(key, 400),
              ErrorBody(kValidationType, "The Tag Key provided is invalid, Key: " + key));
  }
  Body("TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"s"}}}}],)"
       R"("ClientRequestToken":")" +
           many(36, "é") + "\"}");
}

TEST_F(WireItemTest, TheLengthOfAKeyNameIsCountedInBytes) {
  std::string name;
  while (name.size() < 256) name += "é";
  ExpectInvalid("CreateTable",
                R"({"TableName":"two","AttributeDefinitions":[{"AttributeName":"a",)"
                R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":")" +
                    name + R"(","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"})",
                "1 validation error detected: Value '" + name +
                    "' at 'keySchema.1.member.attributeName' failed to satisfy constraint: Member "
                    "must have length less than or equal to 255");
}

// A number may be too large for every type, but it must have JSON's syntax.
TEST_F(WireItemTest, HugeNumbersMustHaveJsonSyntax) {
  for (const std::string_view number : {"1e999", "-1e999", "1.5E+999", "0e999", "0.0e-999",
                                        "100000000000000000000", "-100000000000000000000"}) {
    Body("ListTables", R"({"X":)" + std::string(number) + "}");
  }
  for (const std::string_view number :
       {"1.e999", "-1e999e", "1e999-", "01e999", "+1e999", ".1e999", "1e999.5", "1e9999e9", "-",
        "00000000000000000000000000000000001", "-01234567890123456789012345", "1e+-999",
        "1.2.3e999", "1e999e"}) {
    EXPECT_EQ(Body("ListTables", R"({"X":)" + std::string(number) + "}", 400), kUnreadable)
        << number;
    // An invalid number is rejected even if the request also has a number that is well-formed but
    // too large.
    EXPECT_EQ(Body("ListTables", R"({"Y":1e999,"X":)" + std::string(number) + "}", 400),
              kUnreadable)
        << number;
  }
}

}  // namespace
}  // namespace dolmen
