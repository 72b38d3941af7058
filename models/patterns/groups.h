// Users and groups, many to many, as an adjacency list: each user and each group is an item, and so
// is each way to see a membership.
//
//   item          PK             SK             attributes
//   user          USER#<id>      USER#<id>      name
//   group         GROUP#<id>     GROUP#<id>     name
//   userGroup     USER#<user>    GROUP#<group>  joinedAt
//   groupMember   GROUP#<group>  USER#<user>    joinedAt
//
//   access pattern                  method              request
//   a user                          GetUser             GetItem
//   a group                         GetGroup            GetItem
//   the groups of a user            ListGroupsOf        Query USER#<id>, begins_with GROUP#
//   the members of a group          ListMembersOf       Query GROUP#<id>, begins_with USER#
//   a user with all their groups    GetUserWithGroups   Query USER#<id>
//   is this user in that group?     IsMember            GetItem
//
// Both directions of a membership are written in one transaction, so neither can be missing.
// Questions of more steps ("who is in a group with me") take a Query for each item of the step
// before: this is a list of neighbours, no graph database.

#pragma once

#include <dolmen/entity/table.h>

#include <string>
#include <utility>
#include <vector>

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

struct UserGroup {
  std::string user_id = {};
  std::string group_id = {};
  Timestamp joined_at = {};

  friend bool operator==(const UserGroup&, const UserGroup&) = default;
};

constexpr auto DescribeEntity(const UserGroup*) {
  return DefineEntity<UserGroup>("userGroup",
                                 {Attribute<&UserGroup::user_id>("userId").InKeyOnly(),
                                  Attribute<&UserGroup::group_id>("groupId").InKeyOnly(),
                                  Attribute<&UserGroup::joined_at>("joinedAt").ReadOnly()},
                                 {PrimaryKey("USER#{userId}", "GROUP#{groupId}")});
}

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

struct UserWithGroups {
  User user = {};
  std::vector<UserGroup> groups = {};  // in order of the groups' ids
};

// Callable from any number of threads.  Errors besides the database's own: kResourceNotFound,
// kResourceInUse and kValidation (an id is empty or holds a '#'); then nothing has been written.
class Directory {
 public:
  // Opens the table `groups`, making it if there is none.
  static Result<Directory> Open(const Database& database, RequestObserver observer = {});

  // PutItem with attribute_not_exists(PK).
  Status AddUser(const User& user) const { return table_.Create(user).status(); }
  Status AddGroup(const Group& group) const { return table_.Create(group).status(); }

  // TransactWriteItems: Put both directions with attribute_not_exists(PK), and ConditionCheck of
  // the user and the group.  They join now.
  Status Join(const std::string& user_id, const std::string& group_id) const;

  // TransactWriteItems: Delete both directions.
  Status Leave(const std::string& user_id, const std::string& group_id) const;

  // GetItem.
  Result<User> GetUser(const std::string& id) const { return table_.Get(User{.id = id}); }
  Result<Group> GetGroup(const std::string& id) const { return table_.Get(Group{.id = id}); }

  // Query PK = USER#<id>, begins_with(SK, GROUP#).  In order of the groups' ids.
  Result<std::vector<UserGroup>> ListGroupsOf(const std::string& user_id) const;

  // Query PK = GROUP#<id>, begins_with(SK, USER#).  In order of the users' ids.
  Result<std::vector<GroupMember>> ListMembersOf(const std::string& group_id) const;

  // Query PK = USER#<id>, SK BETWEEN the least and the last of their keys: one Query.
  Result<UserWithGroups> GetUserWithGroups(const std::string& user_id) const;

  // GetItem PK = USER#<user>, SK = GROUP#<group>.
  Result<bool> IsMember(const std::string& user_id, const std::string& group_id) const;

 private:
  explicit Directory(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::groups
