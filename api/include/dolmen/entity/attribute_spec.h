// The description of one attribute of an entity without its C++ types. The parts of the layer that
// are not templates work with AttributeSpec.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/codec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/item_view.h"

namespace dolmen::entity {

// One attribute. A constant of the program, so all its views and pointers stay valid.
//
// In every function `value` points to the entity's struct of type T. Passing a pointer to any
// other type is undefined behaviour.
struct AttributeSpec {
  // The attribute's name in the item.
  std::string_view name = {};

  // The identity of the path to the member: the address of MemberId::kByte for this path
  // (member_path.h).
  const void* member_id = nullptr;

  // Returns true if the path to the member begins with the path of `member_id`, and is longer.
  bool (*lies_behind)(const void* member_id) = nullptr;

  // The identity of the path to the innermost optional behind which the member lies; null: none.
  const void* optional_id = nullptr;

  // The form that the value can take in a key template.
  PartKind part_kind = PartKind::kNone;

  // True if the attribute is a part of the entity's primary key.
  bool in_key = false;

  // True if the value is stored only in the text of the primary key.
  bool in_key_only = false;

  // True if an empty value of the member's type is stored as an absent attribute: an optional, a set.
  bool may_be_empty = false;

  // True if the attribute is declared with Required().
  bool is_required = false;

  // True if no update can change the attribute: it is declared with ReadOnly, Always, Derived or
  // Version.
  bool is_read_only = false;

  // True if the attribute is the entity's version.
  bool is_version = false;

  // Returns true if the struct has a value to store: is_reachable returns true, and the member is
  // neither an empty optional nor an empty set.
  bool (*is_present)(const void* value) = nullptr;

  // Returns true if every optional on the path to the member is filled.
  bool (*is_reachable)(const void* value) = nullptr;

  // Writes the member to `*to` as an attribute value. REQUIRES: is_present(value)
  Status (*encode)(const void* value, AttributeValue* to) = nullptr;

  // Reads the member from `from`. Fills the empty optionals on the path, even if decoding fails.
  Status (*decode)(AttributeView from, void* value) = nullptr;

  // True if `decode` accepts every value that `encode` returns and that can be stored.
  bool reads_back = false;

  // Each function below is null if the attribute does not have the rule of the same name.

  // Sets the member if it has the default value of its type. Creates the values of empty optionals
  // on the path to the member.
  void (*if_unset)(void* value, const FillContext& context) = nullptr;

  // Sets the member. Creates the values of empty optionals on the path to it.
  void (*always)(void* value, const FillContext& context) = nullptr;

  // Sets the member from the other members of the struct.
  void (*derive)(void* value) = nullptr;

  // The identities (MemberId) of the only members on which `derive` depends. Empty if it may depend on
  // the whole struct.
  std::span<const void* const> inputs = {};

  // Returns true if the member's value is allowed (MemberAttribute::Check). `check_words` is the end
  // of a sentence for the other values. REQUIRES: is_present(value)
  bool (*check)(const void* value) = nullptr;
  std::string_view check_words = {};

  // Sets the member to the value of its initialiser. REQUIRES: is_reachable(value)
  void (*hide)(void* value) = nullptr;

  // Returns the member that holds all attributes that the entity does not declare (Rest). Such a
  // member has no attribute of its own.
  Map* (*rest)(void* value) = nullptr;

  // Sets the member to `version`.
  void (*set_version)(void* value, std::int64_t version) = nullptr;

  // Returns true if each update computes the attribute again.
  constexpr bool IsComputed() const { return derive != nullptr && !in_key; }
};

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
