#include "models/patterns/groups.h"

#include <optional>
#include <variant>

namespace dolmen::groups {

Result<Directory> Directory::Open(const Database& database, RequestObserver observer) {
  Result<EntityTable> table =
      EntityTable::Open(database, {.name = "groups", .observer = std::move(observer)});
  if (!table.ok()) return table.status();
  return Directory(*std::move(table));
}

Status Directory::Join(const std::string& user_id, const std::string& group_id) const {
  const Timestamp now = table_.Now();
  return table_.Transact()
      .Create(UserGroup{.user_id = user_id, .group_id = group_id, .joined_at = now})
      .Create(GroupMember{.group_id = group_id, .user_id = user_id, .joined_at = now})
      .Require(User{.id = user_id})
      .Require(Group{.id = group_id})
      .Commit();
}

Status Directory::Leave(const std::string& user_id, const std::string& group_id) const {
  return table_.Transact()
      .Remove(UserGroup{.user_id = user_id, .group_id = group_id})
      .Remove(GroupMember{.group_id = group_id, .user_id = user_id})
      .Commit();
}

Result<std::vector<UserGroup>> Directory::ListGroupsOf(const std::string& user_id) const {
  return table_.Query<UserGroup>().With<&UserGroup::user_id>(user_id).All();
}

Result<std::vector<GroupMember>> Directory::ListMembersOf(const std::string& group_id) const {
  return table_.Query<GroupMember>().With<&GroupMember::group_id>(group_id).All();
}

Result<UserWithGroups> Directory::GetUserWithGroups(const std::string& user_id) const {
  auto found = table_.Query<User, UserGroup>().With<&User::id>(user_id).All();
  if (!found.ok()) return found.status();
  UserWithGroups whole;
  bool is_there = false;
  for (auto& item : *found) {
    if (auto* user = std::get_if<User>(&item)) {
      whole.user = std::move(*user);
      is_there = true;
    } else {
      whole.groups.push_back(std::move(*std::get_if<UserGroup>(&item)));
    }
  }
  if (!is_there) return Status::ResourceNotFound("there is no user " + user_id);
  return whole;
}

Result<bool> Directory::IsMember(const std::string& user_id, const std::string& group_id) const {
  const auto found = table_.Find(UserGroup{.user_id = user_id, .group_id = group_id});
  if (!found.ok()) return found.status();
  return found->has_value();
}

}  // namespace dolmen::groups
