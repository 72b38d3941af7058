// Deleting everything that queries find.
//
//   const Status removed =
//       RemoveAll(table, table.Query<Task>().With<&Task::list>("home"),
//                 table.Query<Member>().With<&Member::list>("home"));

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <tuple>
#include <utility>

#include "dolmen/entity/table.h"

namespace dolmen {

namespace entity {

// Deletes all that one query finds.
template <typename... Ts>
Status RemoveFound(const EntityTable& table, const EntityQuery<Ts...>& query) {
  auto pages = query.Pages();
  for (auto& page : pages) {
    if (!page.damaged.empty()) return page.damaged.front();
    Status status;
    if constexpr (sizeof...(Ts) == 1) {
      status = table.BatchRemove(page.items);
    } else {
      const auto remove_each = [&](const auto&... found) {
        ((status = status.and_then([&] { return table.BatchRemove(found); })), ...);
      };
      std::apply(remove_each, GroupByType<Ts...>(std::move(page.items)));
    }
    if (!status.ok()) return status;
  }
  return pages.status();
}

}  // namespace entity

// Deletes all entities that the queries find, one query after the other: reads a page, deletes its
// entities as EntityTable::BatchRemove does, and reads the next page. An entity that another writer
// adds meanwhile can remain.
//
// After an error, a further call deletes the rest.
// - kCorruption: an item cannot be read. The items of its page remain.
// - Any error of EntityQuery::Page and EntityTable::BatchRemove.
template <typename... Queries>
Status RemoveAll(const EntityTable& table, const Queries&... queries) {
  Status status;
  ((status = status.and_then([&] { return entity::RemoveFound(table, queries); })), ...);
  return status;
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
