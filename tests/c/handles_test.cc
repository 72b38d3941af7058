// Tests of threads and of subscriptions through the C interface.

#include "c/handles.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "tests/c/c_database.h"
#include "tests/concurrent/threads.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

// The records that a subscription has delivered. Refuses the first `refusals` calls.
class Records {
 public:
  explicit Records(int refusals = 0) : refusals_(refusals) {}

  static int Handle(void* context, const char* records, std::size_t size) {
    Records& self = *static_cast<Records*>(context);
    const std::lock_guard<std::mutex> lock(self.mutex_);
    EXPECT_EQ(records[size], '\0');
    if (self.refusals_-- > 0) return 1;
    self.texts_.emplace_back(records, size);
    self.changed_.notify_all();
    return 0;
  }

  // Waits until the subscription has delivered `count` texts, and returns them.
  std::vector<std::string> Wait(std::size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return texts_.size() >= count; });
    return texts_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int refusals_;
  std::vector<std::string> texts_;
};

CResponse Subscribe(dolmen_database* database, const char* table, Records* records,
                    dolmen_subscription** subscription) {
  return AnswerOf([&](dolmen_buffer* buffer) {
    return dolmen_subscribe(database, table, "mail", &Records::Handle, records, subscription,
                            buffer);
  });
}

TEST(HandlesTest, ThreadsShareADatabase) {
  const CDatabase database = OpenC();
  CreateApp(database.get());
  Records records;
  dolmen_subscription* subscription = nullptr;
  ASSERT_EQ(Subscribe(database.get(), "app", &records, &subscription).status, 200);
  constexpr std::size_t kCalls = 100;
  RunTogether(kThreads, [&](std::size_t thread) {
    const std::string key = std::to_string(thread);
    for (std::size_t call = 0; call < kCalls; ++call) {
      const CResponse added = Execute(
          database.get(), "UpdateItem",
          R"({"TableName": "app", "Key": {"PK": {"S": "sum"}}, "UpdateExpression": "ADD n :one",
              "ExpressionAttributeValues": {":one": {"N": "1"}}})");
      EXPECT_EQ(added.status, 200) << added.body;
      EXPECT_EQ(Put(database.get(), key).status, 200);
      EXPECT_EQ(Get(database.get(), key), Stored(key));
      if (call % 10 != 0) continue;
      dolmen_database* fork = nullptr;
      EXPECT_EQ(dolmen_fork(database.get(), nullptr, &fork, nullptr), 200);
      EXPECT_EQ(Get(fork, key), Stored(key));
      dolmen_close(fork);
    }
  });
  EXPECT_THAT(Get(database.get(), "sum"),
              HasSubstr("\"" + std::to_string(kCalls * kThreads) + "\""));
  // Each thread has created an item. Its later writes of the same item change nothing.
  constexpr std::size_t kChanges = (kCalls + 1) * kThreads;
  EXPECT_EQ(records.Wait(kChanges).size(), kChanges);
  dolmen_unsubscribe(subscription);
}

TEST(HandlesTest, ACallSeesTheDatabaseBeforeOrAfterAReset) {
  const CDatabase original = OpenC();
  CreateApp(original.get());
  dolmen_database* opened = nullptr;
  ASSERT_EQ(dolmen_fork(original.get(), nullptr, &opened, nullptr), 200);
  const CDatabase fork(opened);
  RunTogether(kThreads, [&](std::size_t thread) {
    for (int call = 0; call < 20; ++call) {
      if (thread == 0) {
        EXPECT_EQ(dolmen_reset(fork.get(), nullptr), 200);
      } else {
        EXPECT_EQ(Put(fork.get(), "a").status, 200);
        EXPECT_THAT(Get(fork.get(), "a"), AnyOf("{}", Stored("a")));
      }
    }
  });
}

TEST(HandlesTest, ASubscriptionDeliversEachChangeInOrder) {
  const CDatabase database = OpenC(R"({"Region": "eu-west-1"})");
  CreateApp(database.get());
  Records records;
  dolmen_subscription* subscription = nullptr;
  ASSERT_EQ(Subscribe(database.get(), "app", &records, &subscription).status, 200);
  for (const char* key : {"a", "b", "c"}) Put(database.get(), key);
  const std::vector<std::string> delivered = records.Wait(3);
  dolmen_unsubscribe(subscription);
  ASSERT_EQ(delivered.size(), 3U);
  EXPECT_THAT(delivered[0], AllOf(testing::StartsWith("[{"), testing::EndsWith("}]"),
                                  HasSubstr(R"("awsRegion":"eu-west-1")")));
  EXPECT_THAT(delivered[1], HasSubstr(R"("NewImage":{"PK":{"S":"b"}})"));
  EXPECT_THAT(delivered[2], HasSubstr(R"("Keys":{"PK":{"S":"c"}})"));
}

TEST(HandlesTest, ASubscriptionResumesBehindTheLastAcknowledgedChange) {
  const CDatabase database = OpenC();
  CreateApp(database.get());
  for (const std::string key : {"a", "b"}) {
    Put(database.get(), key);
    Records records(/*refusals=*/key == "a" ? 1 : 0);
    dolmen_subscription* subscription = nullptr;
    ASSERT_EQ(Subscribe(database.get(), "app", &records, &subscription).status, 200);
    const std::vector<std::string> delivered = records.Wait(1);
    dolmen_unsubscribe(subscription);
    ASSERT_EQ(delivered.size(), 1U);
    EXPECT_THAT(delivered[0], HasSubstr("\"" + key + "\""));
  }
}

TEST(HandlesTest, ASubscriptionKeepsItsDatabaseOpen) {
  const TempDirectory directory;
  const std::string options = R"({"Directory": ")" + (directory / "app").string() + "\"}";
  CDatabase database = OpenC(options);
  CreateApp(database.get());
  Records records;
  dolmen_subscription* subscription = nullptr;
  ASSERT_EQ(Subscribe(database.get(), "app", &records, &subscription).status, 200);
  Put(database.get(), "a");
  database.reset();
  EXPECT_THAT(records.Wait(1)[0], HasSubstr("INSERT"));
  dolmen_database* second = nullptr;
  EXPECT_EQ(dolmen_open(options.c_str(), &second, nullptr), 400);
  dolmen_unsubscribe(subscription);
  OpenC(options);
}

TEST(HandlesTest, ASubscriptionEndsWithAReset) {
  const CDatabase original = OpenC();
  CreateApp(original.get());
  dolmen_database* opened = nullptr;
  ASSERT_EQ(dolmen_fork(original.get(), nullptr, &opened, nullptr), 200);
  const CDatabase fork(opened);
  Records before;
  Records after;
  dolmen_subscription* first = nullptr;
  dolmen_subscription* second = nullptr;
  ASSERT_EQ(Subscribe(fork.get(), "app", &before, &first).status, 200);
  Put(fork.get(), "a");
  before.Wait(1);
  ASSERT_EQ(dolmen_reset(fork.get(), nullptr), 200);
  ASSERT_EQ(Subscribe(fork.get(), "app", &after, &second).status, 200);
  Put(fork.get(), "b");
  EXPECT_THAT(after.Wait(1)[0], HasSubstr("\"b\""));
  dolmen_unsubscribe(first);
  dolmen_unsubscribe(second);
  EXPECT_EQ(before.Wait(1).size(), 1U);
}

TEST(HandlesTest, ASubscriptionThatCannotBeginIsAnError) {
  const CDatabase database = OpenC();
  CreateApp(database.get());
  Records records;
  dolmen_subscription* first = nullptr;
  dolmen_subscription* second = nullptr;
  ASSERT_EQ(Subscribe(database.get(), "app", &records, &first).status, 200);
  EXPECT_THAT(Subscribe(database.get(), "app", &records, &second),
              IsAnswer(400, "ResourceInUseException", HasSubstr("mail")));
  EXPECT_THAT(Subscribe(database.get(), "none", &records, &second),
              IsAnswer(400, "ResourceNotFoundException", HasSubstr("message")));
  EXPECT_THAT(AnswerOf([&](dolmen_buffer* buffer) {
                return dolmen_subscribe(database.get(), "app", "m", nullptr, nullptr, &second,
                                        buffer);
              }),
              IsAnswer(400, "ValidationException", HasSubstr("handler is NULL")));
  EXPECT_EQ(second, nullptr);
  dolmen_unsubscribe(first);
}

}  // namespace
}  // namespace dolmen::test
