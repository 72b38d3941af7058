// The description of an entity without its C++ types: attributes and keys.
//
// definition.h creates one constant EntitySpec for each entity (entity::kSpec). The parts of the
// layer that are not templates take the EntitySpec and a pointer to the struct.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/key_template.h"
#include "dolmen/result.h"

namespace dolmen::entity {

// A key of an entity, in the table or in an index.
struct KeySpec {
  // The index's name. "" for the primary key.
  std::string_view index = {};

  // The declared names of the key attributes. "" if an index uses the conventional names, which
  // PartitionName and SortName build.
  std::string_view partition_name = {};
  std::string_view sort_name = {};

  KeyTemplate partition = {};
  KeyTemplate sort = {};

  // True if the key has a sort key.
  bool has_sort = false;

  // True in a local index. Its partition key is that of the primary key.
  bool is_local = false;

  // Return the names of the key attributes. Without declared names, return the conventional ones:
  // PK and SK for the table, GSI1PK and GSI1SK for the index GSI1.
  std::string PartitionName() const;
  std::string SortName() const;

  // Returns the name of a key attribute that an item has exactly if the item is in the index.
  std::string MarkName() const { return is_local ? SortName() : PartitionName(); }

  // Returns true if `attribute`, a position in EntitySpec::attributes, is a part of the partition
  // key or of the sort key.
  constexpr bool HasPart(std::size_t attribute) const {
    return partition.HasPart(attribute) || sort.HasPart(attribute);
  }
};

// A promise that no two items of an entity have the same value of an attribute
// (EntityDefinition::Unique).
struct UniqueSpec {
  std::string_view claim = {};  // the name of the claims
  std::size_t attribute = 0;    // the position in EntitySpec::attributes
};

struct EntitySpec;
class WriteConstants;

// An attribute of an edge, and the attribute of the inverse that holds the same value.
struct SharedAttribute {
  std::string_view name = {};
  std::string_view inverse_name = {};
};

// The inverse of an entity that is an edge (EntityDefinition::Edge).
struct EdgeSpec {
  static constexpr std::size_t kSharedMax = 4;

  // Returns the entity of the inverse. A function, because an entity can be its own inverse.
  const EntitySpec& (*inverse)() = nullptr;

  // The shared attributes with different names. All others have the same name in both entities.
  std::array<SharedAttribute, kSharedMax> renamed = {};
};

// The description of an entity without its C++ types. A constant of the program, so all its views
// stay valid. Thread-safe.
struct EntitySpec {
  // The entity's name: the value of the type attribute in each item, also used in messages.
  std::string_view name = {};

  // The other values of the type attribute that mean this entity.
  std::span<const std::string_view> other_names = {};

  // The attribute that holds the entity's name, "entityType" by default.
  std::string_view type_attribute = {};

  // The attributes in the order of their declaration. The whole entity layer identifies an
  // attribute by its position in this span.
  std::span<const AttributeSpec> attributes = {};

  // The keys: the primary key first, then the keys of indexes.
  std::span<const KeySpec> keys = {};

  // The version of the entity (EntityDefinition::Version).
  std::int64_t format = 1;

  // The functions that upgrade an item, by its version: upgrades[2] from version 2 to version 3. A
  // null pointer means that the attributes stay as they are.
  std::span<void (*const)(Item&)> upgrades = {};

  // The attributes whose values are unique.
  std::span<const UniqueSpec> uniques = {};

  // The inverse of the entity; at most one.
  std::span<const EdgeSpec> edges = {};

  // Returns true if a write of the entity may add further writes to the transaction.
  constexpr bool AddsWrites() const { return !uniques.empty() || !edges.empty(); }

  // True if a read hides some members (MemberAttribute::Hidden).
  bool hides_members = false;

  // Creates a struct of the entity with the values of its initialisers, and deletes it (OwnedStruct).
  void* (*create)() = nullptr;
  void (*destroy)(void* value) = nullptr;

  // Returns what the planner of writes needs and what depends on the entity alone (write_constants.h).
  const WriteConstants& (*write_constants)() = nullptr;

  const KeySpec& primary() const { return keys.front(); }

  // Returns the entity's key in the index, or null if the entity declares none. "" means the
  // table.
  const KeySpec* FindKey(std::string_view index) const;

  // Returns the version attribute, or null if the entity has no version.
  const AttributeSpec* version() const;
};

// Returns the WriteConstants of an entity. They are never destroyed.
const WriteConstants& MakeWriteConstants(const EntitySpec& entity);

// The only owner of a struct of an entity. Owns no struct after its default constructor and after a
// move.
class OwnedStruct {
 public:
  OwnedStruct() = default;

  // Creates a struct with the values of its initialisers.
  explicit OwnedStruct(const EntitySpec& entity)
      : value_(entity.create()), destroy_(entity.destroy) {}

  OwnedStruct(OwnedStruct&& other) noexcept;
  OwnedStruct& operator=(OwnedStruct&& other) noexcept;
  ~OwnedStruct();

  // Returns the struct. Null if the object owns no struct.
  void* get() const DOLMEN_LIFETIME_BOUND { return value_; }

 private:
  void* value_ = nullptr;
  void (*destroy_)(void* value) = nullptr;
};

// Returns kValidation with the message "<entity>: attribute <attribute> <message>".
Status InvalidAttribute(const EntitySpec& entity, std::string_view attribute,
                        const std::string& message);

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
