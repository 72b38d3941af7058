// Users and groups, many to many, as an adjacency list. Each user and each group is one item. Each
// membership is two items, one for each direction. The keys are those of the document.

#pragma once

#include <dolmen/entity.h>

#include <string>

namespace dolmen::groups {

struct User {
  std::string id = {};
  std::string name = {};

  friend bool operator==(const User&, const User&) = default;
};

constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>(
      "user", {Attribute<&User::id>("userId").InKeyOnly(), Attribute<&User::name>("name")},
      {PrimaryKey("USER#{userId}", "USER#{userId}")});
}

struct Group {
  std::string id = {};
  std::string name = {};

  friend bool operator==(const Group&, const Group&) = default;
};

constexpr auto DescribeEntity(const Group*) {
  return DefineEntity<Group>(
      "group", {Attribute<&Group::id>("groupId").InKeyOnly(), Attribute<&Group::name>("name")},
      {PrimaryKey("GROUP#{groupId}", "GROUP#{groupId}")});
}

// A membership in the partition of its group.
struct GroupMember {
  std::string group_id = {};
  std::string user_id = {};
  Timestamp joined_at = {};

  friend bool operator==(const GroupMember&, const GroupMember&) = default;
};

constexpr auto DescribeEntity(const GroupMember*) {
  return DefineEntity<GroupMember>("groupMember",
                                   {Attribute<&GroupMember::group_id>("groupId").InKeyOnly(),
                                    Attribute<&GroupMember::user_id>("userId").InKeyOnly(),
                                    Attribute<&GroupMember::joined_at>("joinedAt").ReadOnly()},
                                   {PrimaryKey("GROUP#{groupId}", "USER#{userId}")});
}

// A membership in the partition of its user. Each write also writes the inverse, the GroupMember, in
// one transaction, so neither can be missing.
struct UserGroup {
  std::string user_id = {};
  std::string group_id = {};
  Timestamp joined_at = {};  // 1970-01-01 = now

  friend bool operator==(const UserGroup&, const UserGroup&) = default;
};

constexpr auto DescribeEntity(const UserGroup*) {
  return DefineEntity<UserGroup>(
             "userGroup",
             {Attribute<&UserGroup::user_id>("userId").InKeyOnly(),
              Attribute<&UserGroup::group_id>("groupId").InKeyOnly(),
              Attribute<&UserGroup::joined_at>("joinedAt").IfUnset<Now>().ReadOnly()},
             {PrimaryKey("USER#{userId}", "GROUP#{groupId}")})
      .Edge<GroupMember>();
}

static_assert(CheckTable<User, Group, UserGroup, GroupMember>());

}  // namespace dolmen::groups
