// A test with random updates of random items: an update has the effect that is decided for its item, in
// whatever form it is sent.

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "entity/decided_update.h"
#include "tests/remote/parcel.h"
#include "tests/support/items.h"
#include "tests/support/random.h"

namespace dolmen::remote {
namespace {

using test::Random;
using test::Value;

class PlainUpdateRandomTest : public UpdateTest {
 protected:
  // Returns an item with random damage, or an empty one, which means that there is no item.
  Item AnyItem() {
    if (random_.OneIn(6)) return {};
    Parcel parcel = {.id = "p", .pieces = random_.OneIn(8) ? 2147483647 : 1};
    if (random_.OneIn(2)) parcel.shelf = "7";
    if (random_.OneIn(2)) parcel.seal = Seal{.text = "mine", .colour = 1};
    if (random_.OneIn(2)) parcel.tags = {"a", "b"};
    if (random_.OneIn(6)) parcel.shard = Sharded<4>(1);  // of another program
    Item item = Damaged(ItemOf(parcel));
    // On a service OrCreate keeps a key of an index that another program has left.
    if (IsAbsent(item, "shelf")) item.erase("GSI2PK");
    return item;
  }

  // Returns a letter with random damage, or an empty item.
  Item AnyLetter() {
    if (random_.OneIn(6)) return {};
    Letter letter = {.id = "p", .sent_at = clock_->Now()};
    if (random_.OneIn(2)) letter.country = random_.OneIn(3) ? "D" : "DE";
    if (!random_.OneIn(6)) letter.price = PriceOf(letter.grams, letter.country);
    if (!random_.OneIn(6)) letter.region = RegionOf(letter.country);
    if (!random_.OneIn(6)) letter.label = LabelOf(letter.id, letter.region);
    if (letter.label.empty()) letter.label = "none";
    Item item = Damaged(Value(ToItem(letter)));
    if (IsAbsent(item, "region")) item.erase("GSI1PK");
    return item;
  }

  // Returns a visitor with random damage, or an empty item. No attribute of a visitor is computed.
  Item AnyVisitor() {
    if (random_.OneIn(6)) return {};
    Visitor visitor = {.id = "p"};
    if (random_.OneIn(2)) visitor.room = "7";
    if (random_.OneIn(2)) visitor.came_at = clock_->Now();
    if (random_.OneIn(2)) visitor.card = Card{.number = "c", .uses = 1};
    Item item = Damaged(Value(ToItem(visitor)));
    if (IsAbsent(item, "room")) item.erase("GSI1PK");
    return item;
  }

  // A member reads NULL as no value.
  static bool IsAbsent(const Item& item, const std::string& name) {
    const auto found = item.find(name);
    return found == item.end() || found->second.type() == AttributeType::kNull;
  }

  Item Damaged(Item item) {
    std::vector<std::string> names;
    for (const auto& [name, value] : item) {
      if (name != "PK" && name != "SK") names.push_back(name);
    }
    for (std::size_t i = random_.Below(3); i > 0; --i) item.erase(random_.Pick(names));
    if (random_.OneIn(6)) {
      const std::string& name = random_.Pick(names);
      const std::vector<AttributeValue> wrong = {nullptr, 7, true, NumberSet{1}};
      if (!name.starts_with("GSI")) item.insert_or_assign(name, random_.Pick(wrong));
    }
    return item;
  }

  Changes<Parcel> AnyChanges() {
    Changes<Parcel> changes;
    if (random_.OneIn(4)) changes.Set<&Parcel::state>("sent");
    if (random_.OneIn(4)) changes.Set<&Parcel::town>(random_.OneIn(4) ? "nowhere" : "Rom");
    if (random_.OneIn(3)) changes.Add<&Parcel::pieces>(random_.Between(-2, 2));
    if (random_.OneIn(8)) changes.SetIfAbsent<&Parcel::weight>(7);
    ChangeShelf(&changes);
    ChangeSeal(&changes);
    if (random_.OneIn(6)) changes.Add<&Parcel::tags>({"c"});
    if (random_.OneIn(6)) changes.IfVersion(random_.Between(0, 1));
    if (random_.OneIn(4)) changes.If(AttrOf<&Parcel::pieces>() < 9, "too many");
    if (random_.OneIn(3)) changes.OrCreate();
    return changes;
  }

  Changes<Letter> AnyChangesOfLetter() {
    Changes<Letter> changes;
    if (!random_.OneIn(6)) changes.Set<&Letter::grams>(random_.OneIn(4) ? 20 : 5);
    switch (random_.Below(6)) {
      case 0:
        changes.Remove<&Letter::country>();
        break;
      case 1:
        changes.SetIfAbsent<&Letter::country>("IT");
        break;
      default:
        changes.Set<&Letter::country>(random_.Pick(std::vector<std::string>{"D", "DE", "IT"}));
        break;
    }
    if (random_.OneIn(6)) changes.Add<&Letter::stamps>({"c"});
    if (random_.OneIn(4)) changes.If(AttrOf<&Letter::price>() < 30, "too dear");
    if (random_.OneIn(3)) changes.OrCreate();
    return changes;
  }

  Changes<Visitor> AnyChangesOfVisitor() {
    Changes<Visitor> changes;
    if (random_.OneIn(2)) changes.Set<&Visitor::state>("gone");
    switch (random_.Below(6)) {
      case 0:
        changes.Set<&Visitor::room>("8").Set<&Visitor::came_at>(clock_->Now());
        break;
      case 1:
        changes.Remove<&Visitor::room>();
        break;
      case 2:
        changes.Set<&Visitor::card>(Card{.number = "d", .uses = 2});
        break;
      case 3:
        changes.Set<&Visitor::card>(std::nullopt);
        break;
      case 4:
        changes.Set<&Visitor::card, &Card::uses>(3);
        break;
      default:
        break;
    }
    if (random_.OneIn(4)) changes.If(AttrOf<&Visitor::state>() == "new", "gone already");
    if (random_.OneIn(4)) changes.OrCreate();
    return changes;
  }

  void ChangeShelf(Changes<Parcel>* changes) {
    switch (random_.Below(6)) {
      case 0:
        changes->Set<&Parcel::shelf>("8");
        break;
      case 1:
        changes->Remove<&Parcel::shelf>();
        break;
      case 2:
        changes->SetIfAbsent<&Parcel::shelf>("9");
        break;
      default:
        break;
    }
  }

  void ChangeSeal(Changes<Parcel>* changes) {
    switch (random_.Below(8)) {
      case 0:
        changes->Set<&Parcel::seal>(Seal{.text = "yours", .colour = 2});
        break;
      case 1:
        changes->Set<&Parcel::seal>(std::nullopt);
        break;
      case 2:
        changes->Set<&Parcel::seal, &Seal::text>("his");
        break;
      case 3:
        changes->Add<&Parcel::seal, &Seal::colour>(1);
        break;
      case 4:
        changes->Set<&Parcel::seal, &Seal::colour>(5);
        break;
      default:
        break;
    }
  }

  // Returns the error, the returned entity and the stored item.
  template <typename T>
  std::string OutcomeOf(const EntityTable& table, const Item& before, const Changes<T>& changes,
                        bool in_transaction) {
    const T key = {.id = "p"};
    const Item item_key = Value(entity::PrimaryKeyOf(entity::kSpec<T>, &key));
    Value(table.table().DeleteItem({.key = item_key}));
    if (!before.empty()) Value(table.table().PutItem({.item = before}));
    Status status;
    Item returned;
    if (in_transaction) {
      status = table.Transact().Update(key, changes).Commit();
    } else {
      const Result<T> updated = table.Update(key, changes);
      status = updated.status();
      if (updated.ok()) returned = Value(ToItem(*updated));
    }
    return Describe(status, returned, Stored(table, item_key));
  }

  // Returns the outcome of the update that is decided for its item; nothing if the item is damaged. Then
  // the plain form of the update may write nevertheless.
  template <typename T>
  std::optional<std::string> DecidedOutcomeOf(const EntityTable& table, const Item& before,
                                              const Changes<T>& changes, bool in_transaction) {
    const T key = {.id = "p"};
    const FillContext context{.now = clock_->Now(), .ulids = &ulids_};
    const auto write = entity::PlanUpdate(entity::kSpec<T>, context, &key, changes.list());
    if (!write.ok()) return Describe(write.status(), {}, before);
    std::optional<StoredItem> stored;
    if (!before.empty()) stored = test::StoreItem(before);
    const auto decided = entity::DecideUpdate(*write, stored);
    Item returned;
    Item after = before;
    if (decided.ok()) {
      if (!in_transaction) returned = Value(ToItem(*static_cast<T*>(decided->value.get())));
      if (const auto* const put = std::get_if<PutItemInput>(&decided->action)) after = put->item;
      if (const auto* const update = std::get_if<UpdateItemInput>(&decided->action)) {
        Value(table.table().PutItem({.item = before}));
        Value(table.table().UpdateItem(*update));
        after = Stored(table, update->key);
      }
    }
    const Status status = entity::ExplainRefusal(*write, decided.status());
    if (status.code() == StatusCode::kCorruption) return std::nullopt;
    return Describe(status, returned, after);
  }

  static std::string Describe(const Status& status, const Item& returned, const Item& stored) {
    return status.ToString() + "\nreturned " + test::StoreItem(returned).ToString() + "\nstored " +
           test::StoreItem(stored).ToString();
  }

  // Updates the item on the service and in an embedded database. Returns true if the update was one request.
  template <typename T>
  bool Check(const Item& before, const Changes<T>& changes) {
    SCOPED_TRACE("before: " + test::StoreItem(before).ToString());
    const bool in_transaction = random_.OneIn(3);
    const auto expected = DecidedOutcomeOf(embedded_, before, changes, in_transaction);
    const std::string embedded = OutcomeOf(embedded_, before, changes, in_transaction);
    service_.Take();
    EXPECT_EQ(OutcomeOf(remote_, before, changes, in_transaction), embedded);
    EXPECT_EQ(expected.value_or(embedded), embedded);
    const std::vector<std::string> operations = service_.Take();
    const auto is_update = [](const std::string& operation) {
      return operation == "UpdateItem" || operation == "TransactWriteItems";
    };
    // A read follows, which is that of the test.
    return std::ranges::count_if(operations, is_update) == 1 &&
           std::ranges::count(operations, "GetItem") == 1;
  }

  UlidGenerator ulids_{clock_};
  Random random_{test::TestSeed()};
};

TEST_F(PlainUpdateRandomTest, AnUpdateHasTheEffectThatIsDecidedForItsItem) {
  std::size_t plain = 0;
  std::size_t plain_of_letters = 0;
  std::size_t plain_of_visitors = 0;
  for (std::size_t step = 0; step < test::TestSteps(600) && !HasFailure(); ++step) {
    SCOPED_TRACE("DOLMEN_SEED=" + std::to_string(test::TestSeed()) + ", step " +
                 std::to_string(step));
    if (random_.OneIn(3)) {
      plain_of_letters += Check(AnyLetter(), AnyChangesOfLetter()) ? 1 : 0;
    } else if (random_.OneIn(3)) {
      plain_of_visitors += Check(AnyVisitor(), AnyChangesOfVisitor()) ? 1 : 0;
    } else {
      plain += Check(AnyItem(), AnyChanges()) ? 1 : 0;
    }
  }
  EXPECT_GT(plain, 0u) << "some updates were one request";
  EXPECT_GT(plain_of_letters, 0u);
  EXPECT_GT(plain_of_visitors, 0u);
}

}  // namespace
}  // namespace dolmen::remote
