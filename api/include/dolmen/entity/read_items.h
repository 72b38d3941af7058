// The conversions between keys, items and structs that several functions of EntityTable share.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "dolmen/entity/item.h"

namespace dolmen::entity {

// Returns the entity of the item, without its hidden attributes.
template <typename T>
Result<T> ReadEntity(ItemView item) {
  Result<T> read = FromItem<T>(item);
  if (read.ok()) HideMembers(kSpec<T>, &*read);
  return read;
}

// Returns the entity of the item, or nothing if there is no item.
template <typename T>
Result<std::optional<T>> ReadOptional(const std::optional<StoredItem>& item) {
  if (!item) return std::optional<T>();
  Result<T> read = ReadEntity<T>(item->view());
  if (!read.ok()) return read.status();
  return std::optional<T>(*std::move(read));
}

// Appends the primary key of `value`. If that fails and `*status` is ok, sets `*status` to the
// error.
template <typename T>
void AppendKey(const T& value, std::vector<Item>* keys, Status* status) {
  Result<Item> key = PrimaryKeyOf(kSpec<T>, &value);
  if (key.ok()) {
    keys->push_back(*std::move(key));
  } else if (status->ok()) {
    *status = key.status();
  }
}

// Returns the primary keys of all values, or the first error.
template <typename T>
Result<std::vector<Item>> PrimaryKeysOf(const std::vector<T>& values) {
  std::vector<Item> keys;
  Status status;
  for (const T& value : values) AppendKey(value, &keys, &status);
  if (!status.ok()) return status;
  return keys;
}

// Reads the entity of the item. If that fails and `*status` is ok, sets `*status` to the error.
template <typename T>
void ReadInto(const std::optional<StoredItem>& item, std::optional<T>* found, Status* status) {
  Result<std::optional<T>> read = ReadOptional<T>(item);
  if (read.ok()) {
    *found = *std::move(read);
  } else if (status->ok()) {
    *status = read.status();
  }
}

template <typename Tuple, std::size_t... kPositions>
void ReadEach(const std::vector<std::optional<StoredItem>>& items, Tuple* found, Status* status,
              std::index_sequence<kPositions...>) {
  (ReadInto(items[kPositions], &std::get<kPositions>(*found), status), ...);
}

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
