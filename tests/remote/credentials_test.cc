// Tests of the cache of credentials.

#include "remote/credentials.h"

#include <gmock/gmock.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kStart = std::chrono::sys_days(std::chrono::January / 1 / 2026);

class CredentialCacheTest : public ::testing::Test {
 protected:
  std::string KeyAt(Timestamp now) {
    const auto credentials = cache_.Get(now);
    return credentials.ok() ? (*credentials)->access_key_id : credentials.status().message();
  }

  std::atomic<int> calls_ = 0;
  Status failure_;
  // The nth credentials expire n hours after kStart.
  remote::CredentialCache cache_{[this]() -> Result<remote::Credentials> {
    ++calls_;
    if (!failure_.ok()) return failure_;
    return remote::Credentials{.access_key_id = std::to_string(calls_),
                               .expires = kStart + calls_.load() * 1h};
  }};
};

TEST_F(CredentialCacheTest, FetchesCredentialsFiveMinutesBeforeTheyExpire) {
  EXPECT_EQ(KeyAt(kStart), "1");
  EXPECT_EQ(KeyAt(kStart + 55min - 1ms), "1");
  EXPECT_EQ(KeyAt(kStart + 55min), "2");
  EXPECT_EQ(KeyAt(kStart + 56min), "2");
}

TEST_F(CredentialCacheTest, KeepsValidCredentialsIfAFetchFailsAndTriesAgainAMinuteLater) {
  EXPECT_EQ(KeyAt(kStart), "1");
  failure_ = Status::Validation("failed");
  EXPECT_EQ(KeyAt(kStart + 55min), "1");
  EXPECT_EQ(KeyAt(kStart + 55min + 59s), "1");
  EXPECT_EQ(calls_, 2);
  EXPECT_EQ(KeyAt(kStart + 56min), "1");
  EXPECT_EQ(calls_, 3);
  EXPECT_EQ(KeyAt(kStart + 60min), "failed");
  failure_ = Status();
  EXPECT_EQ(KeyAt(kStart + 60min), "5") << "an error does not delay the next fetch";
}

TEST_F(CredentialCacheTest, DropsOnlyCurrentCredentialsThatExpire) {
  const auto first = Value(cache_.Get(kStart));
  EXPECT_TRUE(cache_.Drop(first));
  EXPECT_EQ(KeyAt(kStart), "2");
  EXPECT_TRUE(cache_.Drop(first));
  EXPECT_EQ(KeyAt(kStart), "2");

  remote::CredentialCache fixed([]() -> Result<remote::Credentials> {
    return remote::Credentials{.access_key_id = "fixed"};
  });
  EXPECT_FALSE(fixed.Drop(Value(fixed.Get(kStart))));
}

TEST(CredentialCacheThreadsTest, OneThreadFetchesWhileTheOthersUseTheOldCredentials) {
  std::promise<void> fetching;
  std::promise<void> end;
  int calls = 0;
  remote::CredentialCache cache([&]() -> Result<remote::Credentials> {
    if (++calls == 2) {
      fetching.set_value();
      end.get_future().wait();
    }
    return remote::Credentials{.access_key_id = std::to_string(calls),
                               .expires = kStart + calls * 1h};
  });
  ASSERT_EQ(Value(cache.Get(kStart))->access_key_id, "1");
  std::thread refreshing([&] { EXPECT_EQ(Value(cache.Get(kStart + 57min))->access_key_id, "2"); });
  fetching.get_future().wait();
  EXPECT_EQ(Value(cache.Get(kStart + 58min))->access_key_id, "1");
  end.set_value();
  refreshing.join();
  EXPECT_EQ(calls, 2);
}

TEST(CredentialCacheThreadsTest, AllThreadsGetTheResultOfOneFirstFetch) {
  for (const bool fails : {false, true}) {
    std::atomic<int> calls = 0;
    remote::CredentialCache cache([&]() -> Result<remote::Credentials> {
      ++calls;
      if (fails) return Status::Validation("failed");
      return remote::Credentials{.access_key_id = "key"};
    });
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] { EXPECT_EQ(cache.Get(kStart).ok(), !fails); });
    }
    for (std::thread& thread : threads) thread.join();
    if (!fails) {
      EXPECT_EQ(calls, 1);
    }
  }
}

}  // namespace
}  // namespace dolmen::test
