// The attributes of an entity, bound to the members of its struct:
//
//   Attribute<&Message::body>("body")
//   Attribute<&Message::created_at>("createdAt").IfUnset<Now>().ReadOnly()
//   Attribute<&Participant::id, &ParticipantId::user_id>("userId").InKeyOnly()   a member's member
//
// The member's type says how it is stored (codec.h) and whether it may be absent: std::optional
// may, all others are required, in what is read too.  A std::optional on the way to a member stands
// for all the attributes that go through it: they are all there or all absent.  Default values are
// the struct's own initialisers; but of optionals and sets, whose absence is a value, leave them
// empty.

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/codec.h"
#include "dolmen/entity/collection_codecs.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/entity/member_path.h"

namespace dolmen {

namespace entity {

// Whether a value of the type can be left out of an item.
template <typename Member>
inline constexpr bool kCanBeAbsent = kIsOptional<Member> || AnySet<Member>;

template <typename Member>
bool IsAbsent(const Member& member) {
  if constexpr (kIsOptional<Member>) return !member.has_value();
  if constexpr (AnySet<Member>) return member.empty();
  return false;
}

// The functions of a spec for one member.
template <typename Codec, typename Path>
struct MemberAccess {
  using Struct = typename Path::Struct;
  using Member = typename Path::Member;
  using Value = typename WithoutOptional<Member>::type;

  static const Member* Find(const void* value) {
    return Path::Find(*static_cast<const Struct*>(value));
  }
  static Member& FindOrCreate(void* value) {
    return Path::FindOrCreate(*static_cast<Struct*>(value));
  }

  static bool IsPresent(const void* value) {
    const Member* member = Find(value);
    return member != nullptr && !IsAbsent(*member);
  }
  static bool IsReachable(const void* value) { return Find(value) != nullptr; }
  static Problem Encode(const void* value, AttributeValue* to) {
    const Member& member = *Find(value);
    if constexpr (kIsOptional<Member>) {
      return Codec::Encode(*member, to);
    } else {
      return Codec::Encode(member, to);
    }
  }
  static Problem Decode(AttributeView from, void* value) {
    Member& member = FindOrCreate(value);
    if constexpr (kIsOptional<Member>) {
      return Codec::Decode(from, &member.emplace());
    } else {
      return Codec::Decode(from, &member);
    }
  }
  static void SetVersion(void* value, std::int64_t version) {
    if constexpr (std::integral<Member>) FindOrCreate(value) = static_cast<Member>(version);
  }
};

template <typename Member>
concept CanBeUnset =
    kIsOptional<Member> || std::same_as<Member, std::string> || std::same_as<Member, Timestamp>;

template <auto kFunction, typename Path>
void FillIfUnset(void* value, const FillContext& context) {
  auto& member = Path::FindOrCreate(*static_cast<typename Path::Struct*>(value));
  if (member == typename Path::Member{}) member = kFunction(context);
}

template <auto kFunction, typename Path>
void FillAlways(void* value, const FillContext& context) {
  Path::FindOrCreate(*static_cast<typename Path::Struct*>(value)) = kFunction(context);
}

template <auto kFunction, typename Path>
void Derive(void* value) {
  auto& whole = *static_cast<typename Path::Struct*>(value);
  Path::FindOrCreate(whole) = kFunction(std::as_const(whole));
}

}  // namespace entity

// An attribute of the struct T, whatever its type.
template <typename T>
struct AttributeOf {
  entity::AttributeSpec spec;
};

// What Attribute<...> makes: each method returns it with one rule more.
template <typename Codec, auto... kPath>
class MemberAttribute {
 public:
  using Path = entity::MemberPath<kPath...>;
  using Member = typename Path::Member;

  consteval explicit MemberAttribute(std::string_view name) {
    using Access = entity::MemberAccess<Codec, Path>;
    spec_.name = name;
    spec_.member_id = &entity::kMemberId<kPath...>;
    spec_.part_kind = Codec::kPart;
    spec_.is_required = !entity::kCanBeAbsent<Member>;
    spec_.is_present = Access::IsPresent;
    spec_.is_reachable = Access::IsReachable;
    spec_.encode = Access::Encode;
    spec_.decode = Access::Decode;
  }

  // An optional that must be there all the same, when it is written and when it is read.
  consteval MemberAttribute Required() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.is_required = true; });
  }

  // No update changes it.
  consteval MemberAttribute ReadOnly() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.is_read_only = true; });
  }

  // It is stored in the primary key's text, where it is read from, and nowhere else.
  consteval MemberAttribute InKeyOnly() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.in_key_only = true; });
  }

  // `kFunction(const FillContext&)` is its value when the entity is put or created with an empty
  // optional, an empty text, or the time 1970-01-01.
  template <auto kFunction>
  consteval MemberAttribute IfUnset() const {
    static_assert(entity::CanBeUnset<Member>, "only optionals, texts and times can be unset");
    return WithChange(
        [](entity::AttributeSpec& spec) { spec.if_unset = entity::FillIfUnset<kFunction, Path>; });
  }

  // `kFunction(const FillContext&)` is its value after each write, updates included; but not after
  // those of an attribute behind an optional, which they may find empty.
  template <auto kFunction>
  consteval MemberAttribute Always() const {
    return WithChange([](entity::AttributeSpec& spec) {
      spec.always = entity::FillAlways<kFunction, Path>;
      spec.is_read_only = true;
    });
  }

  // `kFunction(const Struct&)` is its value when the entity is put or created; no update changes
  // it.
  template <auto kFunction>
  consteval MemberAttribute Derived() const {
    return WithChange([](entity::AttributeSpec& spec) {
      spec.derive = entity::Derive<kFunction, Path>;
      spec.is_read_only = true;
    });
  }

  // It counts the writes, from 1.  A Put of an entity that was read before fails with
  // kTransactionConflict if it has been written since; so does an update with IfVersion.
  consteval MemberAttribute Version() const {
    static_assert(std::integral<Member>, "a version is a whole number");
    return WithChange([](entity::AttributeSpec& spec) {
      spec.set_version = entity::MemberAccess<Codec, Path>::SetVersion;
      spec.is_version = true;
      spec.is_read_only = true;
    });
  }

  // Stored by another codec than the member type's.
  template <typename OtherCodec>
  consteval auto As() const {
    return MemberAttribute<OtherCodec, kPath...>(spec_);
  }
  // A time that is stored as a number of seconds.
  consteval auto AsEpochSeconds() const { return As<EpochSecondsCodec>(); }

  consteval operator AttributeOf<typename Path::Struct>() const { return {spec_}; }

 private:
  template <typename, auto...>
  friend class MemberAttribute;

  consteval explicit MemberAttribute(const entity::AttributeSpec& other)
      : MemberAttribute(other.name) {
    spec_.in_key_only = other.in_key_only;
    spec_.is_required = other.is_required;
    spec_.is_read_only = other.is_read_only;
    spec_.if_unset = other.if_unset;
    spec_.always = other.always;
    spec_.derive = other.derive;
    spec_.is_version = other.is_version;
    spec_.set_version = other.set_version;
  }

  template <typename Change>
  consteval MemberAttribute WithChange(Change change) const {
    MemberAttribute changed = *this;
    change(changed.spec_);
    return changed;
  }

  entity::AttributeSpec spec_;
};

// The member at the end of kPath as an attribute.
template <auto... kPath>
consteval auto Attribute(std::string_view name) {
  using Member = typename entity::MemberPath<kPath...>::Member;
  return MemberAttribute<AttributeCodec<typename entity::WithoutOptional<Member>::type>, kPath...>(
      name);
}

}  // namespace dolmen
