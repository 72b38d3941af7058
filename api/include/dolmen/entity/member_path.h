// The path from a struct to one of its members, through members that may be std::optional.
//
//   using Path = MemberPath<&Participant::id, &ParticipantId::user_id>;
//   Path::FindOrCreate(participant) = "u_01";   // participant.id.user_id

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <optional>

namespace dolmen::entity {

// A variable that exists once for each path. Its address identifies the path: member pointers of
// different types cannot be compared, but addresses can. A member of a class, because GCC would let
// a plug-in export a variable of a namespace, even if it hides all names.
template <auto... kPath>
struct MemberId {
  static constexpr char kByte = 0;
};

// The identities of several members, each of them a path by itself.
template <auto... kMembers>
struct MemberIds {
  static constexpr std::array<const void*, sizeof...(kMembers)> kAll = {
      &MemberId<kMembers>::kByte...};
};

// True if T is a std::optional.
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// The class and the member type of a pointer to member.
template <typename T>
struct MemberPointer;
template <typename Class, typename Member>
struct MemberPointer<Member Class::*> {
  using class_type = Class;
  using member_type = Member;
};

// The first members of a path, kTaken. LiesBehind returns true if `member_id` is the identity of
// kTaken, extended by some members of kNext, but not by all of them. InnermostOptional returns the identity
// of the longest such path that ends with an optional; null: there is none.
template <auto... kTaken>
struct PathBegin {
  template <auto kNext, auto... kRest>
  static constexpr bool LiesBehind(const void* member_id) {
    if constexpr (sizeof...(kRest) == 0) {
      return false;
    } else {
      return member_id == &MemberId<kTaken..., kNext>::kByte ||
             PathBegin<kTaken..., kNext>::template LiesBehind<kRest...>(member_id);
    }
  }

  template <auto kNext, auto... kRest>
  static constexpr const void* InnermostOptional() {
    if constexpr (sizeof...(kRest) == 0) {
      return nullptr;
    } else {
      const void* const inner = PathBegin<kTaken..., kNext>::template InnermostOptional<kRest...>();
      if (inner != nullptr) return inner;
      using Member = typename MemberPointer<decltype(kNext)>::member_type;
      return kIsOptional<Member> ? &MemberId<kTaken..., kNext>::kByte : nullptr;
    }
  }
};

// The value type of a std::optional; any other type itself.
template <typename T>
struct WithoutOptional {
  using type = T;
};
template <typename T>
struct WithoutOptional<std::optional<T>> {
  using type = T;
};

// The path of several members. kFirst is a member of Struct. Each following element is a member of
// the previous element's type. If the previous element is an optional, its value type counts.
template <auto kFirst, auto... kRest>
struct MemberPath {
  using Struct = typename MemberPointer<decltype(kFirst)>::class_type;
  using FirstMember = typename MemberPointer<decltype(kFirst)>::member_type;
  using Next = MemberPath<kRest...>;
  using Member = typename Next::Member;

  // Returns the member, or null if an optional on the path is empty. The last member itself may be
  // an empty optional. The pointer is borrowed from `from`.
  static const Member* Find(const Struct& from) {
    if constexpr (kIsOptional<FirstMember>) {
      return (from.*kFirst) ? Next::Find(*(from.*kFirst)) : nullptr;
    } else {
      return Next::Find(from.*kFirst);
    }
  }
  // Returns the member. Fills each empty optional on the path with a default value first.
  static Member& FindOrCreate(Struct& from) {
    if constexpr (kIsOptional<FirstMember>) {
      if (!(from.*kFirst)) (from.*kFirst).emplace();
      return Next::FindOrCreate(*(from.*kFirst));
    } else {
      return Next::FindOrCreate(from.*kFirst);
    }
  }
};
// The path of a single member, which always exists: Find never returns null, and FindOrCreate
// creates nothing.
template <auto kLast>
struct MemberPath<kLast> {
  using Struct = typename MemberPointer<decltype(kLast)>::class_type;
  using Member = typename MemberPointer<decltype(kLast)>::member_type;

  static const Member* Find(const Struct& from) { return &(from.*kLast); }
  static Member& FindOrCreate(Struct& from) { return from.*kLast; }
};

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
