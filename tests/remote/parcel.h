// Entities for tests of updates on a service, and a service that counts its requests.

#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/entity.h>
#include <dolmen/entity/sharded.h>
#include <dolmen/testing/simulate.h>
#include <dolmen/wire.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "remote/backend.h"
#include "tests/remote/scripted_server.h"
#include "tests/remote/test_system.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::remote {

struct Seal {
  std::string text = {};
  std::int32_t colour = 3;

  friend bool operator==(const Seal&, const Seal&) = default;
};

inline bool IsTown(const std::string& text) { return text != "nowhere"; }
inline bool IsLight(std::int32_t weight) { return weight < 100; }

// GSI1 has all parcels, in shards by their ids, GSI2 those on a shelf, and GSI3 those with a seal.
struct Parcel {
  std::string id = {};
  std::string state = "new";
  std::string town = "Bonn";
  std::int32_t pieces = 1;
  std::int32_t weight = 2;
  std::optional<std::string> shelf = {};
  std::optional<Seal> seal = {};
  StringSet tags = {};
  Sharded<4> shard = {};
  Timestamp created_at = {};
  Timestamp updated_at = {};
  std::int64_t version = 0;
};
constexpr auto DescribeEntity(const Parcel*) {
  using P = Parcel;
  return DefineEntity<P>(
      "parcel",
      {Attribute<&P::id>("id"), Attribute<&P::state>("state"),
       Attribute<&P::town>("town").Check<IsTown>("is no town"), Attribute<&P::pieces>("pieces"),
       Attribute<&P::weight>("weight").Check<IsLight>("is too heavy"),
       Attribute<&P::shelf>("shelf"), Attribute<&P::seal, &Seal::text>("sealText").Required(),
       Attribute<&P::seal, &Seal::colour>("sealColour"), Attribute<&P::tags>("tags"),
       Attribute<&P::shard>("shard").Derived<Sharded<4>::OfHash, &P::id>(),
       Attribute<&P::created_at>("createdAt").IfUnset<Now>().ReadOnly(),
       Attribute<&P::updated_at>("updatedAt").Always<Now>(),
       Attribute<&P::version>("version").Version()},
      {PrimaryKey("PARCEL#{id}", "PARCEL"), IndexKey("GSI1", "STATE#{state}#{shard}", "{id}"),
       IndexKey("GSI2", "SHELF#{shelf}", "{id}#{town}"),
       IndexKey("GSI3", "SEAL", "{sealColour:04}")});
}

// An entity with attributes that depend on others that they name. `region` has no value for some countries, and `label`
// depends on it. GSI1 has the letters to a region.
struct Letter {
  std::string id = {};
  std::int32_t grams = 20;
  std::optional<std::string> country = {};
  std::int32_t price = 0;
  std::optional<std::string> region = {};
  std::string label = {};
  StringSet stamps = {};
  Timestamp sent_at = {};
};
inline std::int32_t PriceOf(std::int32_t grams, const std::optional<std::string>& country) {
  return country ? 2 * grams : grams;
}
inline std::optional<std::string> RegionOf(const std::optional<std::string>& country) {
  return country && country->size() > 1 ? std::optional(country->substr(0, 1)) : std::nullopt;
}
inline std::string LabelOf(const std::string& id, const std::optional<std::string>& region) {
  return id + " to " + region.value_or("here");
}
constexpr auto DescribeEntity(const Letter*) {
  using L = Letter;
  return DefineEntity<L>(
      "letter",
      {Attribute<&L::id>("id"), Attribute<&L::grams>("grams"), Attribute<&L::country>("country"),
       Attribute<&L::price>("price").Derived<PriceOf, &L::grams, &L::country>(),
       Attribute<&L::region>("region").Derived<RegionOf, &L::country>(),
       Attribute<&L::label>("label").Derived<LabelOf, &L::id, &L::region>(),
       Attribute<&L::stamps>("stamps"), Attribute<&L::sent_at>("sentAt").IfUnset<Now>()},
      {PrimaryKey("LETTER#{id}", "LETTER"), IndexKey("GSI1", "REGION#{region}", "{price:06}#{id}"),
       IndexKey("GSI2", "LABEL#{label}", "{id}")});
}

// An entity with an attribute that depends on the day in the key.
struct Visit {
  Timestamp at = {};
  std::string hour = {};
  std::int32_t rooms = 0;
};
inline std::string HourOf(Timestamp at) { return ToIso8601(at).substr(11, 2); }
constexpr auto DescribeEntity(const Visit*) {
  return DefineEntity<Visit>(
      "visit",
      {Attribute<&Visit::at>("at"), Attribute<&Visit::hour>("hour").Derived<HourOf, &Visit::at>(),
       Attribute<&Visit::rooms>("rooms")},
      {PrimaryKey("VISITS", "{at:date}")});
}

// An entity with an attribute that depends on the whole struct.
struct Bill {
  std::string id = {};
  std::int64_t net = 0;
  std::int64_t gross = 0;
};
inline std::int64_t GrossOf(const Bill& bill) { return bill.net * 2; }
constexpr auto DescribeEntity(const Bill*) {
  return DefineEntity<Bill>("bill",
                            {Attribute<&Bill::id>("id"), Attribute<&Bill::net>("net"),
                             Attribute<&Bill::gross>("gross").Derived<GrossOf>()},
                            {PrimaryKey("BILL#{id}", "BILL")});
}
// A second version of an entity.
struct Note {
  std::string id = {};
  std::string text = {};
  std::optional<std::string> author = {};
};
constexpr auto DescribeEntity(const Note*) {
  return DefineEntity<Note>("note",
                            {Attribute<&Note::id>("id"), Attribute<&Note::text>("text").Required(),
                             Attribute<&Note::author>("author")},
                            {PrimaryKey("NOTE#{id}", "NOTE")})
      .Version(2)
      .From<1>([](Item& item) { RenameAttribute(&item, "words", "text"); });
}

// A visitor who may have a card, and an index of which OrCreate may complete the key.
struct Card {
  std::string number = {};
  std::int32_t uses = 0;
};
struct Visitor {
  std::string id = {};
  std::string state = "new";
  std::optional<std::string> room = {};
  std::optional<Timestamp> came_at = {};
  std::optional<Card> card = {};
};
constexpr auto DescribeEntity(const Visitor*) {
  return DefineEntity<Visitor>(
      "visitor",
      {Attribute<&Visitor::id>("id"), Attribute<&Visitor::state>("state"),
       Attribute<&Visitor::room>("room"), Attribute<&Visitor::came_at>("cameAt").IfUnset<Now>(),
       Attribute<&Visitor::card, &Card::number>("cardNumber").Required(),
       Attribute<&Visitor::card, &Card::uses>("cardUses")},
      {PrimaryKey("VISITOR#{id}", "VISITOR"), IndexKey("GSI1", "ROOM#{room}", "{cameAt}")});
}

// A count that expires.
struct Hits {
  std::string page = {};
  std::uint8_t count = 0;
  std::string kind = "page";
  Timestamp expires_at = {};
};
constexpr auto DescribeEntity(const Hits*) {
  return DefineEntity<Hits>(
      "hits",
      {Attribute<&Hits::page>("page").InKeyOnly(), Attribute<&Hits::count>("count"),
       Attribute<&Hits::kind>("kind"), Attribute<&Hits::expires_at>("ttl").AsEpochSeconds()},
      {PrimaryKey("HITS#{page}", "HITS")});
}

// A service that records its operations.
class RecordingService {
 public:
  explicit RecordingService(SharedClock clock)
      : clock_(clock),
        local_(test::Value(Database::InMemory(
            {.clock = clock, .expiry_lag = std::nullopt, .simulate = Simulate({})}))) {}

  // Connects to the service, as a program does.
  Database Connect() const {
    auto client = test::Value(
        Client::Create({.endpoint = server_.url(), .clock = clock_}, system_->Functions()));
    return Database(std::make_shared<RemoteBackend>(std::move(client), clock_,
                                                    [](std::chrono::milliseconds) {}));
  }

  // Returns the operations since the last call.
  std::vector<std::string> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::exchange(operations_, {});
  }

  // Calls `change` before the service executes the request with this number, which counts from 0.
  void Before(int request, std::function<void()> change) {
    const std::lock_guard<std::mutex> lock(mutex_);
    countdown_ = request;
    change_ = std::move(change);
  }

  // Makes the service ignore ReturnValuesOnConditionCheckFailure.
  void ReturnNoItemsOnFailure() { returns_items_ = false; }

  const Database& local() const { return local_; }

 private:
  std::string Answer(const test::ReceivedRequest& request) {
    const std::string& target = request.fields.at("x-amz-target");
    const std::string operation = target.substr(target.find('.') + 1);
    std::function<void()> change;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      operations_.push_back(operation);
      if (change_ && countdown_-- == 0) change = std::exchange(change_, nullptr);
    }
    if (change) change();
    std::string body = request.body;
    const std::string asks = R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD")";
    const std::size_t found = body.find(asks);
    if (!returns_items_ && found != body.npos) {
      body.replace(found, asks.size(), R"("ReturnValuesOnConditionCheckFailure":"NONE")");
    }
    const EndpointResponse response = Endpoint(local_).Execute(operation, body);
    return test::ResponseText(response.status, response.body);
  }

  SharedClock clock_;
  const std::unique_ptr<test::TestSystem> system_ = std::make_unique<test::TestSystem>();
  Database local_;
  std::mutex mutex_;
  std::vector<std::string> operations_;
  int countdown_ = 0;
  std::function<void()> change_;
  bool returns_items_ = true;
  test::ScriptedServer server_{
      [this](const test::ReceivedRequest& request) { return Answer(request); }};
};

// An embedded table and one on a service, for updates that must have the same effect in both.
class UpdateTest : public testing::Test {
 protected:
  static EntityTable Open(const Database& database) {
    return test::Value(EntityTable::Open(
        database, {.name = "parcels", .indexes = {"GSI1", "GSI2", "GSI3"}, .time_to_live = "ttl"}));
  }

  // Returns the item of a new parcel after some changes.
  Item ItemOf(const Parcel& parcel, const std::function<void(Item&)>& change = {}) const {
    Parcel whole = parcel;
    whole.created_at = whole.updated_at = clock_->Now() - std::chrono::hours(1);
    whole.version = 1;
    if (whole.shard == Sharded<4>()) whole.shard = Sharded<4>::OfHash(whole.id);
    Item item = test::Value(ToItem(whole));
    if (change) change(item);
    return item;
  }

  Item Stored(const EntityTable& table, const Item& key) const {
    const auto got =
        test::Value(table.table().GetItem({.key = key, .options = {.hide_expired = false}}));
    return got.item ? test::Value(got.item->Copy()) : Item();
  }

  std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(std::chrono::sys_days(std::chrono::January / 1 / 2026));
  RecordingService service_{clock_};
  EntityTable embedded_ =
      Open(test::Value(Database::InMemory({.clock = clock_, .expiry_lag = std::nullopt})));
  EntityTable remote_ = Open(service_.Connect());
  const Parcel parcel_ = {.id = "p"};
};

}  // namespace dolmen::remote
