// A test with random updates of random items: an update has the same effect on a service as on an
// embedded database, whatever the item holds.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "dolmen/entity/plain_update.h"
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
    Item item = ItemOf(parcel);
    std::vector<std::string> names;
    for (const auto& [name, value] : item) {
      if (name != "PK" && name != "SK") names.push_back(name);
    }
    for (std::size_t i = random_.Below(3); i > 0; --i) item.erase(random_.Pick(names));
    // On a service OrCreate keeps a key of an index that another program has left.
    if (!item.contains("shelf")) item.erase("GSI2PK");
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
      default:
        break;
    }
  }

  // Returns the error, the returned entity and the stored item.
  std::string OutcomeOf(const EntityTable& table, const Item& before,
                        const Changes<Parcel>& changes, bool in_transaction) {
    Value(table.table().DeleteItem({.key = key_}));
    if (!before.empty()) Value(table.table().PutItem({.item = before}));
    Status status;
    Item returned;
    if (in_transaction) {
      status = table.Transact().Update(parcel_, changes).Commit();
    } else {
      const Result<Parcel> updated = table.Update(parcel_, changes);
      status = updated.status();
      if (updated.ok()) returned = Value(ToItem(*updated));
    }
    return status.ToString() + "\nreturned " + test::StoreItem(returned).ToString() + "\nstored " +
           test::StoreItem(Stored(table, key_)).ToString();
  }

  const Item key_ = {{"PK", "PARCEL#p"}, {"SK", "PARCEL"}};
  Random random_{test::TestSeed()};
};

TEST_F(PlainUpdateRandomTest, UpdatesHaveTheEffectOfAnEmbeddedDatabase) {
  std::size_t plain = 0;
  for (std::size_t step = 0; step < test::TestSteps(600); ++step) {
    SCOPED_TRACE("DOLMEN_SEED=" + std::to_string(test::TestSeed()) + ", step " +
                 std::to_string(step));
    const Item before = AnyItem();
    const Changes<Parcel> changes = AnyChanges();
    const bool in_transaction = random_.OneIn(3);
    const std::string expected = OutcomeOf(embedded_, before, changes, in_transaction);
    service_.Take();
    const std::string outcome = OutcomeOf(remote_, before, changes, in_transaction);
    const std::vector<std::string> operations = service_.Take();
    const auto is_update = [](const std::string& operation) {
      return operation == "UpdateItem" || operation == "TransactWriteItems";
    };
    // A read follows, which is that of the test.
    if (std::ranges::count_if(operations, is_update) == 1 &&
        std::ranges::count(operations, "GetItem") == 1) {
      ++plain;
    }
    ASSERT_EQ(outcome, expected) << "before: " << test::StoreItem(before).ToString();
  }
  EXPECT_GT(plain, 0u) << "some updates were one request";
}

}  // namespace
}  // namespace dolmen::remote
