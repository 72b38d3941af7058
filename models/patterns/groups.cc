#include "models/patterns/groups.h"

#include <optional>
#include <utility>

namespace dolmen::groups {

Result<Directory> Directory::Open(const Database& database, RequestObserver observer) {
  Result<EntityTable> table =
      EntityTable::Open(database, {.name = "groups", .observer = std::move(observer)});
  if (!table.ok()) return table.status();
  return Directory(*std::move(table));
}

Status Directory::Join(const std::string& user_id, const std::string& group_id) const {
  return table_.Transact()
      .Create(UserGroup{.user_id = user_id, .group_id = group_id, .joined_at = table_.Now()})
      .Require(User{.id = user_id})
      .Require(Group{.id = group_id})
      .Commit();
}

Status Directory::Leave(const std::string& user_id, const std::string& group_id) const {
  return table_.Remove(UserGroup{.user_id = user_id, .group_id = group_id});
}

Result<std::vector<UserGroup>> Directory::ListGroupsOf(const std::string& user_id) const {
  return table_.Query<UserGroup>().With<&UserGroup::user_id>(user_id).All();
}

Result<std::vector<GroupMember>> Directory::ListMembersOf(const std::string& group_id) const {
  return table_.Query<GroupMember>().With<&GroupMember::group_id>(group_id).All();
}

Result<UserWithGroups> Directory::GetUserWithGroups(const std::string& user_id) const {
  auto whole = table_.Query<User, UserGroup>().With<&User::id>(user_id).Grouped();
  if (!whole.ok()) return whole.status();
  auto& [users, groups] = *whole;
  if (users.empty()) return Status::ResourceNotFound("there is no user " + user_id);
  return UserWithGroups{std::move(users.front()), std::move(groups)};
}

Result<bool> Directory::IsMember(const std::string& user_id, const std::string& group_id) const {
  const auto found = table_.Find(UserGroup{.user_id = user_id, .group_id = group_id});
  if (!found.ok()) return found.status();
  return found->has_value();
}

}  // namespace dolmen::groups
