// A database that can only be read until it is opened again, and what the server says of it.

#include "server/health.h"

#include <signal.h>
#include <sys/resource.h>

#include <memory>
#include <string>

#include "server/service.h"
#include "tests/support/child_process.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using server::Health;
using server::Request;
using server::Responder;
using server::Service;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string AnswerOf(Responder* responder, const Request& request) {
  responder->Answer(request, /*last=*/false);
  return std::string(responder->head()).append(responder->body());
}

// In a process of its own, which may not write on: says what GET / says before and after a write
// fails, and the cause.
int WriteUntilItFails(const ChildArguments& arguments) {
  const rlimit little = {1 << 20, 1 << 20};
  ::setrlimit(RLIMIT_FSIZE, &little);
  ::signal(SIGXFSZ, SIG_IGN);
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
  const std::string item =
      R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"S":"b"},"x":{"S":")" +
      std::string(200'000, 'x') + R"("}}})";
  const Request put{.method = "POST",
                    .target = "/",
                    .authorization = "AWS4-HMAC-SHA256 Credential=a,SignedHeaders=b,Signature=c",
                    .content_type = "application/json",
                    .amz_date = "20260101T000000Z",
                    .amz_target = "DynamoDB_20120810.PutItem",
                    .body = item};
  while (AnswerOf(&responder, put).starts_with("HTTP/1.1 200")) {
  }
  AnswerOf(&responder, put);
  TellParent(status_of_root());
  TellParent(health->cause());
  return failures == 1 ? 0 : 1;
}
const ChildRole kWriteUntilItFails("write_until_it_fails", WriteUntilItFails);

TEST(HealthTest, AfterAFailureThatLastsTheServerIsNotWell) {
  const TempDirectory directory;
  ChildProcess child(kWriteUntilItFails, {directory / "db"});
  EXPECT_EQ(child.ReadLine(), "HTTP/1.1 200");
  EXPECT_EQ(child.ReadLine(), "HTTP/1.1 503");
  EXPECT_THAT(child.ReadLine().value_or(""), HasSubstr("#InternalServerError"));
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
