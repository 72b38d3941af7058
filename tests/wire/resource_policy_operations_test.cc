// Tests of the operations on resource policies in DynamoDB's JSON.

#include <string>

#include "tests/wire/tables.h"

namespace dolmen {
namespace {

constexpr std::string_view kPolicyTable = "arn:aws:dynamodb:us-east-1:000000000000:table/table";
constexpr std::string_view kPolicyNotFound =
    "com.amazonaws.dynamodb.v20120810#PolicyNotFoundException";
constexpr std::string_view kPolicyAbsent =
    "Resource-based policy not found for the provided ResourceArn: ";

// Returns a policy with one statement, as the text of a JSON string.
std::string PolicyText(std::string_view id) {
  return R"({\"Version\":\"2012-10-17\",\"Statement\":[{\"Sid\":\")" + std::string(id) +
         R"(\",\"Effect\":\"Allow\"}]})";
}

class ResourcePolicyTest : public WireTableTest {
 protected:
  ResourcePolicyTest() {
    clock_->Set(Timestamp(std::chrono::seconds(2)));
    EXPECT_TRUE(
        db_.CreateTable({.name = "table",
                         .stream_specification = {{.view_type = StreamViewType::kKeysOnly}}})
            .ok());
  }

  static std::string On(std::string_view arn, std::string_view more = "") {
    return Object({R"("ResourceArn":")" + std::string(arn) + "\"", more});
  }
  static std::string Policy(const std::string& text) { return R"("Policy":")" + text + "\""; }
  static std::string Revision(std::string_view id) {
    return R"({"RevisionId":")" + std::string(id) + "\"}";
  }
  static std::string Expecting(std::string_view id) {
    return R"("ExpectedRevisionId":")" + std::string(id) + "\"";
  }
  void ExpectNoPolicy(std::string_view operation, const std::string& json, const std::string& why) {
    EXPECT_EQ(Body(operation, json, 400),
              ErrorBody(kPolicyNotFound, std::string(kPolicyAbsent) + why));
  }
};

TEST_F(ResourcePolicyTest, ATableHasNoPolicyAtFirst) {
  ExpectNoPolicy("GetResourcePolicy", On(kPolicyTable), std::string(kPolicyTable));
  EXPECT_EQ(Body("DeleteResourcePolicy", On(kPolicyTable)), "");
}

TEST_F(ResourcePolicyTest, APolicyIsStoredAndDeleted) {
  EXPECT_EQ(Body("PutResourcePolicy", On(kPolicyTable, Policy(PolicyText("a")))), Revision("2000"));
  EXPECT_EQ(Body("GetResourcePolicy", On(kPolicyTable)),
            Object({Policy(PolicyText("a")), R"("RevisionId":"2000")"}));
  EXPECT_EQ(Body("DeleteResourcePolicy", On(kPolicyTable)), Revision("2000"));
  ExpectNoPolicy("GetResourcePolicy", On(kPolicyTable), std::string(kPolicyTable));
}

TEST_F(ResourcePolicyTest, AChangedPolicyGetsANewRevision) {
  Body("PutResourcePolicy", On(kPolicyTable, Policy(PolicyText("a"))));
  // The policies differ only in spaces.
  EXPECT_EQ(Body("PutResourcePolicy", On(kPolicyTable, Policy(" " + PolicyText("a")))),
            Revision("2000"));
  EXPECT_EQ(Body("PutResourcePolicy", On(kPolicyTable, Policy(PolicyText("b")))), Revision("2001"));
  EXPECT_EQ(Body("PutResourcePolicy", On(kPolicyTable, Policy(PolicyText("c")))), Revision("2002"));
}

TEST_F(ResourcePolicyTest, AChangeCanExpectARevision) {
  const auto put = [](std::string_view expected) {
    return On(kPolicyTable, Policy(PolicyText("b")) + "," + Expecting(expected));
  };
  ExpectNoPolicy("PutResourcePolicy", put("1"), std::string(kPolicyTable));
  EXPECT_EQ(Body("PutResourcePolicy", put("NO_POLICY")), Revision("2000"));
  ExpectNoPolicy("PutResourcePolicy", put("NO_POLICY"),
                 "Requested policy update expecting none to be present for table table, but a "
                 "policy exists with revision id 2000.");
  for (const char* operation : {"PutResourcePolicy", "DeleteResourcePolicy"}) {
    ExpectNoPolicy(operation, put("1999"),
                   "Requested update for policy with revision id 1999, but the policy associated "
                   "to target table table has revision id 2000.");
  }
  EXPECT_EQ(Body("DeleteResourcePolicy", On(kPolicyTable, Expecting("2000"))), Revision("2000"));
}

TEST_F(ResourcePolicyTest, AStreamHasAPolicyOfItsOwn) {
  const std::string stream = std::string(kPolicyTable) + "/stream/" +
                             test::Value(db_.DescribeTable("table")).latest_stream_label;
  Body("PutResourcePolicy", On(stream, Policy(PolicyText("s"))));
  ExpectHas(Body("GetResourcePolicy", On(stream)), PolicyText("s"));
  ExpectNoPolicy("GetResourcePolicy", On(kPolicyTable), std::string(kPolicyTable));
  ExpectNotFound(
      "GetResourcePolicy", On(std::string(kPolicyTable) + "/stream/1"),
      "Requested resource not found: Stream: " + std::string(kPolicyTable) + "/stream/1 not found");
}

TEST_F(ResourcePolicyTest, RejectsATextThatIsNoPolicy) {
  const auto refuse = [this](const std::string& text, const std::string& why) {
    ExpectInvalid("PutResourcePolicy", On(kPolicyTable, Policy(text)),
                  std::string(kInvalid) + "Invalid policy document: " + why);
  };
  refuse("", "the policy is not a JSON object");
  refuse("[]", "the policy is not a JSON object");
  refuse("{}", "the policy has no Statement");
  refuse(R"({\"Statement\":1})", "Statement must be an object or a list");
  refuse(R"({\"Statement\":[1]})", "each statement must be an object");
  refuse(R"({\"Statement\":[{\"Sid\":\"a\"},{\"Sid\":\"a\"}]})",
         "The Statement Ids in the policy are not unique");
  refuse(std::string(20'481, ' '), "the policy has 20481 bytes, at most 20480 are allowed");
  ExpectInvalid("PutResourcePolicy", On("table", Policy("")),
                std::string(kInvalid) + "ARNs must start with 'arn:': table");
  const std::string bucket = "arn:aws:s3:::table/table";
  const std::string index = std::string(kPolicyTable) + "/index/some";
  for (const char* operation : {"GetResourcePolicy", "PutResourcePolicy", "DeleteResourcePolicy"}) {
    ExpectInvalid(operation, On(bucket, Policy("{}")),
                  std::string(kInvalid) + "Provided Arn is not a DynamoDB resource arn: " + bucket);
    ExpectInvalid(operation, On(index, Policy("{}")),
                  std::string(kInvalid) +
                      "Invalid resource arn provided, only table or stream is accepted. Provided "
                      "resource arn: " +
                      index);
  }
}

TEST_F(ResourcePolicyTest, CreateTableAcceptsAPolicy) {
  Body("DeleteTable", R"({"TableName":"table"})");
  Body("CreateTable",
       TableWith(std::string(kOnDemand) + R"(,"ResourcePolicy":")" + PolicyText("c") + "\""));
  ExpectHas(Body("GetResourcePolicy", On(kPolicyTable)), PolicyText("c"));
  ExpectHasNot(Describe(), "Policy");
}

TEST_F(ResourcePolicyTest, TheTableMustExist) {
  ExpectNotFound("GetResourcePolicy", On("arn:aws:dynamodb:us-east-1:000000000000:table/none"),
                 "Requested resource not found: Table: none not found");
}

}  // namespace
}  // namespace dolmen
