// Tests of commands on services that lack operations, or whose items are not JSON.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "command/change_follower.h"
#include "command/unreadable_items.h"
#include "tests/command/served_database.h"
#include "tests/remote/scripted_server.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A service that answers as an endpoint does, after a change of each response.
class ForeignService {
 public:
  using Change = std::function<std::string(const std::string& operation, std::string body)>;

  ForeignService(const Database& database, const EndpointOptions& options, Change change = {})
      : endpoint_(database, options), change_(std::move(change)) {}

  std::string url() const { return server_.url(); }
  // Answers an operation with this status and body from now on.
  void Fail(const std::string& operation, int status, const std::string& body) {
    failed_ = operation;
    failure_ = ResponseText(status, body);
  }

 private:
  std::string Answer(const ReceivedRequest& request) const {
    const std::string& target = request.fields.at("x-amz-target");
    const std::string operation = target.substr(target.find('.') + 1);
    if (operation == failed_) return failure_;
    EndpointResponse response = endpoint_.Execute(operation, request.body);
    if (change_) response.body = change_(operation, std::move(response.body));
    return ResponseText(response.status, response.body);
  }

  const Endpoint endpoint_;
  const Change change_;
  std::string failed_;
  std::string failure_;
  const ScriptedServer server_{[this](const ReceivedRequest& request) { return Answer(request); }};
};

class ForeignServiceTest : public ServedCommandTest {
 protected:
  void SetUp() override {
    ServedCommandTest::SetUp();
    const Table table = MakeServedTable();
    for (const char* sort : {"1", "2", "3"}) {
      ASSERT_THAT(table.PutItem({.item = {{"PK", "a"}, {"SK", sort}, {"text", "HALF"}}}), IsOk());
    }
  }

  // Runs each command that reads the table of the service.
  std::vector<CommandOutput> ReadAll(const std::string& url) const {
    return {RunDolmen(
                {"export", "--endpoint-url", url, "--table", "app", "--output", File("exported/")}),
            RunDolmen({"copy", url, File("copied.dolmen"), "--table", "app", "--verify"}),
            RunDolmen({"query", "--endpoint-url", url, "--table", "app"}),
            RunDolmen({"query", "--endpoint-url", url, "--sql", "SELECT * FROM app"})};
  }
};

TEST_F(ForeignServiceTest, AnOperationThatOnlyAddsDetailsIsOptional) {
  const ForeignService service(
      served_.database,
      {.without = {"ListTagsOfResource", "TagResource", "DescribeTimeToLive", "UpdateTimeToLive"}});
  for (const CommandOutput& output : ReadAll(service.url())) {
    EXPECT_EQ(output.exit_code, 0) << output.err;
  }
  EXPECT_EQ(ItemsOf(File("copied.dolmen"), "app").size(), 3);
  std::string manifest;
  for (const auto& file : std::filesystem::recursive_directory_iterator(File("exported"))) {
    if (file.path().filename() == "manifest-table.json") manifest = file.path().string();
  }
  EXPECT_THAT(ReadFile(manifest),
              HasSubstr(R"("TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"},"Tags":[])"));
  EXPECT_EQ(RunDolmen({"tables", "--endpoint-url", service.url()}).exit_code, 0);
  EXPECT_EQ(RunDolmen({"tables", "--endpoint-url", service.url(), "--json"}).exit_code, 0);
  EXPECT_EQ(RunDolmen({"copy", File("copied.dolmen"), service.url(), "--table", "app", "--to-table",
                       "other"})
                .exit_code,
            0);
}

TEST_F(ForeignServiceTest, EveryFormOfAnOperationThatIsMissingIsKnown) {
  const struct {
    int status;
    const char* body;
  } answers[] = {
      {400, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})"},
      {400, R"({"__type":"InvalidAction","message":"no such action"})"},
      {501, R"({"__type":"InternalFailure","message":"not implemented"})"},
      {501, "not implemented"},
  };
  for (const auto& [status, body] : answers) {
    ForeignService service(served_.database, {});
    service.Fail("ListTagsOfResource", status, body);
    const CommandOutput output = RunDolmen({"tables", "--endpoint-url", service.url(), "--json"});
    EXPECT_EQ(output.exit_code, 0) << body << output.err;
  }
}

TEST_F(ForeignServiceTest, AnotherErrorOfSuchAnOperationIsReported) {
  for (const char* operation : {"ListTagsOfResource", "DescribeTimeToLive"}) {
    ForeignService service(served_.database, {});
    service.Fail(operation, 400, R"({"__type":"AccessDeniedException","Message":"not for you"})");
    for (const auto& words : {std::vector<std::string>{"tables", "--json"},
                              {"export", "--table", "app", "--output", File("denied/")}}) {
      std::vector<std::string> command = words;
      command.insert(command.begin() + 1, {"--endpoint-url", service.url()});
      const CommandOutput output = RunDolmen(command);
      EXPECT_EQ(output.exit_code, 1) << operation;
      EXPECT_THAT(output.err, HasSubstr("not for you"));
    }
  }
}

// Replaces the text of the second item with half of a surrogate pair.
std::string Halve(const std::string& operation, std::string body) {
  const std::size_t item = body.find(R"("SK":{"S":"2"})");
  const bool is_page =
      operation == "Scan" || operation == "Query" || operation == "ExecuteStatement";
  if (!is_page || item == body.npos) return body;
  const std::size_t text = body.find("HALF", item);
  return body.replace(text, 4, R"(ab\ud83d)");
}

TEST_F(ForeignServiceTest, AnItemThatIsNotJsonIsNamedAndSkipped) {
  const ForeignService service(served_.database, {}, Halve);
  for (const CommandOutput& output : ReadAll(service.url())) {
    EXPECT_EQ(output.exit_code, 1);
    EXPECT_THAT(output.err,
                AllOf(HasSubstr("skipped: the item {PK: \"a\", SK: \"2\"}: a string has half of a "
                                "surrogate pair, \\ud83d, at text.S\n"),
                      HasSubstr("1 item skipped")));
  }
  EXPECT_EQ(ItemsOf(File("copied.dolmen"), "app").size(), 2);
  const CommandOutput limited = RunDolmen({"query", "--endpoint-url", service.url(), "--table",
                                           "app", "--partition", "a", "--limit", "2", "--json"});
  EXPECT_EQ(std::ranges::count(limited.out, '\n'), 2);
  EXPECT_THAT(limited.out, Not(HasSubstr(R"("S":"2")")));
}

// Replaces the text of each record with half of a surrogate pair.
std::string HalveRecords(const std::string& operation, std::string body) {
  if (operation != "GetRecords") return body;
  for (std::size_t text; (text = body.find("HALF")) != body.npos;) {
    body.replace(text, 4, R"(ab\ud83d)");
  }
  return body;
}

TEST_F(ForeignServiceTest, ACopyThatFollowsNamesAndSkipsSuchAnItemInTheStream) {
  ASSERT_THAT(served_.database.UpdateTable(
                  {.name = "app",
                   .stream_specification =
                       StreamSpecification{.view_type = StreamViewType::kNewAndOldImages}}),
              IsOk());
  const ForeignService service(served_.database, {}, HalveRecords);
  const Database remote = Value(command::ConnectTo({.url = service.url()}));
  const auto unreadable = command::UnreadableItems::SkippedOf(remote, {"PK", "SK"});
  const Database local = Value(Database::InMemory());
  ASSERT_THAT(local.CreateTable({.name = "app"}), IsOk());
  const command::OpenedTable to = Value(command::TableOf(local, "app"));
  const auto checkpoints = Value(command::CheckpointsOf(local, {}, to.description));
  const command::FollowHooks hooks{.interrupted = [] { return false; },
                                   .pause = [] {},
                                   .on_state = [](std::uint64_t, const Status&) {}};
  command::ChangeFollower follower =
      Value(command::ChangeFollower::Start({.from = Value(command::TableOf(remote, "app")),
                                            .to = to,
                                            .checkpoints = checkpoints.get(),
                                            .name = "follow"},
                                           hooks));
  EXPECT_TRUE(unreadable->empty());
  const Table table = Value(served_.database.OpenTable("app"));
  const auto put = [&](const char* sort, const char* text) {
    EXPECT_THAT(table.PutItem({.item = {{"PK", "b"}, {"SK", sort}, {"text", text}}}), IsOk());
  };
  put("1", "whole");
  put("2", "HALF");
  // Only the old images of the next changes are unreadable, so the changes are copied.
  put("1", "HALF");
  put("1", "whole again");
  put("3", "whole");
  put("3", "HALF");
  EXPECT_THAT(table.DeleteItem({.key = {{"PK", "b"}, {"SK", "3"}}}), IsOk());
  put("4", "whole");
  EXPECT_THAT(follower.CatchUp(hooks), IsOk());
  std::vector<Item> copied;
  for (auto& [key, item] : ReadContents(to.table)) copied.push_back(item);
  EXPECT_THAT(copied,
              testing::UnorderedElementsAre(Item{{"PK", "b"}, {"SK", "1"}, {"text", "whole again"}},
                                            Item{{"PK", "b"}, {"SK", "4"}, {"text", "whole"}}));
  EXPECT_FALSE(unreadable->empty());
  testing::internal::CaptureStderr();
  EXPECT_EQ(unreadable->End({}).exit_code, 1);
  const std::string reason = "}: a string has half of a surrogate pair, \\ud83d, at text.S\n";
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "skipped: the item {PK: \"b\", SK: \"1\"" + reason +
                "skipped: the item {PK: \"b\", SK: \"2\"" + reason +
                "skipped: the item {PK: \"b\", SK: \"3\"" + reason);
}

// A program must not miss an item unknowingly.
TEST_F(ForeignServiceTest, APageWithSuchAnItemIsAnErrorForAProgram) {
  const ForeignService service(served_.database, {}, Halve);
  const Database remote = Value(command::ConnectTo({.url = service.url()}));
  EXPECT_THAT(Value(remote.OpenTable("app")).Scan(ScanInput{}),
              StatusIs(StatusCode::kInternalServerError,
                       HasSubstr("half of a surrogate pair, \\ud83d, at Items[1].text.S")));
}

}  // namespace
}  // namespace dolmen::test
