#include "engine/write/token_log.h"

#include <chrono>

#include "engine/storage/cursor.h"
#include "tests/engine/engine_tables.h"

namespace dolmen::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

constexpr RequestHash kHash = {'h'};
constexpr RequestHash kOtherHash = {'o'};

auto IsInProgress() { return StatusIs(StatusCode::kTransactionInProgress, testing::_); }

class TokenLogTest : public EngineTableTest {
 protected:
  TokenLog& log() { return engine().write_context().tokens; }

  Status Transact(const std::string& token, const std::string& sort = "a") {
    return EngineTableTest::Transact({.actions = {PutAction(sort)}, .client_request_token = token})
        .status();
  }

  // Begins a transaction at the current time.
  Result<TokenLog::Use> Begin(std::string_view token, const RequestHash& hash) {
    OperationTime instant(*clock_);
    return log().Begin(token, hash, &instant);
  }
  void Remember(const std::string& token) {
    WriteBatch batch;
    ASSERT_THAT(log().Append(token, kHash, clock_->Now(), &batch), IsOk());
    ASSERT_THAT(engine().store().Write(std::move(batch)), IsOk());
  }
  // Returns true if the log knows of a transaction that was committed under the token.
  bool Remembers(const std::string& token) {
    const auto use = Begin(token, kHash);
    EXPECT_THAT(use, IsOk());
    return use.ok() && use->is_repetition();
  }

  // Returns the number of keys that the log has written to the store and not deleted.
  std::size_t Keys() {
    Cursor cursor(engine().store(), PrefixRange(EncodedKey(KeyspaceId::kTokens)));
    std::size_t count = 0;
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    EXPECT_THAT(cursor.status(), IsOk());
    return count;
  }
  // Records one token in the empty log, and returns the number of keys that the log writes for a
  // token.
  std::size_t KeysOfOneToken() {
    Remember("the first");
    return Keys();
  }
};

// One token may be a prefix of another. The log must not take one for the other.
TEST_F(TokenLogTest, DistinguishesTokensWithACommonStart) {
  Remember("ab");
  EXPECT_TRUE(Remembers("ab"));
  EXPECT_FALSE(Remembers("a"));
  EXPECT_FALSE(Remembers("abc"));
  const std::string with_nul("ab\0", 3);
  EXPECT_FALSE(Remembers(with_nul));
  Remember(with_nul);
  EXPECT_TRUE(Remembers(with_nul));
  EXPECT_TRUE(Remembers("ab"));
}

// A token is in use until its Use is destroyed.
TEST_F(TokenLogTest, ATokenIsInUseByOneTransaction) {
  {
    const auto use = Begin("a", kHash);
    ASSERT_THAT(use, IsOk());
    EXPECT_FALSE(use->is_repetition());
    EXPECT_THAT(Begin("a", kHash), IsInProgress());
    EXPECT_THAT(Begin("a", kOtherHash), IsInProgress());
    EXPECT_THAT(Begin("b", kHash), IsOk());
  }
  EXPECT_THAT(Begin("a", kHash), IsOk());
}

TEST_F(TokenLogTest, ATransactionWhoseTokenIsInUseIsInProgress) {
  {
    const auto running = Begin("a", kHash);
    ASSERT_THAT(running, IsOk());
    EXPECT_THAT(Transact("a"), IsInProgress());
    EXPECT_FALSE(Exists("a"));
    EXPECT_THAT(Transact("b", "b"), IsOk());
    EXPECT_THAT(Transact("", "c"), IsOk());
  }
  EXPECT_THAT(Transact("a"), IsOk());
  EXPECT_TRUE(Exists("a"));
}

TEST_F(TokenLogTest, ARepetitionWritesNothing) {
  EXPECT_THAT(Transact("a"), IsOk());
  const std::uint64_t before = engine().store().LatestSequence();
  EXPECT_THAT(Transact("a"), IsOk());
  EXPECT_EQ(engine().store().LatestSequence(), before);
}

// Begin asks for the current time once it uses the token. With an earlier time, a record
// that another transaction wrote meanwhile would have a time in the future. Begin would ignore such
// a record, and the transaction would run twice.
TEST_F(TokenLogTest, AsksForTheTimeOnceTheTokenIsInUse) {
  OperationTime instant(*clock_);
  clock_->Advance(milliseconds(1));
  Remember("a");
  const auto use = log().Begin("a", kHash, &instant);
  ASSERT_THAT(use, IsOk());
  EXPECT_TRUE(use->is_repetition());
}

// Under a steady load the log keeps the tokens of the last 10 minutes and a few older ones.
TEST_F(TokenLogTest, TokensDoNotAccumulate) {
  const std::size_t keys_of_one = KeysOfOneToken();
  for (int i = 0; i < 500; ++i) {
    clock_->Advance(minutes(1));
    ASSERT_THAT(Transact("token " + std::to_string(i)), IsOk());
    ASSERT_LE(Keys(), 12 * keys_of_one);
  }
}

// The transactions that follow a burst delete the burst's tokens.
TEST_F(TokenLogTest, LaterTransactionsDeleteTheTokensOfABurst) {
  const std::size_t keys_of_one = KeysOfOneToken();
  for (int i = 0; i < 200; ++i) {
    ASSERT_THAT(Transact("burst " + std::to_string(i)), IsOk());
    clock_->Advance(milliseconds(1));
  }
  EXPECT_EQ(Keys(), 201 * keys_of_one);
  clock_->Advance(minutes(10));
  constexpr int kFew = 50;
  for (int i = 0; i < kFew; ++i) ASSERT_THAT(Transact("few " + std::to_string(i)), IsOk());
  EXPECT_EQ(Keys(), kFew * keys_of_one);
  ASSERT_THAT(Transact("few 0"), IsOk());
  EXPECT_EQ(Keys(), kFew * keys_of_one);  // the repetition wrote nothing
}

// If a token is used again later, deleting the old record of the token does not delete the new
// record.
TEST_F(TokenLogTest, ATokenThatIsUsedAgainIsRemembered) {
  EXPECT_THAT(Transact("a"), IsOk());
  for (int i = 0; i < 20; ++i) Remember("other " + std::to_string(i));  // deleted before "a"
  clock_->Advance(minutes(10));
  EXPECT_THAT(Transact("a"), IsOk());
  for (int i = 0; i < 20; ++i) {
    clock_->Advance(milliseconds(1));
    ASSERT_THAT(Transact("b " + std::to_string(i)), IsOk());
  }
  const std::uint64_t before = engine().store().LatestSequence();
  EXPECT_THAT(Transact("a"), IsOk());
  EXPECT_EQ(engine().store().LatestSequence(), before);  // the repetition wrote nothing
}

}  // namespace
}  // namespace dolmen::engine
