// Tests of a database on a service with the operations of ScyllaDB's Alternator.

#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dolmen/entity.h"
#include "dolmen/entity/idempotent.h"
#include "dolmen/transaction.h"
#include "remote/retry.h"
#include "server/server.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"
#include "wire/alternator.h"

namespace dolmen::remote {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using test::Value;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Guest {
  std::string id = {};
  std::string email = {};
  int stays = 0;

  friend bool operator==(const Guest&, const Guest&) = default;
};
constexpr auto DescribeEntity(const Guest*) {
  return DefineEntity<Guest>("guest",
                             {Attribute<&Guest::id>("id"), Attribute<&Guest::email>("email"),
                              Attribute<&Guest::stays>("stays")},
                             {PrimaryKey("GUEST#{id}", "GUEST")})
      .Unique<&Guest::email>("emailClaim");
}

struct Friendship {
  std::string guest = {};
  std::string other = {};
};
constexpr auto DescribeEntity(const Friendship*) {
  return DefineEntity<Friendship>(
             "friendship",
             {Attribute<&Friendship::guest>("guest"), Attribute<&Friendship::other>("other")},
             {PrimaryKey("GUEST#{guest}", "FRIEND#{other}")})
      .Edge<Friendship>({{{"guest", "other"}, {"other", "guest"}}});
}

struct Remark {
  std::string guest = {};
  int number = 0;
  std::string text = {};
  std::int64_t expires_at = 0;

  friend bool operator==(const Remark&, const Remark&) = default;
};
constexpr auto DescribeEntity(const Remark*) {
  return DefineEntity<Remark>(
      "remark",
      {Attribute<&Remark::guest>("guest"), Attribute<&Remark::number>("number"),
       Attribute<&Remark::text>("text"), Attribute<&Remark::expires_at>("ttl")},
      {PrimaryKey("GUEST#{guest}", "REMARK#{number:04}"), IndexKey("GSI1", "REMARK", "{guest}")});
}

// Returns a time to live: the seconds since 1970 at a time from now.
std::int64_t In(std::chrono::hours hours) {
  const Timestamp time = Clock::System()->Now() + hours;
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::unique_ptr<server::Server> StartWithout(const Database& database,
                                             const std::vector<std::string>& operations) {
  return Value(
      server::Server::Start(server::Service{.endpoint = Endpoint(database, {.without = operations}),
                                            .clock = database.clock()},
                            {.port = 0, .threads = 2}));
}

Database ConnectTo(const server::Server& server) {
  return Value(Database::Connect({.endpoint = server.url(), .attempts_max = 1}));
}

class MissingOperationTest : public testing::Test {
 protected:
  static EntityTable OpenGuests(const Database& database) {
    return Value(EntityTable::Open(database,
                                   {.name = "guests", .indexes = {"GSI1"}, .time_to_live = "ttl"}));
  }
  static std::size_t CountItems(const Table& table) { return Value(table.Scan({})).size(); }

  // Matches the error of an operation that the service lacks. `why` comes first in the message.
  StatusIs Lacks(const std::string& operation, const std::string& instead,
                 const std::string& why = "") const {
    return {StatusCode::kUnknownOperation,
            AllOf(StartsWith(why + "The service " + server_->url() +
                             " does not have the operation " + operation + ". "),
                  HasSubstr(instead))};
  }

  Database local_ = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  std::unique_ptr<server::Server> server_ =
      StartWithout(local_, wire::OperationsThatAlternatorLacks());
  Database remote_ = ConnectTo(*server_);
};

TEST_F(MissingOperationTest, TheErrorNamesTheOperationAndAnotherWay) {
  const Table table = Value(remote_.CreateTable({.name = "app"}));
  EXPECT_THAT(Transaction(remote_, table).Put({.item = {{"PK", "a"}, {"SK", "b"}}}).Commit(),
              Lacks("TransactWriteItems", "each with a condition"));
  EXPECT_EQ(CountItems(table), 0u);
  EXPECT_THAT(
      remote_.TransactGetItems({.items = {{.table = table, .key = {{"PK", "a"}, {"SK", "b"}}}}}),
      Lacks("TransactGetItems", "BatchGetItem"));
  EXPECT_THAT(remote_.Execute("SELECT * FROM app"), Lacks("ExecuteStatement", "no PartiQL"));
  EXPECT_THAT(remote_.BatchExecuteStatement({.statements = {{.statement = "SELECT * FROM app"}}}),
              Lacks("BatchExecuteStatement", "no PartiQL"));
  EXPECT_THAT(remote_.ExecuteTransaction({.statements = {{.statement = "SELECT * FROM app"}}}),
              Lacks("ExecuteTransaction", "no PartiQL"));
  EXPECT_THAT(remote_.CreateBackup({.table_name = "app", .backup_name = "b"}),
              Lacks("CreateBackup", "tools of the service"));
  EXPECT_THAT(remote_.ListBackups(), Lacks("ListBackups", "tools of the service"));
  EXPECT_THAT(remote_.DescribeContinuousBackups("app"),
              Lacks("DescribeContinuousBackups", "tools of the service"));
  EXPECT_THAT(remote_.RestoreTableToPointInTime(
                  {.source_table_name = "app", .target = {.table_name = "b"}}),
              Lacks("RestoreTableToPointInTime", "tools of the service"));
}

TEST_F(MissingOperationTest, EachOperationOfTheBackendHasAnotherWay) {
  for (const char* const operation : {"ListStreams", "GetRecords", "UpdateTimeToLive"}) {
    EXPECT_THAT(MissingOperation("http://h:1", operation).message(),
                AllOf(StartsWith("The service http://h:1 does not have the operation "),
                      testing::Not(HasSubstr("Use a service that has it"))));
  }
  EXPECT_EQ(
      MissingOperation("http://h:1", "Vacuum").message(),
      "The service http://h:1 does not have the operation Vacuum. Use a service that has it.");
}

TEST_F(MissingOperationTest, EntitiesThatAreOneItemWorkWithoutTransactions) {
  const EntityTable table = OpenGuests(remote_);
  Remark remark = {
      .guest = "g", .number = 1, .text = "Hi", .expires_at = In(std::chrono::hours(1))};
  Value(table.Create(remark));
  EXPECT_THAT(table.Create(remark), StatusIs(StatusCode::kResourceInUse, HasSubstr("remark")));
  remark = Value(table.Update(remark).Set<&Remark::text>("Hello").Commit());
  EXPECT_THAT(table.BatchPut(std::vector{
                  Remark{.guest = "g", .number = 2, .expires_at = In(std::chrono::hours(-1))}}),
              IsOk());
  EXPECT_THAT(table.Query<Remark>().With<&Remark::guest>("g").All(),
              IsOkAndHolds(std::vector{remark}))
      << "the second one has expired";
  EXPECT_THAT(table.Query<Remark>("GSI1").All(), IsOkAndHolds(std::vector{remark}));
  EXPECT_THAT(table.Remove(remark), IsOk());
  EXPECT_THAT(table.Find(remark), IsOkAndHolds(std::nullopt));
}

TEST_F(MissingOperationTest, AnEntityThatNeedsTransactionsSaysWhy) {
  const EntityTable table = OpenGuests(remote_);
  EXPECT_THAT(table.Create(Guest{.id = "1", .email = "a@b"}),
              Lacks("TransactWriteItems", "dolmen/entity.h",
                    "guest: the write includes the claims of unique values, so it is a "
                    "transaction. "));
  EXPECT_THAT(table.Create(Friendship{.guest = "1", .other = "2"}),
              Lacks("TransactWriteItems", "dolmen/entity.h",
                    "friendship: the write includes the inverse of an edge, so it is a "
                    "transaction. "));
  const StatusIs error = Lacks("TransactWriteItems", "dolmen/entity.h");
  EXPECT_THAT(table.Transact().Create(Remark{.guest = "g", .number = 1}).Commit(), error);
  EXPECT_THAT(CommitOnce(table, table.Transact().Create(Remark{.guest = "g"}), "key",
                         std::chrono::hours(1)),
              error);
  EXPECT_THAT(table.TransactGet(Remark{.guest = "g", .number = 1}),
              Lacks("TransactGetItems", "BatchGetItem"));
  EXPECT_EQ(CountItems(table.table()), 0u);
}

TEST_F(MissingOperationTest, AWriteThatChangesNoClaimNeedsNoTransaction) {
  const EntityTable table = OpenGuests(remote_);
  const Guest guest = Value(table.Create(Guest{.id = "1"}));
  EXPECT_THAT(table.Update(guest).Set<&Guest::stays>(2).Commit(),
              IsOkAndHolds(Guest{.id = "1", .stays = 2}));
  EXPECT_THAT(table.Update(guest).Set<&Guest::email>("a@b").Commit(),
              Lacks("TransactWriteItems", "dolmen/entity.h",
                    "guest: the write includes the claims of unique values, so it is a "
                    "transaction. "));
  EXPECT_THAT(table.Remove(guest), IsOk());
}

TEST_F(MissingOperationTest, ADatabaseRemembersHiddenTablesIfTheServiceHasNoTags) {
  const auto server = StartWithout(local_, {"TagResource", "ListTagsOfResource"});
  for (int i = 0; i < 2; ++i) {
    const Database remote = ConnectTo(*server);
    const EntityTable guests = OpenGuests(remote);
    Value(guests.Put(Remark{.guest = "g", .expires_at = In(std::chrono::hours(-1))}));
    EXPECT_THAT(guests.Find(Remark{.guest = "g"}), IsOkAndHolds(std::nullopt));
    EXPECT_TRUE(Value(remote.DescribeTimeToLive("guests")).hide_expired);
  }
  const Database remote = ConnectTo(*server);
  EXPECT_FALSE(Value(remote.DescribeTimeToLive("guests")).hide_expired);
  EXPECT_EQ(CountItems(Value(remote.OpenTable("guests"))), 1u);
}

}  // namespace
}  // namespace dolmen::remote
