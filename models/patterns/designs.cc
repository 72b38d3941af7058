#include "models/patterns/designs.h"

#include <chrono>

#include "models/patterns/employment/entities.h"
#include "models/patterns/groups/entities.h"
#include "models/patterns/orders/entities.h"
#include "models/patterns/places/entities.h"
#include "models/patterns/posts/entities.h"

namespace dolmen {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp Day(int year, unsigned month, unsigned day) {
  return std::chrono::sys_days(std::chrono::year(year) / month / day);
}

}  // namespace

TableDesign groups::Design() {
  return Describe<User, Group, UserGroup, GroupMember>(
      "groups",
      {AccessPattern("A user", "Get").With<&User::id>(),
       AccessPattern("The groups of a user", "GroupsOf").With<&UserGroup::user_id>(),
       AccessPattern("The members of a group", "MembersOf").With<&GroupMember::group_id>(),
       AccessPattern("Is a user in a group?", "Find")
           .With<&UserGroup::user_id>()
           .With<&UserGroup::group_id>()});
}

// The document's graph of u1, u2, g10 and g20, and u3 in g20.
Status groups::LoadSampleData(const EntityTable& table) {
  return table.Transact()
      .Put(User{"u1", "Ana"})
      .Put(User{"u2", "Bruno"})
      .Put(User{"u3", "Carla"})
      .Put(Group{"g10", "Readers"})
      .Put(Group{"g20", "Climbers"})
      .Put(UserGroup{"u1", "g10", Day(2024, 3, 1)})
      .Put(UserGroup{"u1", "g20", Day(2024, 4, 1)})
      .Put(UserGroup{"u2", "g10", Day(2024, 5, 1)})
      .Put(UserGroup{"u3", "g20", Day(2024, 6, 1)})
      .Commit();
}

TableDesign employment::Design() {
  return Describe<User, Company, Job>(
      "careers", {AccessPattern("A user's profile", "Get").With<&User::id>(),
                  AccessPattern("A user's history, newest first", "HistoryOf")
                      .With<&Job::id, &JobId::user_id>()
                      .SortedBy<&Job::id, &JobId::started_at>(),
                  AccessPattern("A company's current, or former, employees", "EmployeesOf")
                      .With<&Job::id, &JobId::company_id>()
                      .With<&Job::status>(),
                  AccessPattern("A user's current job", "FindCurrentJob")
                      .With<&Job::id, &JobId::user_id>()
                      .SortedBy<&Job::current_since>()});
}

// Ann began at corp later than at borg, but borg is her current job.
Status employment::LoadSampleData(const EntityTable& table) {
  constexpr Timestamp kBorg = Day(2021, 7, 1);
  constexpr Timestamp kAcme = Day(2015, 5, 5);
  constexpr JobStatus kFormer = JobStatus::kFormer;
  return table.Transact()
      .Put(User{"ann", "Ann"})
      .Put(User{"ben", "Ben"})
      .Put(Company{"acme", "Acme"})
      .Put(Company{"borg", "Borg"})
      .Put(Company{"corp", "Corp"})
      .Put(Job{{"ann", Day(2018, 1, 1), "acme"}, "Engineer", kFormer, {}, Day(2021, 6, 30)})
      .Put(Job{.id = {"ann", kBorg, "borg"}, .title = "Lead", .current_since = kBorg})
      .Put(Job{{"ann", Day(2022, 3, 1), "corp"}, "Adviser", kFormer, {}, Day(2023, 1, 31)})
      .Put(Job{.id = {"ben", kAcme, "acme"}, .title = "Founder", .current_since = kAcme})
      .Commit();
}

TableDesign orders::Design() {
  return Describe<Order, OrderItem, Return, Shipment, Event>(
      "orders",
      {AccessPattern("An order", "Get").With<&Order::id>(),
       AccessPattern("The items of an order", "ItemsAndReturnsOf").With<&OrderItem::order_id>(),
       AccessPattern("An item", "Get").With<&OrderItem::order_id>().With<&OrderItem::id>(),
       AccessPattern("The returns of one item", "ReturnsOf")
           .With<&Return::order_id>()
           .With<&Return::item_id>(),
       AccessPattern("The shipments of an order", "ShipmentsOf").With<&Shipment::order_id>(),
       AccessPattern("The events of one shipment", "EventsOf")
           .With<&Event::order_id>()
           .With<&Event::shipment_id>()});
}

// The document's order o1.
Status orders::LoadSampleData(const EntityTable& table) {
  constexpr Timestamp kPlaced = Day(2024, 9, 2);
  return table.Transact()
      .Put(Order{"o1", "u1", OrderStatus::kShipped, kPlaced})
      .Put(OrderItem{"o1", "i100", "Lamp", 2})
      .Put(OrderItem{"o1", "i101", "Chair", 1})
      .Put(Return{"o1", "i100", "r1", "broken"})
      .Put(Return{"o1", "i100", "r2", "too bright"})
      .Put(Return{"o1", "i101", "r3", "wrong colour"})
      .Put(Shipment{"o1", "s1", "Post"})
      .Put(Event{"o1", "s1", "e1", "left the warehouse", kPlaced + 9h})
      .Put(Event{"o1", "s1", "e2", "in transit", kPlaced + 15h})
      .Commit();
}

TableDesign places::Design() {
  return Describe<Place>("places",
                         {AccessPattern("A place", "Get").With<&Place::id>(),
                          AccessPattern("The places of a country", "PlacesIn")
                              .With<&Place::location, &Location::country>(),
                          AccessPattern("The places of a city", "PlacesIn")
                              .With<&Place::location, &Location::country>()
                              .With<&Place::location, &Location::state>()
                              .With<&Place::location, &Location::city>(),
                          AccessPattern("The places of a cell", "FindNear").With<&Place::cell>()});
}

// The document's address in Pinheiros, and places at other levels of the hierarchy.
Status places::LoadSampleData(const EntityTable& table) {
  const auto put = [](std::string id, Location location, Point point) {
    return Place{.id = id, .name = "Place " + id, .location = location, .point = point};
  };
  return table.Transact()
      .Put(
          put("p1", {"BR", "SP", "SaoPaulo", "Pinheiros", "AvenidaFaria Lima"}, {-23.567, -46.692}))
      .Put(put("p2", {"BR", "SP", "SaoPaulo", "Pinheiros", "Rua Augusta #5"}, {-23.557, -46.667}))
      .Put(put("p3", {"BR", "SP", "SaoPaulo", "Moema", "Alameda Jauaperi"}, {-23.602, -46.667}))
      .Put(put("p4", {"BR", "RJ", "Niteroi", "Icarai", "Rua Nove"}, {-22.903, -43.106}))
      .Put(put("p5", {"PT", "11", "Lisboa", "Alfama", "Rua Dez"}, {38.712, -9.13}))
      .Commit();
}

TableDesign posts::Design() {
  return Describe<Post, Comment, Reaction, ReactionCount>(
      "posts", {AccessPattern("A post", "Get").With<&Post::ulid>(),
                AccessPattern("The comments on a post, newest first", "CommentsOn")
                    .With<&Comment::post_id>()
                    .SortedBy<&Comment::ulid>(),
                AccessPattern("The reactions to a post", "ReactionsTo").With<&Reaction::post_id>(),
                AccessPattern("The counts of a post", "CountsOf").With<&ReactionCount::post_id>(),
                AccessPattern("A user's reaction to a post", "Find")
                    .With<&Reaction::post_id>()
                    .With<&Reaction::user_id>(),
                AccessPattern("The posts of a day, newest first", "Feed")
                    .With<&Post::created_at>()
                    .SortedBy<&Post::ulid>(),
                AccessPattern("An author's posts, newest first", "PostsBy")
                    .With<&Post::author_id>()
                    .SortedBy<&Post::ulid>()});
}

// Three posts on two days, with comments and reactions to the first one.
Status posts::LoadSampleData(const EntityTable& table) {
  return table.Transact()
      .Put(Post{"p1", "ann", "Dolmens are old", Day(2026, 4, 15) + 10h})
      .Put(Post{"p2", "ben", "So are menhirs", Day(2026, 4, 15) + 12h})
      .Put(Post{"p3", "ann", "Good morning", Day(2026, 4, 16) + 8h})
      .Put(Comment{"p1", "c1", "ben", "How old?"})
      .Put(Comment{"p1", "c2", "cat", "Very"})
      .Put(Reaction{"p1", "ben", Kind::kLaugh})
      .Put(Reaction{"p1", "cat", Kind::kLike})
      .Commit();
}

}  // namespace dolmen
