// What an update does to an entity, member by member:
//
//   Changes<Profile>().Set<&Profile::first_name>("Ann").IfVersion(3)
//   Changes<Counter>().Add<&Counter::count>(1).OrCreate()
//
// and conditions on its attributes, with the members' types:
//
//   .If(AttrOf<&Email::is_verified>() == true)

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "dolmen/condition_builder.h"
#include "dolmen/entity/definition.h"

namespace dolmen {

namespace entity {

struct Change {
  enum class Kind : std::uint8_t { kSet, kSetIfAbsent, kAdd, kDelete, kRemove };

  std::size_t attribute = 0;  // its place in EntitySpec::attributes
  Kind kind = Kind::kSet;
  AttributeValue value = {};
  Problem problem = {};  // of the value; the update fails with it
};

// An update without its types.
struct ChangeList {
  std::vector<Change> changes = {};
  std::optional<ConditionBuilder> condition = {};
  std::optional<std::int64_t> version = {};
  bool or_create = false;
};

// The member's value as the attribute has it.  Nothing: there is none to store.
template <auto... kPath>
std::optional<AttributeValue> EncodeMember(const typename MemberPath<kPath...>::Member& member,
                                           Problem* problem) {
  using Struct = typename MemberPath<kPath...>::Struct;
  constexpr std::size_t kPosition = AttributePosition<kPath...>();
  const AttributeSpec& attribute = kSpec<Struct>.attributes[kPosition];
  Struct scratch{};
  MemberPath<kPath...>::FindOrCreate(scratch) = member;
  if (!attribute.is_present(&scratch)) return std::nullopt;
  AttributeValue value;
  *problem = attribute.encode(&scratch, &value);
  return value;
}

// What Add takes for a member.
template <typename Member>
struct Addend {
  using type = typename WithoutOptional<Member>::type;
};
template <typename Member>
  requires std::integral<typename WithoutOptional<Member>::type>
struct Addend<Member> {
  using type = std::int64_t;  // also of a count without a sign, which may go down
};

}  // namespace entity

// The attribute of a member, for conditions and filters.
template <auto... kPath>
class AttrOf : public Attr {
 public:
  using Value =
      typename entity::WithoutOptional<typename entity::MemberPath<kPath...>::Member>::type;

  AttrOf() : Attr(name()) {}

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
                  "a condition asks for attributes, and this one is in the key only");
    return entity::kSpec<Struct>.attributes[kPosition];
  }
  // A value that can't be stored equals nothing that is.
  static AttributeValue Of(const Value& value) {
    Problem problem;
    return entity::EncodeMember<kPath...>(value, &problem).value_or(AttributeValue());
  }
};

// An update.  A value; each method adds to it.  What is wrong with a change is said by the write.
template <EntityStruct T>
class Changes {
 public:
  // Gives the attribute a value; an empty optional or set removes it.
  template <auto... kPath>
  Changes& Set(const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& member) {
    return SetBy<kPath...>(entity::Change::Kind::kSet, member);
  }

  // The same, unless it has one; nothing changes nothing.
  template <auto... kPath>
  Changes& SetIfAbsent(
      const std::type_identity_t<typename entity::MemberPath<kPath...>::Member>& member) {
    return SetBy<kPath...>(entity::Change::Kind::kSetIfAbsent, member);
  }

  template <auto... kPath>
  Changes& Remove() {
    return Append<kPath...>({.kind = entity::Change::Kind::kRemove});
  }

  // Adds to a number, 0 if there is none; or members to a set.  What comes out must be one of the
  // member's values: of an unsigned one never below 0, else the item can't be read any longer.
  template <auto... kPath>
  Changes& Add(
      const typename entity::Addend<typename entity::MemberPath<kPath...>::Member>::type& addend) {
    using Value =
        typename entity::WithoutOptional<typename entity::MemberPath<kPath...>::Member>::type;
    static_assert(std::integral<Value> || std::same_as<Value, Number> || entity::AnySet<Value>,
                  "only numbers and sets can be added to");
    return Append<kPath...>({.kind = entity::Change::Kind::kAdd, .value = addend});
  }

  // Removes members of a set.
  template <auto... kPath>
  Changes& Delete(const typename entity::MemberPath<kPath...>::Member& members) {
    static_assert(entity::AnySet<typename entity::MemberPath<kPath...>::Member>);
    return Append<kPath...>({.kind = entity::Change::Kind::kDelete, .value = members});
  }

  // Only if this holds, too.  kConditionalCheckFailed if not.
  Changes& If(const ConditionBuilder& condition) {
    list_.condition = list_.condition ? *list_.condition && condition : condition;
    return *this;
  }

  // Only if nobody has written the entity since it had this version.  kTransactionConflict if not.
  Changes& IfVersion(std::int64_t version) {
    list_.version = version;
    return *this;
  }

  // Makes the entity if there is none, of its key, these changes and IfUnset's values, which an
  // entity that is there gets, too, where it has none.  Not with IfVersion.
  Changes& OrCreate() {
    list_.or_create = true;
    return *this;
  }

  const entity::ChangeList& list() const DOLMEN_LIFETIME_BOUND { return list_; }

 private:
  template <auto... kPath>
  Changes& SetBy(entity::Change::Kind kind,
                 const typename entity::MemberPath<kPath...>::Member& member) {
    Problem problem;
    std::optional<AttributeValue> value = entity::EncodeMember<kPath...>(member, &problem);
    if (!value) return kind == entity::Change::Kind::kSet ? Remove<kPath...>() : *this;
    return Append<kPath...>({.kind = kind, .value = *std::move(value), .problem = problem});
  }

  template <auto... kPath>
  Changes& Append(entity::Change change) {
    static_assert(std::same_as<typename entity::MemberPath<kPath...>::Struct, T>);
    constexpr std::size_t kPosition = entity::AttributePosition<kPath...>();
    change.attribute = kPosition;
    list_.changes.push_back(std::move(change));
    return *this;
  }

  entity::ChangeList list_;
};

}  // namespace dolmen
