// Tests of requests on a row that a transaction or a write in progress has locked. With
// OnConflict::kFail a request fails, as in DynamoDB. With kWait a request waits. The test itself
// locks rows, as a write does.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling

#include <atomic>
#include <latch>

#include "tests/engine/engine_tables.h"

namespace dolmen::engine {
namespace {

using testing::ElementsAre;
using testing::StrEq;
using Holder = LockTable::Holder;

constexpr const char* kOngoing = "Transaction is ongoing for the item";

auto IsConflict() { return StatusIs(StatusCode::kTransactionConflict, StrEq(kOngoing)); }

std::vector<std::string_view> ReasonsOf(const Status& canceled) {
  EXPECT_EQ(canceled.code(), StatusCode::kTransactionCanceled);
  std::vector<std::string_view> codes;
  for (const Status& reason : canceled.reasons()) codes.push_back(CancellationCode(reason));
  return codes;
}

class HeldRowsTest : public EngineTableTest {
 protected:
  using EngineTableTest::EngineTableTest;

  void Hold(const std::vector<std::string>& sorts, Holder holder) {
    std::vector<LockTable::RowHash> rows;
    for (const std::string& sort : sorts) rows.push_back(RowOf(sort));
    guard_.emplace(engine().locks());
    ASSERT_THAT(guard_->Lock(rows, holder, OnConflict::kWait), testing::IsEmpty());
  }
  void Release() { guard_.reset(); }

  template <typename Input>
  Status Write(const Input& input) {
    return InAnotherThread(
        [&] { return WriteItem(engine().write_context(), live(), input).status(); });
  }
  Status WriteTransaction(const TransactWriteItemsInput& input) {
    return InAnotherThread([&] { return Transact(input).status(); });
  }
  Result<TransactGetItemsOutput> ReadTransaction(const std::vector<std::string>& sorts) {
    TransactGetItemsInput input;
    for (const std::string& sort : sorts) {
      input.items.push_back({.table = handle(), .key = Key(sort)});
    }
    const std::vector<const TableSchema*> schemas(sorts.size(), &schema());
    return InAnotherThread(
        [&] { return TransactGetItems(engine().read_context(), input, schemas); });
  }

  // Expects `function` to succeed, but not before the rows are released.
  template <typename Function>
  void ExpectWaits(Function function) {
    std::latch begun(1);
    std::atomic<bool> released = false;
    auto waiter = std::async(std::launch::async, [&] {
      begun.count_down();
      EXPECT_THAT(function(), IsOk());
      return released.load();
    });
    begun.wait();
    released = true;
    Release();
    EXPECT_TRUE(waiter.get());
  }

 private:
  std::optional<LockTable::Guard> guard_;
};

class FailingConflictTest : public HeldRowsTest {
 protected:
  FailingConflictTest() : HeldRowsTest(OnConflict::kFail) {}
};

class WaitingConflictTest : public HeldRowsTest {
 protected:
  WaitingConflictTest() : HeldRowsTest(OnConflict::kWait) {}
};

TEST_F(FailingConflictTest, ASingleWriteFails) {
  Hold({"held"}, Holder::kTransaction);
  EXPECT_THAT(Write(PutItemInput{.item = Key("held")}), IsConflict());
  EXPECT_THAT(Write(UpdateItemInput{.key = Key("held")}), IsConflict());
  EXPECT_THAT(Write(DeleteItemInput{.key = Key("held")}), IsConflict());
  EXPECT_THAT(Write(PutItemInput{.item = Key("free")}), IsOk());
  EXPECT_FALSE(Exists("held"));
  Release();
  EXPECT_THAT(Write(PutItemInput{.item = Key("held")}), IsOk());
}

// A request is validated before its rows are locked. So an invalid request on a locked row fails
// with the validation error, not with a conflict.
TEST_F(FailingConflictTest, AnInvalidWriteFailsWithItsValidationError) {
  Hold({"held"}, Holder::kTransaction);
  EXPECT_THAT(Write(UpdateItemInput{.key = Key("held"), .update = "SET"}),
              StatusIs(StatusCode::kValidation, testing::HasSubstr("UpdateExpression")));
}

TEST_F(FailingConflictTest, ATransactionIsCanceledWithAReasonForEachAction) {
  Hold({"held", "held too"}, Holder::kTransaction);
  const Status canceled = WriteTransaction(
      {.actions = {PutAction("free"),
                   PutAction("held"),
                   {handle(), ConditionCheckInput{.key = Key("held too"),
                                                  .condition = "attribute_exists(PK)"}}}});
  EXPECT_THAT(ReasonsOf(canceled),
              ElementsAre("None", "TransactionConflict", "TransactionConflict"));
  EXPECT_THAT(canceled.reasons()[1], IsConflict());
  EXPECT_EQ(canceled.message(),
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
            "TransactionConflict, TransactionConflict]");
  EXPECT_FALSE(Exists("free"));
  EXPECT_THAT(WriteTransaction({.actions = {PutAction("free")}}), IsOk());
}

// A transaction that failed with a conflict can be repeated under the same token.
TEST_F(FailingConflictTest, AConflictDoesNotUseUpTheToken) {
  const TransactWriteItemsInput input{.actions = {PutAction("held")},
                                      .client_request_token = "token"};
  Hold({"held"}, Holder::kTransaction);
  EXPECT_THAT(ReasonsOf(WriteTransaction(input)), ElementsAre("TransactionConflict"));
  Release();
  EXPECT_THAT(WriteTransaction(input), IsOk());
  EXPECT_TRUE(Exists("held"));
}

// A batch is one atomic write in Dolmen, so a conflict on one item makes all of its writes fail.
TEST_F(FailingConflictTest, ABatchFailsAsAWhole) {
  Hold({"held"}, Holder::kTransaction);
  const BatchWriteItemInput input{
      .requests = {{handle(), {PutRequest{Key("free")}, PutRequest{Key("held")}}}}};
  LiveTable* const tables[] = {&live()};
  EXPECT_THAT(
      InAnotherThread([&] { return BatchWriteItem(engine().write_context(), input, tables); }),
      IsConflict());
  EXPECT_FALSE(Exists("free"));
}

// A transaction or a single write on a row that a single write has locked does not fail. It waits,
// because single writes are short.
TEST_F(FailingConflictTest, WritesWaitForASingleWrite) {
  Hold({"held"}, Holder::kSingleWrite);
  ExpectWaits([&] { return Transact({.actions = {PutAction("held")}}); });
  Hold({"held"}, Holder::kSingleWrite);
  ExpectWaits([&] {
    return WriteItem(engine().write_context(), live(), PutItemInput{.item = Key("held")});
  });
}

// A transactional read conflicts with a transaction or a single write that has locked its row.
TEST_F(FailingConflictTest, ATransactionalReadIsCanceled) {
  for (const Holder holder : {Holder::kTransaction, Holder::kSingleWrite}) {
    Hold({"held"}, holder);
    const auto got = ReadTransaction({"free", "held", "absent"});
    EXPECT_THAT(ReasonsOf(got.status()), ElementsAre("None", "TransactionConflict", "None"));
    EXPECT_THAT(ReadTransaction({"free", "absent"}), IsOk());
    Release();
    EXPECT_THAT(ReadTransaction({"free", "held", "absent"}), IsOk());
  }
}

TEST_F(FailingConflictTest, OtherReadsNeverFail) {
  ASSERT_THAT(Write(PutItemInput{.item = Key("held")}), IsOk());
  Hold({"held"}, Holder::kTransaction);
  EXPECT_TRUE(Exists("held"));
  QueryOutput page;
  EXPECT_THAT(Query(engine().read_context(), schema(), {.key_condition = Partition("p")}, &page),
              IsOk());
  EXPECT_EQ(page.count(), 1u);
  EXPECT_THAT(Scan(engine().read_context(), schema(), {}, &page), IsOk());
  EXPECT_EQ(page.count(), 1u);
  const TableSchema* const schemas[] = {&schema()};
  const auto got = BatchGetItem(
      engine().read_context(), {.requests = {{.table = handle(), .keys = {Key("held")}}}}, schemas);
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->responses[0].size(), 1u);
}

TEST_F(WaitingConflictTest, WritesWaitForATransaction) {
  Hold({"held"}, Holder::kTransaction);
  ExpectWaits([&] {
    return WriteItem(engine().write_context(), live(), PutItemInput{.item = Key("held")});
  });
  Hold({"held"}, Holder::kTransaction);
  ExpectWaits([&] { return Transact({.actions = {PutAction("held"), PutAction("other")}}); });
  EXPECT_TRUE(Exists("other"));
}

TEST_F(WaitingConflictTest, ReadsDoNotWait) {
  ASSERT_THAT(Write(PutItemInput{.item = Key("held")}), IsOk());
  Hold({"held"}, Holder::kTransaction);
  EXPECT_TRUE(Exists("held"));
  const auto got = ReadTransaction({"held", "absent"});
  ASSERT_THAT(got, IsOk());
  EXPECT_TRUE(got->items[0]);
  EXPECT_FALSE(got->items[1]);
}

}  // namespace
}  // namespace dolmen::engine
