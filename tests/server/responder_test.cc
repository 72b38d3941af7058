// Tests of the memory that a thread of the server keeps between two requests.

#include <malloc.h>

#include <cstddef>
#include <string>

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
  server::Responder responder(service);
  const std::size_t before = BytesInUse();
  responder.Answer({.method = "POST",
                    .target = "/",
                    .authorization = "AWS4-",
                    .content_type = "application/json",
                    .content_encoding = "gzip",
                    .amz_target = "DynamoDB_20120810.ListTables",
                    .body = compressed},
                   /*last=*/false);
  EXPECT_GT(BytesInUse(), before + kLarge);
  responder.Forget();
  EXPECT_LT(BytesInUse(), before + kLarge / 2);
}

}  // namespace
}  // namespace dolmen::test
