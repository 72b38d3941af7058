// The access patterns of models/patterns, each pattern as a model of its own.

#include <chrono>

#include "bench/models/models.h"
#include "dolmen/benchmark.h"
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
      .Pattern("groups of a user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::GroupsOf(table, user_of(call)).All();
               })
      .Pattern("members of a group",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return groups::MembersOf(table, group_of(call)).All();
               })
      .Pattern("connections of a user", [=](const EntityTable& table, BenchmarkCall call) {
        return groups::GetConnectionsOf(table, user_of(call));
      });
}

// Each user has had three jobs, and each company ten.
void AddEmployment() {
  const auto load = [](EntityTable& table, std::size_t size) {
    return LoadEach(size / 3, [&](std::size_t i) {
      const employment::JobId id = {Id('u', i / 3), kStart + hours(i % 3), Id('c', i / 10)};
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
      .Pattern("history of a user",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return employment::HistoryOf(table, user_of(call)).All();
               })
      .Pattern("employees of a company",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return employment::EmployeesOf(table, company_of(call)).All();
               })
      .Pattern("current job", [=](const EntityTable& table, BenchmarkCall call) {
        return employment::FindCurrentJob(table, user_of(call));
      });
}

// Each order has eight items and a shipment.
void AddOrders() {
  const auto load = [](EntityTable& table, std::size_t size) {
    return LoadEach(size / 10, [&](std::size_t number) {
      std::vector<orders::OrderItem> items;
      for (std::size_t i = 0; i < 8; ++i) items.push_back({.id = Id('i', i), .product = "bread"});
      const std::string id = Id('o', number);
      Status placed = orders::Place(table, {.id = id, .customer_id = "ann"}, items);
      return placed.ok() ? orders::AddShipment(table, {.order_id = id, .id = "s1"}) : placed;
    });
  };
  const auto order_of = [](BenchmarkCall call) { return Id('o', call.number % (call.size / 10)); };
  ModelBenchmark<EntityTable>(
      {.name = "orders", .open = orders::Open, .load = load, .sizes = ModelSizes()})
      .Pattern("whole order",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return orders::WholeOrder(table, order_of(call)).All();
               })
      .Pattern("items of an order",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return orders::ItemsAndReturnsOf(table, order_of(call)).All();
               })
      .Pattern("place an order", [=](const EntityTable& table, BenchmarkCall call) {
        return orders::Place(table, {.id = Id('w', call.number), .customer_id = "ben"},
                             {{.id = "i1", .product = "bread"}, {.id = "i2", .product = "salt"}});
      });
}

// The places are 50 m apart, on a line, and each district has ten.
void AddPlaces() {
  const auto point_of = [](std::size_t i) {
    return places::Point{.latitude = -10, .longitude = static_cast<double>(i) * 0.0005};
  };
  const auto location_of = [](std::size_t i) {
    return places::Location{.country = "BR",
                            .state = "SP",
                            .city = "SP",
                            .district = Id('d', i / 10),
                            .street = Id('s', i)};
  };
  const auto load = [=](EntityTable& table, std::size_t size) {
    return LoadEach(size, [&](std::size_t i) {
      return table
          .Put(places::Place{.id = Id('p', i), .location = location_of(i), .point = point_of(i)})
          .status();
    });
  };
  ModelBenchmark<EntityTable>(
      {.name = "places", .open = places::Open, .load = load, .sizes = ModelSizes()})
      .Pattern("places of a district",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return places::PlacesIn(table, location_of(call.number % call.size)).All();
               })
      .Pattern("places near a point", [=](const EntityTable& table, BenchmarkCall call) {
        return places::FindNear(table, point_of(call.number % call.size), 500);
      });
}

// Each author has ten posts, ten posts were written on each day, and each post has four comments and
// five reactions.
void AddPosts() {
  const auto load = [](EntityTable& table, std::size_t size) {
    return LoadEach(size / 10, [&](std::size_t number) {
      const std::string id = Id('p', number);
      const std::string author = Id('a', number / 10);
      const Timestamp at = kStart + std::chrono::days(number / 10);
      std::vector<posts::Comment> comments;
      for (int i = 0; i < 4; ++i) comments.push_back({.post_id = id, .author_id = author});
      std::vector<posts::Reaction> reactions;
      for (int i = 0; i < 5; ++i) reactions.push_back({.post_id = id, .user_id = Id('u', i)});
      Status loaded = table.Put(posts::Post{id, author, "Dolmens are old", at}).status();
      if (loaded.ok()) loaded = table.BatchPut(std::move(comments));
      return loaded.ok() ? table.BatchPut(std::move(reactions)) : loaded;
    });
  };
  const auto post_of = [](BenchmarkCall call) { return Id('p', call.number % (call.size / 10)); };
  ModelBenchmark<EntityTable>(
      {.name = "posts", .open = posts::Open, .load = load, .sizes = ModelSizes()})
      .Pattern("post with comments and reactions",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return posts::Thread(table, post_of(call)).All();
               })
      .Pattern("comments on a post",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return posts::CommentsOn(table, post_of(call)).All();
               })
      .Pattern("posts of an author",
               [=](const EntityTable& table, BenchmarkCall call) {
                 return posts::PostsBy(table, Id('a', call.number % (call.size / 100))).All();
               })
      .Pattern("feed of three days",
               [=](const EntityTable& table) {
                 return posts::Feed(table, kStart + std::chrono::days(5), 3).All();
               })
      .Pattern("write a post", [=](const EntityTable& table) {
        return table.Create(posts::Post{.author_id = "writer", .text = "Dolmens are old"});
      });
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
