// Tests of the memory of large requests: the memory that they reserve, and the memory that a thread
// of the server keeps between two requests.

#include <malloc.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/service.h"
#include "tests/support/allocations.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

std::size_t BytesInUse() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(ResponderTest, ReleasesALargeBufferAfterTheRequest) {
  if (!kCountsAllocations) GTEST_SKIP() << "the sanitizers' malloc reports no statistics";
  constexpr std::size_t kLarge = 8 << 20;
  std::string compressed;
  ASSERT_TRUE(server::Codec().Compress(server::Coding::kGzip, "{" + std::string(kLarge, ' ') + "}",
                                       &compressed));
  // The test removes the last byte of the compressed body. So the server rejects the body and does
  // not call the JSON parser. The buffers of the parser would change the measured memory.
  compressed.pop_back();
  const auto database = Database::InMemory();
  ASSERT_THAT(database, IsOk());
  const server::Service service{.endpoint = Endpoint(*database), .clock = database->clock()};
  server::Budget budget(1 << 30);
  server::Responder responder(service, &budget);
  const std::size_t before = BytesInUse();
  EXPECT_TRUE(responder.Answer({.method = "POST",
                                .target = "/",
                                .authorization = "AWS4-",
                                .content_type = "application/json",
                                .content_encoding = "gzip",
                                .amz_target = "DynamoDB_20120810.ListTables",
                                .body = compressed},
                               /*last=*/false));
  EXPECT_GT(BytesInUse(), before + kLarge);
  responder.Forget();
  EXPECT_LT(BytesInUse(), before + kLarge / 2);
}

class LargeRequestTest : public testing::Test {
 protected:
  static constexpr std::size_t kMegabyte = 1 << 20;

  // Returns the status of the response to a request with the given body. Returns nothing
  // if there is no response.
  std::optional<int> StatusOf(server::Responder* responder, std::string_view body,
                              std::string_view coding = {},
                              std::string_view target = "DynamoDB_20120810.ListTables") const {
    const server::Request request{.method = "POST",
                                  .target = "/",
                                  .authorization =
                                      "AWS4-HMAC-SHA256 Credential=a,SignedHeaders=b,"
                                      "Signature=c",
                                  .content_type = "application/json",
                                  .content_encoding = coding,
                                  .amz_date = "20260101T000000Z",
                                  .amz_target = target,
                                  .body = body};
    if (!responder->Answer(request, /*last=*/false)) return std::nullopt;
    return std::stoi(std::string(responder->head().substr(9, 3)));
  }

  static std::string Spaces(std::size_t bytes) { return "{" + std::string(bytes - 2, ' ') + "}"; }
  static std::string Gzip(const std::string& plain) {
    std::string compressed;
    EXPECT_TRUE(server::Codec().Compress(server::Coding::kGzip, plain, &compressed));
    return compressed;
  }

  const Database database_ = *Database::InMemory();
  const server::Service service_{.endpoint = Endpoint(database_), .clock = database_.clock()};
};

TEST_F(LargeRequestTest, IsNotAnsweredWithoutABudget) {
  server::Responder responder(service_);
  EXPECT_EQ(StatusOf(&responder, Spaces(server::kSmallBodyBytes)), 200);
  EXPECT_EQ(StatusOf(&responder, Spaces(server::kSmallBodyBytes + 1)), std::nullopt);
  EXPECT_EQ(StatusOf(&responder, Gzip(Spaces(server::kSmallBodyBytes)), "gzip"), 200);
  EXPECT_EQ(StatusOf(&responder, Gzip(Spaces(server::kSmallBodyBytes + 1)), "gzip"), std::nullopt);
}

// An operation that may take seconds has a thread of its own.
TEST_F(LargeRequestTest, ALongOperationIsNotAnsweredWithoutABudget) {
  server::Responder small(service_);
  server::Budget budget(16 * kMegabyte);
  server::Responder large(service_, &budget);
  for (const std::string name :
       {"CreateBackup", "DeleteBackup", "DeleteTable", "ExportTableToPointInTime", "ImportTable",
        "RestoreTableFromBackup", "RestoreTableToPointInTime", "StartBulkPutItems"}) {
    EXPECT_EQ(StatusOf(&small, "{}", {}, "DynamoDB_20120810." + name), std::nullopt) << name;
    EXPECT_EQ(StatusOf(&large, "{}", {}, "DynamoDB_20120810." + name), 400) << name;
  }
}

TEST_F(LargeRequestTest, ReservesItsWorkingMemoryWhileItIsExecuted) {
  server::Budget budget(16 * kMegabyte);
  server::Responder responder(service_, &budget);
  server::Share others(&budget);
  std::string numbers = R"({"A":[1)";
  while (numbers.size() < kMegabyte - 2) numbers += ",1";
  numbers += "]}";
  EXPECT_EQ(StatusOf(&responder, numbers), 200);
  ASSERT_TRUE(others.Resize(12 * kMegabyte - 1000)) << "the request has returned its memory";
  EXPECT_EQ(StatusOf(&responder, Spaces(kMegabyte)), 200) << "spaces need less memory than values";
  EXPECT_EQ(StatusOf(&responder, numbers), 503);
  ASSERT_TRUE(others.Resize(13 * kMegabyte));
  EXPECT_EQ(StatusOf(&responder, Spaces(kMegabyte)), 503);
  EXPECT_TRUE(others.Resize(16 * kMegabyte)) << "the refused requests have returned their memory";
}

TEST_F(LargeRequestTest, ReservesTheMemoryOfTheLargestBodyBeforeItDecompresses) {
  server::Budget budget(service_.limits.body_bytes_max + 4 * kMegabyte);
  server::Responder responder(service_, &budget);
  const std::string body = Gzip(Spaces(kMegabyte));
  server::Share others(&budget);
  ASSERT_TRUE(others.Resize(4 * kMegabyte));
  EXPECT_EQ(StatusOf(&responder, body, "gzip"), 200);
  ASSERT_TRUE(others.Resize(4 * kMegabyte + 1));
  EXPECT_EQ(StatusOf(&responder, body, "gzip"), 503);
}

}  // namespace
}  // namespace dolmen::test
