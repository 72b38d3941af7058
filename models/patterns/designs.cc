#include "models/patterns/designs.h"

#include "models/patterns/employment.h"
#include "models/patterns/groups.h"
#include "models/patterns/orders.h"
#include "models/patterns/places.h"
#include "models/patterns/posts.h"

namespace dolmen::groups {

TableDesign Design() {
  return Describe<User, Group, UserGroup, GroupMember>(
      "groups",
      {AccessPattern("A user").With<&User::id>().By("GetUser"),
       AccessPattern("A group").With<&Group::id>().By("GetGroup"),
       AccessPattern("The groups of a user").With<&UserGroup::user_id>().By("ListGroupsOf"),
       AccessPattern("The members of a group").With<&GroupMember::group_id>().By("ListMembersOf"),
       AccessPattern("Is a user in a group?")
           .With<&UserGroup::user_id>()
           .With<&UserGroup::group_id>()
           .By("IsMember")});
}

}  // namespace dolmen::groups

namespace dolmen::employment {

TableDesign Design() {
  return Describe<User, Company, Job>(
      Careers::kTableName,
      {AccessPattern("A user's profile").With<&User::id>().By("GetUser"),
       AccessPattern("A company's profile").With<&Company::id>().By("GetCompany"),
       AccessPattern("A user's history, newest first")
           .With<&Job::id, &JobId::user_id>()
           .SortedBy<&Job::id, &JobId::started_at>()
           .By("ListHistory"),
       AccessPattern("A company's current, or former, employees, in pages")
           .With<&Job::id, &JobId::company_id>()
           .With<&Job::status>()
           .By("ListEmployees"),
       AccessPattern("A user's current job")
           .With<&Job::id, &JobId::user_id>()
           .SortedBy<&Job::current_since>()
           .By("FindCurrentJob")});
}

}  // namespace dolmen::employment

namespace dolmen::orders {

TableDesign Design() {
  return Describe<Order, OrderItem, Return, Shipment, Event>(
      "orders",
      {AccessPattern("An order").With<&Order::id>().By("GetOrder"),
       AccessPattern("An item").With<&OrderItem::order_id>().With<&OrderItem::id>().By("GetItem"),
       AccessPattern("The items of an order").With<&OrderItem::order_id>().By("ListItems"),
       AccessPattern("The returns of all items").With<&Return::order_id>().By("ListReturns"),
       AccessPattern("The returns of one item")
           .With<&Return::order_id>()
           .With<&Return::item_id>()
           .By("ListReturnsOf"),
       AccessPattern("The shipments of an order").With<&Shipment::order_id>().By("ListShipments"),
       AccessPattern("The events of one shipment")
           .With<&Event::order_id>()
           .With<&Event::shipment_id>()
           .By("ListEventsOf")});
}

}  // namespace dolmen::orders

namespace dolmen::places {

TableDesign Design() {
  return Describe<Place>("places", {AccessPattern("A place").With<&Place::id>().By("GetPlace"),
                                    AccessPattern("The places of a country, in pages")
                                        .With<&Place::location, &Location::country>()
                                        .By("ListPlaces"),
                                    AccessPattern("The places of a city, in pages")
                                        .With<&Place::location, &Location::country>()
                                        .With<&Place::location, &Location::state>()
                                        .With<&Place::location, &Location::city>()
                                        .By("ListPlaces")});
}

}  // namespace dolmen::places

namespace dolmen::posts {

TableDesign Design() {
  return Describe<Post, Comment, Reaction>(
      "posts",
      {AccessPattern("A post").With<&Post::ulid>().By("GetPost"),
       AccessPattern("The comments of a post, newest first, in pages")
           .With<&Comment::post_id>()
           .SortedBy<&Comment::ulid>()
           .By("ListComments"),
       AccessPattern("The reactions to a post").With<&Reaction::post_id>().By("ListReactions"),
       AccessPattern("A user's reaction to a post")
           .With<&Reaction::post_id>()
           .With<&Reaction::user_id>()
           .By("FindReaction"),
       AccessPattern("The posts of a day, newest first")
           .With<&Post::created_at>()
           .SortedBy<&Post::ulid>()
           .By("ListPostsOfDay")});
}

}  // namespace dolmen::posts
