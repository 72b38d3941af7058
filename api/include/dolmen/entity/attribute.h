// The attributes of an entity, each bound to a member of the entity's struct.
//
//   Attribute<&Message::body>("body")
//   Attribute<&Message::created_at>("createdAt").IfUnset<Now>().ReadOnly()
//   Attribute<&Participant::id, &ParticipantId::user_id>("userId").InKeyOnly()
//
// The third line names a member of a member: participant.id.user_id.
//
// The member's type decides how the attribute is stored (codec.h) and whether it is stored at all:
// - std::optional<V>: not stored if empty. A stored NULL is read as empty, too.
// - StringSet, NumberSet, BinarySet, std::set: not stored if empty.
// - Every other type: always stored.
//
// A read gives a member without a stored attribute the value of the member's own initialiser. A
// struct can therefore get a new member at any time: items that were written before have the
// initialiser's value. Required() makes an absent attribute an error instead. A condition or a
// filter does not see initialisers: it compares the stored attributes alone.
//
// A std::optional on the path to a member (optional<Card>, then Card::number) groups all attributes
// whose path goes through it. If the optional is empty, no attribute of the group is stored. If an
// attribute of the group is stored, the optional is filled.
//
// Do not give an optional or a set a non-empty initialiser: the initialiser would look like a
// stored value.
//
// All functions of this header run at compile time. A mistake is a compile error that names the
// attribute and the rule (mistakes.h).

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
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
#include "dolmen/entity/member_access.h"
#include "dolmen/entity/member_path.h"
#include "dolmen/entity/mistakes.h"
#include "dolmen/entity/time_codecs.h"

namespace dolmen {

// An attribute of the struct T. The type AttributeOf depends only on T, not on the member.
// Therefore, DefineEntity and DefineAttributes can take a list of AttributeOf. MemberAttribute
// converts to AttributeOf implicitly.
template <typename T>
struct AttributeOf {
  entity::AttributeSpec spec;
};

// An attribute that is being declared; Attribute<...>() creates it.
//
// Each method returns a copy with one more rule and leaves the original unchanged. Rules can be
// combined in any order. Some rules only compile for some member types, as stated below.
template <typename Codec, auto... kPath>
class MemberAttribute {
 public:
  using Path = entity::MemberPath<kPath...>;
  using Member = typename Path::Member;

  consteval explicit MemberAttribute(std::string_view name) {
    using Access = entity::MemberAccess<Codec, Path>;
    spec_.name = name;
    spec_.member_id = &entity::MemberId<kPath...>::kByte;
    spec_.may_be_empty = entity::kCanBeAbsent<Member>;
    // Most members are not behind another one. They share functions, which compile once.
    if constexpr (sizeof...(kPath) > 1) {
      spec_.lies_behind = entity::PathBegin<>::LiesBehind<kPath...>;
      spec_.optional_id = entity::PathBegin<>::InnermostOptional<kPath...>();
      spec_.is_reachable = Access::IsReachable;
    } else {
      spec_.lies_behind = entity::Never;
      spec_.is_reachable = entity::Always;
    }
    if constexpr (sizeof...(kPath) > 1 || entity::kCanBeAbsent<Member>) {
      spec_.is_present = Access::IsPresent;
    } else {
      spec_.is_present = entity::Always;
    }
    SetCodec();
  }

  // Makes an item without the attribute an error, which is that of the item and not of its page
  // (EntityPage::damaged). An optional that is part of the primary key must be required.
  // - kValidation: a Create, Put or BatchPut has no value, or an update removes the attribute.
  // - kCorruption: a read finds an item in which the attribute is absent or NULL.
  consteval MemberAttribute Required() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.is_required = true; });
  }

  // Rejects every update that names the attribute with kValidation. Create and Put still write the
  // member's value.
  consteval MemberAttribute ReadOnly() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.is_read_only = true; });
  }

  // Stores the value only in the text of the primary key, and reads it from there. This saves the
  // bytes of a separate attribute. The primary key must contain the whole value, so the forms
  // {name:date} and {name:lower} are not possible. A condition or filter cannot use the attribute (AttrOf).
  consteval MemberAttribute InKeyOnly() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.in_key_only = true; });
  }

  // Sets the member to `kFunction(const FillContext&)`, or to `kFunction()`, if the entity is written
  // with an empty optional, an empty text, the time 1970-01-01T00:00:00.000Z or a shard that is not
  // set.
  //
  // Applies to Create, Put and BatchPut. An update applies it only with Changes::OrCreate, and
  // only to an attribute that the item lacks. If an optional on the path is empty, the rule does
  // not apply.
  //
  //   Attribute<&Message::id>("messageId").IfUnset<NewUlid>()
  template <auto kFunction>
  consteval MemberAttribute IfUnset() const {
    static_assert(entity::CanBeUnset<Member>,
                  "IfUnset needs an optional, a text, a time or a shard");
    return WithChange(
        [](entity::AttributeSpec& spec) { spec.if_unset = entity::FillIfUnset<kFunction, Path>; });
  }

  // Sets the member to `kFunction(const FillContext&)`, or to `kFunction()`, with every Create, Put,
  // BatchPut and update. The attribute becomes read-only.
  //
  // An update does not set an attribute whose path goes through an optional, because the stored
  // item may lack the other attributes of that optional.
  //
  //   Attribute<&Booking::updated_at>("updatedAt").Always<Now>()
  template <auto kFunction>
  consteval MemberAttribute Always() const {
    return WithChange([](entity::AttributeSpec& spec) {
      spec.always = entity::FillAlways<kFunction, Path>;
      spec.is_read_only = true;
    });
  }

  // Sets the member to `kFunction(const Struct&)` with every Create, Put, BatchPut and update, after
  // all other rules have set their members. The attribute becomes read-only.
  //
  // An update computes the value from the updated item, also the value of an index's key. It does not
  // change an attribute of the primary key.
  //
  //   std::string LabelOf(const Booking& booking) { return booking.guest_id + " at " + ... ; }
  //   Attribute<&Booking::label>("label").Derived<LabelOf>()
  //
  // With kInputs, members of the struct that are attributes, the function gets the values of these
  // members in place of the struct. An update on a service then needs no read if it sets the inputs,
  // or if they are in the primary key (api/remote/README.md).
  //
  //   Attribute<&Student::shard>("shard").Derived<Sharded<10>::OfHash, &Student::id>()
  template <auto kFunction, auto... kInputs>
  consteval MemberAttribute Derived() const {
    static_assert((entity::kIsMemberOf<typename Path::Struct, decltype(kInputs)> && ...),
                  "Derived needs members of the entity's struct");
    static_assert(
        entity::CanDerive<Path, kFunction, kInputs...>,
        "the function of Derived cannot take its members or return the attribute's value");
    return WithChange([](entity::AttributeSpec& spec) {
      spec.derive = entity::Derive<Path, kFunction, kInputs...>;
      spec.inputs = entity::MemberIds<kInputs...>::kAll;
      spec.is_read_only = true;
    });
  }

  // Rejects a value for which `kFunction(const Value&)` is false: kValidation with the attribute's
  // name and `words`, the end of a sentence. Applies to Create, Put, BatchPut and Migrate, and to an
  // update that changes the attribute; an absent value is allowed. Reads return items that break the
  // rule.
  //
  //   bool IsPhone(const std::string& text) { return text.starts_with('+'); }
  //   Attribute<&User::phone>("phone").Check<IsPhone>("is not a phone number")
  template <auto kFunction>
  consteval MemberAttribute Check(std::string_view words) const {
    return WithChange([words](entity::AttributeSpec& spec) {
      spec.check = entity::IsAllowed<kFunction, Path>;
      spec.check_words = words;
    });
  }

  // Makes reads leave the member at the value of its initialiser, for example that of a password's
  // hash: Get and the other reads of EntityTable, queries, scans, and the result of Update. To read
  // the attribute, name it in a query (EntityQuery::Project). FromItem and Subscribe read it, too.
  //
  // To change an entity that a read has returned, use Update: a Put would erase the hidden value. The
  // attribute cannot be part of the primary key.
  consteval MemberAttribute Hidden() const {
    return WithChange([](entity::AttributeSpec& spec) { spec.hide = entity::Hide<Path>; });
  }

  // Makes the attribute a counter of the entity's writes, for optimistic locking. The member must
  // be an integer. An entity has at most one version. The attribute becomes read-only.
  //
  // - Create stores 1, whatever the member holds.
  // - Put replaces only an item whose version equals the member, and stores the member plus 1. If
  //   the member is 0, an item with the key must not exist. Otherwise Put fails with
  //   kTransactionConflict.
  // - Update adds 1. It checks the version only with Changes::IfVersion.
  // - BatchPut rejects the entity with kValidation, because a batch cannot check a version.
  consteval MemberAttribute Version() const {
    static_assert(std::integral<Member>, "a version must be an integer");
    return WithChange([](entity::AttributeSpec& spec) {
      spec.set_version = entity::MemberAccess<Codec, Path>::SetVersion;
      spec.is_version = true;
      spec.is_read_only = true;
    });
  }

  // Stores the attribute through OtherCodec instead of the member type's codec (codec.h).
  template <typename OtherCodec>
  consteval auto As() const {
    return MemberAttribute<OtherCodec, kPath...>(spec_);
  }

  // Stores a Timestamp or std::chrono::sys_seconds as whole seconds since 1970 (EpochSecondsCodec),
  // for a time to live.
  consteval auto AsEpochSeconds() const { return As<EpochSecondsCodec>(); }

  // Stores a Timestamp as milliseconds since 1970 (EpochMillisecondsCodec).
  consteval auto AsEpochMilliseconds() const { return As<EpochMillisecondsCodec>(); }

  // Converts implicitly to AttributeOf, so that attributes of different types form one list.
  consteval operator AttributeOf<typename Path::Struct>() const {
    if constexpr (std::same_as<Codec, entity::MissingCodec>) entity::NoCodec<Member, kPath...>();
    return {spec_};
  }

 private:
  template <typename, auto...>
  friend class MemberAttribute;

  // Copies all rules of `other`, an attribute of the same member with a different codec.
  consteval explicit MemberAttribute(const entity::AttributeSpec& other) : spec_(other) {
    SetCodec();
  }

  consteval void SetCodec() {
    spec_.part_kind = Codec::kPart;
    spec_.reads_back = entity::kReadsBack<Codec>;
    if constexpr (!std::same_as<Codec, entity::MissingCodec>) {
      spec_.encode = entity::MemberAccess<Codec, Path>::Encode;
      spec_.decode = entity::MemberAccess<Codec, Path>::Decode;
    }
  }

  template <typename Change>
  consteval MemberAttribute WithChange(Change change) const {
    MemberAttribute changed = *this;
    change(changed.spec_);
    return changed;
  }

  entity::AttributeSpec spec_;
};

// Declares the member at the end of kPath as the attribute `name` of an item.
//
// `name` is the attribute's name in the item and in every message. It must be non-empty, unique in
// the entity, and neither the type attribute's name nor the name of a key attribute such as PK. A
// text can have the name of a key attribute if it is the whole key:
//
//   PrimaryKey("{forum}", "{thread}").Named("forum", "thread")
//
// DynamoDB's names are case-sensitive. `name` must be a string literal: the entity keeps a view of
// it.
template <auto... kPath>
consteval auto Attribute(std::string_view name) {
  using Member = typename entity::MemberPath<kPath...>::Member;
  using Value = typename entity::WithoutOptional<Member>::type;
  if constexpr (entity::HasCodec<Value>) {
    return MemberAttribute<AttributeCodec<Value>, kPath...>(name);
  } else {
    return MemberAttribute<entity::MissingCodec, kPath...>(name);
  }
}

// Declares the member at the end of kPath, of type Item, as the place of all attributes that the
// entity does not declare. An entity or a nested struct has at most one such member.
//
// A read fills the member, and Put stores its attributes again. A program therefore keeps the
// attributes that a newer version of it, or another program, has added. Without Rest, a Put removes
// these attributes. An update keeps them in any case. Names of declared attributes in the member are
// ignored. If newer programs use versions (EntityDefinition::Version), the member keeps the version
// of an item that a newer program has upgraded.
//
//   DefineEntity<Profile>("profile", {Attribute<&Profile::name>("name"), Rest<&Profile::rest>()}, ...
template <auto... kPath>
consteval AttributeOf<typename entity::MemberPath<kPath...>::Struct> Rest() {
  using Path = entity::MemberPath<kPath...>;
  static_assert(std::same_as<typename Path::Member, Item>, "Rest needs a member of type Item");
  entity::AttributeSpec spec;
  spec.name = "*";
  spec.member_id = &entity::MemberId<kPath...>::kByte;
  spec.lies_behind = entity::PathBegin<>::LiesBehind<kPath...>;
  spec.may_be_empty = true;
  spec.is_read_only = true;
  spec.is_present = entity::Never;
  spec.is_reachable = entity::Never;
  spec.rest = [](void* value) {
    return &Path::FindOrCreate(*static_cast<typename Path::Struct*>(value));
  };
  return {spec};
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
