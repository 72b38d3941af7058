// Tests of the faults that a server produces: errors, and connections that break.

#include <optional>
#include <string>

#include "tests/server/control/control_fixture.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ServerSimulationTest : public ControlFixture {
 protected:
  void SetRules(const std::string& rules) {
    EXPECT_EQ(Control("POST simulate", "key", R"({"Seed":7,"Rules":[)" + rules + "]}").body,
              R"({"Seed":7})");
  }
  std::string Trace(const std::string& key = "key") { return Control("GET simulate", key).body; }
  // Sends a PutItem and returns everything that the server sends until it closes the connection.
  std::string PutToEnd(const std::string& item) {
    HttpClient client = Connect();
    client.Send(RequestText(PutJson(item, R"(,"v":{"S":"old"})"),
                            {.operation = "DynamoDB_20120810.PutItem"}));
    return client.ReadToEnd();
  }
};

TEST_F(ServerSimulationTest, FaultsHappenFromTheRequestOnAndAreListed) {
  EXPECT_EQ(Trace(), R"({"Trace":[]})");
  SetRules(
      R"({"Operation":"PutItem","Fault":"InternalServerError","Moment":"After","CallsMax":1})");
  const HttpResponse failed = Execute("PutItem", PutJson("a#"));
  EXPECT_EQ(failed.status, 500);
  EXPECT_THAT(failed.body, HasSubstr("InternalServerError"));
  Put("b");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":3)"));
  EXPECT_EQ(Trace(), R"({"Trace":["PutItem table=app key=a%23 call=1 fault=InternalServerError )"
                     R"(after"]})");
}

TEST_F(ServerSimulationTest, AnEmptyBodyEndsTheFaults) {
  for (const char* const body : {"", "{}"}) {
    SetRules(R"({"Fault":"Throttling"})");
    EXPECT_EQ(Execute("PutItem", PutJson("a")).status, 400);
    EXPECT_EQ(Control("POST simulate", "key", body).body, R"({"Seed":0})");
    Put("a");
    EXPECT_EQ(Trace(), R"({"Trace":[]})");
  }
}

TEST_F(ServerSimulationTest, EachAccessKeyHasItsOwnSimulation) {
  SetRules(R"({"Fault":"Throttling","CallsMax":1})");
  EXPECT_EQ(Execute("PutItem", PutJson("a")).status, 400);
  EXPECT_EQ(Trace("other"), R"({"Trace":[]})");
  EXPECT_EQ(Control("POST simulate", "other").body, R"({"Seed":0})");
  EXPECT_THAT(Trace(), HasSubstr("fault=Throttling"));
}

TEST_F(ServerSimulationTest, TheSimulationBeginsAgainAfterResetAndRestore) {
  EXPECT_EQ(Control("POST snapshot?name=start").status, 200);
  SetRules(R"({"Operation":"PutItem","Fault":"Throttling","CallsMax":1})");
  for (const char* const request : {"POST reset", "POST restore?name=start", "POST reset"}) {
    EXPECT_EQ(Execute("PutItem", PutJson("a")).status, 400) << request;
    Put("a");
    EXPECT_EQ(Control(request).status, 200);
    EXPECT_EQ(Trace(), R"({"Trace":[]})");
  }
}

TEST_F(ServerSimulationTest, ATraceIsReplayed) {
  SetRules(R"({"Operation":"PutItem","Fault":"InternalServerError","Chance":0.5})");
  const auto run = [this] {
    std::string statuses;
    for (int i = 0; i < 20; ++i) {
      statuses += std::to_string(Execute("PutItem", PutJson(std::to_string(i))).status) + " ";
    }
    return statuses;
  };
  const std::string statuses = run();
  const std::string trace = Trace();
  const std::string replay = R"({"Replay":)" + trace.substr(trace.find('['));
  EXPECT_EQ(Control("POST simulate", "key", replay).status, 200);
  EXPECT_EQ(run(), statuses);
  EXPECT_EQ(Trace(), trace);
}

TEST_F(ServerSimulationTest, AThrottledRequestHasTheReasonAndTheArn) {
  const struct {
    const char* fault;
    const char* reasons;
  } cases[] = {
      {"ProvisionedThroughputExceeded",
       R"("ThrottlingReasons":[{"reason":"TableWriteProvisionedThroughputExceeded",)"},
      {"Throttling", R"("throttlingReasons":[{"reason":"TableWriteKeyRangeThroughputExceeded",)"},
      {"RequestLimitExceeded",
       R"("ThrottlingReasons":[{"reason":"TableWriteAccountLimitExceeded",)"},
  };
  for (const auto& [fault, reasons] : cases) {
    SetRules(R"({"Fault":")" + std::string(fault) + R"("})");
    const HttpResponse response = Execute("PutItem", PutJson("a"));
    EXPECT_EQ(response.status, 400);
    EXPECT_THAT(
        response.body,
        AllOf(HasSubstr(reasons),
              HasSubstr(R"("resource":"arn:aws:dynamodb:eu-north-1:000000000000:table/app")")));
  }
}

TEST_F(ServerSimulationTest, ADroppedConnectionClosesWithoutABeginningOfTheResponse) {
  SetRules(
      R"({"Operation":"PutItem","KeyPrefix":"b","Fault":"DroppedConnection"},)"
      R"({"Operation":"PutItem","KeyPrefix":"a","Fault":"DroppedConnection","Moment":"After"})");
  EXPECT_EQ(PutToEnd("before"), "");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":1)"));
  EXPECT_EQ(PutToEnd("after"), "");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
}

TEST_F(ServerSimulationTest, AHalfResponseEndsInTheMiddleOfItsBody) {
  Put("item", R"(,"v":{"S":"1"})");
  const std::string get = RequestText(R"({"TableName":"app","Key":{"PK":{"S":"item"}}})",
                                      {.operation = "DynamoDB_20120810.GetItem"});
  const HttpResponse whole = Ask(get);
  SetRules(R"({"Fault":"HalfResponse"})");
  HttpClient client = Connect();
  client.Send(get);
  const std::string received = client.ReadToEnd();
  const std::string half = whole.body.substr(0, whole.body.size() / 2);
  EXPECT_THAT(received, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), EndsWith("\r\n\r\n" + half),
                              HasSubstr("Content-Length: " + std::to_string(whole.body.size()))));
}

TEST_F(ServerSimulationTest, ABrokenConnectionAnswersNoLaterRequest) {
  SetRules(R"({"Operation":"PutItem","Fault":"DroppedConnection"})");
  HttpClient client = Connect();
  const std::string put = RequestText(PutJson("a"), {.operation = "DynamoDB_20120810.PutItem"});
  EXPECT_TRUE(client.Send(put + RequestText("{}")));
  EXPECT_EQ(client.ReadToEnd(), "");
  // A response after that has its own connection, whose thread keeps nothing of the fault.
  for (int i = 0; i < 4; ++i) EXPECT_EQ(Ask(RequestText("{}")).status, 200);
}

TEST_F(ServerSimulationTest, ALargeRequestLosesItsConnectionToo) {
  SetRules(R"({"Operation":"PutItem","Fault":"DroppedConnection","Moment":"After"})");
  HttpClient client = Connect();
  client.Send(RequestText(PutJson("big", R"(,"v":{"S":")" + std::string(300'000, 'x') + R"("})"),
                          {.operation = "DynamoDB_20120810.PutItem"}));
  EXPECT_EQ(client.ReadToEnd(), "");
  EXPECT_THAT(Count(), HasSubstr(R"("Count":2)"));
}

TEST_F(ServerSimulationTest, AnErrorNamesTheMember) {
  const HttpResponse wrong = Control("POST simulate", "key", R"({"Rules":[{"Chanse":1}]})");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("Rules[0].Chanse is unknown"));
  EXPECT_THAT(Control("POST simulate", "key", R"({"Rules":[{},{"Chance":2}]})").body,
              HasSubstr("chance of rules[1]"));
}

}  // namespace
}  // namespace dolmen::test
