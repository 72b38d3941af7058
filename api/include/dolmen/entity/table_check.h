// A check, at compile time, that entities can share a table.
//
//   static_assert(CheckTable<Conversation, Participant, Message>());
//
// Write it once, below the declarations of all entities of a table. It does not compile if
// - two entities have the same name: a read could not tell them apart.
// - two entities can have the same primary key: one would replace the other. Texts of any length
//   and content count as possible values of an attribute, except for the separators that key.h
//   excludes.
// - a claim of a unique value has the name of an entity: a read would take it for that entity.
// - the inverse of an edge is none of the entities, or does not fit the edge (definition.h).
// - in one partition, the literal before the first part of a sort key is the beginning of a longer
//   literal of another entity, as MSG# and MSG#META#. A query for all messages would also read, and
//   pay for, the other entity. Equal literals are allowed: entities often share a range on purpose.
// The first error names both entities.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dolmen/entity/definition.h"
#include "dolmen/entity/mistakes.h"

namespace dolmen {

namespace entity {

// A set of bytes. The bytes from 128 are either all in the set or all not.
struct ByteSet {
  std::uint64_t low = 0;   // 0 to 63
  std::uint64_t high = 0;  // 64 to 127
  bool rest = false;

  static constexpr ByteSet All() { return {.low = ~0ULL, .high = ~0ULL, .rest = true}; }
  static constexpr ByteSet Of(std::string_view bytes) {
    ByteSet set;
    for (const char byte : bytes) {
      const auto b = static_cast<unsigned char>(byte);
      if (b >= 128)
        set.rest = true;
      else
        (b < 64 ? set.low : set.high) |= 1ULL << (b % 64);
    }
    return set;
  }
  constexpr ByteSet Without(const ByteSet& other) const {
    return {.low = low & ~other.low, .high = high & ~other.high, .rest = rest};
  }
  constexpr bool Meets(const ByteSet& other) const {
    return (low & other.low) != 0 || (high & other.high) != 0 || (rest && other.rest);
  }
};

// The texts of a key template: a sequence of steps, each of which is one byte of a set, or any
// number of them.
struct KeyPattern {
  static constexpr std::size_t kStepsMax = 256;
  struct Step {
    ByteSet bytes = {};
    bool repeats = false;
  };

  std::array<Step, kStepsMax> steps = {};
  std::size_t count = 0;

  constexpr void Add(const ByteSet& bytes, bool repeats = false) {
    // A longer template ends with any text, so that the pattern has at least the template's texts.
    if (count == kStepsMax)
      steps[count - 1] = {.bytes = ByteSet::All(), .repeats = true};
    else
      steps[count++] = {.bytes = bytes, .repeats = repeats};
  }
  constexpr void AddOneOrMore(const ByteSet& bytes) {
    Add(bytes);
    Add(bytes, true);
  }
  constexpr void AddText(std::string_view text) {
    for (const char& byte : text) Add(ByteSet::Of({&byte, 1}));
  }
};

// Adds the text of a day, 2026-04-15.
constexpr void AddDay(KeyPattern* pattern) {
  for (const char shape : std::string_view("0000-00-00")) {
    pattern->Add(ByteSet::Of(shape == '0' ? "0123456789" : "-"));
  }
}

// Adds the texts of a segment's part. `next` is the literal after the part.
constexpr void AddPart(const KeySegment& segment, PartKind kind, std::string_view next,
                       KeyPattern* pattern) {
  if (segment.format == PartFormat::kDate) {
    AddDay(pattern);
  } else if (segment.format == PartFormat::kPadded) {
    for (int i = 0; i < segment.width; ++i) pattern->Add(ByteSet::Of("0123456789"));
  } else if (kind == PartKind::kInteger) {
    pattern->AddOneOrMore(ByteSet::Of("-0123456789"));
  } else if (kind == PartKind::kTime) {
    AddDay(pattern);
    pattern->AddText("T");
    pattern->AddOneOrMore(ByteSet::Of("0123456789:.Z"));
  } else if (segment.format == PartFormat::kAny) {
    pattern->AddOneOrMore(ByteSet::All());
  } else if (segment.format == PartFormat::kLower) {
    pattern->AddOneOrMore(ByteSet::All()
                              .Without(ByteSet::Of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
                              .Without(ByteSet::Of(next.substr(0, 1))));
  } else {
    const std::string_view before = segment.literal;
    pattern->AddOneOrMore(ByteSet::All()
                              .Without(ByteSet::Of(before.substr(before.size() - !before.empty())))
                              .Without(ByteSet::Of(next.substr(0, 1))));
  }
}

// Returns the pattern of a template of `entity`.
constexpr KeyPattern PatternOf(const EntitySpec& entity, const KeyTemplate& key) {
  KeyPattern pattern;
  for (std::size_t i = 0; i < key.count; ++i) {
    const KeySegment& segment = key.segments[i];
    pattern.AddText(segment.literal);
    if (segment.attribute == KeySegment::kNoAttribute) break;
    const bool is_last = i + 1 == key.count;
    AddPart(segment, entity.attributes[static_cast<std::size_t>(segment.attribute)].part_kind,
            is_last ? std::string_view() : key.segments[i + 1].literal, &pattern);
  }
  return pattern;
}

// Returns true if a text matches both patterns. `reached[j]` says that some text leads to the
// current step of `a` and to the step j of `b`.
constexpr bool HaveCommonText(const KeyPattern& a, const KeyPattern& b) {
  std::array<bool, KeyPattern::kStepsMax + 1> reached = {true};
  for (std::size_t i = 0; i < a.count; ++i) {
    const KeyPattern::Step& x = a.steps[i];
    std::array<bool, KeyPattern::kStepsMax + 1> next = {};
    bool any = false;
    for (std::size_t j = 0; j <= b.count; ++j) {
      if (!reached[j]) continue;
      any = true;
      if (x.repeats) next[j] = true;
      if (j == b.count) continue;
      const KeyPattern::Step& y = b.steps[j];
      if (y.repeats) reached[j + 1] = true;
      if (!x.bytes.Meets(y.bytes)) continue;
      if (x.repeats && !y.repeats) reached[j + 1] = true;
      if (!x.repeats) next[y.repeats ? j : j + 1] = true;
    }
    if (!any) return false;
    reached = next;
  }
  for (std::size_t j = 0; j < b.count; ++j) {
    if (reached[j] && b.steps[j].repeats) reached[j + 1] = true;
  }
  return reached[b.count];
}

// Returns true if the literal before the first part of `a` begins a longer literal of `b`.
consteval bool Continues(const KeyTemplate& a, const KeyTemplate& b) {
  if (a.count == 0 || b.count == 0) return false;
  const KeySegment& first = a.segments[0];
  if (first.attribute == KeySegment::kNoAttribute || first.literal.empty()) return false;
  return b.segments[0].literal.size() > first.literal.size() &&
         b.segments[0].literal.starts_with(first.literal);
}

// A conflict between two entities of a table.
enum class Clash : std::uint8_t { kNone, kName, kKey, kFirstContinued, kSecondContinued };

// Returns the first conflict between two entities.
consteval Clash FindClash(const EntitySpec& a, const EntitySpec& b) {
  if (a.name == b.name) return Clash::kName;
  for (const KeySpec& x : a.keys) {
    for (const KeySpec& y : b.keys) {
      if (x.index != y.index ||
          !HaveCommonText(PatternOf(a, x.partition), PatternOf(b, y.partition))) {
        continue;
      }
      if (x.index.empty() && HaveCommonText(PatternOf(a, x.sort), PatternOf(b, y.sort))) {
        return Clash::kKey;
      }
      if (Continues(x.sort, y.sort)) return Clash::kFirstContinued;
      if (Continues(y.sort, x.sort)) return Clash::kSecondContinued;
    }
  }
  return Clash::kNone;
}

// Returns the mistake of an edge whose inverse is none of the entities, or does not fit the edge.
template <typename T, typename... Entities>
consteval Mistake FindEdgeMistake() {
  constexpr const EntitySpec& (*kInverses[])() = {&SpecOf<Entities>...};
  constexpr const EntitySpec* kSpecs[] = {&kSpec<Entities>...};
  for (std::size_t i = 0; i < sizeof...(Entities); ++i) {
    if (kInverses[i] == kSpec<T>.edges[0].inverse) return CheckEdge(kSpec<T>, *kSpecs[i]);
  }
  return {.rule = Rule::kInverseIsInTable, .name = kSpec<T>.name};
}

// Does not compile if T is an edge with a mistake.
template <typename T, typename... Entities>
consteval void CheckEdgeOf() {
  if constexpr (!kSpec<T>.edges.empty()) {
    constexpr Mistake kMistake = FindEdgeMistake<T, Entities...>();
    Report<T, kMistake.rule, Text<kMistake.name.size()>(kMistake.name)>();
  }
}

// Returns true if `name` is a value of the type attribute that means the entity.
constexpr bool IsNamed(const EntitySpec& entity, std::string_view name) {
  if (entity.name == name) return true;
  for (const std::string_view other : entity.other_names) {
    if (other == name) return true;
  }
  return false;
}

// Does not compile if a claim of T has the name of one of the entities.
template <typename T, typename... Entities>
consteval void CheckClaimsOf() {
  constexpr Mistake kMistake = [] {
    Mistake mistake;
    for (const UniqueSpec& unique : kSpec<T>.uniques) {
      if ((IsNamed(kSpec<Entities>, unique.claim) || ...))
        mistake.Add(Rule::kClaimIsNotEntity, unique.claim);
    }
    return mistake;
  }();
  Report<T, kMistake.rule, Text<kMistake.name.size()>(kMistake.name)>();
}

// Does not compile if the entities conflict.
template <typename A, typename B>
consteval void CheckPair() {
  constexpr Clash kClash = FindClash(kSpec<A>, kSpec<B>);
  if constexpr (kClash == Clash::kName) SameName<A, B>();
  if constexpr (kClash == Clash::kKey) SameKey<A, B>();
  if constexpr (kClash == Clash::kFirstContinued) PrefixContinued<A, B>();
  if constexpr (kClash == Clash::kSecondContinued) PrefixContinued<B, A>();
}

// Checks the first entity with each other one, then the others.
template <typename First, typename... Rest>
consteval void CheckPairs() {
  (CheckPair<First, Rest>(), ...);
  if constexpr (sizeof...(Rest) > 1) CheckPairs<Rest...>();
}

}  // namespace entity

// Returns true if entities can share a table. Otherwise does not compile.
template <typename... Entities>
consteval bool CheckTable() {
  (entity::CheckEdgeOf<Entities, Entities...>(), ...);
  (entity::CheckClaimsOf<Entities, Entities...>(), ...);
  entity::CheckPairs<Entities...>();
  return true;
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
