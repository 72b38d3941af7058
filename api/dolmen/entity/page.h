// Pages of found entities.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dolmen/entity/definition.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/item.h"
#include "dolmen/query.h"

namespace dolmen {

// A page of found entities.
template <typename T>
struct EntityPage {
  // The entities in the order of the query. The page can be empty although more pages follow,
  // because the limit counts every item that was read.
  std::vector<T> items = {};

  // The cursor of the next page, for EntityQuery::From. "" after the last page. It consists of
  // hexadecimal digits, so it can be part of a URL. It reveals the key of the last item. The next
  // page may be empty.
  std::string next_cursor = {};

  // The number of items that were read and belong to none of the requested entities.
  std::uint64_t skipped = 0;

  // The errors of the items that belong to a requested entity and cannot be read as it (FromItem),
  // in the order of the query. Each error names the key of its item. Empty: `items` is complete.
  std::vector<Status> damaged = {};
};

namespace entity {

// The type of a found entity: the struct itself in a query of one entity, otherwise a std::variant.
template <typename... Ts>
struct StructOrVariant {
  using type = std::variant<Ts...>;
};
template <typename T>
struct StructOrVariant<T> {
  using type = T;
};

// Does nothing and returns false unless `is_wanted`. Otherwise reads the item as the struct T, sets
// `*read`, and appends the struct if it was read.
template <typename T, typename... Ts>
bool ReadAs(ItemView item, bool is_wanted,
            std::vector<typename StructOrVariant<Ts...>::type>* items, Status* read) {
  if (!is_wanted) return false;
  // Decodes the entity directly into the vector, because moving variants is slow, and GCC 12 warns
  // that they are uninitialised.
  if constexpr (sizeof...(Ts) == 1) {
    *read = DecodeItem(kSpec<T>, item, &items->emplace_back());
  } else {
    *read = DecodeItem(kSpec<T>, item, std::get_if<T>(&items->emplace_back(std::in_place_type<T>)));
  }
  if (!read->ok()) items->pop_back();
  return true;
}

// Appends the entities of all items of `output` to the page.
// - kCorruption: the matcher is strict, and an item belongs to no entity.
template <typename... Ts>
Status ReadPage(const EntityMatcher& matcher, const QueryOutput& output,
                EntityPage<typename StructOrVariant<Ts...>::type>* page) {
  for (const ItemView item : output) {
    Result<std::optional<std::size_t>> found = matcher.Guess(item);
    Status read;
    std::size_t position = 0;
    if (found.ok() && *found) {
      (ReadAs<Ts, Ts...>(item, position++ == **found, &page->items, &read) || ...);
      if (!read.ok()) found = matcher.Find(item);
    }
    if (!found.ok()) return found.status();
    if (!*found) {
      ++page->skipped;
    } else if (!read.ok()) {
      page->damaged.push_back(std::move(read));
    }
  }
  return {};
}

}  // namespace entity

}  // namespace dolmen
