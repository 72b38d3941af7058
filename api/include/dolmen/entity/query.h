// Queries of entities by access pattern.
//
//   table.Query<Message>().With<&Message::conversation_id>("c_01").Backward().Limit(50).Page()
//   table.Query<Achievement>("GSI1").With<&Achievement::tier>(Tier::kGold)
//       .AtLeast<&Achievement::score>(500).All()
//   auto account = table.Query<Profile, Email>().With<&Profile::user_id>("u_01").Grouped();
//   auto& [profiles, emails] = *account;   // two vectors
//
// The caller sets the parts of the queried key by members of the entity. All parts of the partition
// key must be set. Parts of the sort key are optional: any number of them can be set, from left to
// right, and then a range for the next part. The query finds every item whose sort key begins with
// these parts.
//
// A query of several entities returns each item as its own struct in a std::variant. Grouped returns
// one vector for each entity instead. A query of several entities has these rules:
// - The entities must be in the same partition, with the same partition key.
// - The query reads the longest sort key prefix that the keys of all entities share.
// - If they share no prefix that ends with a separator, the query reads the smallest range that
//   contains the keys of all entities.
// - If the prefix is the whole key of one entity, the query finds this entity and the items below
//   it, for example a booking and its payments. The range also contains keys in which the prefix
//   is followed by a character that sorts before the separator, for example by a blank if the
//   separator is "#".
//
// The range may hold items of other entities. The query skips them and counts them
// (EntityPage::skipped). Strict makes them an error.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/entity/changes.h"
#include "dolmen/entity/page.h"
#include "dolmen/entity/query_planner.h"
#include "dolmen/entity/request_sender.h"

namespace dolmen {

namespace entity {

// Do the work of EntityQuery::Page and EntityQuery::All.
Status QueryPage(const RequestSender& sender, const QueryPlanner& planner, AnyPage* page);
Status QueryAll(const RequestSender& sender, const QueryPlanner& planner, AnyPage* page);

}  // namespace entity

// A query under construction; EntityTable::Query creates it. The methods of the first group add to
// the query and return it. The others send it, and can be called repeatedly.
//
// The methods that add never fail. If the caller made a mistake, the methods that send return the
// error of the first mistake and send nothing. The message of an error names the entity and the
// attribute.
// - kValidation: the entity declares no key in the index.
// - kValidation: a part of the partition key is not set.
// - kValidation: a part of the sort key is set, but a part to its left is not.
// - kValidation: an attribute that is set is not part of the queried key of every entity.
// - kValidation: a value is absent, or does not fit into the key (key.h).
// - kValidation: the entities are not in the same partition.
// - kValidation: the cursor is from a different query, or Limit is 0.
// - kCorruption: Strict is set, and an item in the range belongs to no queried entity.
// - kCorruption (except from Page and Count): an item cannot be read (EntityPage::damaged).
// - Any error of Table::Query.
//
// A value type; copies are independent. Const methods are thread-safe. Results own their data.
template <typename... Ts>
class EntityQuery {
 public:
  // The struct of the entity, or a std::variant of the structs of several entities.
  using Found = typename entity::StructOrVariant<Ts...>::type;

  EntityQuery(entity::RequestSender sender, std::string index)
      : sender_(std::move(sender)), planner_(std::move(index), {&entity::kSpec<Ts>...}) {}

  // Sets the value of one part of the key. Parts can be given in any order, each once; a second
  // value for the same part is ignored.
  //
  // In a query of several entities, set each part once, by a member of any queried entity. The
  // value applies to every queried entity that has an attribute with the name of this member's
  // attribute.
  template <auto... kPath>
  EntityQuery& With(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& value) {
    const entity::AttributeSpec& part = PartOf<kPath...>();
    const auto with_value = entity::StructWith<kPath...>(value);
    planner_.SetPart(part, &with_value);
    return *this;
  }

  // Queries several partitions: one for each value of one part of the partition key. The items of
  // all partitions are merged by their sort keys (Partitions in query.h).
  //
  // Takes 1 to 100 distinct values. Use it for keys that are spread over shards. The query
  // remains a single request, but each partition costs at least half a read unit.
  //
  //   table.Query<Arrival>().WithEach<&Arrival::shard>({0, 1, 2}).AtLeast<&Arrival::at>("09:00")
  template <auto... kPath>
  EntityQuery& WithEach(const std::vector<typename entity::MemberPath<kPath...>::Member>& values) {
    const entity::AttributeSpec& part = PartOf<kPath...>();
    planner_.SetPartToEach(part, values.size());
    for (const auto& value : values) {
      const auto with_value = entity::StructWith<kPath...>(value);
      planner_.AddToEach(part, &with_value);
    }
    return *this;
  }

  // Queries all shards of a key (sharded.h), like WithEach with all values that the shard can have.
  template <auto... kPath>
  EntityQuery& AllShards() {
    return WithEach<kPath...>(entity::MemberPath<kPath...>::Member::All());
  }

  // Limits one part of the sort key to a range: the first part that With does not set. Both ends
  // are included. AtLeast and AtMost set one end, and can be combined. A query can have a range for
  // one part only. A query with a range must be a query of one entity.
  //
  // The texts in the key must sort as the values do:
  // - A time sorts correctly. In a key with {name:date}, the range compares whole days.
  // - An integer must be padded ({name:04}); otherwise the query fails with kValidation.
  // - A text or an enum sorts as text. If other parts follow it in the key, only AtLeast is
  //   possible; with every other range the query fails with kValidation.
  template <auto... kPath>
  EntityQuery& Between(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& lower,
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& upper) {
    return AddBounds<kPath...>(&lower, &upper);
  }
  template <auto... kPath>
  EntityQuery& AtLeast(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& lower) {
    return AddBounds<kPath...>(&lower, nullptr);
  }
  template <auto... kPath>
  EntityQuery& AtMost(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& upper) {
    return AddBounds<kPath...>(nullptr, &upper);
  }

  // Limits a part of the sort key, as Between does, but to values greater than `lower`. Items whose
  // part equals `lower` are excluded even if other parts follow in the key.
  template <auto... kPath>
  EntityQuery& After(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& lower) {
    return AddBounds<kPath...>(&lower, nullptr, true);
  }

  // Limits a part of the sort key, as Between does, but to values less than `upper`. AtLeast or After
  // can set the other end.
  template <auto... kPath>
  EntityQuery& Before(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& upper) {
    return AddBounds<kPath...>(nullptr, &upper, true);
  }

  // Reverses the order: the greatest sort key first (ScanIndexForward = false).
  EntityQuery& Backward() {
    planner_.set_forward(false);
    return *this;
  }

  // Limits the number of items; at least 1. Page reads at most this number of items, and then
  // drops those that fail the filter or belong to other entities. A page can therefore be shorter,
  // and even empty, although more pages follow. All returns at most this number of entities. Count
  // ignores the limit. Without a limit a page ends at 1 MB.
  EntityQuery& Limit(std::uint32_t limit) {
    planner_.set_limit(limit);
    return *this;
  }

  // Starts after the page whose EntityPage::next_cursor is `cursor`. "" means the start. Except
  // for the limit and the cursor, the query must equal the query that returned the page. The last
  // item of the page may have been deleted.
  EntityQuery& From(std::string cursor) {
    planner_.set_cursor(std::move(cursor));
    return *this;
  }

  // Returns only items that satisfy `filter` (AttrOf). The query reads every item of its range and
  // consumes capacity for it, even if the filter is false. A second filter replaces the first
  // filter.
  EntityQuery& Where(FilterExpression filter) {
    planner_.set_filter(std::move(filter));
    return *this;
  }

  // Reads this attribute, and no attribute that is not given by a call of Project. The other members
  // keep the values of their initialisers, except for those of the primary key. In a query of several
  // entities, the call concerns the entity to which the member belongs. Saves the time to read the
  // other attributes, but no capacity. Also reads a hidden attribute.
  //
  //   table.Query<Message>()....Project<&Message::id>().Project<&Message::created_at>().All()
  template <auto... kPath>
  EntityQuery& Project() {
    using Struct = typename entity::MemberPath<kPath...>::Struct;
    static_assert((std::same_as<Struct, Ts> || ...), "the member must belong to a queried entity");
    std::size_t entity = 0;
    const bool found = ((std::same_as<Struct, Ts> || (++entity, false)) || ...);
    if (found) planner_.Project(entity, entity::AttributePosition<kPath...>());
    return *this;
  }

  // Makes an item in the range that belongs to no queried entity an error, instead of skipping it.
  // Claims of their unique values (EntityDefinition::Unique) are still skipped.
  EntityQuery& Strict() {
    planner_.matcher().set_strict();
    return *this;
  }

  // Reads one page with a single request. Returns the entities that can be read, and the errors of
  // the others.
  Result<EntityPage<Found>> Page() const {
    EntityPage<Found> page;
    entity::PageOf<Ts...> any(&page);
    Status status = entity::QueryPage(sender_, planner_, &any);
    if (!status.ok()) return status;
    return page;
  }

  // Reads the page that `input` asks for. Like From(input.cursor).Limit(input.limit).Page().
  Result<EntityPage<Found>> Page(PageInput input) const {
    EntityQuery one = *this;
    return one.From(std::move(input.cursor)).Limit(input.limit).Page();
  }

  // Returns the pages as a range for a for loop (EntityPages). Sends nothing yet.
  EntityPages<EntityQuery> Pages() const { return EntityPages<EntityQuery>(*this); }

  // Calls `f` with each entity, page after page. `f` takes a const Found& and returns a Status. Ends
  // with the first error, of `f` or of Page. An item that cannot be read is an error, too.
  template <typename F>
  Status ForEach(F f) const {
    return entity::ForEachFound(Pages(), f);
  }

  // Reads all entities, or the first `Limit` entities that pass the filter, with as many requests as
  // needed. With a limit below 1000, each request reads up to twice as many items as the one before,
  // at most 1000. The pages are read one after another, so a later page can contain newer writes than
  // an earlier one. The whole result is held in memory.
  Result<std::vector<Found>> All() const {
    EntityPage<Found> page;
    entity::PageOf<Ts...> any(&page);
    Status status = entity::QueryAll(sender_, planner_, &any);
    if (!status.ok()) return status;
    return std::move(page.items);
  }

  // Reads the same entities as All, and returns one vector for each entity of the query. Each vector
  // is in the order of the query. Only for a query of several different entities.
  //
  //   auto thread = table.Query<Post, Comment>().With<&Post::id>("p1").Grouped();
  //   if (!thread) return thread.status();
  //   auto& [posts, comments] = *thread;
  Result<std::tuple<std::vector<Ts>...>> Grouped() const
    requires(sizeof...(Ts) > 1)
  {
    Result<std::vector<Found>> items = All();
    if (!items.ok()) return items.status();
    return entity::GroupByType<Ts...>(*std::move(items));
  }

  // Returns the first entity, or nothing if no entity is found. Sends one request if the first item
  // of the range is the result.
  Result<std::optional<Found>> First() const {
    EntityQuery one = *this;
    Result<std::vector<Found>> items = one.Limit(1).All();
    if (!items.ok()) return items.status();
    if (items->empty()) return std::optional<Found>();
    return std::optional<Found>(std::move(items->front()));
  }

  // Returns the number of queried entities in the range that pass the filter. Sends a request for
  // each MB of items. Does not decode the items, so the number includes damaged ones.
  Result<std::uint64_t> Count() const { return sender_.QueryCount(planner_); }

  // Returns the sum of an integer member of the entities that All returns. Only for a query of one
  // entity. Errors are those of All, and:
  // - kValidation: the sum is not in the range of std::int64_t.
  template <auto kMember>
  Result<std::int64_t> Sum() const
    requires(sizeof...(Ts) == 1)
  {
    EntityQuery projected = *this;
    const Result<std::vector<Found>> found = projected.template Project<kMember>().All();
    if (!found.ok()) return found.status();
    std::int64_t sum = 0;
    for (const Found& one : *found) {
      if (!__builtin_add_overflow(sum, one.*kMember, &sum)) continue;
      return Status::Validation("the sum of " + std::string(PartOf<kMember>().name) +
                                " is too large");
    }
    return sum;
  }

 private:
  // Returns the member's attribute. Does not compile for a member of a different struct.
  template <auto... kPath>
  static const entity::AttributeSpec& PartOf() {
    using Struct = typename entity::MemberPath<kPath...>::Struct;
    static_assert((std::same_as<Struct, Ts> || ...), "the member must belong to a queried entity");
    return entity::SpecOfMember<kPath...>();
  }

  // Adds the bounds that are not null. Values equal to a bound are excluded if `is_open`.
  template <auto... kPath>
  EntityQuery& AddBounds(const typename entity::MemberPath<kPath...>::Member* lower,
                         const typename entity::MemberPath<kPath...>::Member* upper,
                         bool is_open = false) {
    const entity::AttributeSpec& part = PartOf<kPath...>();
    if (lower != nullptr) {
      const auto with_value = entity::StructWith<kPath...>(*lower);
      planner_.AddBounds(part, &with_value, nullptr, is_open);
    }
    if (upper != nullptr) {
      const auto with_value = entity::StructWith<kPath...>(*upper);
      planner_.AddBounds(part, nullptr, &with_value, is_open);
    }
    return *this;
  }

  entity::RequestSender sender_;
  entity::QueryPlanner planner_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
