// Tests of items that expire (rate limits, circuits, cached values) and of settings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/user_fixture.h"

namespace dolmen::user {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

class UserRateLimitsTest : public UserTest {
 protected:
  const RateLimits& limits() { return store_.rate_limits; }
  std::uint64_t Sweep() { return Value(RawTable().ExpireNow()); }

  const std::string subject_ = "login:203.0.113.7";
  const RateLimit three_ = {.hits_max = 3, .window = minutes(1)};
  const RateLimit sliding_ = {.hits_max = 3, .window = minutes(1), .is_sliding = true};
  const RateLimit busy_ = {.hits_max = 3, .window = minutes(1), .is_busy = true};
  const BucketLimit bucket_ = {.tokens_max = 3, .refill = seconds(10)};
};

TEST_F(UserRateLimitsTest, TheItemIsThePattern) {
  clock_->Advance(seconds(59));
  ASSERT_THAT(limits().Hit(subject_, three_), IsOk());
  EXPECT_EQ(Stored("RATELIMIT#login:203.0.113.7#00", "WINDOW#60#2026-04-15T12:00:00.000Z"),
            (Item{{"PK", "RATELIMIT#login:203.0.113.7#00"},
                  {"SK", "WINDOW#60#2026-04-15T12:00:00.000Z"},
                  {"entityType", "rateCounter"},
                  {"hits", 1},
                  {"ttl", 1776254460}}))
      << "2026-04-15T12:01:00Z";
}

TEST_F(UserRateLimitsTest, HitsAreAllowedUpToTheLimitOfAWindow) {
  const Timestamp next = clock_->Now() + minutes(1);
  for (const std::int64_t hit : {1, 2, 3, 4}) {
    EXPECT_THAT(limits().Hit(subject_, three_),
                IsOkAndHolds(RateDecision{.is_allowed = hit <= 3, .hits = hit, .resets_at = next}));
    EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 1}));
  }
  EXPECT_THAT(limits().Usage(subject_, three_), IsOkAndHolds(4));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
  EXPECT_THAT(limits().Usage("login:203.0.113.8", three_), IsOkAndHolds(0));
}

TEST_F(UserRateLimitsTest, TheNextWindowBeginsAtZeroAndTheLastOneExpires) {
  clock_->Advance(seconds(59));
  for (int i = 0; i < 4; ++i) ASSERT_THAT(limits().Hit(subject_, three_), IsOk());
  clock_->Advance(seconds(1));
  EXPECT_THAT(limits().Usage(subject_, three_), IsOkAndHolds(0));
  EXPECT_THAT(limits().Hit(subject_, three_),
              IsOkAndHolds(RateDecision{
                  .is_allowed = true, .hits = 1, .resets_at = clock_->Now() + minutes(1)}));
  clock_->Advance(seconds(1));
  EXPECT_EQ(Sweep(), 1U);
  EXPECT_THAT(limits().Usage(subject_, three_), IsOkAndHolds(1));
}

TEST_F(UserRateLimitsTest, WindowsOfDifferentLengthsAreCountedSeparately) {
  const RateLimit hourly = {.hits_max = 100, .window = hours(1)};
  ASSERT_THAT(limits().Hit(subject_, three_), IsOk());
  EXPECT_EQ(Value(limits().Hit(subject_, hourly)).hits, 1) << "both windows begin at 12:00";
  EXPECT_EQ(Value(limits().Hit(subject_, hourly)).resets_at, clock_->Now() + hours(1));
}

TEST_F(UserRateLimitsTest, ShardsOfABusySubjectAreSummedInOneRequest) {
  for (const std::int64_t hit : {1, 2, 3, 4, 5}) {
    const RateDecision decision = Value(limits().Hit(subject_, busy_));
    EXPECT_EQ(decision.hits, hit);
    EXPECT_EQ(decision.is_allowed, hit <= 3);
    EXPECT_EQ(TakeAsked(),
              (Asked{.operations = {"UpdateItem", "Query"}, .read_units = 5, .write_units = 1}));
  }
  EXPECT_THAT(limits().Usage(subject_, busy_), IsOkAndHolds(5));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 5}));
}

TEST_F(UserRateLimitsTest, TwoFixedWindowsAllowTwiceTheLimitAroundTheirBorder) {
  clock_->Advance(seconds(59));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Value(limits().Hit(subject_, three_)).is_allowed);
  clock_->Advance(seconds(1));
  EXPECT_TRUE(Value(limits().Hit(subject_, three_)).is_allowed);
}

TEST_F(UserRateLimitsTest, ASlidingWindowCountsAPartOfThePreviousWindow) {
  clock_->Advance(seconds(59));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Value(limits().Hit(subject_, sliding_)).is_allowed);
  TakeAsked();
  clock_->Advance(seconds(1));
  EXPECT_EQ(
      Value(limits().Hit(subject_, sliding_)),
      (RateDecision{.is_allowed = false, .hits = 4, .resets_at = Time("2026-04-15T12:02:00Z")}));
  EXPECT_EQ(TakeAsked(),
            (Asked{.operations = {"UpdateItem", "Query"}, .read_units = 0.5, .write_units = 1}));
  clock_->Advance(seconds(40));
  EXPECT_THAT(limits().Usage(subject_, sliding_), IsOkAndHolds(2))
      << "1 hit, and a third of 3 hits of the previous window";
  EXPECT_TRUE(Value(limits().Hit(subject_, sliding_)).is_allowed);
  clock_->Advance(seconds(80));
  EXPECT_THAT(limits().Usage(subject_, sliding_), IsOkAndHolds(0))
      << "two thirds of the hits of 12:01 round down to 1, but 12:03 is two windows later";
}

TEST_F(UserRateLimitsTest, ABucketAllowsABurstAndThenOneHitPerRefill) {
  const Timestamp now = clock_->Now();
  for (const std::int64_t hit : {1, 2, 3}) {
    EXPECT_EQ(
        Value(limits().Take(subject_, bucket_)),
        (RateDecision{.is_allowed = true, .hits = hit, .resets_at = now + hit * seconds(10)}));
  }
  EXPECT_EQ(TakeAsked().operations.size(), 6U) << "GetItem and TransactWriteItems";
  EXPECT_FALSE(Value(limits().Take(subject_, bucket_)).is_allowed);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}))
      << "a refused hit takes no token";
  clock_->Advance(seconds(9));
  EXPECT_FALSE(Value(limits().Take(subject_, bucket_)).is_allowed);
  clock_->Advance(seconds(1));
  EXPECT_TRUE(Value(limits().Take(subject_, bucket_)).is_allowed);
  EXPECT_FALSE(Value(limits().Take(subject_, bucket_)).is_allowed);
}

TEST_F(UserRateLimitsTest, AFullBucketExpires) {
  ASSERT_THAT(limits().Take(subject_, bucket_), IsOk());
  EXPECT_EQ(Stored("RATELIMIT#login:203.0.113.7", "BUCKET"),
            (Item{{"PK", "RATELIMIT#login:203.0.113.7"},
                  {"SK", "BUCKET"},
                  {"entityType", "tokenBucket"},
                  {"fullAt", "2026-04-15T12:00:10.000Z"},
                  {"version", 1},
                  {"ttl", 1776254410}}));
  clock_->Advance(seconds(11));
  EXPECT_EQ(Sweep(), 1U);
  EXPECT_EQ(Value(limits().Take(subject_, bucket_)).hits, 1);
}

TEST_F(UserRateLimitsTest, MalformedSubjectsAreRejected) {
  EXPECT_THAT(limits().Hit("a#b", three_), StatusIs(StatusCode::kValidation, HasSubstr("subject")));
  EXPECT_THAT(limits().Hit("", three_), StatusIs(StatusCode::kValidation, HasSubstr("subject")));
  EXPECT_THAT(limits().Usage("", three_), StatusIs(StatusCode::kValidation, HasSubstr("subject")));
  EXPECT_THAT(limits().Take("", bucket_), StatusIs(StatusCode::kValidation, HasSubstr("subject")));
  EXPECT_EQ(Value(limits().Hit(subject_, {.hits_max = 1, .window = seconds(0)})).resets_at,
            clock_->Now() + seconds(1))
      << "a window has at least 1 second";
}

class UserCircuitsTest : public UserTest {
 protected:
  const Circuits& circuits() { return store_.circuits; }
  CircuitPhase Phase(const std::string& service) {
    return Value(circuits().GetPhase(service, policy_));
  }
  bool MayCall() { return Value(circuits().MayCall("mail", policy_)); }
  // Records two failures, which open the circuit.
  void Open() {
    for (int i = 0; i < 2; ++i) ASSERT_THAT(circuits().RecordFailure("mail", policy_), IsOk());
    TakeAsked();
  }

  const CircuitPolicy policy_ = {.failures_max = 2, .reset_timeout = seconds(30)};
};

TEST_F(UserCircuitsTest, TheItemIsThePattern) {
  ASSERT_THAT(circuits().RecordFailure("mail", policy_), IsOk());
  EXPECT_EQ(Stored("CIRCUIT#mail", "STATE"), (Item{{"PK", "CIRCUIT#mail"},
                                                   {"SK", "STATE"},
                                                   {"entityType", "circuit"},
                                                   {"failures", 1},
                                                   {"retryAt", "2026-04-15T12:00:30.000Z"},
                                                   {"version", 1},
                                                   {"ttl", 1776254460}}));
}

TEST_F(UserCircuitsTest, FailuresOpenTheCircuit) {
  EXPECT_EQ(Phase("mail"), CircuitPhase::kClosed);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}));
  EXPECT_EQ(Value(circuits().RecordFailure("mail", policy_)).failures, 1);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"UpdateItem"}, .write_units = 1}));
  EXPECT_TRUE(MayCall());
  const Circuit open = Value(circuits().RecordFailure("mail", policy_));
  EXPECT_EQ(open.failures, 2);
  EXPECT_EQ(open.retry_at, clock_->Now() + seconds(30));
  EXPECT_EQ(Phase("mail"), CircuitPhase::kOpen);
  EXPECT_FALSE(MayCall());
  EXPECT_EQ(Phase("search"), CircuitPhase::kClosed);
}

TEST_F(UserCircuitsTest, AHalfOpenCircuitLetsOneCallPass) {
  Open();
  clock_->Advance(seconds(30) - std::chrono::milliseconds(1));
  EXPECT_EQ(Phase("mail"), CircuitPhase::kOpen);
  clock_->Advance(std::chrono::milliseconds(1));
  EXPECT_EQ(Phase("mail"), CircuitPhase::kHalfOpen);
  TakeAsked();
  EXPECT_TRUE(MayCall());
  EXPECT_EQ(TakeAsked(),
            (Asked{.operations = {"GetItem", "UpdateItem"}, .read_units = 0.5, .write_units = 1}));
  EXPECT_FALSE(MayCall()) << "the trial has not ended";
  clock_->Advance(seconds(30));
  EXPECT_TRUE(MayCall()) << "the first trial has recorded nothing";
}

TEST_F(UserCircuitsTest, AFailedTrialOpensTheCircuitAgain) {
  Open();
  clock_->Advance(seconds(30));
  ASSERT_TRUE(MayCall());
  clock_->Advance(seconds(5));
  EXPECT_EQ(Value(circuits().RecordFailure("mail", policy_)).failures, 3);
  clock_->Advance(seconds(29));
  EXPECT_FALSE(MayCall());
  clock_->Advance(seconds(1));
  EXPECT_EQ(Phase("mail"), CircuitPhase::kHalfOpen);
}

TEST_F(UserCircuitsTest, ASuccessClosesTheCircuit) {
  Open();
  clock_->Advance(seconds(30));
  ASSERT_TRUE(MayCall());
  TakeAsked();
  ASSERT_THAT(circuits().RecordSuccess("mail"), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"BatchWriteItem"}, .write_units = 1}));
  EXPECT_EQ(Phase("mail"), CircuitPhase::kClosed);
  EXPECT_THAT(circuits().RecordSuccess("mail"), IsOk())
      << "success without earlier failures is no error";
  EXPECT_EQ(Value(circuits().RecordFailure("mail", policy_)).failures, 1)
      << "counting starts again";
  EXPECT_THAT(circuits().RecordFailure("", policy_),
              StatusIs(StatusCode::kValidation, HasSubstr("service")));
}

TEST_F(UserCircuitsTest, ACircuitThatNobodyUsesExpires) {
  Open();
  clock_->Advance(seconds(61));
  EXPECT_EQ(Phase("mail"), CircuitPhase::kClosed);
  EXPECT_EQ(Value(RawTable().ExpireNow()), 1U);
}

class UserCacheTest : public UserTest {
 protected:
  Result<CachedValue> Put(const std::string& name, const char* value, seconds lifetime) {
    return store_.table.Put(
        CachedValue{.name = name, .value = value, .expires_at = clock_->Now() + lifetime});
  }
  Result<std::optional<CachedValue>> Find(const std::string& name) {
    return store_.table.Find(CachedValue{.name = name});
  }
  // Matches the result of Find if it has this value.
  static auto Holds(const char* value) {
    return IsOkAndHolds(testing::Optional(testing::Field(&CachedValue::value, value)));
  }
};

TEST_F(UserCacheTest, AValueIsFoundUntilItExpires) {
  ASSERT_THAT(Put("feed#abc-123", "[1,2]", seconds(10)), IsOk());
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"PutItem"}, .write_units = 1}));
  EXPECT_EQ(Stored("CACHE#feed#abc-123", "VALUE"), (Item{{"PK", "CACHE#feed#abc-123"},
                                                         {"SK", "VALUE"},
                                                         {"entityType", "cachedValue"},
                                                         {"value", "[1,2]"},
                                                         {"ttl", 1776254410}}));
  clock_->Advance(seconds(10));
  EXPECT_THAT(Find("feed#abc-123"), Holds("[1,2]"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}));
  clock_->Advance(seconds(1));
  EXPECT_THAT(Find("feed#abc-123"), IsOkAndHolds(std::nullopt));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}));
}

class UserSettingsTest : public UserTest {
 protected:
  const EntityTable& table_ = store_.table;
};

TEST_F(UserSettingsTest, GetFindsASettingByScopeAndName) {
  const Setting put = Value(table_.Put(Setting{.scope = "mail", .name = "retries", .value = 3}));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"PutItem"}, .write_units = 1}));
  EXPECT_EQ(put.version, 1);
  EXPECT_EQ(put.updated_at, clock_->Now());
  EXPECT_EQ(Stored("CONFIG#mail", "SETTING#retries"),
            (Item{{"PK", "CONFIG#mail"},
                  {"SK", "SETTING#retries"},
                  {"entityType", "setting"},
                  {"name", "retries"},
                  {"value", 3},
                  {"version", 1},
                  {"updatedAt", "2026-04-15T12:00:00.000Z"}}));
  EXPECT_EQ(Value(table_.Get(Setting{.scope = "mail", .name = "retries"})), put);
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"GetItem"}, .read_units = 0.5}));
  EXPECT_THAT(table_.Get(Setting{.scope = "mail", .name = "none"}),
              StatusIs(StatusCode::kResourceNotFound, HasSubstr("none")));
}

TEST_F(UserSettingsTest, AllSettingsOfAScopeAreOneQuery) {
  ASSERT_THAT(table_.Put(Setting{.scope = "mail", .name = "sender", .value = "no-reply"}), IsOk());
  ASSERT_THAT(table_.Put(Setting{.scope = "mail", .name = "hosts", .value = StringSet{"a", "b"}}),
              IsOk());
  ASSERT_THAT(table_.Put(Setting{.scope = "search", .name = "limit", .value = 10}), IsOk());
  TakeAsked();
  std::vector<std::string> names;
  const auto query = table_.Query<Setting>().With<&Setting::scope>("mail");
  for (const Setting& setting : Value(query.All())) names.push_back(setting.name);
  EXPECT_THAT(names, ElementsAre("hosts", "sender"));
  EXPECT_EQ(TakeAsked(), (Asked{.operations = {"Query"}, .read_units = 0.5}));
}

TEST_F(UserSettingsTest, PutRequiresTheVersionThatWasRead) {
  const Setting first = Value(table_.Put(Setting{.scope = "mail", .name = "retries", .value = 3}));
  EXPECT_THAT(table_.Put(Setting{.scope = "mail", .name = "retries", .value = 4}),
              StatusIs(StatusCode::kTransactionConflict, _))
      << "version 0 was not read from the table";
  Setting second = first;
  second.value = 5;
  second = Value(table_.Put(second));
  EXPECT_EQ(second.version, 2);
  EXPECT_THAT(table_.Put(first), StatusIs(StatusCode::kTransactionConflict, _));
  EXPECT_EQ(Value(table_.Get(Setting{.scope = "mail", .name = "retries"})), second);
  EXPECT_THAT(table_.Put(Setting{.scope = "a#b", .name = "x"}),
              StatusIs(StatusCode::kValidation, HasSubstr("scope")));
}

}  // namespace
}  // namespace dolmen::user
