// Tests of CheckTable: which keys of two entities conflict. tests/compile_fail has the errors.

#include <dolmen/entity.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace dolmen {
namespace {

// The primary keys that the tests compare. The partition key is always "P#{id}".
constexpr auto kSortKeys = std::to_array<std::string_view>({
    "MSG#{text}",         // 0
    "MSG#{number:08}",    // 1
    "MSG#META",           // 2
    "MSG#META#{text}",    // 3
    "{text:any}",         // 4
    "NOTE#{at}",          // 5
    "NOTE#{at:date}",     // 6
    "NOTE#{number:08}",   // 7
    "NOTE#{at}#{text}",   // 8
    "NOTE",               // 9
    "PHOTO#{text}#LIKE",  // 10
    "PHOTO#{text}#STAR",  // 11
    "MSG#{text:lower}",   // 12
    "MSG#a#{text}",       // 13
});

template <std::size_t kKey>
struct Sorted {
  std::string id = {};
  std::string text = {};
  int number = 0;
  Timestamp at = {};
};
template <std::size_t kKey>
constexpr auto DescribeEntity(const Sorted<kKey>*) {
  using T = Sorted<kKey>;
  return DefineEntity<T>(kSortKeys[kKey],
                         {Attribute<&T::id>("id"), Attribute<&T::text>("text"),
                          Attribute<&T::number>("number"), Attribute<&T::at>("at")},
                         {PrimaryKey("P#{id}", kSortKeys[kKey])});
}

template <std::size_t kA, std::size_t kB>
consteval entity::Clash Find() {
  return entity::FindClash(entity::kSpec<Sorted<kA>>, entity::kSpec<Sorted<kB>>);
}
template <std::size_t kA, std::size_t kB>
constexpr entity::Clash kClash = Find<kA, kB>();

using enum entity::Clash;

TEST(CheckTableTest, KeysConflictIfTheyHaveACommonText) {
  static_assert(kClash<0, 1> == kKey, "a text can be a number");
  static_assert(kClash<0, 2> == kKey, "a text can be the literal META");
  static_assert(kClash<2, 0> == kKey);
  static_assert(kClash<3, 4> == kKey, "any text can contain separators");
  static_assert(kClash<12, 13> == kKey, "a text in lower case can contain the separator before it");
  static_assert(kClash<0, 0> == kName);
}

TEST(CheckTableTest, KeysOfDifferentShapesDoNotConflict) {
  static_assert(kClash<1, 2> == kFirstContinued, "a padded number has only digits");
  static_assert(kClash<12, 2> == kFirstContinued, "a text in lower case is not META");
  static_assert(kClash<5, 6> == kNone, "a time has a T, a date has none");
  static_assert(kClash<6, 7> == kNone, "a date has ten characters, the number has eight");
  static_assert(kClash<5, 8> == kNone, "a time has no separator");
  static_assert(kClash<9, 5> == kNone, "NOTE has no part, so no query reads it as a prefix");
  static_assert(kClash<10, 11> == kNone, "the literals after the part differ");
  static_assert(kClash<0, 5> == kNone, "the literals before the part differ");
}

TEST(CheckTableTest, ALiteralMustNotBeginALongerLiteral) {
  static_assert(kClash<0, 3> == kFirstContinued, "a text has no separator, so the keys differ");
  static_assert(kClash<3, 0> == kSecondContinued);
  static_assert(kClash<1, 3> == kFirstContinued);
}

struct Elsewhere {
  std::string id = {};
  std::string text = {};
};
constexpr auto DescribeEntity(const Elsewhere*) {
  return DefineEntity<Elsewhere>(
      "elsewhere", {Attribute<&Elsewhere::id>("id"), Attribute<&Elsewhere::text>("text")},
      {PrimaryKey("Q#{id}", "MSG#{text}"), IndexKey("GSI1", "P#{id}", "MSG#{text}")});
}

TEST(CheckTableTest, OnlyEntitiesOfOnePartitionConflict) {
  static_assert(entity::FindClash(entity::kSpec<Sorted<0>>, entity::kSpec<Elsewhere>) == kNone);
  static_assert(CheckTable<Elsewhere, Sorted<0>, Sorted<5>>());
}

}  // namespace
}  // namespace dolmen
