// Queries by access pattern:
//
//   table.Query<Message>().With<&Message::conversation_id>("c_01").Backward().Limit(50).Page()
//   table.Query<Achievement>("GSI1").With<&Achievement::tier>(Tier::kGold)
//       .AtLeast<&Achievement::score>(500).All()
//   table.Query<Profile, Email>().With<&Profile::user_id>("u_01").All()
//
// The parts that are given fill the key templates from the left: all of the partition's, and of the
// sort key's as many as there are, up to a range of the next one.  What follows is everything that
// begins so.  Queried for several entities, each item is its own struct in a std::variant, and the
// sort key is what the templates of all begin with, or if that is nothing, the least range that
// holds them.  If it is one's whole key, what lies below that comes, too (also below one that goes
// on with a character less than the separator, a blank for instance).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/entity/changes.h"
#include "dolmen/entity/cursor.h"
#include "dolmen/entity/query_planner.h"
#include "dolmen/entity/request_sender.h"

namespace dolmen {

namespace entity {

template <typename... Ts>
struct StructOrVariant {
  using type = std::variant<Ts...>;
};
template <typename T>
struct StructOrVariant<T> {
  using type = T;
};

}  // namespace entity

// `next_cursor` is what EntityQuery::From takes for the next page: letters and digits, fit for a
// URL.  "" at the end.  It may be set though nothing follows.
template <typename T>
struct EntityPage {
  std::vector<T> items = {};
  std::string next_cursor = {};
};

// A query that is being put together, and then made.  Errors: kValidation for what is given,
// kCorruption for an item that is none of the entities, or not as it should be.
template <EntityStruct... Ts>
class EntityQuery {
 public:
  using Found = typename entity::StructOrVariant<Ts...>::type;

  EntityQuery(entity::RequestSender sender, std::string index)
      : sender_(std::move(sender)), planner_(std::move(index), {&entity::kSpec<Ts>...}) {}

  // The value of an attribute that the key's templates name; of any of the entities, for all.
  template <auto... kPath>
  EntityQuery& With(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& value) {
    Problem problem;
    std::optional<AttributeValue> encoded = entity::EncodeMember<kPath...>(value, &problem);
    planner_.SetPart(NameOf<kPath...>(), std::move(encoded), problem);
    return *this;
  }

  // Several values of a part of the partition key: several partitions, merged by their sort keys in
  // one request (QueryInput::partitions), each of which costs at least half a read unit.
  template <auto... kPath>
  EntityQuery& WithEach(const std::vector<typename entity::MemberPath<kPath...>::Member>& values) {
    Problem problem;
    std::vector<AttributeValue> encoded;
    for (const auto& value : values) {
      std::optional<AttributeValue> one = entity::EncodeMember<kPath...>(value, &problem);
      if (!one) problem = "is not given";
      if (!problem.empty()) break;
      encoded.push_back(*std::move(one));
    }
    planner_.SetPartToEach(NameOf<kPath...>(), std::move(encoded), problem);
    return *this;
  }

  // A range of the next part of the sort key, both ends included: a time, a padded number, or a
  // text (an enum by its spelling), which has lower bounds only unless it is the key's last part.
  template <auto... kPath>
  EntityQuery& Between(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& lower,
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& upper) {
    return AddBounds<kPath...>(&lower, &upper, false);
  }
  template <auto... kPath>
  EntityQuery& AtLeast(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& lower) {
    return AddBounds<kPath...>(&lower, nullptr, false);
  }
  template <auto... kPath>
  EntityQuery& AtMost(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& upper) {
    return AddBounds<kPath...>(nullptr, &upper, false);
  }
  // Behind this one; if parts follow it in the key, behind all that have it.
  template <auto... kPath>
  EntityQuery& After(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& lower) {
    return AddBounds<kPath...>(&lower, nullptr, true);
  }

  // ScanIndexForward = false.
  EntityQuery& Backward() {
    planner_.set_forward(false);
    return *this;
  }
  // Items on a page, before the filter; in all, with All.
  EntityQuery& Limit(std::uint32_t limit) {
    planner_.set_limit(limit);
    return *this;
  }
  // A page's next_cursor; "" is the start.
  EntityQuery& From(std::string cursor) {
    planner_.set_cursor(std::move(cursor));
    return *this;
  }
  EntityQuery& Where(FilterExpression filter) {
    planner_.set_filter(std::move(filter));
    return *this;
  }

  // One Query.
  Result<EntityPage<Found>> Page() const {
    Result<QueryInput> input = planner_.Plan();
    if (!input.ok()) return input.status();
    QueryOutput output;
    Status status = sender_.Query(*std::move(input), planner_.key(), &output);
    if (!status.ok()) return status;
    EntityPage<Found> page = {.next_cursor = entity::EncodeCursor(output.last_evaluated_key())};
    if (status = ReadAll(output, &page.items); !status.ok()) return status;
    return page;
  }

  // As many Queries as it takes to the end, or to `Limit` items that pass the filter.
  Result<std::vector<Found>> All() const {
    Result<QueryInput> input = planner_.Plan();
    if (!input.ok()) return input.status();
    std::vector<Found> items;
    const auto read_page = [&](const QueryOutput& output) -> Result<bool> {
      if (Status read = ReadAll(output, &items); !read.ok()) return read;
      return !planner_.limit() || items.size() < *planner_.limit();
    };
    const Status status = sender_.QueryPages(*std::move(input), planner_.key(), read_page);
    if (!status.ok()) return status;
    if (planner_.limit() && items.size() > *planner_.limit()) {
      items.erase(items.begin() + *planner_.limit(), items.end());
    }
    return items;
  }

  // The first item, if there is one.  One Query, but for a filter.
  Result<std::optional<Found>> First() const {
    EntityQuery one = *this;
    Result<std::vector<Found>> items = one.Limit(1).All();
    if (!items.ok()) return items.status();
    if (items->empty()) return std::optional<Found>();
    return std::optional<Found>(std::move(items->front()));
  }

  // How many there are, by Select = COUNT.
  Result<std::uint64_t> Count() const {
    Result<QueryInput> input = planner_.Plan();
    if (!input.ok()) return input.status();
    return sender_.QueryCount(*std::move(input), planner_.key());
  }

 private:
  template <auto... kPath>
  static std::string_view NameOf() {
    using Struct = typename entity::MemberPath<kPath...>::Struct;
    static_assert((std::same_as<Struct, Ts> || ...), "a member of one of the queried entities");
    constexpr std::size_t kPosition = entity::AttributePosition<kPath...>();
    return entity::kSpec<Struct>.attributes[kPosition].name;
  }

  template <auto... kPath>
  EntityQuery& AddBounds(const typename entity::MemberPath<kPath...>::Member* lower,
                         const typename entity::MemberPath<kPath...>::Member* upper, bool after) {
    Problem problem;
    entity::QueryPlanner::Bounds bounds = {.attribute = NameOf<kPath...>(), .after = after};
    for (const auto& [member, bound] :
         {std::pair(lower, &bounds.lower), std::pair(upper, &bounds.upper)}) {
      if (member == nullptr || !problem.empty()) continue;
      *bound = entity::EncodeMember<kPath...>(*member, &problem);
      if (!*bound) problem = "is not given";
    }
    planner_.AddBounds(std::move(bounds), problem);
    return *this;
  }

  Status ReadAll(const QueryOutput& page, std::vector<Found>* items) const {
    for (const ItemView item : page) {
      if (Status status = Read(item, items); !status.ok()) return status;
    }
    return {};
  }

  // Reads the item where it stays: variants that are moved on the way are slow, and GCC 12 takes
  // them for uninitialised.  On an error the last of `items` may be half an entity.
  Status Read(ItemView item, std::vector<Found>* items) const {
    if constexpr (sizeof...(Ts) == 1) {
      return entity::FromItem(entity::kSpec<Found>, item, &items->emplace_back());
    } else {
      std::optional<Status> read;
      (ReadIf<Ts>(item, items, &read) || ...);
      return read ? *read : planner_.UnknownEntityError(item);
    }
  }

  template <typename T>
  static bool ReadIf(ItemView item, std::vector<Found>* items, std::optional<Status>* read) {
    if (entity::EntityTypeOf(entity::kSpec<T>, item) != entity::kSpec<T>.name) return false;
    Found& found = items->emplace_back(std::in_place_type<T>);
    *read = entity::FromItem(entity::kSpec<T>, item, std::get_if<T>(&found));
    return true;
  }

  entity::RequestSender sender_;
  entity::QueryPlanner planner_;
};

}  // namespace dolmen
