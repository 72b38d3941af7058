// Tests of a process that is killed during a backfill, a batch or a transaction. Afterwards no
// acknowledged write is lost, no batch or transaction is visible in part, and the backfill is
// completed.

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "dolmen/dolmen.h"
#include "tests/durability/acknowledgements.h"
#include "tests/support/child_process.h"
#include "tests/support/contents.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::test {
namespace {

constexpr int kBackfilledItems = 3'000;  // enough for a backfill to take a while
constexpr int kItemsWritten = 40;
constexpr const char* kIndex = "by_colour";

Item KeyOf(std::uint64_t i) {
  return {{"PK", "p" + std::to_string(i % 5)}, {"SK", std::to_string(i)}};
}

// Returns item `i` of turn `turn`. Several attributes depend on the turn, so that a partly written
// item is detected.
Item ItemOf(std::uint64_t i, std::uint64_t turn) {
  Item item = KeyOf(i);
  item.emplace("colour", "colour" + std::to_string(turn % 3));
  item.emplace("turn", turn);
  item.emplace("filler", std::string(turn % 200, 'x'));
  return item;
}

// The database and the table that a child process opens, and its first turn.
struct Child {
  std::optional<Database> db;
  std::optional<Table> table;
  std::uint64_t first = 0;

  bool Open(const ChildArguments& arguments) {
    auto opened = Database::Open(arguments[0], OptionsOf(std::stoull(arguments[2])));
    if (!opened.ok()) return false;
    db.emplace(*std::move(opened));
    auto things = db->OpenTable("things");
    if (!things.ok()) return false;
    table.emplace(*std::move(things));
    first = std::stoull(arguments[1]);
    return true;
  }
};

// Adds an index and writes items while the backfill runs.
int Backfill(const ChildArguments& arguments) {
  Child child;
  if (!child.Open(arguments)) return 1;
  const GlobalSecondaryIndex index{.name = kIndex, .partition_key = {{"colour"}}};
  if (!child.db->UpdateTable({.name = "things", .create_index = index}).ok()) return 2;
  for (std::uint64_t turn = child.first;; ++turn) {
    const auto put = child.table->PutItem({.item = ItemOf(turn % kItemsWritten, turn)});
    if (!put.ok()) return 3;
    if (!TellParent(std::to_string(turn))) return 4;
  }
}

// In each turn, writes one batch of ten items.
int Batch(const ChildArguments& arguments) {
  Child child;
  if (!child.Open(arguments)) return 1;
  for (std::uint64_t turn = child.first;; ++turn) {
    WriteRequests requests{.table = *child.table};
    for (std::uint64_t i = 0; i < 10; ++i) {
      requests.requests.emplace_back(PutRequest{ItemOf((turn % 4) * 10 + i, turn)});
    }
    if (!child.db->BatchWriteItem({.requests = {requests}}).ok()) return 3;
    if (!TellParent(std::to_string(turn))) return 4;
  }
}

// Returns a transaction that moves 1 from the balance of one item to the balance of another. The
// number of the turn is in the client request token.
TransactWriteItemsInput Transfer(const Table& table, std::uint64_t turn) {
  const std::uint64_t from = turn % kItemsWritten;
  const std::uint64_t to = (from + 1 + turn % 7) % kItemsWritten;
  const auto add = [](int amount) { return Update().Add("balance", amount).Add("moves", 1); };
  return {.actions = {{table, UpdateItemInput{.key = KeyOf(from), .update = add(-1)}},
                      {table, UpdateItemInput{.key = KeyOf(to), .update = add(1)}}},
          .client_request_token = "turn-" + std::to_string(turn)};
}

int Transact(const ChildArguments& arguments) {
  Child child;
  if (!child.Open(arguments)) return 1;
  for (std::uint64_t turn = child.first;; ++turn) {
    if (!child.db->TransactWriteItems(Transfer(*child.table, turn)).ok()) return 3;
    if (!TellParent(std::to_string(turn))) return 4;
  }
}

const ChildRole kBackfill("backfill", Backfill);
const ChildRole kBatch("batch", Batch);
const ChildRole kTransact("transact", Transact);

class KillOperationsTest : public SeededTest {
 protected:
  void SetUp() override {
    Open();
    ASSERT_THAT(db_->CreateTable({.name = "things"}), IsOk());
    table_ = *db_->OpenTable("things");
    for (int i = 0; i < kBackfilledItems; ++i) {
      ASSERT_THAT(table_->PutItem({.item = ItemOf(static_cast<std::uint64_t>(i), 0)}), IsOk());
    }
  }

  void Open() {
    table_.reset();
    db_.reset();
    auto db = Database::Open(Directory(), OptionsOf(random_.Next()));
    ASSERT_THAT(db, IsOk());
    db_.emplace(*std::move(db));
    const auto table = db_->OpenTable("things");
    if (table.ok()) table_ = *table;
  }

  // Runs the role in a child process. The child begins with the turn after the last known turn.
  // Kills the child after a random number of turns. Returns the last turn that the child
  // acknowledged.
  std::uint64_t RunAndKill(const ChildRole& role, std::size_t acknowledgements_max) {
    table_.reset();
    db_.reset();
    ChildProcess child(role,
                       {Directory(), std::to_string(turn_ + 1), std::to_string(random_.Next())});
    return KillAfter(1 + random_.Below(acknowledgements_max), &child).value_or(turn_);
  }

  std::uint64_t TurnOf(std::uint64_t i) {
    const auto got = table_->GetItem({.key = KeyOf(i)});
    EXPECT_THAT(got, IsOk());
    if (!got.ok() || !got->item) return 0;
    const auto turn = static_cast<std::uint64_t>((*got->item)["turn"].AsInt64().value_or(0));
    EXPECT_EQ(*got->item->Copy(), ItemOf(i, turn));
    return turn;
  }

  std::string Directory() const { return (directory_ / "db").string(); }

  TempDirectory directory_;
  std::optional<Database> db_;
  std::optional<Table> table_;
  std::uint64_t turn_ = 0;  // the last turn that may have been written
};

TEST_F(KillOperationsTest, BackfillIsCompletedAfterAKill) {
  int unfinished = 0;
  for (std::size_t round = 0; round < kRounds && !HasFailure(); ++round) {
    const std::uint64_t acknowledged = RunAndKill(kBackfill, 150);
    Open();
    ASSERT_FALSE(HasFatalFailure());
    const auto description = db_->DescribeTable("things");
    ASSERT_THAT(description, IsOk());
    ASSERT_EQ(description->global_secondary_indexes.size(), 1u) << "round " << round;
    if (description->global_secondary_indexes[0].status == IndexStatus::kCreating) ++unfinished;
    ASSERT_THAT(table_->WaitForIndexes(), IsOk());
    EXPECT_EQ(ReadContents(*table_, kIndex), ReadContents(*table_)) << "round " << round;
    for (std::uint64_t turn = turn_ + 1; turn <= acknowledged; ++turn) {
      EXPECT_GE(TurnOf(turn % kItemsWritten), turn) << "round " << round;
    }
    turn_ = acknowledged + 1;
    ASSERT_THAT(db_->UpdateTable({.name = "things", .delete_index = kIndex}), IsOk());
  }
  std::cout << turn_ << " writes; " << unfinished << " of " << kRounds
            << " backfills resumed after reopening\n";
}

TEST_F(KillOperationsTest, BatchSurvivesAKillAsAWhole) {
  const GlobalSecondaryIndex index{.name = kIndex, .partition_key = {{"colour"}}};
  ASSERT_THAT(db_->UpdateTable({.name = "things", .create_index = index}), IsOk());
  ASSERT_THAT(table_->WaitForIndexes(), IsOk());
  for (std::size_t round = 0; round < kRounds && !HasFailure(); ++round) {
    const std::uint64_t acknowledged = RunAndKill(kBatch, 60);
    Open();
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_EQ(ReadContents(*table_, kIndex), ReadContents(*table_)) << "round " << round;
    for (std::uint64_t batch = 0; batch < 4; ++batch) {
      const std::uint64_t turn = TurnOf(batch * 10);
      for (std::uint64_t i = 1; i < 10; ++i) EXPECT_EQ(TurnOf(batch * 10 + i), turn) << round;
    }
    for (std::uint64_t turn = turn_ + 1; turn <= acknowledged; ++turn) {
      EXPECT_GE(TurnOf((turn % 4) * 10), turn) << "round " << round;
    }
    turn_ = acknowledged + 1;
  }
  std::cout << turn_ << " batches\n";
}

// Repeats the last transactions with their tokens, like a client that received no answer. The
// repetition has no effect if the transaction was committed before the kill.
TEST_F(KillOperationsTest, RepeatedTransactionTakesEffectOnceAfterAKill) {
  for (std::size_t round = 0; round < kRounds && !HasFailure(); ++round) {
    const std::uint64_t acknowledged = RunAndKill(kTransact, 100);
    Open();
    ASSERT_FALSE(HasFatalFailure());
    for (std::uint64_t turn = turn_ + 1; turn <= acknowledged + 1; ++turn) {
      ASSERT_THAT(db_->TransactWriteItems(Transfer(*table_, turn)), IsOk());
    }
    turn_ = acknowledged + 1;
    std::int64_t balance = 0;
    std::int64_t moves = 0;
    for (const auto& [key, item] : ReadContents(*table_)) {
      const auto number = [&](const char* name) {
        const auto found = item.find(name);
        return found == item.end() ? 0 : found->second.get_if<Number>()->ToInt64().value_or(0);
      };
      balance += number("balance");
      moves += number("moves");
    }
    EXPECT_EQ(balance, 0) << "round " << round;
    EXPECT_EQ(moves, static_cast<std::int64_t>(2 * turn_)) << "round " << round;
  }
  std::cout << turn_ << " transactions\n";
}

}  // namespace
}  // namespace dolmen::test
