// The declaration of an entity: a constexpr function DescribeEntity in the namespace of its struct.
//
//   struct Message {
//     std::string conversation_id;
//     std::string id;
//     std::string body;
//     Timestamp created_at;
//   };
//
//   constexpr auto DescribeEntity(const Message*) {
//     return DefineEntity<Message>("message",
//                                  {Attribute<&Message::conversation_id>("conversationId"),
//                                   Attribute<&Message::id>("messageId").IfUnset<NewUlid>(),
//                                   Attribute<&Message::body>("body"),
//                                   Attribute<&Message::created_at>("createdAt").IfUnset<Now>()},
//                                  {PrimaryKey("CONVO#{conversationId}", "MSG#{messageId}")});
//   }
//
// The struct must be default-constructible and movable. Members without an attribute are not
// stored. A read sets them to the values of their initialisers.
//
// A Message is stored as this item:
//
//   PK = "CONVO#c_01", SK = "MSG#01HW1A...", entityType = "message", conversationId = "c_01",
//   messageId = "01HW1A...", body = "Hello", createdAt = "2026-04-15T10:30:00.250Z"
//
// The compiler checks the whole declaration when the program first uses the entity (DefineEntity).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute.h"  // IWYU pragma: export
#include "dolmen/entity/definition_checks.h"
#include "dolmen/entity/entity_spec.h"
#include "dolmen/entity/key.h"  // IWYU pragma: export
#include "dolmen/entity/mistakes.h"
#include "dolmen/entity/nested_struct.h"  // IWYU pragma: export

namespace dolmen {

// The default name of the type attribute, which holds the entity's name in each item.
inline constexpr std::string_view kEntityType = "entityType";

// The name of the attribute that holds the version of the entity (EntityDefinition::Version).
inline constexpr std::string_view kEntityVersion = "entityVersion";

// Renames an attribute of the item. Does nothing if the item lacks it.
void RenameAttribute(Item* item, std::string_view from, std::string_view to);

namespace entity {

// Returns the description of the entity T. Not constexpr: Clang would then need the declaration of an
// entity that is its own inverse within that declaration.
template <typename T>
const EntitySpec& SpecOf();

}  // namespace entity

// The declaration of an entity whose struct is T. DefineEntity creates the declaration, and
// DescribeEntity returns it.
template <typename T, std::size_t kAttributes, std::size_t kKeys>
struct EntityDefinition {
  using Struct = T;

  static constexpr std::size_t kOtherNamesMax = 4;
  static constexpr int kVersionMax = 31;
  static constexpr std::size_t kUniquesMax = 4;

  std::string_view name;
  std::string_view type_attribute;
  std::array<entity::AttributeSpec, kAttributes> attributes = {};
  std::array<entity::KeySpec, kKeys> keys = {};
  std::array<std::string_view, kOtherNamesMax> other_names = {};
  std::size_t other_name_count = 0;
  int format = 1;
  std::array<void (*)(Item&), kVersionMax + 1> upgrades = {};
  std::array<entity::UniqueSpec, kUniquesMax> uniques = {};
  std::size_t unique_count = 0;
  std::array<entity::EdgeSpec, 1> edges = {};
  std::size_t edge_count = 0;

  // Returns the declaration with other values of the type attribute that mean this entity, at most
  // 4. Reads accept them, for example those of other programs or of a former name. Writes of a whole
  // entity store `name`.
  //
  //   return DefineEntity<Student>("student", {...}, {...}).AlsoNamed("STUDENT", "Student");
  template <typename... Names>
  consteval EntityDefinition AlsoNamed(Names... names) const {
    static_assert(sizeof...(Names) <= kOtherNamesMax, "an entity has at most 4 other names");
    EntityDefinition named = *this;
    named.other_names = {std::string_view(names)...};
    named.other_name_count = sizeof...(Names);
    return named;
  }

  // Returns the declaration as version `number` of the entity, 2 to 31. Writes store the number in
  // the attribute `entityVersion`. An item without this attribute has version 1.
  //
  // Use versions if the meaning of an attribute changes, for example its name or its unit. A new
  // attribute needs no new version.
  //
  //   return DefineEntity<Task>("task", {...}, {...})
  //       .Version(3)
  //       .From<1>([](Item& item) { RenameAttribute(&item, "name", "title"); })
  //       .From<2>([](Item& item) { item["hours"] = 8; });
  consteval EntityDefinition Version(int number) const {
    EntityDefinition changed = *this;
    if (number < 2 || number > kVersionMax) {
      changed.mistake.Add(entity::Rule::kVersionHasRange, name);
      return changed;
    }
    for (const entity::AttributeSpec& attribute : attributes) {
      if (attribute.name == kEntityVersion)
        changed.mistake.Add(entity::Rule::kAttributeIsNotEntityVersion, attribute.name);
    }
    changed.format = number;
    return changed;
  }

  // Sets the function that upgrades an item from version kNumber to the next version. It runs when
  // an item is read, and before an update changes an item; the update stores the upgraded item. It
  // must depend on the item alone, must not throw, and cannot change the primary key. An item of a
  // newer version is read as it is.
  // REQUIRES: Version() was called with a greater number.
  template <int kNumber>
  consteval EntityDefinition From(void (*upgrade)(Item&)) const {
    EntityDefinition changed = *this;
    if (kNumber < 1 || kNumber >= format) {
      changed.mistake.Add(entity::Rule::kUpgradeHasVersion, name);
    } else {
      changed.upgrades[kNumber] = upgrade;
    }
    return changed;
  }

  // Promises that no two entities have the same value of a member's attribute, at most 4 times. Each
  // write then makes, moves or removes a claim in its own transaction: an item whose key holds the
  // value (claims.h). An absent attribute and an empty text have no claim.
  //
  //   return DefineEntity<UserEmail>("email", {...}, {...})
  //       .Unique<&UserEmail::address>("emailClaim");
  //
  // - A write whose value has another owner fails with kResourceInUse: "address a@b is taken".
  // - A Put, a Remove, and an Update of the attribute first read the item. Every other update costs
  //   as much as before.
  // - An Update can Set or Remove the attribute, and cannot use OrCreate.
  // - Items that were written before this declaration need EntityTable::AdoptUnique.
  // - An item that expires leaves its claim: its value stays taken. Do not combine Unique with a time
  //   to live.
  // - Claims count towards the 100 writes of a transaction.
  // - A remote database whose service has no transactions refuses writes with claims (entity.h).
  // - An upgrade (From) must not change the value of a unique attribute. It can rename it.
  template <auto... kPath>
  consteval EntityDefinition Unique(std::string_view claim) const;

  // Declares that each entity is one direction of an edge, and that an item of the entity B is its
  // inverse, the other direction. Each write also writes the inverse, in its own transaction: Create
  // and Put write it, Update changes the attributes that both have, and Remove removes it. Attributes
  // that only B has stay as they are.
  //
  //   return DefineEntity<StudentEnrolment>("studentEnrolment", {...}, {...})
  //       .Edge<CourseEnrolment>();
  //
  // The two directions share the attributes with the same name. `renamed` lists shared attributes
  // that have another name in B, at most 4, for example if an entity is its own inverse:
  //
  //       .Edge<Friend>({{"userId", "friendId"}, {"friendId", "userId"}})
  //
  // An update cannot use OrCreate. CheckTable (table_check.h) checks these rules:
  // - Both entities are in the same table, and their primary keys contain the same attributes.
  // - A shared attribute that is Always or Derived in one direction is so in the other.
  // - B has no unique attributes.
  // A remote database whose service has no transactions refuses these writes (entity.h).
  // Writes of B that the program makes itself, and migrations, do not write the other direction.
  // EntityTable::VerifyEdges finds directions without their inverse.
  template <typename B>
  consteval EntityDefinition Edge(
      const std::array<entity::SharedAttribute, entity::EdgeSpec::kSharedMax>& renamed = {}) const {
    EntityDefinition changed = *this;
    if (edge_count == 1) {
      changed.mistake.Add(entity::Rule::kOneEdge, name);
      return changed;
    }
    entity::EdgeSpec& edge = changed.edges[changed.edge_count++];
    edge.inverse = &entity::SpecOf<B>;
    for (std::size_t i = 0; i < renamed.size(); ++i) edge.renamed[i] = renamed[i];
    return changed;
  }

  // The first mistake in the declaration. The compiler reports it when the entity is used.
  entity::Mistake mistake = {};
};

template <typename T, std::size_t kAttributes, std::size_t kKeys>
template <auto... kPath>
consteval EntityDefinition<T, kAttributes, kKeys> EntityDefinition<T, kAttributes, kKeys>::Unique(
    std::string_view claim) const {
  EntityDefinition changed = *this;
  const std::size_t position = entity::PositionOf<kPath...>(attributes);
  if (position == kAttributes) {
    changed.mistake.Add(entity::Rule::kUniqueIsAttribute, claim);
  } else if (unique_count == kUniquesMax) {
    changed.mistake.Add(entity::Rule::kUniquesMax, claim);
  } else {
    changed.uniques[changed.unique_count++] = {claim, position};
    entity::CheckUnique(attributes[position], claim, &changed.mistake);
  }
  return changed;
}

// Declares the struct T as an entity.
// - name: the value of the type attribute in the entity's items; also used in messages. Must not
//   be empty, and should be unique in the table: reads tell entities apart by this name.
// - attributes: at least one, each bound to a member of T.
// - keys: PrimaryKey first, then at most one IndexKey or LocalIndexKey for each index.
// - type_attribute: the attribute that holds `name`. All entities of a table should share it.
//
// Runs at compile time. The compiler rejects the use of an entity in whose declaration:
// - a name is empty, or two attributes have the same name
// - an attribute has the name of the type attribute, or of a key attribute whose template is not
//   that attribute alone ({name})
// - a template has a mistake, or names an attribute that the entity does not have
// - an attribute of the primary key may be absent (to correct this, add Required() or use a type
//   that cannot be absent)
// - an InKeyOnly() attribute is not in the primary key, or is there only as {name:date} or
//   {name:lower}
// - a number stands in a sort key without a width
// - two attributes are versions, or one index has two keys
// - Derived names a member that has no attribute, or a Derived attribute that is declared later
// The first error names the attribute (mistakes.h).
//
// Adding attributes, entities and indexes keeps stored items readable (attribute.h). So does renaming
// an entity, if AlsoNamed gives its former name. Renaming an attribute or a literal of a template
// changes the stored form: items that were stored before lack the attribute, or are not found.
//
// An item without the type attribute, as other programs write it, belongs to the entity whose
// primary key it has.
template <typename T, std::size_t kAttributes, std::size_t kKeys>
consteval auto DefineEntity(std::string_view name, const AttributeOf<T> (&attributes)[kAttributes],
                            const KeyDeclaration (&keys)[kKeys],
                            std::string_view type_attribute = kEntityType) {
  EntityDefinition<T, kAttributes, kKeys> entity = {.name = name, .type_attribute = type_attribute};
  for (std::size_t i = 0; i < kAttributes; ++i) entity.attributes[i] = attributes[i].spec;
  for (std::size_t i = 0; i < kKeys; ++i) {
    if (keys[i].index.empty() != (i == 0))
      entity.mistake.Add(entity::Rule::kPrimaryKeyIsFirst, keys[i].partition);
    entity.keys[i] = entity::ResolveKey(keys[i], keys[0], entity.attributes, &entity.mistake);
  }
  for (std::size_t i = 0; i < kAttributes; ++i) {
    entity.attributes[i].in_key = entity.keys[0].HasPart(i);
    // The item stores such an attribute once, as the key attribute.
    if (entity::IsKeyItself(entity.keys[0], entity.attributes, i))
      entity.attributes[i].in_key_only = true;
  }
  if (name.empty()) entity.mistake.Add(entity::Rule::kEntityHasName, name);
  entity::CheckAttributes(entity.attributes, entity.keys, type_attribute, &entity.mistake);
  return entity;
}

// A struct with its own DescribeEntity, found by argument-dependent lookup. A class derived from
// such a struct does not qualify.
template <typename T>
concept EntityStruct = requires(const T* none) {
  { DescribeEntity(none) };
  requires std::same_as<typename decltype(DescribeEntity(none))::Struct, T>;
};

namespace entity {

// Returns the declaration of T. Does not compile if T has no DescribeEntity, or if the declaration
// has a mistake.
template <typename T>
consteval auto FindDefinition() {
  if constexpr (EntityStruct<T>) {
    constexpr auto kDeclared = DescribeEntity(static_cast<const T*>(nullptr));
    constexpr Mistake kMistake = kDeclared.mistake;
    Report<T, kMistake.rule, Text<kMistake.name.size()>(kMistake.name)>();
    return kDeclared;
  } else {
    NoDescribeEntity<T>();
    return EntityDefinition<T, 1, 1>();
  }
}

// The declaration of the entity T.
template <typename T>
inline constexpr auto kDefinition = FindDefinition<T>();

// Returns true if a read hides some of the attributes.
consteval bool HidesMembers(std::span<const AttributeSpec> attributes) {
  for (const AttributeSpec& attribute : attributes) {
    if (attribute.hide != nullptr) return true;
  }
  return false;
}

// Do the work of EntitySpec::create and EntitySpec::destroy.
template <typename T>
void* CreateStruct() {
  return new T();
}
template <typename T>
void DestroyStruct(void* value) {
  delete static_cast<T*>(value);
}

template <typename T>
const WriteConstants& WriteConstantsOf();

// The declaration of the entity T for code that is not a template. Views point into
// kDefinition<T>.
template <typename T>
inline constexpr EntitySpec kSpec = {
    .name = kDefinition<T>.name,
    .other_names = {kDefinition<T>.other_names.data(), kDefinition<T>.other_name_count},
    .type_attribute = kDefinition<T>.type_attribute,
    .attributes = kDefinition<T>.attributes,
    .keys = kDefinition<T>.keys,
    .format = kDefinition<T>.format,
    .upgrades = kDefinition<T>.upgrades,
    .uniques = {kDefinition<T>.uniques.data(), kDefinition<T>.unique_count},
    .edges = {kDefinition<T>.edges.data(), kDefinition<T>.edge_count},
    .hides_members = HidesMembers(kDefinition<T>.attributes),
    .create = &CreateStruct<T>,
    .destroy = &DestroyStruct<T>,
    .write_constants = &WriteConstantsOf<T>};

// Does the work of EntitySpec::write_constants: makes the constants when T is first written.
template <typename T>
const WriteConstants& WriteConstantsOf() {
  static const WriteConstants& constants = MakeWriteConstants(kSpec<T>);
  return constants;
}

template <typename T>
const EntitySpec& SpecOf() {
  return kSpec<T>;
}

// Returns the position of a member's attribute in EntitySpec::attributes, or the number of
// attributes if the entity has no attribute for the member.
template <auto kFirst, auto... kRest>
consteval std::size_t FindPosition() {
  using Struct = typename MemberPath<kFirst, kRest...>::Struct;
  return PositionOf<kFirst, kRest...>(kDefinition<Struct>.attributes);
}

// Returns the position of a member's attribute in EntitySpec::attributes. Does not compile if the
// entity has no attribute for the member.
template <auto... kPath>
consteval std::size_t AttributePosition() {
  constexpr std::size_t kPosition = FindPosition<kPath...>();
  if constexpr (kPosition == kDefinition<typename MemberPath<kPath...>::Struct>.attributes.size()) {
    NoAttribute<kPath...>();
    return 0;
  } else {
    return kPosition;
  }
}

}  // namespace entity

// Returns the entity's name, the first argument of DefineEntity.
template <typename T>
constexpr std::string_view EntityName() {
  return entity::kDefinition<T>.name;
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
