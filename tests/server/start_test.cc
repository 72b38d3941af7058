// Tests of a server that cannot be started.

#include <sys/resource.h>

#include <utility>

#include "server/server.h"
#include "tests/support/child_process.h"
#include "tests/support/sanitizer.h"
#include "tests/support/status_matchers.h"

namespace dolmen::test {
namespace {

using ::testing::HasSubstr;

// Reports the message of the error to the parent.
int StartWithoutDescriptors(const ChildArguments&) {
  const Database database = *Database::InMemory();
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_NOFILE, &none);
  server::Service service{.endpoint = Endpoint(database), .clock = database.clock()};
  const auto server = server::Server::Start(std::move(service), {.port = 0});
  TellParent(server.status().message());
  return server.status().code() == StatusCode::kStorage ? 0 : 1;
}
const ChildRole kStartWithoutDescriptors("start_without_descriptors", StartWithoutDescriptors);

TEST(StartTest, AFailedSystemCallIsReturnedAsAnError) {
  if (kUnderAddressSanitizer) GTEST_SKIP() << "the sanitizers need descriptors";
  ChildProcess child(kStartWithoutDescriptors, {});
  EXPECT_THAT(child.ReadLine().value_or(""), HasSubstr("Too many open files"));
  EXPECT_EQ(child.Finish(), 0);
}

}  // namespace
}  // namespace dolmen::test
