// Tests of tokens of transactions on a service.

#include "remote/transact_write.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "dolmen/update_builder.h"
#include "tests/remote/parcel.h"

namespace dolmen::remote {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::_;

constexpr auto kOtherUse = StatusCode::kIdempotentParameterMismatch;

class TokenTest : public UpdateTest {
 protected:
  // Updates an item of the table, which hides expired items, with the token "t".
  Status SetText(const EntityTable& table, const std::string& text) {
    clock_->Advance(seconds(1));
    const UpdateItemInput update{.key = {{"PK", "TEXT"}, {"SK", "1"}},
                                 .update = Update().Set("text", text)};
    return table.database()
        .TransactWriteItems({.actions = {{table.table(), update}}, .client_request_token = "t"})
        .status();
  }
};

// Returns the response of a service that cancels each transaction, and says as its reasons `reasons`.
std::string Cancelled(const test::ReceivedRequest& request, const std::string& reasons) {
  if (request.fields.at("x-amz-target").ends_with("TransactWriteItems")) {
    return test::ResponseText(400, R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
                                   R"(TransactionCanceledException")" +
                                       reasons + "}");
  }
  return test::ResponseText(
      200,
      R"({"Table":{"TableName":"app","TableStatus":"ACTIVE","KeySchema":[{"AttributeName":"PK",)"
      R"("KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}})");
}

// The entity layer looks for the reason of each write.
TEST(OtherServiceTest, ACancelledTransactionWithoutItsReasonsIsAnError) {
  const std::string none = R"({"Code":"None"})";
  const std::string failed = R"({"Code":"ConditionalCheckFailed"})";
  for (const std::string& reasons :
       {std::string(), std::string(R"(,"CancellationReasons":[])"),
        R"(,"CancellationReasons":[)" + failed + "]",
        R"(,"CancellationReasons":[)" + none + "," + none + "]",
        R"(,"CancellationReasons":[)" + failed + "," + none + "," + none + "]"}) {
    SCOPED_TRACE(reasons);
    test::ScriptedServer service(
        [&](const test::ReceivedRequest& request) { return Cancelled(request, reasons); });
    const Database remote = Value(Database::Connect({.endpoint = service.url()}));
    const Table table = Value(remote.OpenTable("app"));
    EXPECT_THAT(
        remote.TransactWriteItems({.actions = {{table, PutItemInput{.item = {{"PK", "a"}}}},
                                               {table, PutItemInput{.item = {{"PK", "b"}}}}}}),
        StatusIs(StatusCode::kInternalServerError, testing::HasSubstr("2 actions")));
  }
}

// The update is decided for its item, which has changed when the transaction is repeated.
TEST_F(TokenTest, ARepetitionOfADecidedUpdateSucceeds) {
  for (const EntityTable& table : {embedded_, remote_}) {
    EXPECT_THAT(table.Create(Bill{.id = "b", .net = 1}), IsOk());
    auto transaction = table.Transact();
    transaction.Update(Bill{.id = "b"}, Changes<Bill>().Add<&Bill::net>(1)).WithToken("t");
    EXPECT_THAT(transaction.Commit(), IsOk());
    EXPECT_THAT(transaction.Commit(), IsOk());
    EXPECT_EQ(Value(table.Get(Bill{.id = "b"})).gross, 4);
  }
}

// The attribute updatedAt is the time at which the update is added to the transaction.
TEST_F(TokenTest, ATransactionThatIsBuiltAgainIsAnotherOneAsInAnEmbeddedDatabase) {
  for (const EntityTable& table : {embedded_, remote_}) {
    const auto build = [&] {
      auto transaction = table.Transact();
      transaction.Update(parcel_, Changes<Parcel>().Add<&Parcel::pieces>(1).OrCreate());
      transaction.WithToken("t");
      return transaction;
    };
    auto transaction = build();
    EXPECT_THAT(transaction.Commit(), IsOk());
    clock_->Advance(minutes(1));
    EXPECT_THAT(transaction.Commit(), IsOk());
    EXPECT_THAT(build().Commit(), StatusIs(kOtherUse, _));
    EXPECT_EQ(Value(table.Get(parcel_)).pieces, 2);
  }
}

TEST_F(TokenTest, ACancelledTransactionDoesNotUseUpItsToken) {
  EXPECT_THAT(remote_.Transact()
                  .Update(Visitor{.id = "w"}, Changes<Visitor>().Set<&Visitor::state>("b"))
                  .WithToken("t")
                  .Commit(),
              StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(SetText(remote_, "a"), IsOk());
}

// The condition that the item has not expired has the time of the first request.
TEST_F(TokenTest, ARepetitionSucceedsOnATableThatHidesExpiredItems) {
  EXPECT_THAT(SetText(remote_, "a"), IsOk());
  EXPECT_THAT(SetText(remote_, "a"), IsOk());
  EXPECT_THAT(SetText(remote_, "b"), StatusIs(kOtherUse, _));
  const EntityTable other_process = Open(service_.Connect());
  EXPECT_THAT(SetText(other_process, "a"), StatusIs(kOtherUse, _));
  clock_->Advance(minutes(10));
  EXPECT_THAT(SetText(remote_, "b"), IsOk());
}

}  // namespace
}  // namespace dolmen::remote
