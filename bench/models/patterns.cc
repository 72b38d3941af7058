// The access patterns of models/patterns, each pattern as a model of its own.

#include <chrono>

#include "bench/models/models.h"
#include "dolmen/design/benchmark.h"
#include "models/patterns/employment/employment.h"
#include "models/patterns/groups/groups.h"
#include "models/patterns/orders/orders.h"
#include "models/patterns/places/places.h"
#include "models/patterns/posts/posts.h"

namespace dolmen::bench {
namespace {

using std::chrono::hours;

constexpr Timestamp kStart = std::chrono::sys_days(std::chrono::year(2024) / 1 / 1);

// Calls `load` with 0, 1, 2 and so on below `count`.
template <typename Load>
Status LoadEach(std::size_t count, const Load& load) {
  for (std::size_t number = 0; number < count; ++number) {
    if (Status loaded = load(number); !loaded.ok()) return loaded;
  }
  return {};
}

// Each user is in one group of ten users.
void AddGroups() {
  const auto load = [](EntityTable& table, std::size_t size) {
    Status written = table.Put(groups::User{"writer", "Ana"}).status();
    if (written.ok()) written = table.Put(groups::Group{"written", "Writers"}).status();
    if (!written.ok()) return written;
    return LoadEach(size / 3, [&](std::size_t i) {
      const std::string group = Id('g', i / 10);
      Status loaded = table.Put(groups::User{Id('u', i), "Ana"}).status();
      if (loaded.ok()) loaded = table.Put(groups::Group{group, "Readers"}).status();
      return loaded.ok() ? groups::Join(table, {Id('u', i), group}) : loaded;
    });
  };
  const auto user_of = [](BenchmarkCall call) { return Id('u', call.number % (call.size / 3)); };
  const auto group_of = [](BenchmarkCall call) { return Id('g', call.number % (call.size / 30)); };
  ModelBenchmark<EntityTable>(
      {.name = "groups", .open = groups::Open, .load = load, .sizes = ModelSizes()})
      .Pattern("user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return table.Get(groups::User{.id = user_of(call)});
               })
      .Pattern("user with groups",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::UserWithGroups(table, user_of(call)).Grouped();
               })
      .Pattern("groups of a user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::GroupsOf(table, user_of(call)).All();
               })
      .Pattern("members of a group",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::MembersOf(table, group_of(call)).All();
               })
      .Pattern("is a user in a group",
               [](const EntityTable& table, BenchmarkCall call) {
                 const std::size_t user = call.number % (call.size / 3);
                 return table.Find(
                     groups::UserGroup{.user_id = Id('u', user), .group_id = Id('g', user / 10)});
               })
      .Pattern("connections of a user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::GetConnectionsOf(table, user_of(call));
               })
      .Pattern("mutual connections of two users",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::GetMutualConnections(table, user_of(call), "u1");
               })
      .Pattern("join and leave", [=](const EntityTable& table) {
        const groups::UserGroup edge = {.user_id = "writer", .group_id = "written"};
        const Status joined = groups::Join(table, edge);
        return joined.ok() ? table.Remove(edge) : joined;
      });
}

// Each user has had three jobs, and each company ten.
void AddEmployment() {
  const auto load = [](EntityTable& table, std::size_t size) {
    Status written = table.Put(employment::User{"writer", "Ana"}).status();
    if (written.ok()) written = table.Put(employment::Company{"written", "Acme"}).status();
    if (!written.ok()) return written;
    return LoadEach(size / 3, [&](std::size_t i) {
      const employment::JobId id = {Id('u', i / 3), kStart + hours(i % 3), Id('c', i / 10)};
      const Status loaded = table.Put(employment::User{id.user_id, "Ana"}).status();
      if (!loaded.ok()) return loaded;
      return table.Put(employment::Job{.id = id, .title = "Cook", .current_since = id.started_at})
          .status();
    });
  };
  const auto user_of = [](BenchmarkCall call) { return Id('u', call.number % (call.size / 9)); };
  const auto company_of = [](BenchmarkCall call) {
    return Id('c', call.number % (call.size / 30));
  };
  ModelBenchmark<EntityTable>(
      {.name = "employment", .open = employment::Open, .load = load, .sizes = ModelSizes()})
      .Pattern("user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return table.Get(employment::User{.id = user_of(call)});
               })
      .Pattern("history of a user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return employment::HistoryOf(table, user_of(call)).All();
               })
      .Pattern("employees of a company",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return employment::EmployeesOf(table, company_of(call)).All();
               })
      .Pattern("current job",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return employment::FindCurrentJob(table, user_of(call));
               })
      .Pattern("start and end a job", [=](const EntityTable& table, BenchmarkCall call) {
        const Timestamp at = kStart + hours(call.number);
        const employment::JobId id = {"writer", at, "written"};
        const Status started = employment::Start(table, id, "Cook");
        return started.ok() ? employment::End(table, id, at) : started;
      });
}

// Stores an order with eight items, a return, a shipment and an event.
Status LoadOrder(const EntityTable& table, const std::string& id) {
  std::vector<orders::OrderItem> items;
  for (std::size_t i = 0; i < 8; ++i) items.push_back({.id = Id('i', i), .product = "bread"});
  Status loaded = orders::Place(table, {.id = id, .customer_id = "ann"}, items);
  if (loaded.ok()) loaded = orders::AddReturn(table, {.order_id = id, .item_id = "i1", .id = "r1"});
  if (loaded.ok()) loaded = orders::AddShipment(table, {.order_id = id, .id = "s1"});
  if (!loaded.ok()) return loaded;
  return orders::AddEvent(table, {.order_id = id, .shipment_id = "s1", .id = "e1", .what = "sent"});
}

std::string OrderOf(BenchmarkCall call) { return Id('o', call.number % (call.size / 10)); }

void AddReadsOfOrders(ModelBenchmark<EntityTable>* rows) {
  rows->Pattern("order", [](const EntityTable& table, BenchmarkCall call) {
    return table.Get(orders::Order{.id = OrderOf(call)});
  });
  rows->Pattern("whole order", [](const EntityTable& table, BenchmarkCall call) {
    return orders::WholeOrder(table, OrderOf(call)).All();
  });
  rows->Pattern("items of an order", [](const EntityTable& table, BenchmarkCall call) {
    return orders::ItemsAndReturnsOf(table, OrderOf(call)).All();
  });
  rows->Pattern("item with its returns", [](const EntityTable& table, BenchmarkCall call) {
    return orders::ItemWithReturns(table, {.order_id = OrderOf(call), .id = "i1"}).All();
  });
  rows->Pattern("returns of an item", [](const EntityTable& table, BenchmarkCall call) {
    return orders::ReturnsOf(table, {.order_id = OrderOf(call), .id = "i1"}).All();
  });
  rows->Pattern("shipments of an order", [](const EntityTable& table, BenchmarkCall call) {
    return orders::ShipmentsOf(table, OrderOf(call)).All();
  });
  rows->Pattern("events of a shipment", [](const EntityTable& table, BenchmarkCall call) {
    return orders::EventsOf(table, {.order_id = OrderOf(call), .id = "s1"}).All();
  });
}

void AddWritesOfOrders(ModelBenchmark<EntityTable>* rows) {
  static const std::vector<orders::OrderItem> kItems = {{.id = "i1", .product = "bread"},
                                                        {.id = "i2", .product = "salt"}};
  rows->Pattern("place an order", [](const EntityTable& table, BenchmarkCall call) {
    return orders::Place(table, {.id = Id('w', call.number), .customer_id = "ben"}, kItems);
  });
  rows->Pattern("place and delete an order", [](const EntityTable& table, BenchmarkCall call) {
    const std::string id = Id('x', call.number);
    const Status placed = orders::Place(table, {.id = id, .customer_id = "ben"}, kItems);
    return placed.ok() ? orders::Delete(table, id) : placed;
  });
  rows->Pattern("change a status, and back", [](const EntityTable& table) {
    constexpr auto kPlaced = orders::OrderStatus::kPlaced;
    constexpr auto kShipped = orders::OrderStatus::kShipped;
    const Status shipped = orders::ChangeStatus(table, "written", kPlaced, kShipped);
    return shipped.ok() ? orders::ChangeStatus(table, "written", kShipped, kPlaced) : shipped;
  });
  rows->Pattern("add a return", [](const EntityTable& table, BenchmarkCall call) {
    return orders::AddReturn(table,
                             {.order_id = "written", .item_id = "i1", .id = Id('w', call.number)});
  });
  rows->Pattern("add a shipment", [](const EntityTable& table, BenchmarkCall call) {
    return orders::AddShipment(table, {.order_id = "written", .id = Id('w', call.number)});
  });
  rows->Pattern("add an event", [](const EntityTable& table, BenchmarkCall call) {
    return orders::AddEvent(
        table, {.order_id = "written", .shipment_id = "s1", .id = Id('w', call.number)});
  });
}

void AddOrders() {
  const auto load = [](EntityTable& table, std::size_t size) {
    const Status written = LoadOrder(table, "written");
    if (!written.ok()) return written;
    return LoadEach(size / 10, [&](std::size_t i) { return LoadOrder(table, Id('o', i)); });
  };
  ModelBenchmark<EntityTable> rows(
      {.name = "orders", .open = orders::Open, .load = load, .sizes = ModelSizes()});
  AddReadsOfOrders(&rows);
  AddWritesOfOrders(&rows);
}

// Returns place number `i`. The places are 50 m apart, on a line, and each district has ten.
places::Place PlaceOf(std::size_t i) {
  return {.id = Id('p', i),
          .location = {.country = "BR",
                       .state = "SP",
                       .city = "SP",
                       .district = Id('d', i / 10),
                       .street = Id('s', i)},
          .point = {.latitude = -10, .longitude = static_cast<double>(i) * 0.0005}};
}

// Returns a place in a country that no pattern reads.
places::Place WrittenPlace(const std::string& id, std::size_t number) {
  return {.id = id,
          .location = {.country = "DE",
                       .state = "BE",
                       .city = "B",
                       .district = "M",
                       .street = Id('s', number)},
          .point = {.latitude = 52, .longitude = static_cast<double>(number % 1'000) * 0.05}};
}

void AddPlaces() {
  const auto load = [](EntityTable& table, std::size_t size) {
    const Status written = table.Put(WrittenPlace("written", 0)).status();
    if (!written.ok()) return written;
    return LoadEach(size, [&](std::size_t i) { return table.Put(PlaceOf(i)).status(); });
  };
  ModelBenchmark<EntityTable>(
      {.name = "places", .open = places::Open, .load = load, .sizes = ModelSizes()})
      .Pattern("place",
               [](const EntityTable& table, BenchmarkCall call) {
                 return table.Get(places::Place{.id = Id('p', call.number % call.size)});
               })
      .Pattern("places of a district",
               [](const EntityTable& table, BenchmarkCall call) {
                 return places::PlacesIn(table, PlaceOf(call.number % call.size).location).All();
               })
      .Pattern("places near a point",
               [](const EntityTable& table, BenchmarkCall call) {
                 return places::FindNear(table, PlaceOf(call.number % call.size).point, 500);
               })
      .Pattern("add a place",
               [](const EntityTable& table, BenchmarkCall call) {
                 return table.Create(WrittenPlace(Id('w', call.number), call.number));
               })
      .Pattern("move a place", [](const EntityTable& table, BenchmarkCall call) {
        return places::Move(table, WrittenPlace("written", call.number));
      });
}

// Stores a post with four comments, five reactions and their count.
Status LoadPost(const EntityTable& table, const posts::Post& post) {
  std::vector<posts::Comment> comments;
  for (int i = 0; i < 4; ++i) comments.push_back({.post_id = post.ulid, .author_id = "ann"});
  std::vector<posts::Reaction> reactions;
  for (int i = 0; i < 5; ++i) reactions.push_back({.post_id = post.ulid, .user_id = Id('u', i)});
  Status loaded = table.Put(post).status();
  if (loaded.ok()) loaded = table.BatchPut(std::move(comments));
  if (loaded.ok()) loaded = table.BatchPut(reactions);
  return loaded.ok() ? posts::AddToCount(table, reactions[0], 5, "1") : loaded;
}

std::string PostOf(BenchmarkCall call) { return Id('p', call.number % (call.size / 10)); }

void AddReadsOfPosts(ModelBenchmark<EntityTable>* rows) {
  rows->Pattern("post", [](const EntityTable& table, BenchmarkCall call) {
    return table.Get(posts::Post{.ulid = PostOf(call)});
  });
  rows->Pattern("post with comments and reactions",
                [](const EntityTable& table, BenchmarkCall call) {
                  return posts::Thread(table, PostOf(call)).All();
                });
  rows->Pattern("comments on a post", [](const EntityTable& table, BenchmarkCall call) {
    return posts::CommentsOn(table, PostOf(call)).All();
  });
  rows->Pattern("reactions to a post", [](const EntityTable& table, BenchmarkCall call) {
    return posts::ReactionsTo(table, PostOf(call)).All();
  });
  rows->Pattern("reaction of a user", [](const EntityTable& table, BenchmarkCall call) {
    return table.Find(posts::Reaction{.post_id = PostOf(call), .user_id = "u1"});
  });
  rows->Pattern("counts of a post", [](const EntityTable& table, BenchmarkCall call) {
    return posts::CountsOf(table, PostOf(call)).All();
  });
  rows->Pattern("posts of an author", [](const EntityTable& table, BenchmarkCall call) {
    return posts::PostsBy(table, Id('a', call.number % (call.size / 100))).All();
  });
  rows->Pattern("feed of three days", [](const EntityTable& table) {
    return posts::Feed(table, kStart + std::chrono::days(5), 3).All();
  });
}

void AddWritesOfPosts(ModelBenchmark<EntityTable>* rows) {
  rows->Pattern("write a post", [](const EntityTable& table) {
    return table.Create(posts::Post{.author_id = "writer", .text = "Dolmens are old"});
  });
  rows->Pattern("comment on a post", [](const EntityTable& table) {
    return posts::AddComment(table, {.post_id = "written", .author_id = "ann", .text = "Yes"});
  });
  rows->Pattern("react to a post", [](const EntityTable& table, BenchmarkCall call) {
    return posts::React(table, {.post_id = "written", .user_id = Id('w', call.number % 100)});
  });
}

// Each author has ten posts, and ten posts were written on each day.
void AddPosts() {
  const auto load = [](EntityTable& table, std::size_t size) {
    const Status written = LoadPost(table, {.ulid = "written", .author_id = "writer"});
    if (!written.ok()) return written;
    return LoadEach(size / 10, [&](std::size_t number) {
      return LoadPost(table, {.ulid = Id('p', number),
                              .author_id = Id('a', number / 10),
                              .text = "Dolmens are old",
                              .created_at = kStart + std::chrono::days(number / 10)});
    });
  };
  ModelBenchmark<EntityTable> rows(
      {.name = "posts", .open = posts::Open, .load = load, .sizes = ModelSizes()});
  AddReadsOfPosts(&rows);
  AddWritesOfPosts(&rows);
}

}  // namespace

void AddPatterns() {
  AddGroups();
  AddEmployment();
  AddOrders();
  AddPlaces();
  AddPosts();
}

}  // namespace dolmen::bench
