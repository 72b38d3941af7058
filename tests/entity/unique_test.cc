// Tests of unique attributes: the claims that writes make, move and remove with their entity.

#include <dolmen/entity.h>
#include <dolmen/testing/simulate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/entity/fixture.h"

namespace dolmen::hotel {
namespace {

struct Customer {
  std::string id = {};
  std::string email = {};
  std::optional<int> card = {};
  int stays = 0;

  friend bool operator==(const Customer&, const Customer&) = default;
};
constexpr auto DescribeEntity(const Customer*) {
  return DefineEntity<Customer>(
             "customer",
             {Attribute<&Customer::id>("customerId"), Attribute<&Customer::email>("email"),
              Attribute<&Customer::card>("card"), Attribute<&Customer::stays>("stays")},
             {PrimaryKey("CUSTOMER#{customerId}", "CUSTOMER")})
      .Unique<&Customer::email>("emailClaim")
      .Unique<&Customer::card>("cardClaim");
}

class UniqueTest : public EntityTest {
 protected:
  // Returns the id of the customer who owns a claim, or "" if there is no such claim.
  std::string OwnerOf(const std::string& claim, const std::string& value) {
    const auto found = Value(table().table().GetItem(
        {.key = {{"PK", "UNIQUE#" + claim + "#" + value}, {"SK", "UNIQUE"}}}));
    if (!found.item) return "";
    EXPECT_EQ((*found.item)["entityType"].AsString(), claim);
    EXPECT_EQ((*found.item)["ownerSK"].AsString(), "CUSTOMER");
    return std::string(*(*found.item)["ownerPK"].AsString())
        .substr(std::string_view("CUSTOMER#").size());
  }
  std::string OwnerOf(const std::string& email) { return OwnerOf("emailClaim", email); }

  std::size_t CountItems() { return Value(table().table().Scan({})).size(); }
};

const auto kTaken = StatusIs(kInUse, "email a@b is taken");

TEST_F(UniqueTest, AnEntityIsFoundByItsUniqueValue) {
  const Customer customer = Value(table().Create(Customer{.id = "1", .email = "a@b", .card = 7}));
  EXPECT_THAT(table().FindBy<&Customer::email>("a@b"), IsOkAndHolds(std::optional(customer)));
  EXPECT_THAT(table().FindBy<&Customer::card>(7), IsOkAndHolds(std::optional(customer)));
  EXPECT_THAT(table().FindBy<&Customer::email>("b@b"), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().FindBy<&Customer::email>(""), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().FindBy<&Customer::card>(std::nullopt), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(table().FindBy<&Customer::id>("1"), StatusIs(kValidation, HasSubstr("not unique")));
  EXPECT_THAT(table().Update(customer).Set<&Customer::email>("c@d").Commit(), IsOk());
  EXPECT_THAT(table().FindBy<&Customer::email>("a@b"), IsOkAndHolds(std::nullopt));
}

// The customer has no unique value, so its writes are no transactions.
TEST_F(UniqueTest, AWriteWhoseResultIsUnknownIsNotRepeated) {
  const auto lost = [](SimulatedOperation operation) {
    return SimulateRule{.operation = operation,
                        .fault = SimulatedFault::kInternalServerError,
                        .moment = FaultMoment::kAfter};
  };
  const Database database = Value(Database::InMemory(
      {.simulate = Simulate({.rules = {lost(SimulatedOperation::kPutItem),
                                       lost(SimulatedOperation::kDeleteItem)}})}));
  const EntityTable customers = Value(EntityTable::Open(database, {.name = "hotel"}));
  EXPECT_THAT(customers.Put(Customer{.id = "1"}),
              StatusIs(StatusCode::kInternalServerError, testing::_));
  EXPECT_THAT(customers.Remove(Customer{.id = "1"}),
              StatusIs(StatusCode::kInternalServerError, testing::_));
}

TEST_F(UniqueTest, AValueBelongsToOneEntity) {
  EXPECT_THAT(table().Create(Customer{.id = "1", .email = "a@b", .card = 7}), IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "1");
  EXPECT_EQ(OwnerOf("cardClaim", "7"), "1");
  EXPECT_THAT(table().Create(Customer{.id = "2", .email = "a@b"}), kTaken);
  EXPECT_THAT(table().Put(Customer{.id = "2", .email = "a@b"}), kTaken);
  EXPECT_THAT(table().Create(Customer{.id = "2", .email = "c@d", .card = 7}),
              StatusIs(kInUse, "card 7 is taken"));
  EXPECT_THAT(table().Get(Customer{.id = "2"}), StatusIs(kNotFound, Says("customer", "2")));
  EXPECT_EQ(OwnerOf("c@d"), "");
  EXPECT_THAT(table().Create(Customer{.id = "1", .email = "other"}),
              StatusIs(kInUse, Says("customer", "1", "already")));
}

TEST_F(UniqueTest, AClaimMovesWithItsValue) {
  Value(table().Create(Customer{.id = "1", .email = "a@b"}));
  Value(table().Create(Customer{.id = "2", .email = "c@d"}));
  EXPECT_THAT(table().Update(Customer{.id = "2"}).Set<&Customer::email>("a@b").Commit(), kTaken);
  const Customer updated = Value(table()
                                     .Update(Customer{.id = "1"})
                                     .Set<&Customer::email>("e@f")
                                     .Set<&Customer::card>(3)
                                     .Commit());
  EXPECT_EQ(updated, (Customer{.id = "1", .email = "e@f", .card = 3}));
  EXPECT_EQ(OwnerOf("a@b"), "");
  EXPECT_EQ(OwnerOf("e@f"), "1");
  EXPECT_EQ(OwnerOf("cardClaim", "3"), "1");
  EXPECT_THAT(table().Put(Customer{.id = "2", .email = "a@b"}), IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "2");
  EXPECT_EQ(OwnerOf("c@d"), "");
}

TEST_F(UniqueTest, AnAbsentAttributeAndAnEmptyTextHaveNoClaim) {
  Value(table().Create(Customer{.id = "1"}));
  Value(table().Create(Customer{.id = "2"}));
  EXPECT_EQ(CountItems(), 2u);
  Value(table().Update(Customer{.id = "1"}).Set<&Customer::card>(3).Commit());
  EXPECT_EQ(CountItems(), 3u);
  Value(table().Update(Customer{.id = "1"}).Remove<&Customer::card>().Commit());
  EXPECT_EQ(CountItems(), 2u);
}

TEST_F(UniqueTest, AClaimIsRemovedWithItsEntity) {
  const Customer customer = Value(table().Create(Customer{.id = "1", .email = "a@b", .card = 7}));
  EXPECT_THAT(table().Remove(customer, AttrOf<&Customer::stays>() > 1, "too few stays"),
              StatusIs(kConditionFailed, "too few stays"));
  EXPECT_EQ(CountItems(), 3u);
  EXPECT_THAT(table().Remove(Customer{.id = "1"}), IsOk());
  EXPECT_EQ(CountItems(), 0u);
  EXPECT_THAT(table().Remove(Customer{.id = "1"}), StatusIs(kNotFound, Says("customer", "1")));
  EXPECT_THAT(table().Update(Customer{.id = "1"}).Set<&Customer::email>("a@b").Commit(),
              StatusIs(kNotFound, Says("customer", "1")));
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(UniqueTest, BatchesKeepTheClaims) {
  EXPECT_THAT(table().BatchPut(std::vector<Customer>{{.id = "1", .email = "a@b"}, {.id = "2"}}),
              IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "1");
  EXPECT_THAT(table().BatchPut(std::vector<Customer>{{.id = "3", .email = "a@b"}}), kTaken);
  EXPECT_THAT(table().BatchRemove(std::vector<Customer>{{.id = "1"}, {.id = "4"}}), IsOk());
  EXPECT_EQ(CountItems(), 1u);
}

TEST_F(UniqueTest, ATransactionTakesMovesAndReleasesTogether) {
  Value(table().Create(Customer{.id = "1", .email = "a@b"}));
  Value(table().Create(Customer{.id = "2", .email = "c@d"}));
  EntityTransaction refused = table().Transact();
  refused.Create(Customer{.id = "3", .email = "e@f"}).Create(Customer{.id = "4", .email = "a@b"});
  EXPECT_THAT(refused.Commit(), kTaken);
  EXPECT_THAT(refused.refusals(), ElementsAre(IsOk(), kTaken));
  EXPECT_EQ(OwnerOf("e@f"), "");

  EXPECT_THAT(table()
                  .Transact()
                  .Update(Customer{.id = "1"}, Changes<Customer>().Set<&Customer::email>("c@d"))
                  .Update(Customer{.id = "2"}, Changes<Customer>().Set<&Customer::email>("a@b"))
                  .Commit(),
              IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "2");
  EXPECT_EQ(OwnerOf("c@d"), "1");
  EXPECT_THAT(table()
                  .Transact()
                  .Remove(Customer{.id = "2"})
                  .Create(Customer{.id = "3", .email = "a@b"})
                  .Commit(),
              IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "3");
  EXPECT_THAT(table()
                  .Transact()
                  .Create(Customer{.id = "5", .card = 1})
                  .Create(Customer{.id = "6", .card = 1})
                  .Commit(),
              StatusIs(kInUse, "card 1 is taken"));
}

TEST_F(UniqueTest, ASecondCommitWithATokenDoesNothing) {
  Value(table().Create(Customer{.id = "1", .email = "a@b"}));
  EntityTransaction move = table().Transact();
  move.Update(Customer{.id = "1"},
              Changes<Customer>().Set<&Customer::email>("c@d").Add<&Customer::stays>(1))
      .WithToken("once");
  EXPECT_THAT(move.Commit(), IsOk());
  EXPECT_THAT(move.Commit(), IsOk());
  EXPECT_EQ(Value(table().Get(Customer{.id = "1"})).stays, 1);
}

TEST_F(UniqueTest, AStrictReadOfAWholeTableSkipsTheClaimsOfItsEntities) {
  Value(table().Create(Customer{.id = "1", .email = "a@b", .card = 7}));
  const auto page = Value(table().Scan<Customer>().Strict().Page());
  EXPECT_EQ(page.items.size(), 1u);
  EXPECT_EQ(page.skipped, 2u);
  Value(table().Create(TheRoom()));
  EXPECT_THAT(table().Scan<Customer>().Strict().All(), StatusIs(kCorruption, Says("room", "")));
  EXPECT_THAT((table().Scan<Customer, Room>().Strict().All()), IsOkAndHolds(testing::SizeIs(2)));
  EXPECT_THAT(table().Scan<Room>().Strict().All(),
              StatusIs(kCorruption, Says("an item of another entity", "c")))
      << "the claims of an entity that was not asked for are errors, as the entity is";
}

TEST_F(UniqueTest, ClaimsCountTowardsTheWritesOfATransaction) {
  EntityTransaction transaction = table().Transact();
  for (int i = 0; i < 40; ++i) {
    transaction.Create(Customer{.id = std::to_string(i), .email = std::to_string(i), .card = i});
  }
  EXPECT_THAT(transaction.Commit(),
              StatusIs(kValidation,
                       "the transaction needs 120 writes and may have at most 100: 40 of the "
                       "program, 0 of inverses of edges, 80 of claims of unique values. Commit "
                       "fewer entities at once"));
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(UniqueTest, OtherUpdatesReadNothing) {
  Value(table().Create(Customer{.id = "1", .email = "a@b"}));
  log_.Take();
  Value(table().Update(Customer{.id = "1"}).Add<&Customer::stays>(1).Commit());
  EXPECT_EQ(log_.Take().size(), 1u);
}

TEST_F(UniqueTest, AnUpdateCanOnlySetAndRemoveAUniqueAttribute) {
  Value(table().Create(Customer{.id = "1", .card = 1}));
  EXPECT_THAT(table().Update(Customer{.id = "1"}).Add<&Customer::card>(1).Commit(),
              StatusIs(kValidation, Says("customer", "card", "is unique")));
  EXPECT_THAT(table().Update(Customer{.id = "2"}).Set<&Customer::card>(1).OrCreate().Commit(),
              StatusIs(kValidation, Says("customer", "use Create")));
}

TEST_F(UniqueTest, TheClaimOfAnotherItemStays) {
  const Item old = {
      {"PK", "CUSTOMER#1"}, {"SK", "CUSTOMER"}, {"customerId", "1"}, {"email", "a@b"}};
  Value(table().table().PutItem({.item = old}));  // written before the attribute was unique
  Value(table().Create(Customer{.id = "2", .email = "a@b"}));
  EXPECT_THAT(table().Update(Customer{.id = "1"}).Set<&Customer::email>("c@d").Commit(), IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "2");
  EXPECT_EQ(OwnerOf("c@d"), "1");
}

TEST_F(UniqueTest, OneOfTwoEarlierOwnersReleasesTheClaim) {
  for (const std::string id : {"1", "2"}) {
    Store({{"PK", "CUSTOMER#" + id}, {"SK", "CUSTOMER"}, {"customerId", id}, {"email", "a@b"}});
  }
  EXPECT_THAT(Value(table().AdoptUnique<Customer>()).failures, testing::SizeIs(1));
  EXPECT_EQ(OwnerOf("a@b"), "1");
  EXPECT_THAT(table().Transact().Remove(Customer{.id = "2"}).Remove(Customer{.id = "1"}).Commit(),
              IsOk());
  EXPECT_EQ(CountItems(), 0u) << "neither a customer nor a claim is left";
}

// A customer whose attribute `mail` has been renamed to `email`.
struct NewCustomer {
  std::string id = {};
  std::string email = {};

  friend bool operator==(const NewCustomer&, const NewCustomer&) = default;
};
constexpr auto DescribeEntity(const NewCustomer*) {
  return DefineEntity<NewCustomer>(
             "customer",
             {Attribute<&NewCustomer::id>("customerId"), Attribute<&NewCustomer::email>("email")},
             {PrimaryKey("CUSTOMER#{customerId}", "CUSTOMER")})
      .Unique<&NewCustomer::email>("emailClaim")
      .Version(2)
      .From<1>([](Item& item) { RenameAttribute(&item, "mail", "email"); });
}

TEST_F(UniqueTest, AnUpgradeCanRenameTheAttribute) {
  const auto store_old = [&] {
    Store({{"PK", "CUSTOMER#1"},
           {"SK", "CUSTOMER"},
           {"entityType", "customer"},
           {"customerId", "1"},
           {"mail", "a@b"}});
  };
  const NewCustomer key = {.id = "1"};
  store_old();
  EXPECT_THAT(Value(table().AdoptUnique<NewCustomer>()).failures, IsEmpty());
  EXPECT_EQ(OwnerOf("a@b"), "1");
  EXPECT_THAT(table().Update(key).Set<&NewCustomer::email>("c@d").Commit(), IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "");
  EXPECT_EQ(OwnerOf("c@d"), "1");
  EXPECT_THAT(table().Remove(key), IsOk());

  store_old();
  Value(table().AdoptUnique<NewCustomer>());
  EXPECT_THAT(table().Put(NewCustomer{.id = "1", .email = "e@f"}), IsOk());
  EXPECT_EQ(OwnerOf("a@b"), "");
  EXPECT_THAT(table().Remove(key), IsOk());

  store_old();
  Value(table().AdoptUnique<NewCustomer>());
  EXPECT_THAT(table().Remove(key), IsOk());
  EXPECT_EQ(CountItems(), 0u);
}

TEST_F(UniqueTest, ItemsFromBeforeTheDeclarationAreAdopted) {
  for (const std::string id : {"1", "2", "3"}) {
    const Item old = {{"PK", "CUSTOMER#" + id},
                      {"SK", "CUSTOMER"},
                      {"customerId", id},
                      {"entityType", "customer"},
                      {"email", id == "3" ? "a@b" : id + "@b"}};
    Value(table().table().PutItem({.item = old}));
  }
  Value(table().Create(Customer{.id = "4", .email = "a@b"}));
  const MigrationProgress adopted = Value(table().AdoptUnique<Customer>());
  EXPECT_EQ(adopted.items_read, 4u);
  EXPECT_EQ(adopted.items_written, 2u);
  EXPECT_THAT(adopted.failures,
              ElementsAre(StatusIs(kInUse, Says("customer", "3", "email a@b is taken"))));
  EXPECT_EQ(OwnerOf("1@b"), "1");
  EXPECT_EQ(OwnerOf("a@b"), "4");
  EXPECT_EQ(Value(table().AdoptUnique<Customer>()).items_written, 0u);
}

TEST_F(UniqueTest, AMigrationKeepsUniqueAttributes) {
  Value(table().Create(Customer{.id = "1", .email = "a@b"}));
  const auto lower = [](Customer& customer) { customer.email += "c"; };
  EXPECT_THAT(Value(table().Migrate<Customer>(lower)).failures,
              ElementsAre(StatusIs(kValidation, Says("customer", "1", "unique attribute email"))));
}

}  // namespace
}  // namespace dolmen::hotel
