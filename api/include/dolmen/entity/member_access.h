// The functions of an AttributeSpec for one member of a struct: templates that cast an untyped
// pointer back to the struct.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "dolmen/entity/codec.h"
#include "dolmen/entity/collection_codecs.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/entity/member_path.h"

namespace dolmen::entity {

// True for the types whose empty value is stored as an absent attribute.
template <typename Member>
inline constexpr bool kCanBeAbsent = kIsOptional<Member> || AnySet<Member>;

// Returns true if the member is an empty optional or an empty set.
template <typename Member>
bool IsAbsent(const Member& member) {
  if constexpr (kIsOptional<Member>) return !member.has_value();
  if constexpr (AnySet<Member>) return member.empty();
  return false;
}

// Functions of an AttributeSpec that all members share for which the answer is always the same.
inline bool Always(const void*) { return true; }
constexpr bool Never(const void*) { return false; }

// The functions of an AttributeSpec for one member; attribute_spec.h has their contracts. The
// functions cast `value` back to a Path::Struct and encode its member with Codec.
template <typename Codec, typename Path>
struct MemberAccess {
  using Struct = typename Path::Struct;
  using Member = typename Path::Member;
  using Value = typename WithoutOptional<Member>::type;

  static bool IsPresent(const void* value) {
    const Member* member = Path::Find(*static_cast<const Struct*>(value));
    return member != nullptr && !IsAbsent(*member);
  }
  static bool IsReachable(const void* value) {
    return Path::Find(*static_cast<const Struct*>(value)) != nullptr;
  }
  // REQUIRES: IsPresent(value)
  static Status Encode(const void* value, AttributeValue* to) {
    const Member& member = *Path::Find(*static_cast<const Struct*>(value));
    if constexpr (kIsOptional<Member>) {
      return Codec::Encode(*member, to);
    } else {
      return Codec::Encode(member, to);
    }
  }
  static Status Decode(AttributeView from, void* value) {
    Member& member = Path::FindOrCreate(*static_cast<Struct*>(value));
    if constexpr (kIsOptional<Member>) {
      return Codec::Decode(from, &member.emplace());
    } else {
      return Codec::Decode(from, &member);
    }
  }
  // Stores `version` in the member. Does nothing if the member is not an integer, because Version()
  // rejects a member of another type at compile time.
  static void SetVersion(void* value, std::int64_t version) {
    if constexpr (std::integral<Member>) {
      Path::FindOrCreate(*static_cast<Struct*>(value)) = static_cast<Member>(version);
    }
  }
};

// True for the time points of the system's clock, for example Timestamp and sys_days.
template <typename T>
inline constexpr bool kIsTime = false;
template <typename Duration>
inline constexpr bool kIsTime<std::chrono::sys_time<Duration>> = true;

// The codec of an attribute whose type has none, until As names one.
struct MissingCodec {
  static constexpr auto kPart = PartKind::kNone;
};

// A member type whose default value means "not set": an optional, a text, a time or a shard
// (sharded.h). A number is not in this list, because 0 can be a real value.
template <typename Member>
concept CanBeUnset = kIsOptional<Member> || std::same_as<Member, std::string> || kIsTime<Member> ||
                     requires { requires Member::kDefaultIsUnset; };

// Returns kFunction(context), or kFunction() if the function takes nothing.
template <auto kFunction>
auto CallFillFunction(const FillContext& context) {
  if constexpr (std::invocable<decltype(kFunction)>) {
    return kFunction();
  } else {
    return kFunction(context);
  }
}

// Sets the member to the value that the fill function returns. Rounds a time down to the unit of
// the member.
template <auto kFunction, typename Member>
void Fill(const FillContext& context, Member* member) {
  using Value = typename WithoutOptional<Member>::type;
  if constexpr (kIsTime<Value>) {
    *member = std::chrono::floor<typename Value::duration>(CallFillFunction<kFunction>(context));
  } else {
    *member = CallFillFunction<kFunction>(context);
  }
}

// Sets the member to the function's value if the member has its default value.
template <auto kFunction, typename Path>
void FillIfUnset(void* value, const FillContext& context) {
  auto& member = Path::FindOrCreate(*static_cast<typename Path::Struct*>(value));
  if (member == typename Path::Member{}) Fill<kFunction>(context, &member);
}

// Sets the member to the function's value.
template <auto kFunction, typename Path>
void FillAlways(void* value, const FillContext& context) {
  Fill<kFunction>(context, &Path::FindOrCreate(*static_cast<typename Path::Struct*>(value)));
}

// True if Pointer points to a data member of Struct.
template <typename Struct, typename Pointer>
inline constexpr bool kIsMemberOf = false;
template <typename Struct, typename Member>
inline constexpr bool kIsMemberOf<Struct, Member Struct::*> = std::is_object_v<Member>;

// Returns kFunction(the members kInputs of `whole`), or kFunction(whole) if there are no kInputs.
template <auto kFunction, auto... kInputs, typename Struct>
auto CallDerived(const Struct& whole)
  requires(sizeof...(kInputs) == 0 ? std::invocable<decltype(kFunction), const Struct&>
                                   : requires { kFunction(whole.*kInputs...); })
{
  if constexpr (sizeof...(kInputs) == 0) {
    return kFunction(whole);
  } else {
    return kFunction(whole.*kInputs...);
  }
}

// True if the member can be set to the function's value.
template <typename Path, auto kFunction, auto... kInputs>
concept CanDerive = requires(typename Path::Member& member, const typename Path::Struct& whole) {
  member = CallDerived<kFunction, kInputs...>(whole);
};

// Sets the member to the function's value.
template <typename Path, auto kFunction, auto... kInputs>
void Derive(void* value) {
  auto& whole = *static_cast<typename Path::Struct*>(value);
  Path::FindOrCreate(whole) = CallDerived<kFunction, kInputs...>(std::as_const(whole));
}

// Returns kFunction(value of the member). REQUIRES: the member has a value
template <auto kFunction, typename Path>
bool IsAllowed(const void* value) {
  const auto& member = *Path::Find(*static_cast<const typename Path::Struct*>(value));
  if constexpr (kIsOptional<typename Path::Member>) {
    return kFunction(*member);
  } else {
    return kFunction(member);
  }
}

// Sets the member to the value of its initialiser.
template <typename Path>
void Hide(void* value) {
  typename Path::Struct initial{};
  Path::FindOrCreate(*static_cast<typename Path::Struct*>(value)) =
      std::move(Path::FindOrCreate(initial));
}

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
