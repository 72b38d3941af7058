// Users and groups, many to many, as an adjacency list. Each user and each group is one item. Each
// membership is two items, one for each direction.
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
// Each write of a userGroup also writes the groupMember in one transaction (EntityDefinition::Edge),
// so neither can be missing. A search in several steps, such as "all users who share a group with
// me", takes one Query for each item of the previous step. An adjacency list does not replace a
// graph database.

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

// A membership. Each write also writes its inverse, the GroupMember.
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
                                 {PrimaryKey("USER#{userId}", "GROUP#{groupId}")})
      .Edge<GroupMember>();
}

struct UserWithGroups {
  User user = {};
  std::vector<UserGroup> groups = {};  // in order of the groups' ids
};

// The table of users and groups. Thread-safe. Errors besides the database's own:
// - kResourceNotFound: the user, group or membership does not exist.
// - kResourceInUse: the thing to create exists already.
// - kValidation: an id is empty or holds a '#'.
// A call that returns an error has written nothing.
class Directory {
 public:
  // Opens the table `groups`, and creates it if it does not exist.
  static Result<Directory> Open(const Database& database, RequestObserver observer = {});

  // Adds a user or a group. PutItem with attribute_not_exists(PK).
  Status AddUser(const User& user) const { return table_.Create(user).status(); }
  Status AddGroup(const Group& group) const { return table_.Create(group).status(); }

  // Adds a user to a group. Sets joined_at to the current time. TransactWriteItems: Put the
  // UserGroup and the GroupMember with attribute_not_exists(PK), and ConditionCheck that the user
  // and the group exist.
  Status Join(const std::string& user_id, const std::string& group_id) const;

  // Removes a user from a group. TransactWriteItems: Delete the UserGroup and the GroupMember.
  Status Leave(const std::string& user_id, const std::string& group_id) const;

  // Returns a user or a group. GetItem.
  Result<User> GetUser(const std::string& id) const { return table_.Get(User{.id = id}); }
  Result<Group> GetGroup(const std::string& id) const { return table_.Get(Group{.id = id}); }

  // Returns a user's groups, in order of their ids. Query PK = USER#<id>, begins_with(SK, GROUP#).
  Result<std::vector<UserGroup>> ListGroupsOf(const std::string& user_id) const;

  // Returns a group's members, in order of their ids. Query PK = GROUP#<id>, begins_with(SK,
  // USER#).
  Result<std::vector<GroupMember>> ListMembersOf(const std::string& group_id) const;

  // Returns a user and all their groups. One Query: PK = USER#<id>, SK BETWEEN the least and the
  // greatest key of these entities.
  Result<UserWithGroups> GetUserWithGroups(const std::string& user_id) const;

  // Returns true if the user is in the group. GetItem PK = USER#<user>, SK = GROUP#<group>.
  Result<bool> IsMember(const std::string& user_id, const std::string& group_id) const;

 private:
  explicit Directory(EntityTable table) : table_(std::move(table)) {}

  EntityTable table_;
};

}  // namespace dolmen::groups
