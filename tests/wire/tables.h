// Helpers that build requests in DynamoDB's JSON, for tests of the operations that manage tables.

#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "tests/wire/fixture.h"

namespace dolmen {

inline constexpr std::string_view kInvalid = "One or more parameter values were invalid: ";
inline constexpr std::string_view kNotFoundType =
    "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException";
inline constexpr std::string_view kOnDemand = R"("BillingMode":"PAY_PER_REQUEST")";

using NamesAndKinds = std::initializer_list<std::pair<std::string_view, std::string_view>>;

inline std::string Elements(std::string_view member, std::string_view kind, NamesAndKinds all) {
  std::string json = "\"" + std::string(member) + "\":[";
  for (const auto& [name, of_kind] : all) {
    if (json.back() != '[') json.push_back(',');
    json.append(R"({"AttributeName":")").append(name).append("\",\"").append(kind);
    json.append("\":\"").append(of_kind).append("\"}");
  }
  return json + "]";
}

// Returns a member like "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}].
inline std::string Definitions(NamesAndKinds all) {
  return Elements("AttributeDefinitions", "AttributeType", all);
}

// Returns a member like "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}].
inline std::string Keys(NamesAndKinds all) { return Elements("KeySchema", "KeyType", all); }

// Returns a JSON object with these members. Empty members are left out.
inline std::string Object(std::initializer_list<std::string_view> members) {
  std::string json = "{";
  for (const std::string_view member : members) {
    json.append(json.size() > 1 && !member.empty() ? "," : "").append(member);
  }
  return json + "}";
}

inline constexpr std::string_view kAll = R"("Projection":{"ProjectionType":"ALL"})";

inline std::string Index(std::string_view name, std::string_view keys,
                         std::string_view projection = kAll, std::string_view more = "") {
  return Object({R"("IndexName":")" + std::string(name) + "\"", keys, projection, more});
}

inline std::string LocalIndexes(std::string_view indexes) {
  return R"("LocalSecondaryIndexes":[)" + std::string(indexes) + "]";
}
inline std::string GlobalIndexes(std::string_view indexes) {
  return R"("GlobalSecondaryIndexes":[)" + std::string(indexes) + "]";
}

// Returns the body of a CreateTable request for the table "table" with the partition key "a" and
// the members `more`.
inline std::string TableWith(std::string_view more) {
  return Object({R"("TableName":"table")", Definitions({{"a", "S"}}), Keys({{"a", "HASH"}}), more});
}

inline std::string Units(int read, int write) {
  return R"("ProvisionedThroughput":{"ReadCapacityUnits":)" + std::to_string(read) +
         R"(,"WriteCapacityUnits":)" + std::to_string(write) + "}";
}

class WireTableTest : public WireTest {
 protected:
  // Returns the response to DescribeTable.
  std::string Describe(std::string_view name = "table") {
    return Body("DescribeTable", Object({R"("TableName":")" + std::string(name) + "\""}));
  }

  void ExpectNotFound(std::string_view operation, std::string_view json, std::string_view what) {
    EXPECT_EQ(Body(operation, json, 400), ErrorBody(kNotFoundType, what)) << json;
  }

  // Expects that the response's body contains `part`.
  static void ExpectHas(const std::string& body, std::string_view part) {
    EXPECT_NE(body.find(part), body.npos) << "no " << part << " in " << body;
  }
  static void ExpectHasNot(const std::string& body, std::string_view part) {
    EXPECT_EQ(body.find(part), body.npos) << part << " in " << body;
  }
};

}  // namespace dolmen
