// Tests of the server's health. After a failed write the database is read-only until it is
// reopened, and the server reports this.

#include "server/health.h"

#include <sys/resource.h>

#include <filesystem>
#include <memory>
#include <string>

#include "server/service.h"
#include "tests/support/child_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/status_matchers.h"
#include "tests/support/system_call_filter.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using server::Health;
using server::Request;
using server::Responder;
using server::Service;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string AnswerOf(Responder* responder, const Request& request) {
  EXPECT_TRUE(responder->Answer(request, /*last=*/false));
  return std::string(responder->head()).append(responder->body());
}

// Runs in its own process, which cannot write much to a file at once. Reports to the parent the status of
// GET /, the message of the failed write, the status of GET / after that, and the recorded cause.
int WriteUntilItFails(const ChildArguments& arguments) {
  if (!FailLargeWrites()) return 1;
  auto database = Database::Open(arguments.front());
  if (!database || !database->CreateTable({.name = "app"}).ok()) return 1;
  int failures = 0;
  const auto health = std::make_shared<Health>(*database, [&failures] { ++failures; });
  const Service service{
      .endpoint = Endpoint(*database), .clock = database->clock(), .health = health};
  Responder responder(service);
  const auto status_of_root = [&] {
    return AnswerOf(&responder, {.method = "GET", .target = "/"}).substr(0, 12);
  };
  TellParent(status_of_root());
  const std::string item = R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"S":"b"}}})";
  const Request put{.method = "POST",
                    .target = "/",
                    .authorization = "AWS4-HMAC-SHA256 Credential=a,SignedHeaders=b,Signature=c",
                    .content_type = "application/json",
                    .amz_date = "20260101T000000Z",
                    .amz_target = "DynamoDB_20120810.PutItem",
                    .body = item};
  // The first write that fails is a call of the library and not a request, so the server does not
  // receive its error. The server must still report the message of this error as the cause, and not
  // the message of a later failed write.
  const Table table = *database->OpenTable("app");
  const Item large{{"PK", "a"}, {"SK", "b"}, {"x", std::string(200'000, 'x')}};
  Status written;
  while (written.ok()) written = table.PutItem({.item = large}).status();
  TellParent(written.message());
  for (int i = 0; i < 2; ++i) AnswerOf(&responder, put);
  TellParent(status_of_root());
  TellParent(health->cause());
  return failures == 1 ? 0 : 1;
}
const ChildRole kWriteUntilItFails("write_until_it_fails", WriteUntilItFails);

TEST(HealthTest, AfterAFailedWriteTheServerReportsThatItIsUnhealthy) {
  const TempDirectory directory;
  ChildProcess child(kWriteUntilItFails, {directory / "db"});
  EXPECT_EQ(child.ReadLine(), "HTTP/1.1 200");
  const std::string failure = child.ReadLine().value_or("");
  EXPECT_THAT(failure, HasSubstr("File too large"));
  EXPECT_EQ(child.ReadLine(), "HTTP/1.1 503");
  EXPECT_EQ(child.ReadLine(), failure);
  EXPECT_EQ(child.Finish(), 0);
}

// A full disk is simulated in tests/engine/storage/store_test.cc.
TEST(HealthTest, TheServerReportsAMissingDirectoryUntilItIsBack) {
  const TempDirectory directory;
  const auto database = Database::Open(directory / "db");
  ASSERT_THAT(database, IsOk());
  const auto health = std::make_shared<Health>(*database, [] { FAIL() << "no write has failed"; });
  const Service service{
      .endpoint = Endpoint(*database), .clock = database->clock(), .health = health};
  Responder responder(service);
  const auto answer = [&] { return AnswerOf(&responder, {.method = "GET", .target = "/"}); };
  EXPECT_THAT(answer(), StartsWith("HTTP/1.1 200"));
  std::filesystem::rename(directory / "db", directory / "moved");
  EXPECT_THAT(answer(), AllOf(StartsWith("HTTP/1.1 503"),
                              EndsWith("the database's directory was deleted or moved")));
  std::filesystem::rename(directory / "moved", directory / "db");
  EXPECT_THAT(answer(), StartsWith("HTTP/1.1 200"));
}

// Runs Health::Check while the process cannot open files. A request can then fail with an internal
// error, but the cause may be temporary and the database can still be written. So the server must
// stay healthy.
int CheckWithoutDescriptors(const ChildArguments& arguments) {
  const auto database = Database::Open(arguments.front());
  if (!database) return 1;
  int failures = 0;
  Health health(*database, [&failures] { ++failures; });
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_NOFILE, &none);
  health.Check();
  return health.good() && failures == 0 ? 0 : 2;
}
const ChildRole kCheckWithoutDescriptors("check_without_descriptors", CheckWithoutDescriptors);

TEST(HealthTest, OnlyAFailedWriteMakesTheServerUnhealthy) {
  if (kUnderAddressSanitizer) GTEST_SKIP() << "the sanitizers need descriptors";
  const TempDirectory directory;
  EXPECT_EQ(ChildProcess(kCheckWithoutDescriptors, {directory / "db"}).Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
