// Tests of users during concurrent writes. An e-mail address belongs to at most one user. A user
// has exactly one primary e-mail address. No increment of a counter and no edit is lost.

#include "models/user/user.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/concurrent/threads.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::user {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::kThreads;
using test::Random;
using test::RunTogether;
using test::Value;

class UserConcurrencyTest : public test::SeededTest {
 protected:
  static std::string UserId(std::size_t i) { return "user-" + std::to_string(i); }
  static std::string EmailName(std::size_t i) { return "email-" + std::to_string(i); }
  static std::string AddressOf(std::size_t i) { return "user-" + std::to_string(i) + "@x.org"; }

  void CreateUser(std::size_t i) {
    ASSERT_THAT(users_.Create({.user_id = UserId(i), .email = AddressOf(i)}, EmailName(0)), IsOk());
  }

  // Adds verified e-mail addresses to user-0, which already has one, until user-0 has `count` of
  // them.
  void AddVerifiedEmails(std::size_t count) {
    for (std::size_t i = 1; i < count; ++i) {
      const Email email = {
          .user_id = UserId(0), .email_id = EmailName(i), .email = "other-" + AddressOf(i)};
      ASSERT_THAT(users_.AddEmail(email), IsOk());
      ASSERT_THAT(users_.VerifyEmail(email), IsOk());
    }
  }

  // Checks that an Email in the index and the claim of the address name the same owner, or that
  // neither of them exists.
  void ExpectOneOwnerOrNone(const std::string& address) {
    const auto records = Value(entities_.Query<Email>("GSI1").With<&Email::email>(address).All());
    const auto claim =
        Value(entities_.table().GetItem(
                  {.key = {{"PK", "UNIQUE#emailClaim#" + address}, {"SK", "UNIQUE"}}}))
            .item;
    ASSERT_LE(records.size(), 1U) << address;
    ASSERT_EQ(records.empty(), !claim.has_value()) << address;
    if (!claim) return;
    EXPECT_EQ((*claim)["ownerPK"].AsString(), "USER#" + records[0].user_id);
    EXPECT_EQ((*claim)["ownerSK"].AsString(), "EMAIL#" + records[0].email_id);
  }

  static void ExpectOnePrimary(const Account& account) {
    const auto primary = std::ranges::count(account.emails, true, &Email::is_primary);
    ASSERT_EQ(primary, 1);
    EXPECT_TRUE(account.primary()->is_verified);
    EXPECT_EQ(account.profile.email, account.primary()->email);
  }

  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(Timestamp(std::chrono::hours(500'000)));
  Database database_ = Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt}));
  // The observer yields after each request, so that other threads write between the reads and the
  // writes of a method. On a machine with few cores this would otherwise be rare.
  UserStore store_ =
      Value(UserStore::Open(database_, [](const RequestTrace&) { std::this_thread::yield(); }));
  const Users& users_ = store_.users;
  EntityTable entities_{database_, Value(database_.OpenTable("user"))};
};

TEST_F(UserConcurrencyTest, OneOfSeveralRacingUsersGetsAnAddress) {
  for (std::size_t i = 0; i < kThreads; ++i) CreateUser(i);
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    const std::string address = "team-" + std::to_string(round) + "@x.org";
    std::array<StatusCode, kThreads> outcomes{};
    RunTogether(kThreads, [&](std::size_t i) {
      outcomes[i] = users_.AddEmail({.user_id = UserId(i), .email = address}).status().code();
    });
    ASSERT_EQ(std::ranges::count(outcomes, StatusCode::kOk), 1);
    ASSERT_EQ(std::ranges::count(outcomes, StatusCode::kResourceInUse), kThreads - 1);
    const auto winner =
        static_cast<std::size_t>(std::ranges::find(outcomes, StatusCode::kOk) - outcomes.begin());
    ASSERT_EQ(Value(users_.FindEmailRecord(address))->user_id, UserId(winner));
    ExpectOneOwnerOrNone(address);
  }
}

TEST_F(UserConcurrencyTest, OneOfSeveralSignUpsWithOneAddressSucceeds) {
  std::array<Status, kThreads> outcomes;
  RunTogether(kThreads, [&](std::size_t i) {
    outcomes[i] = users_.Create({.user_id = UserId(i), .email = "ann@x.org"}).status();
  });
  EXPECT_EQ(std::ranges::count_if(outcomes, &Status::ok), 1);
  for (std::size_t i = 0; i < kThreads; ++i) {
    EXPECT_EQ(users_.GetProfile(UserId(i)).ok(), outcomes[i].ok())
        << "a failed sign-up left a profile, or a successful one has none";
  }
  ExpectOneOwnerOrNone("ann@x.org");
}

// Each thread adds e-mail addresses to its own user and removes them again. All threads pick from
// the same three addresses, so several users often compete for one address.
TEST_F(UserConcurrencyTest, AddedAndRemovedAddressesHaveAtMostOneOwner) {
  for (std::size_t i = 0; i < kThreads; ++i) CreateUser(i);
  const std::vector<std::string> addresses = {"a@x.org", "b@x.org", "c@x.org"};
  std::atomic<int> taken = 0;
  std::atomic<int> given_back = 0;
  RunTogether(kThreads, [&](std::size_t thread) {
    Random random(test::TestSeed() + thread);
    std::vector<Email> mine;
    for (int step = 0; step < 400; ++step) {
      if (mine.empty() || random.OneIn(2)) {
        const Result<Email> added =
            users_.AddEmail({.user_id = UserId(thread), .email = random.Pick(addresses)});
        if (added.ok()) {
          mine.push_back(*added);
          ++taken;
        } else {
          ASSERT_EQ(added.status().code(), StatusCode::kResourceInUse);
        }
      } else {
        ASSERT_THAT(users_.RemoveEmail(mine.back()), IsOk());
        mine.pop_back();
        ++given_back;
      }
    }
  });
  int owned = 0;
  for (const std::string& address : addresses) {
    ExpectOneOwnerOrNone(address);
    owned += Value(users_.IsTaken(address)) ? 1 : 0;
  }
  EXPECT_EQ(owned, taken - given_back);
}

// Seven threads each make a different address primary, all for the same user. The eighth thread
// only reads.
TEST_F(UserConcurrencyTest, AReaderAlwaysSeesExactlyOnePrimaryAddress) {
  CreateUser(0);
  AddVerifiedEmails(kThreads - 1);
  constexpr std::int64_t kRounds = 60;
  std::atomic<std::size_t> writers = kThreads - 1;
  RunTogether(kThreads, [&](std::size_t thread) {
    if (thread == kThreads - 1) {
      do {
        ExpectOnePrimary(Value(users_.GetAccount(UserId(0))));
      } while (writers > 0 && !HasFailure());
      return;
    }
    for (int round = 0; round < kRounds; ++round) {
      EXPECT_THAT(users_.MakePrimary({.user_id = UserId(0), .email_id = EmailName(thread)}),
                  IsOk());
      ExpectOnePrimary(Value(users_.GetAccount(UserId(0))));
    }
    --writers;
  });
  const Account account = Value(users_.GetAccount(UserId(0)));
  ExpectOnePrimary(account);
  EXPECT_GT(account.profile.version, 1) << "the primary address never changed";
}

// Two outcomes are correct: the address becomes primary and no thread removes it, or one thread
// removes the address and it does not become primary.
TEST_F(UserConcurrencyTest, PrimaryAddressIsNotRemovedConcurrently) {
  CreateUser(0);
  for (int round = 0; round < 40; ++round) {
    const std::string name = "email-r" + std::to_string(round);
    const Email id = {.user_id = UserId(0), .email_id = name};
    ASSERT_THAT(
        users_.AddEmail({.user_id = id.user_id, .email_id = name, .email = name + "@x.org"}),
        IsOk());
    ASSERT_THAT(users_.VerifyEmail(id), IsOk());
    std::array<Status, kThreads> outcomes;
    RunTogether(kThreads, [&](std::size_t thread) {
      outcomes[thread] = thread % 2 == 0 ? users_.MakePrimary(id) : users_.RemoveEmail(id);
    });
    const Account account = Value(users_.GetAccount(UserId(0)));
    ASSERT_NO_FATAL_FAILURE(ExpectOnePrimary(account));
    const bool is_primary = account.primary()->email_id == name;
    int removed = 0;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      if (thread % 2 == 0) {
        EXPECT_EQ(outcomes[thread].ok(), is_primary);
      } else {
        removed += outcomes[thread].ok() ? 1 : 0;
      }
    }
    EXPECT_EQ(removed, is_primary ? 0 : 1);
    ExpectOneOwnerOrNone(name + "@x.org");
  }
}

// The attribute first_name holds a number. Each edit increments this number, so a lost edit would
// make the final number too small.
TEST_F(UserConcurrencyTest, NoEditOfAProfileIsLost) {
  CreateUser(0);
  ASSERT_THAT(users_.Edit({.user_id = UserId(0), .first_name = "0", .version = 1}), IsOk());
  constexpr int kEdits = 200;
  RunTogether(kThreads, [&](std::size_t) {
    for (int done = 0; done < kEdits;) {
      Profile profile = Value(users_.GetProfile(UserId(0)));
      profile.first_name = std::to_string(std::stoi(profile.first_name) + 1);
      const Status edited = users_.Edit(profile).status();
      ASSERT_TRUE(edited.ok() || edited.code() == StatusCode::kTransactionConflict)
          << edited.ToString();
      if (edited.ok()) ++done;
    }
  });
  const Profile profile = Value(users_.GetProfile(UserId(0)));
  EXPECT_EQ(profile.first_name, std::to_string(kThreads * kEdits));
  EXPECT_EQ(profile.version, 2 + kThreads * kEdits)
      << "the version does not match the number of successful edits";
}

class RateLimitConcurrencyTest : public UserConcurrencyTest {
 protected:
  static constexpr std::int64_t kHits = 250;  // hits of each thread
  static constexpr std::int64_t kAllowed = 1000;

  // Records kHits hits in each thread, all under one key. Returns the number of hits that the rate
  // limit allowed.
  std::int64_t HitTogether(const RateLimit& limit) {
    std::atomic<std::int64_t> allowed = 0;
    RunTogether(kThreads, [&](std::size_t) {
      for (std::int64_t i = 0; i < kHits; ++i) {
        const RateDecision decision = Value(store_.rate_limits.Hit("api:ann", limit));
        if (decision.is_allowed) ++allowed;
      }
    });
    return allowed;
  }
};

TEST_F(RateLimitConcurrencyTest, NoHitIsLostAndExactlyTheLimitIsAllowed) {
  const RateLimit limit = {.hits_max = kAllowed};
  EXPECT_EQ(HitTogether(limit), kAllowed);
  EXPECT_THAT(store_.rate_limits.Usage("api:ann", limit), IsOkAndHolds(kThreads * kHits));
}

TEST_F(RateLimitConcurrencyTest, NoHitOfABusySubjectIsLostAndAtMostTheLimitIsAllowed) {
  const RateLimit limit = {.hits_max = kAllowed, .is_busy = true};
  const std::int64_t allowed = HitTogether(limit);
  EXPECT_LE(allowed, kAllowed);
  EXPECT_GE(allowed, kAllowed - std::int64_t{kThreads} + 1)
      << "only simultaneous hits may be refused below the limit";
  EXPECT_THAT(store_.rate_limits.Usage("api:ann", limit), IsOkAndHolds(kThreads * kHits));
}

TEST_F(RateLimitConcurrencyTest, NoTokenIsTakenTwice) {
  const BucketLimit limit = {.tokens_max = 40, .refill = std::chrono::hours(1)};
  std::atomic<std::int64_t> allowed = 0;
  RunTogether(kThreads, [&](std::size_t) {
    for (int i = 0; i < 10; ++i) {
      if (Value(store_.rate_limits.Take("api:ann", limit)).is_allowed) ++allowed;
    }
  });
  EXPECT_EQ(allowed, 40);
}

TEST_F(UserConcurrencyTest, OneOfSeveralCallersTriesAServiceWhoseCircuitIsHalfOpen) {
  const CircuitPolicy policy = {.failures_max = 1};
  ASSERT_THAT(store_.circuits.RecordFailure("mail", policy), IsOk());
  for (int round = 0; round < 20; ++round) {
    clock_->Advance(policy.reset_timeout);
    std::atomic<int> trials = 0;
    RunTogether(kThreads, [&](std::size_t) {
      if (Value(store_.circuits.MayCall("mail", policy))) ++trials;
    });
    EXPECT_EQ(trials, 1);
  }
}

// A session that starts during the suspension is either refused or ended.
TEST_F(UserConcurrencyTest, NoSessionSurvivesTheSuspensionOfItsUser) {
  CreateUser(0);
  for (int round = 0; round < 20; ++round) {
    const Profile user = Value(users_.GetProfile(UserId(0)));
    RunTogether(kThreads, [&](std::size_t thread) {
      if (thread == 0) {
        EXPECT_THAT(users_.SetStatus(user, UserStatus::kSuspended), IsOk());
      } else {
        for (int i = 0; i < 5; ++i) store_.sessions.Start(UserId(0)).status().IgnoreError();
      }
    });
    EXPECT_TRUE(Value(store_.sessions.List(UserId(0))).empty());
    ASSERT_THAT(users_.SetStatus(Value(users_.GetProfile(UserId(0))), UserStatus::kActive), IsOk());
  }
}

}  // namespace
}  // namespace dolmen::user
