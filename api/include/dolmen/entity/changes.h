// Updates of entities member by member, and conditions on their attributes.
//
//   Changes<Profile>().Set<&Profile::first_name>("Ann").IfVersion(3)
//   Changes<Counter>().Add<&Counter::count>(1).OrCreate()
//   Changes<Email>().Remove<&Email::token>().If(AttrOf<&Email::is_verified>() == true)
//
// EntityTable::Update and EntityTransaction::Update take a Changes. An update changes only the
// named attributes of the stored item, and the attributes that depend on them: Always attributes,
// the version, and the keys of indexes. Other attributes keep the values that other writers gave
// them.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/definition.h"

namespace dolmen {

namespace entity {

// A change of one attribute, without C++ types of the entity.
struct Change {
  // The actions of DynamoDB's UpdateExpression. kSetIfAbsent is SET with if_not_exists.
  enum class Kind : std::uint8_t { kSet, kSetIfAbsent, kAdd, kDelete, kRemove };

  // The position of the attribute in EntitySpec::attributes.
  std::size_t attribute = 0;

  Kind kind = Kind::kSet;

  // The operand. Unused for kRemove.
  AttributeValue value = {};

  // The error of the operand's codec, which makes the update fail with kValidation; ok if the
  // operand was encoded.
  Status encoded = {};

  // True if a kRemove removes all attributes behind an optional struct. Then it can remove an
  // attribute whose member is not optional.
  bool removes_struct = false;

  // True if the change of an edge is copied to its inverse. Then it can change an attribute that is
  // read-only.
  bool is_copy = false;
};

// A condition that the caller gives for a write.
struct WriteCondition {
  ConditionBuilder condition;

  // The message of the refusal if the condition is false. "": a general message.
  std::string words = {};

  // True: the refusal is kTransactionConflict (ChangeMethods::RetryUnless).
  bool is_conflict = false;
};

// All changes of one update, without C++ types of the entity.
struct ChangeList {
  // Defined in the source, so that programs need not compile them.
  ChangeList();
  ChangeList(const ChangeList& other);
  ChangeList(ChangeList&& other) noexcept;
  ChangeList& operator=(const ChangeList& other);
  ChangeList& operator=(ChangeList&& other) noexcept;
  ~ChangeList();

  std::vector<Change> changes = {};

  // The caller's conditions, which must all hold.
  std::vector<WriteCondition> conditions = {};

  // The version that the item must have. Empty: any.
  std::optional<std::int64_t> version = {};

  // True if the update may create the item.
  bool or_create = false;
};

// Returns the attribute of a member. Does not compile if the entity has no attribute for the member.
template <auto... kPath>
const AttributeSpec& SpecOfMember() {
  constexpr std::size_t kPosition = AttributePosition<kPath...>();
  return kSpec<typename MemberPath<kPath...>::Struct>.attributes[kPosition];
}

// Returns a struct with this value of the member. The other members have the values of their
// initialisers. Functions that are not templates read the member through its AttributeSpec.
template <auto... kPath>
typename MemberPath<kPath...>::Struct StructWith(
    const typename MemberPath<kPath...>::Member& member) {
  typename MemberPath<kPath...>::Struct value{};
  MemberPath<kPath...>::FindOrCreate(value) = member;
  return value;
}

// Writes the attribute of the struct at `value` to `*to`. NULL if the struct has no value of the
// attribute, or one that cannot be encoded.
void EncodeOrNull(const AttributeSpec& attribute, const void* value, AttributeValue* to);

// Does the work of IsUnchanged.
ConditionBuilder HasAttributesOf(const EntitySpec& entity, const void* value);

// Appends a change of the attribute at a position of EntitySpec::attributes.
void AppendChange(std::size_t attribute, Change::Kind kind, AttributeValue value, Status encoded,
                  ChangeList* list);

// Appends a change to the attribute's value in the struct at `value`. Of an absent value, kSet
// becomes kRemove, and kSetIfAbsent appends nothing.
void AppendEncoded(const EntitySpec& entity, std::size_t attribute, Change::Kind kind,
                   const void* value, ChangeList* list);

// Appends a change for each attribute behind a member that is a struct, except for read-only
// attributes. `member_id` is the identity of the member's path (AttributeSpec::member_id). `value`
// points to a struct of the entity that has the new values. Of an absent value, kSet becomes
// kRemove, and kSetIfAbsent appends nothing.
void AppendChangesBehind(const EntitySpec& entity, const void* member_id, Change::Kind kind,
                         const void* value, ChangeList* list);

// True if the entity has an attribute behind the member, so that the member is a struct.
template <auto kFirst, auto... kRest>
consteval bool HasAttributesBehind() {
  using Struct = typename MemberPath<kFirst, kRest...>::Struct;
  for (const AttributeSpec& attribute : kDefinition<Struct>.attributes) {
    if (attribute.lies_behind(&MemberId<kFirst, kRest...>::kByte)) return true;
  }
  return false;
}

// The operand type of Changes::Add: std::int64_t for every integer, otherwise the attribute's type.
// The operand is signed even for an unsigned member, so that an update can decrease the attribute.
template <typename Member>
struct Addend {
  using type = typename WithoutOptional<Member>::type;
};
template <typename Member>
  requires std::integral<typename WithoutOptional<Member>::type>
struct Addend<Member> {
  using type = std::int64_t;
};

}  // namespace entity

// The attribute of a member, as an operand of conditions and filters.
//
//   table.Query<Booking>()....Where(AttrOf<&Booking::guest_id>() == "g1")
//   table.Remove(room, AttrOf<&Room::note>().NotExists() && AttrOf<&Room::price>() < 100)
//
// The comparisons take a value of the member's type and encode it with the attribute's codec.
// Enums compare by their spellings, times chronologically. An absent attribute makes every
// comparison false except !=. The functions of Attr (condition_builder.h), such as BeginsWith, are
// available, too.
//
// Does not compile for an InKeyOnly attribute, which the item does not contain.
template <auto... kPath>
class AttrOf : public Attr {
 public:
  using Value =
      typename entity::WithoutOptional<typename entity::MemberPath<kPath...>::Member>::type;

  AttrOf() : Attr(name()) {}

  // Returns the attribute's name in the item.
  static std::string_view name() { return Spec().name; }

  friend ConditionBuilder operator==(const AttrOf& a, const Value& b) { return a.Base() == Of(b); }
  friend ConditionBuilder operator!=(const AttrOf& a, const Value& b) { return a.Base() != Of(b); }
  friend ConditionBuilder operator<(const AttrOf& a, const Value& b) { return a.Base() < Of(b); }
  friend ConditionBuilder operator<=(const AttrOf& a, const Value& b) { return a.Base() <= Of(b); }
  friend ConditionBuilder operator>(const AttrOf& a, const Value& b) { return a.Base() > Of(b); }
  friend ConditionBuilder operator>=(const AttrOf& a, const Value& b) { return a.Base() >= Of(b); }

  ConditionBuilder Exists() const { return AttributeExists(Base()); }
  ConditionBuilder NotExists() const { return AttributeNotExists(Base()); }

 private:
  const Attr& Base() const { return *this; }
  static const entity::AttributeSpec& Spec() {
    using Struct = typename entity::MemberPath<kPath...>::Struct;
    constexpr std::size_t kPosition = entity::AttributePosition<kPath...>();
    static_assert(!entity::kDefinition<Struct>.attributes[kPosition].in_key_only,
                  "a condition cannot use an InKeyOnly() attribute");
    return entity::kSpec<Struct>.attributes[kPosition];
  }
  // Returns the encoded value. A value that cannot be stored becomes NULL. The stored attribute
  // never equals this NULL, so == is false.
  static AttributeValue Of(const Value& value) {
    const auto with_value = entity::StructWith<kPath...>(value);
    AttributeValue encoded;
    entity::EncodeOrNull(Spec(), &with_value, &encoded);
    return encoded;
  }
};

// Returns the condition that the stored entity still has all attributes of `read`, an entity that was
// read, and lacks those that `read` lacks. For an entity without a version. Hidden attributes are not
// compared.
//
//   table.Remove(*room, IsUnchanged(*room), "the room was edited at the same time")
template <typename T>
ConditionBuilder IsUnchanged(const T& read) {
  return entity::HasAttributesOf(entity::kSpec<T>, &read);
}

// The methods of Changes and EntityUpdate (update.h), which are `Self`. They add to the changes of
// one update of an entity of type T.
//
// Each method adds one change and returns the object itself. No method fails: the write that uses
// the changes reports every mistake as kValidation, and then writes nothing:
// - the attribute is part of the primary key, or is read-only
// - the value cannot be stored, or an attribute is removed that is required or whose member is
//   neither an optional nor a set
// - two changes name the same attribute
//
// The update sets the key of an index if a change affects a part of that key, or if the item lacks
// the key. It takes the other parts from the item.
//
// Members are named by the same path as in Attribute: Set<&Participant::summary,
// &Summary::name>(...).
//
// A value type. Several threads must not change one object at the same time.
template <typename T, typename Self>
class ChangeMethods {
 public:
  // Sets the attribute to `member`. An empty optional or an empty set removes the attribute.
  //
  // The member can also be a struct whose members are attributes of the entity. Then Set sets all
  // these attributes, except for those that are read-only. An empty optional removes them.
  template <auto... kPath>
  Self& Set(const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& member) {
    return SetBy<kPath...>(entity::Change::Kind::kSet, member);
  }

  // Sets the attribute to `member` if the item lacks the attribute; otherwise keeps the stored
  // value. An empty optional or an empty set changes nothing.
  template <auto... kPath>
  Self& SetIfAbsent(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& member) {
    return SetBy<kPath...>(entity::Change::Kind::kSetIfAbsent, member);
  }

  // Removes the attribute. Does nothing if the item lacks the attribute. If the attribute is part
  // of an index's key, the item leaves the index.
  template <auto... kPath>
  Self& Remove() {
    entity::AppendChange(Position<kPath...>(), entity::Change::Kind::kRemove, {}, {}, &list_);
    return self();
  }

  // Adds `addend` to a number, or the members of `addend` to a set. An absent number counts as the
  // value of the member's initialiser, and an absent set as an empty set. The database computes the
  // sum, so concurrent updates do not overwrite each other.
  // - kValidation (from EntityTable::Update): the sum leaves the range of the member's type.
  template <auto... kPath>
  Self& Add(
      const typename entity::Addend<typename entity::MemberPath<kPath...>::Member>::type& addend) {
    using Value =
        typename entity::WithoutOptional<typename entity::MemberPath<kPath...>::Member>::type;
    static_assert(std::integral<Value> || std::floating_point<Value> ||
                      std::same_as<Value, Number> || entity::AnySet<Value>,
                  "Add needs a number or a set");
    return AppendEncoded<kPath...>(entity::Change::Kind::kAdd, addend);
  }

  // Removes `members` from a set. Ignores members that the set does not have. Removing the last
  // member removes the attribute.
  template <auto... kPath>
  Self& Delete(const typename entity::MemberPath<kPath...>::Member& members) {
    static_assert(entity::AnySet<typename entity::MemberPath<kPath...>::Member>);
    return AppendEncoded<kPath...>(entity::Change::Kind::kDelete, members);
  }

  // Makes the update depend on a condition. Several conditions must all hold. If the update
  // creates the item (OrCreate), the condition is evaluated for an item without attributes.
  // - kConditionalCheckFailed (from the write): the condition is false. Nothing is written. The
  //   message is the `words` of the first condition that is false. "": a message with the key.
  //
  //   changes.If(AttrOf<&Email::is_verified>() == true, "the address is not verified")
  Self& If(const ConditionBuilder& condition, std::string words = {}) {
    list_.conditions.push_back({.condition = condition, .words = std::move(words)});
    return self();
  }

  // Makes the update depend on a condition, as If does. A false condition is a conflict with
  // another writer, so EntityTable::Retry calls its function again.
  // - kTransactionConflict (from the write): the condition is false.
  //
  //   changes.Set<&Auction::price>(price).RetryUnless(AttrOf<&Auction::price>() < price)
  Self& RetryUnless(const ConditionBuilder& condition) {
    list_.conditions.push_back({.condition = condition, .is_conflict = true});
    return self();
  }

  // Makes the update depend on the entity's version (MemberAttribute::Version), to detect that
  // another writer changed the entity after the caller read it.
  // - kTransactionConflict (from the write): the item has a different version, or was removed.
  // - kValidation (from the write): the entity has no version attribute, or the changes contain
  //   both IfVersion and OrCreate.
  Self& IfVersion(std::int64_t version) {
    list_.version = version;
    return self();
  }

  // Lets the update create the entity if it does not exist. The new entity is the one that Create
  // would store for a struct with the key, the changes and otherwise the initialisers. If the item
  // exists, the update adds the values of IfUnset for the attributes that the item lacks.
  // - kValidation (from the write): the new entity lacks a value of a Required() attribute.
  // - kValidation (from the write): the changes contain both IfVersion and OrCreate.
  Self& OrCreate() {
    list_.or_create = true;
    return self();
  }

  // Returns the changes without their C++ types, for the entity layer. Borrowed from this object.
  const entity::ChangeList& list() const DOLMEN_LIFETIME_BOUND { return list_; }

 private:
  friend Self;
  ChangeMethods() = default;  // only Self derives from this class

  Self& self() { return static_cast<Self&>(*this); }

  // Appends a change of `kind`. For an empty value, kSet appends a removal, and kSetIfAbsent
  // appends nothing.
  template <auto... kPath>
  Self& SetBy(entity::Change::Kind kind,
              const typename entity::MemberPath<kPath...>::Member& member) {
    if constexpr (entity::HasAttributesBehind<kPath...>()) {
      static_assert(std::same_as<typename entity::MemberPath<kPath...>::Struct, T>);
      const T with_value = entity::StructWith<kPath...>(member);
      entity::AppendChangesBehind(entity::kSpec<T>, &entity::MemberId<kPath...>::kByte, kind,
                                  &with_value, &list_);
    } else {
      constexpr std::size_t kPosition = Position<kPath...>();
      const T with_value = entity::StructWith<kPath...>(member);
      entity::AppendEncoded(entity::kSpec<T>, kPosition, kind, &with_value, &list_);
    }
    return self();
  }

  // Appends a change with the operand that the codec of V writes.
  template <auto... kPath, typename V>
  Self& AppendEncoded(entity::Change::Kind kind, const V& operand) {
    AttributeValue value;
    Status encoded = AttributeCodec<V>::Encode(operand, &value);
    entity::AppendChange(Position<kPath...>(), kind, std::move(value), std::move(encoded), &list_);
    return self();
  }

  template <auto... kPath>
  static consteval std::size_t Position() {
    static_assert(std::same_as<typename entity::MemberPath<kPath...>::Struct, T>);
    return entity::AttributePosition<kPath...>();
  }

  entity::ChangeList list_;
};

// The changes of one update of an entity of type T, for EntityTable::Update and
// EntityTransaction::Update.
template <typename T>
class Changes : public ChangeMethods<T, Changes<T>> {};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
