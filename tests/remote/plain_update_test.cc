// Tests of updates of entities on a service: an update is one request if its item allows that, and its
// effect is that of an embedded database in any case.

#include "entity/plain_update.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/remote/parcel.h"
#include "tests/support/items.h"

namespace dolmen::remote {
namespace {

using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

using Operations = std::vector<std::string>;

const Operations kOne = {"UpdateItem"};
// The item did not pass the condition of the plain form, so the update was decided for it.
const Operations kAgain = {"UpdateItem", "UpdateItem"};
// The update has no plain form.
const Operations kRead = {"GetItem", "UpdateItem"};
// The service has returned no item, so it is read.
const Operations kMissing = {"UpdateItem", "GetItem"};

// A text that its codec writes, but does not read, if it is empty.
struct Oath {
  std::string id = {};
  std::string words = "none";
};
struct WordsCodec : AttributeCodec<std::string> {
  static Status Decode(AttributeView view, std::string* words) {
    *words = view.AsString().value_or("");
    return words->empty() ? Status::Validation("has no words") : Status();
  }
};
constexpr auto DescribeEntity(const Oath*) {
  return DefineEntity<Oath>(
      "oath", {Attribute<&Oath::id>("id"), Attribute<&Oath::words>("words").As<WordsCodec>()},
      {PrimaryKey("OATH#{id}", "OATH")});
}

class PlainUpdateTest : public UpdateTest {
 protected:
  // Stores the item in both databases, and updates it there. Checks that the errors, the returned
  // entities and the stored items are equal, and that the service got these requests.
  template <typename T>
  void Check(const Item& before, const T& key, const Changes<T>& changes,
             const Operations& expected) {
    CheckOnce(before, key, changes, expected, false);
    CheckOnce(before, key, changes, InTransaction(expected), true);
  }
  template <typename T>
  void CheckOnce(const Item& before, const T& key, const Changes<T>& changes,
                 const Operations& expected, bool in_transaction) {
    SCOPED_TRACE(in_transaction ? "in a transaction" : "alone");
    const Item item_key = Value(entity::PrimaryKeyOf(entity::kSpec<T>, &key));
    std::vector<Status> statuses;
    std::vector<Item> values;
    std::vector<Item> stored;
    for (const EntityTable& table : {embedded_, remote_}) {
      Value(table.table().DeleteItem({.key = item_key}));
      if (!before.empty()) Value(table.table().PutItem({.item = before}));
      service_.Take();
      if (in_transaction) {
        statuses.push_back(table.Transact().Update(key, changes).Commit());
      } else {
        const Result<T> updated = table.Update(key, changes);
        statuses.push_back(updated.status());
        values.push_back(updated.ok() ? Value(ToItem(*updated)) : Item());
      }
      operations_ = service_.Take();
      stored.push_back(Stored(table, item_key));
    }
    EXPECT_EQ(statuses[0].code(), statuses[1].code());
    EXPECT_EQ(statuses[0].message(), statuses[1].message());
    EXPECT_EQ(stored[0], stored[1]);
    EXPECT_EQ(values, (std::vector(values.size(), values.empty() ? Item() : values[0])));
    EXPECT_THAT(operations_, ElementsAreArray(expected));
  }

  static Operations InTransaction(Operations operations) {
    std::ranges::replace(operations, "UpdateItem", "TransactWriteItems");
    return operations;
  }

  Operations operations_;
};

TEST_F(PlainUpdateTest, AnUpdateOfAnItemThatNeedsNothingElseIsOneRequest) {
  const Item item = ItemOf(parcel_);
  Check(item, parcel_, Changes<Parcel>(), kOne);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::tags>({"a"}), kOne);
  Check(item, parcel_, Changes<Parcel>().Add<&Parcel::tags>({"a"}), kOne);
  Check(item, parcel_, Changes<Parcel>().Add<&Parcel::pieces>(-4), kOne);
  Check(item, parcel_, Changes<Parcel>().SetIfAbsent<&Parcel::pieces>(4), kOne);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::weight>(4), kOne);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::pieces>(4).IfVersion(1), kOne);
  Check(ItemOf(parcel_, [](Item& old) { old.erase("entityType"); }), parcel_,
        Changes<Parcel>().Add<&Parcel::pieces>(1), kAgain);
  Check(ItemOf(parcel_, [](Item& old) { old.erase("pieces"); }), parcel_,
        Changes<Parcel>().Add<&Parcel::pieces>(1), kOne);
}

TEST_F(PlainUpdateTest, KeysOfIndexesAreSetIfAllTheirPartsAreKnown) {
  const Item item = ItemOf(parcel_);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::state>("sent"), kOne);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::shelf>("7"), kRead);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::shelf>("7").Set<&Parcel::town>("Rom"), kOne);
  Check(item, parcel_, Changes<Parcel>().Set<&Parcel::seal>(Seal{"mine", 1}), kOne);
  const Item whole = ItemOf({.id = "p", .shelf = "7", .seal = Seal{"mine", 1}});
  Check(whole, parcel_, Changes<Parcel>().Set<&Parcel::pieces>(2), kOne);
  Check(whole, parcel_, Changes<Parcel>().Set<&Parcel::seal>(std::nullopt), kOne);
  Check(whole, parcel_, Changes<Parcel>().Remove<&Parcel::shelf>().Set<&Parcel::town>("Rom"), kOne);
  Check(whole, parcel_, Changes<Parcel>().Remove<&Parcel::shelf>(), kOne);
  Check(whole, parcel_, Changes<Parcel>().Set<&Parcel::seal, &Seal::text>("yours"), kOne);
  Check(whole, parcel_, Changes<Parcel>().Set<&Parcel::seal, &Seal::colour>(9), kOne);
  Check(whole, parcel_, Changes<Parcel>().Add<&Parcel::seal, &Seal::colour>(1), kRead);
}

// The seal appears with its text, and its colour has the initial value.
TEST_F(PlainUpdateTest, AnAttributeThatFillsAnOptionalStructNeedsTheKeyOfItsIndex) {
  Check(ItemOf(parcel_), parcel_, Changes<Parcel>().Set<&Parcel::seal, &Seal::text>("mine"),
        kAgain);
}

// Another program has removed the text of the seal, or has stored another type.
TEST_F(PlainUpdateTest, AnItemWithoutARequiredMemberOfAnOptionalStructStays) {
  const Parcel sealed = {.id = "p", .shelf = "7", .seal = Seal{"mine", 1}};
  const auto set = Changes<Parcel>().Set<&Parcel::pieces>(2);
  const auto remove = Changes<Parcel>().Set<&Parcel::seal>(std::nullopt);
  const auto colour = Changes<Parcel>().Set<&Parcel::seal, &Seal::colour>(9);
  const Item wrong = ItemOf(sealed, [](Item& old) { old["sealText"] = 7; });
  const Item without = ItemOf(sealed, [](Item& old) { old.erase("sealText"); });
  for (const Item& item : {wrong, without}) {
    Check(item, parcel_, set, kOne);
    Check(item, parcel_, colour, kOne);
    Check(item, parcel_, Changes<Parcel>(set).OrCreate(), kOne);
    Check(item, parcel_, remove, kOne);  // which repairs it
  }
  Item of_index = without;  // the colour comes from the key of the index
  of_index.erase("sealColour");
  of_index.erase("entityType");
  Check(of_index, parcel_, set, kOne);
  Check(ItemOf(parcel_), parcel_, colour, kOne);
}

TEST_F(PlainUpdateTest, ARequiredMemberOfAnOptionalStructStaysWithIt) {
  const Visitor visitor = {.id = "g"};
  const Item item = {{"PK", "VISITOR#g"},
                     {"SK", "VISITOR"},
                     {"entityType", "visitor"},
                     {"id", "g"},
                     {"state", "new"}};
  const auto use = Changes<Visitor>().Set<&Visitor::card, &Card::uses>(5);
  Check(item, visitor, use, kOne);
  Check(item, visitor, Changes<Visitor>().Add<&Visitor::card, &Card::uses>(1), kOne);
  Check(item, visitor, Changes<Visitor>(use).Set<&Visitor::card, &Card::number>("7"), kOne);
  Item with_card = item;
  with_card.emplace("cardNumber", "7");
  Check(with_card, visitor, use, kOne);
}

TEST_F(PlainUpdateTest, AnUpdateOrCreateFillsInThePartsOfAKeyOfAnIndex) {
  const Item item = {{"PK", "VISITOR#g"}, {"SK", "VISITOR"}, {"entityType", "visitor"},
                     {"id", "g"},         {"state", "new"},  {"room", "7"}};
  Check(item, Visitor{.id = "g"}, Changes<Visitor>().Set<&Visitor::state>("in").OrCreate(), kAgain);
}

TEST_F(PlainUpdateTest, AMissingKeyOfAnIndexIsAdded) {
  for (const char* const name : {"GSI1PK", "GSI2PK", "GSI3PK"}) {
    SCOPED_TRACE(name);
    const Item item = ItemOf({.id = "p", .shelf = "7", .seal = Seal{"mine", 1}},
                             [&](Item& old) { old.erase(name); });
    Check(item, parcel_, Changes<Parcel>().Set<&Parcel::pieces>(2), kAgain);
  }
}

TEST_F(PlainUpdateTest, AnErrorNeedsNoFurtherRequest) {
  const Item item = ItemOf(parcel_);
  const auto set = Changes<Parcel>().Set<&Parcel::pieces>(2);
  Check({}, parcel_, set, kMissing);
  Check({{"PK", "PARCEL#p"}, {"SK", "PARCEL"}, {"entityType", "box"}}, parcel_, set, kOne);
  Check(item, parcel_, Changes<Parcel>(set).IfVersion(2), kOne);
  Check(item, parcel_, Changes<Parcel>(set).If(AttrOf<&Parcel::pieces>() > 1, "too few"), kOne);
  Check(item, parcel_, Changes<Parcel>(set).RetryUnless(AttrOf<&Parcel::pieces>() > 1), kOne);
}

TEST_F(PlainUpdateTest, ASumOutsideTheRangeOfItsMemberIsRefused) {
  const auto status = [&](std::int64_t addend) {
    Value(remote_.Put(Parcel{.id = "p", .version = 0}));
    service_.Take();
    const Status updated = remote_.Update(parcel_).Add<&Parcel::pieces>(addend).Commit().status();
    EXPECT_EQ(service_.Take(), kOne);
    EXPECT_THAT(remote_.Remove(parcel_), IsOk());
    return updated;
  };
  const auto is_refused = StatusIs(StatusCode::kValidation, HasSubstr("pieces is not a whole"));
  EXPECT_THAT(status(2147483646), IsOk());
  EXPECT_THAT(status(2147483647), is_refused);
  EXPECT_THAT(status(-2147483649), IsOk());
  EXPECT_THAT(status(-2147483650), is_refused);
}

// The update is not to blame, so it is executed.
TEST_F(PlainUpdateTest, AnUpdateOfAnItemThatCannotBeReadSaysSo) {
  const auto damaged = [&](const char* name, const AttributeValue& value) {
    return ItemOf(parcel_, [&](Item& old) { old.insert_or_assign(name, value); });
  };
  const auto update = [&](const Item& item) {
    Value(remote_.table().PutItem({.item = item}));
    service_.Take();
    const Status updated = remote_.Update(parcel_).Add<&Parcel::pieces>(1).Commit().status();
    EXPECT_EQ(service_.Take(), kOne);
    EXPECT_EQ(updated.code(), StatusCode::kCorruption);
    return updated.message();
  };
  for (const Item& item : {damaged("town", 7), damaged("weight", test::N("0.5"))}) {
    EXPECT_THAT(update(item), HasSubstr("The update was executed nevertheless"));
    EXPECT_EQ(
        Stored(remote_, Value(entity::PrimaryKeyOf(entity::kSpec<Parcel>, &parcel_)))["pieces"],
        AttributeValue(2));
  }
}

TEST_F(PlainUpdateTest, AValueWithACheckMustBeKnown) {
  const Item item = ItemOf(parcel_);
  const auto wrong = Changes<Parcel>().Set<&Parcel::town>("nowhere");
  CheckOnce(item, parcel_, wrong, {"GetItem"}, false);
  CheckOnce(item, parcel_, wrong, {"GetItem", "TransactWriteItems"}, true);
  Check(item, parcel_, Changes<Parcel>().Add<&Parcel::weight>(1), kRead);
  Check(item, parcel_, Changes<Parcel>().SetIfAbsent<&Parcel::weight>(1), kRead);
}

TEST_F(PlainUpdateTest, AValueThatItsCodecDoesNotReadIsRefused) {
  const Oath oath = {.id = "o"};
  const Item item = Value(ToItem(oath));
  Check(item, oath, Changes<Oath>().Set<&Oath::words>("no more"), kOne);
  const auto wrong = Changes<Oath>().Set<&Oath::words>("");
  CheckOnce(item, oath, wrong, {"GetItem"}, false);
  CheckOnce(item, oath, wrong, {"GetItem", "TransactWriteItems"}, true);
  EXPECT_THAT(embedded_.Update(oath, wrong),
              StatusIs(StatusCode::kValidation, HasSubstr("has no words")));
}

TEST_F(PlainUpdateTest, AnAttributeThatDependsOnTheWholeStructIsComputedFromTheItem) {
  Check({{"PK", "BILL#b"}, {"SK", "BILL"}, {"id", "b"}, {"net", 4}, {"gross", 8}}, Bill{.id = "b"},
        Changes<Bill>().Add<&Bill::net>(1), kRead);
}

// The shard of a parcel depends on its id, which is in the key.
TEST_F(PlainUpdateTest, AnAttributeThatDependsOnTheKeyAndItsIndexAreCorrected) {
  const auto set = Changes<Parcel>().Set<&Parcel::pieces>(2);
  const auto move = Changes<Parcel>().Set<&Parcel::state>("sent");
  const auto grow = Changes<Parcel>().Add<&Parcel::pieces>(1).OrCreate();
  const std::int32_t shard = Sharded<4>::OfHash("p").number();
  const Item older = ItemOf({.id = "p", .shard = Sharded<4>((shard + 1) % 4)});
  const Item without = ItemOf(parcel_, [](Item& old) { old.erase("shard"); });
  for (const Changes<Parcel>& changes : {set, move, grow}) {
    Check(ItemOf(parcel_), parcel_, changes, kOne);
    Check(without, parcel_, changes, kAgain);
    Check(older, parcel_, changes, kAgain);
    const Item corrected = Stored(remote_, {{"PK", "PARCEL#p"}, {"SK", "PARCEL"}});
    EXPECT_EQ(corrected.at("shard"), AttributeValue(shard));
    EXPECT_THAT(*corrected.at("GSI1PK").get_if<std::string>(),
                testing::EndsWith("#" + std::to_string(shard)));
  }
  for (const AttributeValue& wrong : {AttributeValue("0"), AttributeValue(9)}) {
    Check(ItemOf(parcel_, [&](Item& old) { old["shard"] = wrong; }), parcel_, move, kOne);
  }
}

TEST_F(PlainUpdateTest, AnAttributeWhoseInputsAreSetIsComputed) {
  Letter letter = {.id = "a", .country = "DE", .price = 40, .region = "D", .label = "a to D"};
  letter.sent_at = clock_->Now();
  const Item item = Value(ToItem(letter));
  const auto both = Changes<Letter>().Set<&Letter::grams>(5).Set<&Letter::country>("IT");
  const auto away = Changes<Letter>().Set<&Letter::grams>(5).Remove<&Letter::country>();
  for (const Changes<Letter>& changes : {both, away}) {
    Check(item, letter, changes, kOne);
    Check(item, letter, Changes<Letter>(changes).OrCreate(), kOne);
    Check({}, letter, Changes<Letter>(changes).OrCreate(), kOne);
    for (const char* const name : {"price", "region", "label", "GSI1PK", "GSI1SK"}) {
      Item old = item;
      old.erase(name);
      Check(old, letter, changes, kOne);
      if (!std::string_view(name).starts_with("GSI")) old[name] = 7;  // `price` is a number
      Check(old, letter, changes, kOne);
    }
  }
  Check(item, letter, Changes<Letter>().Set<&Letter::grams>(20).Set<&Letter::country>("DE"), kOne);
  Check(item, letter, Changes<Letter>().Set<&Letter::grams>(5), kRead);
  Check(item, letter, Changes<Letter>().Set<&Letter::country>("IT"), kRead);
  Check(item, letter, Changes<Letter>().Set<&Letter::stamps>({"a"}), kRead);
  const auto add = Changes<Letter>().Add<&Letter::grams>(1);
  Check(item, letter, Changes<Letter>(add).Set<&Letter::country>("IT"), kRead);
}

TEST_F(PlainUpdateTest, AnAttributeThatDependsOnTheTimeOfADayInTheKeyNeedsTheItem) {
  const Visit visit = {.at = clock_->Now() + std::chrono::hours(10), .hour = "10"};
  const auto set = Changes<Visit>().Set<&Visit::rooms>(2);
  Check(Value(ToItem(visit)), visit, set, kRead);
  Check(Value(ToItem(visit)), visit, Changes<Visit>(set).OrCreate(), kOne);
}

TEST_F(PlainUpdateTest, AnItemOfAnOlderVersionIsUpgraded) {
  Item item = {{"PK", "NOTE#n"}, {"SK", "NOTE"}, {"entityType", "note"}, {"words", "Hi"}};
  const auto set = Changes<Note>().Set<&Note::author>("Ann");
  Check(item, Note{.id = "n"}, set, kAgain);
  item.erase("words");
  item["text"] = "Hi";
  item["entityVersion"] = 2;
  Check(item, Note{.id = "n"}, set, kOne);
  Check({}, Note{.id = "n"}, Changes<Note>(set).Set<&Note::text>("Ho").OrCreate(), kOne);
}

TEST_F(PlainUpdateTest, ARequiredAttributeMustBeThere) {
  const Item item = {{"PK", "NOTE#n"}, {"SK", "NOTE"}, {"entityVersion", 2}};
  const auto set = Changes<Note>().Set<&Note::author>("Ann");
  Check(item, Note{.id = "n"}, set, kOne);
  CheckOnce({}, Note{.id = "n"}, Changes<Note>(set).OrCreate(), {"GetItem"}, false);
}

TEST_F(PlainUpdateTest, AnUpdateThatMayCreateTheItemIsOneRequest) {
  const auto grow = Changes<Parcel>().Add<&Parcel::pieces>(1).OrCreate();
  Check({}, parcel_, grow, kOne);
  Check(ItemOf(parcel_), parcel_, grow, kOne);
  Check(ItemOf(parcel_, [](Item& old) { old.erase("createdAt"); }), parcel_, grow, kOne);
  Check(ItemOf(parcel_, [](Item& old) { old.erase("weight"); }), parcel_, grow, kAgain);
  Check(ItemOf(parcel_, [](Item& old) { old.erase("GSI1PK"); }), parcel_, grow, kAgain);
  Check({{"PK", "PARCEL#p"}, {"SK", "PARCEL"}, {"entityType", "box"}}, parcel_, grow, kOne);
  Check({}, parcel_, Changes<Parcel>(grow).Set<&Parcel::state>("sent"), kOne);
  Check({}, parcel_, Changes<Parcel>(grow).If(AttrOf<&Parcel::pieces>() > 1, "too few"), kMissing);
}

TEST_F(PlainUpdateTest, AnExpiredItemIsReplaced) {
  const auto hit = Changes<Hits>()
                       .Add<&Hits::count>(1)
                       .Set<&Hits::expires_at>(clock_->Now() + std::chrono::hours(1))
                       .OrCreate();
  const Hits key = {.page = "a"};
  Check({}, key, hit, kOne);
  Hits old = {.page = "a", .count = 255, .expires_at = clock_->Now() + std::chrono::hours(1)};
  Check(Value(ToItem(old)), key, hit, kOne);  // 256 leaves the range
  old.expires_at = clock_->Now() - std::chrono::hours(1);
  for (const EntityTable& table : {embedded_, remote_}) {
    Value(table.table().PutItem({.item = Value(ToItem(old))}));
    service_.Take();
    EXPECT_EQ(Value(table.Update(key, hit)).count, 1);
  }
  EXPECT_THAT(service_.Take(), ElementsAre("UpdateItem", "DeleteItem", "UpdateItem"));
}

TEST_F(PlainUpdateTest, OtherWritersBetweenTheRequestsAreSeen) {
  const auto update = [&](const std::function<void(Item&)>& change) {
    const Item before = ItemOf(parcel_, [](Item& old) { old.erase("GSI1PK"); });
    Value(remote_.table().PutItem({.item = before}));
    service_.Take();
    service_.Before(1, [&, before] {
      Item item = before;
      change(item);
      Value(Value(service_.local().OpenTable("parcels")).PutItem({.item = item}));
    });
    return remote_.Update(parcel_).Add<&Parcel::pieces>(1).IfVersion(1).Commit();
  };
  EXPECT_EQ(Value(update([](Item& item) { item["pieces"] = 7; })).pieces, 8);
  EXPECT_THAT(service_.Take(), ElementsAre("UpdateItem", "UpdateItem", "UpdateItem"));
  EXPECT_THAT(update([](Item& item) { item["version"] = 2; }),
              StatusIs(StatusCode::kTransactionConflict, HasSubstr("has version 2, not 1")));
  EXPECT_THAT(update([](Item& item) { item["entityType"] = "box"; }),
              StatusIs(StatusCode::kCorruption, HasSubstr("box")));
}

TEST_F(PlainUpdateTest, AServiceThatReturnsNoItemsOnFailureIsAsked) {
  service_.ReturnNoItemsOnFailure();
  Value(remote_.table().PutItem({.item = ItemOf(parcel_, [](Item& old) { old.erase("GSI1PK"); })}));
  service_.Take();
  EXPECT_EQ(Value(remote_.Update(parcel_).Set<&Parcel::pieces>(9).Commit()).pieces, 9);
  EXPECT_THAT(service_.Take(), ElementsAre("UpdateItem", "GetItem", "UpdateItem"));
  EXPECT_THAT(remote_.Update(parcel_).Set<&Parcel::pieces>(1).IfVersion(7).Commit(),
              StatusIs(StatusCode::kTransactionConflict, HasSubstr("has version 2, not 7")));
}

TEST_F(PlainUpdateTest, ARefusalEndsATransactionAlthoughAnotherUpdateMustBeDecided) {
  const Parcel stale = {.id = "q"};
  Value(remote_.table().PutItem({.item = ItemOf(parcel_)}));
  Value(remote_.table().PutItem({.item = ItemOf(stale, [](Item& old) { old.erase("GSI1PK"); })}));
  service_.Take();
  auto transaction = remote_.Transact();
  transaction.Update(stale, Changes<Parcel>().Set<&Parcel::pieces>(2))
      .Update(parcel_, Changes<Parcel>().Set<&Parcel::pieces>(2).IfVersion(7));
  EXPECT_THAT(transaction.Commit(), StatusIs(StatusCode::kTransactionConflict, testing::_));
  EXPECT_THAT(transaction.refusals(),
              ElementsAre(IsOk(), StatusIs(StatusCode::kTransactionConflict, testing::_)));
  EXPECT_THAT(service_.Take(), ElementsAre("TransactWriteItems"));
}

}  // namespace
}  // namespace dolmen::remote
