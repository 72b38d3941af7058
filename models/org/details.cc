#include "models/org/details.h"

#include <map>
#include <optional>
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

// Collects the items of an organisation's partition into its details.
class Collector {
 public:
  void operator()(Organisation organisation) { organisation_ = std::move(organisation); }

  void operator()(OrganisationMember member) {
    auto& where = member.accepted_at ? details_.members : details_.invitations;
    if (member.accepted_at) AddToGroups(member);
    where.push_back(std::move(member));
  }

  void operator()(OrganisationService service) {
    const auto found = by_service_.find(service.id);
    Groups groups;
    if (found != by_service_.end()) {
      groups = std::move(found->second);
      by_service_.erase(found);
    }
    details_.services.push_back({.id = std::move(service.id),
                                 .name = std::move(service.name),
                                 .groups = InOrder(std::move(groups))});
  }

  // Returns the details. REQUIRES: every item has been added.
  Result<OrganisationDetails> Finish(const std::string& id) && {
    if (!organisation_) return Status::ResourceNotFound("there is no organisation " + id);
    if (!by_service_.empty()) {
      return Status::Corruption("organisation " + id + " has members in groups of a service " +
                                by_service_.begin()->first + ", which does not exist");
    }
    details_.organisation = *std::move(organisation_);
    details_.groups = InOrder(std::move(groups_));
    return std::move(details_);
  }

 private:
  void AddToGroups(const OrganisationMember& member) {
    const User user = {.email = member.id.email, .profile = member.profile.value_or(Profile())};
    for (const std::string& text : member.group_names) {
      const std::size_t end = text.find(kServiceEnd);
      Groups& groups = end == std::string::npos ? groups_ : by_service_[text.substr(0, end)];
      groups[text.substr(end == std::string::npos ? 0 : end + 1)].push_back(user);
    }
  }

  std::optional<Organisation> organisation_;
  OrganisationDetails details_;
  Groups groups_;
  std::map<std::string, Groups, std::less<>> by_service_;  // of services that are not added yet
};

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

Result<OrganisationDetails> DetailsOf(const std::string& id, std::vector<OrganisationItem> items) {
  Collector collector;
  for (OrganisationItem& item : items) std::visit(collector, std::move(item));
  return std::move(collector).Finish(id);
}

}  // namespace dolmen::org
