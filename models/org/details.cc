#include "models/org/details.h"

#include <map>
#include <string_view>
#include <utility>

namespace dolmen::org {
namespace {

constexpr char kServiceEnd = '/';

using Groups = std::map<std::string, std::vector<User>, std::less<>>;

std::vector<Group> InOrder(Groups groups) {
  std::vector<Group> in_order;
  for (auto& [name, users] : groups) {
    in_order.push_back({.name = name, .users = std::move(users)});
  }
  return in_order;
}

// The groups of an organisation and of its services, by the id of the service. The organisation's own
// groups have the id "".
std::map<std::string, Groups, std::less<>> GroupsOf(
    const std::vector<OrganisationMember>& members) {
  std::map<std::string, Groups, std::less<>> by_service;
  for (const OrganisationMember& member : members) {
    const User user = {.email = member.id.email, .profile = member.profile.value_or(Profile())};
    for (const std::string& text : member.group_names) {
      const std::size_t end = text.find(kServiceEnd);
      const bool is_own = end == std::string::npos;
      Groups& groups = by_service[is_own ? "" : text.substr(0, end)];
      groups[is_own ? text : text.substr(end + 1)].push_back(user);
    }
  }
  return by_service;
}

}  // namespace

Result<std::string> GroupText(const GroupId& group) {
  for (const std::string& part : {group.service_id, group.name}) {
    if (part.find(kServiceEnd) == std::string::npos) continue;
    return Status::Validation("a group's name and its service's id may hold no '/': \"" + part +
                              "\"");
  }
  if (group.name.empty()) return Status::Validation("a group needs a name");
  if (group.service_id.empty()) return group.name;
  return group.service_id + kServiceEnd + group.name;
}

Result<OrganisationDetails> BuildDetails(Organisation organisation,
                                         std::vector<OrganisationMember> members,
                                         std::vector<OrganisationService> services) {
  OrganisationDetails details = {.organisation = std::move(organisation)};
  for (OrganisationMember& member : members) {
    auto& where = member.accepted_at ? details.members : details.invitations;
    where.push_back(std::move(member));
  }
  auto groups = GroupsOf(details.members);
  details.groups = InOrder(std::move(groups[""]));
  groups.erase("");
  for (OrganisationService& service : services) {
    details.services.push_back({.id = service.id,
                                .name = std::move(service.name),
                                .groups = InOrder(std::move(groups[service.id]))});
    groups.erase(service.id);
  }
  if (groups.empty()) return details;
  return Status::Corruption("organisation " + details.organisation.id +
                            " has members in groups of a service " + groups.begin()->first +
                            ", which does not exist");
}

}  // namespace dolmen::org
