// The requests of users and groups. A single user, group or membership needs no function of its own:
//
//   table.Create(User{"u1", "Ana"});
//   table.Get(User{.id = "u1"});
//   table.Find(UserGroup{.user_id = "u1", .group_id = "g10"});  // is u1 in g10?
//   table.Remove(UserGroup{.user_id = "u1", .group_id = "g10"});  // u1 leaves g10
//
// A function that lists entities returns the query. The caller reads it with All, Page or Count.

#pragma once

#include <dolmen/entity/describe.h>

#include <map>

#include "models/patterns/groups/entities.h"

namespace dolmen::groups {

// Opens the table, and creates it if it does not exist.
inline Result<EntityTable> Open(const Database& database, RequestObserver observer = {}) {
  return EntityTable::Open(database, {.name = "groups", .observer = std::move(observer)});
}

// Adds a user to a group. TransactWriteItems: Put of both directions with attribute_not_exists(PK),
// and ConditionCheck that the user and the group exist.
// - kResourceInUse: the user is in the group already.
// - kResourceNotFound: the user or the group does not exist.
inline Status Join(const EntityTable& table, const UserGroup& membership) {
  return table.Transact()
      .Create(membership)
      .Require(User{.id = membership.user_id})
      .Require(Group{.id = membership.group_id})
      .Commit();
}

// Returns the query of a user's groups, sorted by id. Query PK = USER#<id>, begins_with(SK, GROUP#).
inline EntityQuery<UserGroup> GroupsOf(const EntityTable& table, const std::string& user_id) {
  return table.Query<UserGroup>().With<&UserGroup::user_id>(user_id);
}

// Returns the query of a group's members, sorted by id. Query PK = GROUP#<id>, begins_with(SK,
// USER#).
inline EntityQuery<GroupMember> MembersOf(const EntityTable& table, const std::string& group_id) {
  return table.Query<GroupMember>().With<&GroupMember::group_id>(group_id);
}

// Returns the query of a user and the user's groups; its Grouped returns a vector of each. Query of
// PK = USER#<id>.
inline auto UserWithGroups(const EntityTable& table, const std::string& user_id) {
  return table.Query<User, UserGroup>().With<&User::id>(user_id);
}

// The users who share a group with a user, each with the number of shared groups.
using SharedGroups = std::map<std::string, int>;

// Returns the users who are two hops from the user. One Query for the user's groups, and one Query of
// the partitions of these groups, at most 100. DynamoDB needs a Query for each group.
inline Result<SharedGroups> GetConnectionsOf(const EntityTable& table, const std::string& user_id) {
  const auto get_members = [&](const std::vector<UserGroup>& groups) {
    std::vector<std::string> ids;
    for (const UserGroup& group : groups) ids.push_back(group.group_id);
    if (ids.empty()) return Result(std::vector<GroupMember>());
    return table.Query<GroupMember>().WithEach<&GroupMember::group_id>(ids).All();
  };
  const auto count = [&](const std::vector<GroupMember>& members) {
    SharedGroups shared;
    for (const GroupMember& member : members) ++shared[member.user_id];
    shared.erase(user_id);
    return shared;
  };
  return GroupsOf(table, user_id).All().and_then(get_members).transform(count);
}

// Returns the users who are connected with both users, sorted by id. Four Queries.
inline Result<std::vector<std::string>> GetMutualConnections(const EntityTable& table,
                                                             const std::string& user_id,
                                                             const std::string& other_id) {
  return GetConnectionsOf(table, user_id).and_then([&](const SharedGroups& first) {
    return GetConnectionsOf(table, other_id).transform([&](const SharedGroups& second) {
      std::vector<std::string> mutual;
      for (const auto& [id, count] : first) {
        if (second.contains(id)) mutual.push_back(id);
      }
      return mutual;
    });
  });
}

// Returns the design of the table. README.md shows it, and a test compares them
// (tests/models/readme_test.cc).
inline TableDesign Design() {
  return Describe<User, Group, UserGroup, GroupMember>(
      "groups",
      {AccessPattern("A user", "Get").With<&User::id>(),
       AccessPattern("The groups of a user", "GroupsOf").With<&UserGroup::user_id>(),
       AccessPattern("The members of a group", "MembersOf").With<&GroupMember::group_id>(),
       AccessPattern("Is a user in a group?", "Find").WithKey<UserGroup>()});
}

// Stores sample data: the document's graph of u1, u2, g10 and g20, and u3 in g20. A second call stores
// the same items again, so it undoes changes of them.
inline Status LoadSampleData(const EntityTable& table) {
  using namespace std::chrono;
  EntityTransaction load = table.Transact();
  load.Put(User{"u1", "Ana"}).Put(User{"u2", "Bruno"}).Put(User{"u3", "Carla"});
  load.Put(Group{"g10", "Readers"}).Put(Group{"g20", "Climbers"});
  load.Put(UserGroup{"u1", "g10", sys_days(2024y / March / 1)});
  load.Put(UserGroup{"u1", "g20", sys_days(2024y / April / 1)});
  load.Put(UserGroup{"u2", "g10", sys_days(2024y / May / 1)});
  load.Put(UserGroup{"u3", "g20", sys_days(2024y / June / 1)});
  return load.Commit();
}

}  // namespace dolmen::groups
