// The entities of a program in three versions, for tests in which the versions take turns on one
// table.

#pragma once

#include <dolmen/entity.h>

#include <cstdint>
#include <optional>
#include <string>

namespace dolmen::evolution {

namespace v1 {
struct Member {
  int number = 0;
  std::string name = {};
  std::int64_t visits = 0;
  Item rest = {};
};
constexpr auto DescribeEntity(const Member*) {
  return DefineEntity<Member>(
      "member",
      {Attribute<&Member::number>("number"), Attribute<&Member::name>("name"),
       Attribute<&Member::visits>("visits"), Rest<&Member::rest>()},
      {PrimaryKey("CLUB", "MEMBER#{number:08}")});
}
}  // namespace v1

// Version 2 has a new attribute, a new index and a new entity among the members.
namespace v2 {
struct Member {
  int number = 0;
  std::string name = {};
  std::int64_t visits = 0;
  int level = 3;
  Item rest = {};
};
constexpr auto DescribeEntity(const Member*) {
  return DefineEntity<Member>(
      "member",
      {Attribute<&Member::number>("number"), Attribute<&Member::name>("name"),
       Attribute<&Member::visits>("visits"), Attribute<&Member::level>("level"),
       Rest<&Member::rest>()},
      {PrimaryKey("CLUB", "MEMBER#{number:08}"),
       IndexKey("GSI1", "LEVEL#{level:06}", "MEMBER#{number:08}")});
}
struct Badge {
  int member = 0;
  std::string words = {};
};
constexpr auto DescribeEntity(const Badge*) {
  return DefineEntity<Badge>(
      "badge", {Attribute<&Badge::member>("member"), Attribute<&Badge::words>("words")},
      {PrimaryKey("CLUB", "MEMBER#{member:08}#BADGE")});
}
}  // namespace v2

// Version 3 calls the name title. A new index has another key template: it orders the members of a
// level by their titles. A migration fills the new attribute `shelf`.
namespace v3 {
struct Member {
  int number = 0;
  std::string title = {};
  std::int64_t visits = 0;
  int level = 3;
  std::optional<std::string> shelf = {};
  Item rest = {};
};
constexpr auto DescribeEntity(const Member*) {
  return DefineEntity<Member>(
             "member",
             {Attribute<&Member::number>("number"), Attribute<&Member::title>("title"),
              Attribute<&Member::visits>("visits"), Attribute<&Member::level>("level"),
              Attribute<&Member::shelf>("shelf"), Rest<&Member::rest>()},
             {PrimaryKey("CLUB", "MEMBER#{number:08}"),
              IndexKey("GSI1", "LEVEL#{level:06}", "MEMBER#{number:08}"),
              IndexKey("GSI2", "LEVEL#{level:06}", "{title}")})
      .Version(2)
      .From<1>([](Item& item) { RenameAttribute(&item, "name", "title"); });
}

// Sets the shelf of a member. Accepts a member whose shelf is set.
inline void SetShelf(Member& member) {
  member.shelf = "SHELF-" + std::to_string(member.number % 10);
}
}  // namespace v3

}  // namespace dolmen::evolution
