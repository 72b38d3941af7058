// Tests of the control requests, by which a test resets its database and moves the clock.

#include "server/control/control.h"

#include <fstream>
#include <string>

#include "tests/server/control/control_fixture.h"
#include "tests/support/source_directory.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ControlTest : public ControlFixture {};

TEST_F(ControlTest, AResetBringsTheFixtureBack) {
  Put("own");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
  const HttpResponse response = Control("POST reset");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.Field("content-type"), "application/json");
  EXPECT_EQ(response.body, "{}");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":1)"));
}

TEST_F(ControlTest, ARequestIsAboutTheDatabaseOfItsAccessKey) {
  Put("own");
  EXPECT_EQ(Control("POST reset", "other").status, 200);
  EXPECT_EQ(Control("POST reset", "").status, 200);
  EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
  // The key that signs a request is used if no header names a key.
  EXPECT_EQ(Ask(RequestText("", {.target = "/_dolmen/reset"})).body, "{}");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":1)"));
}

TEST_F(ControlTest, ASnapshotCanBeRestoredAgainAndAgain) {
  Put("own");
  EXPECT_EQ(Control("POST snapshot?name=two").body, "{}");
  for (int round = 0; round < 3; ++round) {
    Put("more");
    EXPECT_THAT(Count(), HasSubstr(R"("Count":3)"));
    EXPECT_EQ(Control("POST restore?name=two").body, "{}");
    EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
  }
  EXPECT_EQ(Control("POST reset").body, "{}");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":1)")) << "a reset means the fixture, not the snapshot";
  EXPECT_EQ(Control("POST restore?name=two").body, "{}") << "a reset keeps the snapshots";
  EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
}

TEST_F(ControlTest, AnItemExpiresOnlyWhenTheClockIsMoved) {
  Put("old", R"(,"expires":{"N":"1767225660"})");  // a minute after the start
  EXPECT_EQ(Control("POST expire").body, R"({"ExpiredItems":0})");
  EXPECT_EQ(Control("POST snapshot?name=before").body, "{}");
  EXPECT_EQ(Control("POST clock?advance=61.5").body, R"({"Now":"2026-01-01T00:01:01.500Z"})");
  EXPECT_EQ(Control("POST expire").body, R"({"ExpiredItems":1})");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":1)"));
  EXPECT_EQ(Control("POST restore?name=before").body, "{}");
  EXPECT_EQ(Control("GET clock").body, R"({"Now":"2026-01-01T00:01:01.500Z"})");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
}

TEST_F(ControlTest, EachDatabaseHasItsOwnClock) {
  EXPECT_EQ(Control("POST clock?set=2027-02-03T04:05:06Z").body,
            R"({"Now":"2027-02-03T04:05:06Z"})");
  EXPECT_EQ(Control("GET clock", "other").body, R"({"Now":"2026-01-01T00:00:00Z"})");
  EXPECT_EQ(Control("POST clock?advance=-1").body, R"({"Now":"2027-02-03T04:05:05Z"})");
}

TEST_F(ControlTest, WaitEndsWhenTheIndexesAreBuilt) {
  EXPECT_EQ(
      Execute("UpdateTable",
              R"({"TableName":"app","AttributeDefinitions":[{"AttributeName":"a",)"
              R"("AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":)"
              R"("GSI1","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)"
              R"("Projection":{"ProjectionType":"ALL"}}}]})")
          .status,
      200);
  EXPECT_EQ(Control("POST wait").body, "{}");
  EXPECT_THAT(Execute("DescribeTable", R"({"TableName":"app"})").body,
              HasSubstr(R"("IndexStatus":"ACTIVE")"));
}

TEST_F(ControlTest, TheRequestsAreListed) {
  EXPECT_EQ(Control("GET requests").body, R"({"Requests":[]})");
  Execute("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"fixture"}},)"
                     R"("ReturnConsumedCapacity":"TOTAL"})");
  Execute("BatchGetItem", R"({"RequestItems":{"none":{"Keys":[{"PK":{"S":"a"}}]}}})");
  EXPECT_EQ(Control("GET requests").body,
            R"({"Requests":[{"Number":1,"Time":"2026-01-01T00:00:00Z","Operation":"GetItem",)"
            R"("Tables":["app"],"Status":200,)"
            R"("ConsumedCapacity":{"TableName":"app","CapacityUnits":0.5}},)"
            R"({"Number":2,"Time":"2026-01-01T00:00:00Z","Operation":"BatchGetItem",)"
            R"("Tables":["none"],"Status":400,"Error":"ResourceNotFoundException",)"
            R"("Message":"Requested resource not found"}]})");
  EXPECT_EQ(Control("GET requests", "other").body, R"({"Requests":[]})");
  Control("POST reset");
  EXPECT_EQ(Control("GET requests").body, R"({"Requests":[]})");
}

TEST_F(ControlTest, TheMostAccessedKeysAreReported) {
  EXPECT_EQ(Control("GET contributor-insights").body, R"({"ContributorInsights":[]})");
  Execute("UpdateContributorInsights",
          R"({"TableName":"app","ContributorInsightsAction":"ENABLE"})");
  Put("hot");
  EXPECT_THAT(Control("GET contributor-insights").body,
              HasSubstr(R"("Contributors":[{"Keys":{"PK":{"S":"hot"}},"Count":1,"ErrorMax":0}])"));
  EXPECT_EQ(Control("GET contributor-insights", "other").body, R"({"ContributorInsights":[]})");
}

TEST_F(ControlTest, AServerWithoutControlRequestsReportsTheMostAccessedKeys) {
  control_ = false;
  databases_ = nullptr;
  EXPECT_EQ(Control("GET contributor-insights").body, R"({"ContributorInsights":[]})");
  EXPECT_EQ(Control("POST contributor-insights").status, 405);
  EXPECT_EQ(Control("GET clock").status, 404);
}

TEST_F(ControlTest, ADroppedDatabaseBeginsAgain) {
  Put("own");
  EXPECT_EQ(databases_->size(), 1);
  EXPECT_EQ(Control("POST drop").body, "{}");
  EXPECT_EQ(databases_->size(), 0);
  EXPECT_THAT(Count(), HasSubstr(R"("Count":1)"));
}

TEST_F(ControlTest, AForkOfAnAccessKeyBeginsWithItsContents) {
  Put("own");
  EXPECT_EQ(Control("POST clock?advance=1").body, R"({"Now":"2026-01-01T00:00:01Z"})");
  EXPECT_EQ(Control("POST fork?name=other").body, "{}");
  Put("later");
  const auto count_of_other = [this] {
    return Ask(RequestText(R"({"TableName":"app","Select":"COUNT"})",
                           {.operation = "DynamoDB_20120810.Scan",
                            .authorization =
                                "AWS4-HMAC-SHA256 Credential=other/20260101/eu-north-1/dynamodb/"
                                "aws4_request, SignedHeaders=host, Signature=00"}))
        .body;
  };
  EXPECT_THAT(count_of_other(), HasSubstr(R"("Count":2)"));
  EXPECT_EQ(Control("GET clock", "other").body, R"({"Now":"2026-01-01T00:00:01Z"})");
  EXPECT_EQ(Control("POST fork?name=other").body, "{}") << "in place of the first fork";
  EXPECT_THAT(count_of_other(), HasSubstr(R"("Count":3)"));
  EXPECT_EQ(databases_->size(), 2);
}

TEST_F(ControlTest, AllRequestsAreAboutOneDatabaseUnlessEachKeyHasOne) {
  Serve(Value(Database::InMemory()), false);
  EXPECT_EQ(Control("POST snapshot?name=s", "a").body, "{}");
  EXPECT_EQ(Control("POST restore?name=s", "b").body, "{}");
  EXPECT_THAT(Control("POST drop").body, HasSubstr("--database-per-access-key"));
  EXPECT_THAT(Control("POST fork?name=b").body, HasSubstr("--database-per-access-key"));
}

TEST_F(ControlTest, AnErrorSaysWhatToDo) {
  const struct {
    const char* request;
    int status;
    const char* says;
  } cases[] = {
      {"POST nonsense", 404, "the control requests are POST /_dolmen/reset, "},
      {"POST reset/", 404, "POST /_dolmen/snapshot"},
      {"GET reset", 405, "method POST"},
      {"POST requests", 405, "method GET"},
      {"POST snapshot", 400, "give name=before"},
      {"POST fork", 400, "give name=ACCESS_KEY"},
      {"POST simulate?seed=7", 400, "simulate has no parameter"},
      {"POST snapshot?name=a%20b", 400, "give name=before"},
      {"POST snapshot?nmae=a", 400, "snapshot has no parameter but name"},
      {"POST restore?name=none", 404, "there is no snapshot none"},
      {"POST clock", 400, "set=2026-04-15T10:30:00Z or advance=SECONDS"},
      {"POST clock?set=2026-04-15T10:30:00Z&advance=1", 400, "one of two parameters"},
      {"POST clock?set=today", 400, "today"},
      {"POST clock?set=1969-12-31T23:59:59Z", 400, "1970 to 9998"},
      {"POST clock?set=9999-01-01T00:00:00Z", 400, "1970 to 9998"},
      {"POST clock?advance=2.53e11", 400, "1970 to 9998"},
      {"POST clock?advance=1e300", 400, "not a number of seconds"},
      {"POST clock?advance=nan", 400, "not a number of seconds"},
      {"POST clock?advance=5m", 400, "not a number of seconds"},
  };
  for (const auto& [request, status, says] : cases) {
    const HttpResponse response = Control(request);
    EXPECT_EQ(response.status, status) << request;
    EXPECT_THAT(response.body, AllOf(HasSubstr(R"({"Error":")"), HasSubstr(says))) << request;
  }
}

TEST_F(ControlTest, TheClockOfTheSystemCannotBeMoved) {
  databases_ = std::make_shared<server::Databases>(database_);
  EXPECT_THAT(Control("POST clock?advance=1").body, HasSubstr("--clock manual"));
}

TEST_F(ControlTest, ForeignPagesAreRefused) {
  EXPECT_EQ(Ask(RequestText("", {.target = "/_dolmen/reset", .host = "evil.example"})).status, 403);
  EXPECT_EQ(
      Ask(RequestText("", {.target = "/_dolmen/reset", .more = "Origin: https://evil.example\r\n"}))
          .status,
      403);
  EXPECT_EQ(Ask(RequestText("", {.method = "OPTIONS",
                                 .target = "/_dolmen/reset",
                                 .more = "Origin: http://localhost:3000\r\n"}))
                .Field("access-control-allow-origin"),
            "http://localhost:3000");
}

TEST_F(ControlTest, AServerWithAccessKeysVerifiesTheSignature) {
  access_keys_ = {{"key", "secret"}};
  EXPECT_THAT(Control("POST reset").body, HasSubstr("MissingAuthenticationToken"));
  EXPECT_THAT(Ask(RequestText("", {.target = "/_dolmen/reset"})).body,
              HasSubstr("InvalidSignature"));
}

// botocore 1.44.5 made the signatures, for the time kNow.
TEST_F(ControlTest, ASignatureIsGoodForItsPathAndItsAccessKeyOnly) {
  access_keys_ = {{"key", "secret"}};
  const auto answer = [this](const std::string& signed_headers, const std::string& signature,
                             const std::string& more) {
    return Ask(RequestText(
        "", {.target = "/_dolmen/reset",
             .operation = "",
             .content_type = "",
             .authorization = "AWS4-HMAC-SHA256 Credential=key/20260101/eu-north-1/dynamodb/"
                              "aws4_request, SignedHeaders=" +
                              signed_headers + ", Signature=" + signature,
             .date = "20260101T000000Z",
             .more = more}));
  };
  const std::string of_path = "276933945b064c77ab636bb4e4106995e0b636ebe74a4411b19e554fd3463d88";
  const std::string of_other_path =
      "193ebfa810e1efb8758c5a91f793fe26f30ce050f8adb95a66d215e15186c36b";
  const std::string of_path_and_key =
      "c1b0699caf16c63226c051ade28a87e50c36a6852fd22ebfebaff4b0bfe24941";
  const std::string key = "x-dolmen-access-key: key\r\n";
  EXPECT_EQ(answer("host;x-amz-date", of_path, "").status, 200);
  EXPECT_EQ(answer("host;x-amz-date;x-dolmen-access-key", of_path_and_key, key).status, 200);
  EXPECT_THAT(answer("host;x-amz-date", of_other_path, "").body,
              HasSubstr("The request signature we calculated does not match"));
  EXPECT_THAT(answer("host;x-amz-date", of_path, key).body,
              HasSubstr("'x-dolmen-access-key' must be a 'SignedHeader'"));
  EXPECT_THAT(answer("host;x-amz-date;x-dolmen-access-key", of_path_and_key,
                     "x-dolmen-access-key: other\r\n")
                  .body,
              HasSubstr("The request signature we calculated does not match"));
}

TEST_F(ControlTest, ThePathIsUnknownToAServerWithoutTheOption) {
  control_ = false;
  EXPECT_EQ(Control("POST reset").status, 404);
  EXPECT_THAT(Control("POST reset").body, HasSubstr("UnknownOperationException"));
}

// Returns the text between the first `begin` and the next `end`, or nothing.
std::string Between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == text.npos) return {};
  return text.substr(from + begin.size(),
                     text.find(end, from + begin.size()) - from - begin.size());
}

TEST_F(ControlTest, TheRequestsOfThePageHaveItsAnswers) {
  std::ifstream page(SourceFile("/api/server/CONTROL.md"));
  int requests = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("curl ")) continue;
    std::string answer;
    std::getline(page, answer);
    const std::string method = line.starts_with("curl -X POST ") ? "POST " : "GET ";
    const HttpResponse response =
        Control(method + Between(line, "/_dolmen/", "'"), Between(line, "Access-Key: ", "'"),
                Between(line, "-d '", "'"));
    EXPECT_EQ("# " + response.body, answer) << line;
    ++requests;
  }
  EXPECT_EQ(requests, 15);
}

}  // namespace
}  // namespace dolmen::test
