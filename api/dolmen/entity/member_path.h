// The way from a struct to one of its members.

#pragma once

#include <optional>

namespace dolmen::entity {

template <auto... kPath>
inline constexpr char kMemberId = 0;

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
struct WithoutOptional {
  using type = T;
};
template <typename T>
struct WithoutOptional<std::optional<T>> {
  using type = T;
};

template <typename T>
struct MemberPointer;
template <typename Class, typename Member>
struct MemberPointer<Member Class::*> {
  using class_type = Class;
  using member_type = Member;
};

// The way from a struct to one of its members, through members that may be optional.
template <auto kFirst, auto... kRest>
struct MemberPath {
  using Struct = typename MemberPointer<decltype(kFirst)>::class_type;
  using FirstMember = typename MemberPointer<decltype(kFirst)>::member_type;
  using Next = MemberPath<kRest...>;
  using Member = typename Next::Member;

  // Null if an optional on the way is empty.
  static const Member* Find(const Struct& from) {
    if constexpr (kIsOptional<FirstMember>) {
      return (from.*kFirst) ? Next::Find(*(from.*kFirst)) : nullptr;
    } else {
      return Next::Find(from.*kFirst);
    }
  }
  // Fills the optionals on the way.
  static Member& FindOrCreate(Struct& from) {
    if constexpr (kIsOptional<FirstMember>) {
      if (!(from.*kFirst)) (from.*kFirst).emplace();
      return Next::FindOrCreate(*(from.*kFirst));
    } else {
      return Next::FindOrCreate(from.*kFirst);
    }
  }
};
template <auto kLast>
struct MemberPath<kLast> {
  using Struct = typename MemberPointer<decltype(kLast)>::class_type;
  using Member = typename MemberPointer<decltype(kLast)>::member_type;

  static const Member* Find(const Struct& from) { return &(from.*kLast); }
  static Member& FindOrCreate(Struct& from) { return from.*kLast; }
};

}  // namespace dolmen::entity
