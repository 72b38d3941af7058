// An attribute of an entity, without its types.

#pragma once

#include <cstdint>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/codec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/item_view.h"

namespace dolmen::entity {

// An attribute, without its types: what the rest of the layer, which is no template, works with.
// Every `value` points to the entity's struct.
struct AttributeSpec {
  std::string_view name = {};
  const void* member_id = nullptr;  // tells members apart: &kMemberId
  PartKind part_kind = PartKind::kNone;
  bool in_key_only = false;
  bool is_required = false;   // Required(), or a type that can't be absent; if it is reachable
  bool is_read_only = false;  // ReadOnly(), Derived, Version
  bool is_version = false;

  // Whether there is something to store.
  bool (*is_present)(const void* value) = nullptr;
  // Whether the optionals on the way to it are filled.
  bool (*is_reachable)(const void* value) = nullptr;
  // REQUIRES: is_present
  Problem (*encode)(const void* value, AttributeValue* to) = nullptr;
  Problem (*decode)(AttributeView from, void* value) = nullptr;

  // Null if there is nothing to be done.
  void (*if_unset)(void* value, const FillContext& context) = nullptr;
  void (*always)(void* value, const FillContext& context) = nullptr;
  void (*derive)(void* value) = nullptr;
  void (*set_version)(void* value, std::int64_t version) = nullptr;
};

}  // namespace dolmen::entity
