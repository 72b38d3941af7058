// Tests of transactions that move amounts between accounts. A transaction never changes the sum of
// all balances. All accounts are in one partition, so one Query reads all balances as of one
// moment. Therefore the balances on every page of a Query must add up to that sum.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/concurrent/threads.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kAccounts = 10;
constexpr std::int64_t kStart = 100;
constexpr std::int64_t kSum = kStart * static_cast<std::int64_t>(kAccounts);
constexpr std::size_t kTransferrers = 4;
constexpr std::size_t kSumReaders = 3;
constexpr std::size_t kTransfersPerWriter = 1'000;

Item AccountKey(std::size_t account) { return {{"PK", "bank"}, {"SK", std::to_string(account)}}; }

CreateTableInput Accounts() {
  return {
      .name = "accounts",
      .global_secondary_indexes = {{.name = "by_balance",
                                    .partition_key = {{.name = "PK"}},
                                    .sort_key = {{.name = "balance", .type = AttributeType::kN}}}}};
}

TransactWriteItem Change(const Table& table, std::size_t account, std::int64_t amount,
                         const ConditionExpression& condition = {}) {
  return {table, UpdateItemInput{.key = AccountKey(account),
                                 .update = Update().Add("balance", amount),
                                 .condition = condition}};
}

class TransfersTest : public SeededTest {
 protected:
  void SetUp() override {
    auto table = db_->CreateTable(Accounts());
    ASSERT_THAT(table, IsOk());
    for (std::size_t i = 0; i < kAccounts; ++i) {
      Item account = AccountKey(i);
      account.emplace("balance", kStart);
      ASSERT_THAT(table->PutItem({.item = account}), IsOk());
    }
  }

  // Transfers an amount to one account, in one transaction: from one other account, or the same
  // amount from each of two other accounts. The transaction fails if the balance of a payer is too
  // small.
  Status Transfer(const Table& table, Random& random) {
    const std::size_t from = random.Below(kAccounts);
    const std::size_t to = (from + 1 + random.Below(kAccounts - 2)) % kAccounts;
    const std::int64_t amount = random.Between(1, 60);
    std::vector<TransactWriteItem> actions{Change(table, from, -amount, Attr("balance") >= amount)};
    if (random.OneIn(3)) {
      const std::size_t also_from =
          (to + 1) % kAccounts == from ? (to + 2) % kAccounts : (to + 1) % kAccounts;
      actions.push_back(Change(table, also_from, -amount, Attr("balance") >= amount));
      actions.push_back(Change(table, to, 2 * amount));
    } else {
      actions.push_back(Change(table, to, amount));
    }
    random.Shuffle(&actions);
    return db_->TransactWriteItems({.actions = actions}).status();
  }

  static void ExpectWholeBank(const Table& table, const std::string& index, QueryOutput* page) {
    ASSERT_THAT(table.Query({.index = index, .key_condition = Partition("bank")}, page), IsOk());
    std::int64_t sum = 0;
    for (const ItemView account : *page) {
      const std::int64_t balance = account["balance"].AsInt64().value_or(-1);
      ASSERT_GE(balance, 0) << account.ToString();
      sum += balance;
    }
    ASSERT_EQ(page->size(), kAccounts) << index;
    ASSERT_EQ(sum, kSum) << index;
  }

  void TransferAndWatch() {
    const auto table = db_->OpenTable("accounts");
    ASSERT_THAT(table, IsOk());
    std::atomic<std::size_t> writing = kTransferrers;
    std::atomic<std::size_t> refused = 0;
    RunTogether(kTransferrers + kSumReaders, [&](std::size_t thread) {
      if (thread < kTransferrers) {
        Random random(TestSeed() + thread);
        for (std::size_t i = 0; i < kTransfersPerWriter; ++i) {
          const Status done = Transfer(*table, random);
          if (done.ok()) continue;
          EXPECT_EQ(done.code(), StatusCode::kTransactionCanceled) << done.ToString();
          ++refused;
        }
        --writing;
        return;
      }
      QueryOutput page;
      while (writing > 0 && !HasFatalFailure()) {
        ExpectWholeBank(*table, "", &page);
        ExpectWholeBank(*table, "by_balance", &page);
      }
    });
    QueryOutput page;
    ExpectWholeBank(*table, "", &page);
    ExpectWholeBank(*table, "by_balance", &page);
    // The conditions on the balances are tested only if some of them are false. If most of them
    // were false, few transfers would be tested.
    EXPECT_GT(refused, 0u);
    EXPECT_LT(refused, kTransferrers * kTransfersPerWriter / 2);
  }

  TempDirectory directory_;
  Result<Database> db_ = Database::InMemory();
};

TEST_F(TransfersTest, SumIsTheSameAtEveryMoment) { TransferAndWatch(); }

class TransfersOnDiskTest : public TransfersTest {
 protected:
  TransfersOnDiskTest() {
    db_ = Database::Open(directory_ / "db", {.durability = Durability::kBuffered});
  }
};

TEST_F(TransfersOnDiskTest, SumIsTheSameAtEveryMomentAndAfterReopening) {
  TransferAndWatch();
  db_ = Status::Storage("closed");  // closes the last handle
  db_ = Database::Open(directory_ / "db");
  ASSERT_THAT(db_, IsOk());
  const auto table = db_->OpenTable("accounts");
  ASSERT_THAT(table, IsOk());
  QueryOutput page;
  ExpectWholeBank(*table, "", &page);
  ExpectWholeBank(*table, "by_balance", &page);
}

}  // namespace
}  // namespace dolmen::test
