// The mistakes that the compiler finds in a program's use of the entity layer, and their messages.
//
// The first error that the compiler prints contains the message, the entity and the name of the
// wrong attribute or key. The rest of its output is about the consequences:
//
//   error: 'MistakeIn<Message, Text<6>{"number"}>' is unavailable: a number in a sort key needs a
//   width, as in {name:08}, or {name:unpadded} if its order does not matter
//
// tests/compile_fail has an example of each mistake.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dolmen::entity {

// A text as a template argument. The compiler prints it in an error.
template <std::size_t kSize>
struct Text {
  consteval explicit Text(std::string_view text) {
    for (std::size_t i = 0; i < kSize; ++i) chars[i] = text[i];
    chars[kSize] = '\0';  // Clang prints a text only if this element is assigned
  }
  char chars[kSize + 1] = {};
};

// The rules of a declaration. MistakeIn has their messages.
enum class Rule : std::uint8_t {
  kNone,  // no rule is broken
  kEntityHasName,
  kAttributeHasName,
  kAttributeNamesDiffer,
  kAttributeIsNotTypeAttribute,
  kAttributeIsNotKey,
  kTypeAttributeIsNotKey,
  kOneVersion,
  kVersionHasRange,
  kAttributeIsNotEntityVersion,
  kUpgradeHasVersion,
  kOneKeyOfIndex,
  kPrimaryKeyIsFirst,
  kKeyHasPartition,
  kLocalHasSort,
  kKeyPartIsRequired,
  kInKeyOnlyIsInKey,
  kInKeyOnlyIsWhole,
  kPartIsAttribute,
  kPartHasCodecForKeys,
  kPartsHaveSeparator,
  kPartsMax,
  kBraceIsClosed,
  kBraceIsOpened,
  kDateIsTime,
  kAnyIsText,
  kAnyIsLast,
  kLowerIsText,
  kPaddedIsInteger,
  kFormatIsKnown,
  kWidthHasRange,
  kSortedNumberHasWidth,
  kMapHasNoKey,
  kMapIsNotFilled,
  kInputIsAttribute,
  kInputIsDerivedBefore,
  kHiddenIsWhole,
  kUniqueIsAttribute,
  kUniquesMax,
  kUniqueIsStored,
  kClaimHasName,
  kClaimIsNotEntity,
  kOneEdge,
  kInverseIsInTable,
  kEdgeHasKey,
  kInverseIsNotUnique,
  kFilledInBoth,
};

// A broken rule, and the name of the attribute, index or key template that breaks it. Views a
// string literal of the declaration.
struct Mistake {
  Rule rule = Rule::kNone;
  std::string_view name = {};

  // Keeps the first mistake of a declaration. The later ones may be consequences of it.
  constexpr void Add(Rule broken, std::string_view of) {
    if (rule == Rule::kNone) *this = {.rule = broken, .name = of};
  }
  constexpr bool IsNone() const { return rule == Rule::kNone; }
};

// Selects the overload of MistakeIn for a rule.
template <Rule kRule>
struct Broken {};

// The compiler rejects a program that calls one of these functions, and prints the text of the
// attribute `unavailable`. The functions are constexpr, so that no other error follows.
#define DOLMEN_UNAVAILABLE(message) __attribute__((unavailable(message))) constexpr void
#define DOLMEN_MISTAKE(rule, message)    \
  template <typename Entity, Text kName> \
  DOLMEN_UNAVAILABLE(message)            \
  MistakeIn(Broken<Rule::rule>) {}

DOLMEN_MISTAKE(kEntityHasName, "an entity needs a name")
DOLMEN_MISTAKE(kAttributeHasName, "an attribute needs a name")
DOLMEN_MISTAKE(kAttributeNamesDiffer, "two attributes have the same name")
DOLMEN_MISTAKE(kAttributeIsNotTypeAttribute, "an attribute has the name of the type attribute")
DOLMEN_MISTAKE(kAttributeIsNotKey, "an attribute has the name of a key")
DOLMEN_MISTAKE(kTypeAttributeIsNotKey, "the type attribute has the name of a key")
DOLMEN_MISTAKE(kOneVersion, "an entity has at most one version")
DOLMEN_MISTAKE(kVersionHasRange, "the version of an entity is 2 to 31")
DOLMEN_MISTAKE(kAttributeIsNotEntityVersion, "an attribute has the name entityVersion")
DOLMEN_MISTAKE(kUpgradeHasVersion, "From<N> needs a greater Version()")
DOLMEN_MISTAKE(kOneKeyOfIndex, "an entity has more than one key for an index")
DOLMEN_MISTAKE(kPrimaryKeyIsFirst, "the first key must be the only PrimaryKey")
DOLMEN_MISTAKE(kKeyHasPartition, "a key needs a template for the partition key")
DOLMEN_MISTAKE(kLocalHasSort, "a local index and its table need templates for their sort keys")
DOLMEN_MISTAKE(kKeyPartIsRequired, "an attribute in the primary key must be Required()")
DOLMEN_MISTAKE(kInKeyOnlyIsInKey, "InKeyOnly() is not in the primary key")
DOLMEN_MISTAKE(kInKeyOnlyIsWhole, "{name:date} and {name:lower} cannot be InKeyOnly()")
DOLMEN_MISTAKE(kPartIsAttribute, "a key template names an attribute that the entity does not have")
DOLMEN_MISTAKE(kPartHasCodecForKeys, "an attribute of this type cannot be in a key template")
DOLMEN_MISTAKE(kPartsHaveSeparator, "two parts of a key need a separator")
DOLMEN_MISTAKE(kPartsMax, "a key template has at most 8 parts")
DOLMEN_MISTAKE(kBraceIsClosed, "a { without a } in a key template")
DOLMEN_MISTAKE(kBraceIsOpened, "a } without a { in a key template")
DOLMEN_MISTAKE(kDateIsTime, "{name:date} needs a time")
DOLMEN_MISTAKE(kAnyIsText, "{name:any} needs a text")
DOLMEN_MISTAKE(kAnyIsLast, "{name:any} must be the last part")
DOLMEN_MISTAKE(kLowerIsText, "{name:lower} needs a text")
DOLMEN_MISTAKE(kPaddedIsInteger, "{name:04} needs an integer")
DOLMEN_MISTAKE(kFormatIsKnown, "unknown format in {name:format}")
DOLMEN_MISTAKE(kWidthHasRange, "a padded number has 1 to 20 digits")
DOLMEN_MISTAKE(kSortedNumberHasWidth,
               "a number in a sort key needs a width, as in {name:08}, or {name:unpadded} if its "
               "order does not matter")
DOLMEN_MISTAKE(kMapHasNoKey, "a nested struct has no key for InKeyOnly()")
DOLMEN_MISTAKE(kHiddenIsWhole, "Hidden() needs an attribute of an entity outside its primary key")
DOLMEN_MISTAKE(kMapIsNotFilled, "attributes of a nested struct are not filled")
DOLMEN_MISTAKE(kInputIsAttribute, "Derived() names a member that has no attribute")
DOLMEN_MISTAKE(kInputIsDerivedBefore, "Derived() names a Derived attribute that is declared later")
DOLMEN_MISTAKE(kUniqueIsAttribute, "Unique() names a member that has no attribute")
DOLMEN_MISTAKE(kUniquesMax, "an entity has at most 4 unique attributes")
DOLMEN_MISTAKE(kUniqueIsStored, "Unique() of an attribute that is InKeyOnly(), Always or Derived")
DOLMEN_MISTAKE(kClaimHasName, "a claim needs a name without '#'")
DOLMEN_MISTAKE(kClaimIsNotEntity, "a claim has the name of an entity of the table")
DOLMEN_MISTAKE(kOneEdge, "an entity has at most one Edge()")
DOLMEN_MISTAKE(kInverseIsInTable, "the table lacks the entity that is the inverse of the edge")
DOLMEN_MISTAKE(kEdgeHasKey, "the primary keys of an edge and its inverse need the same attributes")
DOLMEN_MISTAKE(kInverseIsNotUnique, "the inverse of an edge cannot have unique attributes")
DOLMEN_MISTAKE(kFilledInBoth,
               "an attribute of an edge that is Always or Derived must be so in the inverse")

template <typename T>
DOLMEN_UNAVAILABLE("declare constexpr auto DescribeEntity(const T*) in the namespace of T, first")
NoDescribeEntity() {}

template <typename Member, auto... kPath>
DOLMEN_UNAVAILABLE("no AttributeCodec stores a member of this type")
NoCodec() {}

template <auto... kPath>
DOLMEN_UNAVAILABLE("the entity has no attribute for this member")
NoAttribute() {}

template <typename A, typename B>
DOLMEN_UNAVAILABLE("two entities of a table have the same name")
SameName() {}

template <typename A, typename B>
DOLMEN_UNAVAILABLE("two entities of a table can have the same key")
SameKey() {}

template <typename A, typename B>
DOLMEN_UNAVAILABLE(
    "a query for all of the first entity also reads the second: its prefix continues the first's")
PrefixContinued() {}

#undef DOLMEN_MISTAKE
#undef DOLMEN_UNAVAILABLE

// Does not compile if the rule is not kNone. `kName` is the name of the mistake.
template <typename Entity, Rule kRule, Text kName>
consteval void Report() {
  if constexpr (kRule != Rule::kNone) MistakeIn<Entity, kName>(Broken<kRule>());
}

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
