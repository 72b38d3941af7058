#include "models/org/org.h"

#include <dolmen/entity/changes.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "models/org/details.h"
#include "models/org/errors.h"

namespace dolmen::org {
namespace {

constexpr const char* kTableName = "org";

// Returns the specification of a stream with old and new images. KeepNamesFresh needs both: a
// record is a rename if nameVersion is greater in the new image.
StreamSpecification Feed() {
  return {.view_type = StreamViewType::kNewAndOldImages, .retention = std::chrono::days(30)};
}

OrganisationMember MemberKey(const std::string& email, const GroupId& group) {
  return {.id = {.organisation_id = group.organisation_id, .email = email}};
}

}  // namespace

Result<Org> Org::Open(const Database& database, const OrgOptions& options) {
  EntityTableInput input = {.name = kTableName, .observer = options.observer};
  if (options.name_copies == NameCopies::kByFeed) input.stream_specification = Feed();
  Result<EntityTable> table = EntityTable::Open(database, input);
  if (!table.ok()) return table.status();
  return Org(*std::move(table), options.name_copies);
}

Result<User> Org::PutUser(const User& user) const {
  return table_.Update(user).Set<&User::profile>(user.profile).OrCreate().Commit();
}

Result<UserDetails> Org::GetUser(const std::string& email) const {
  auto found = table_.Query<User, UserOrganisation>().With<&User::email>(email).Grouped();
  if (!found.ok()) return found.status();
  auto& [users, memberships] = *found;
  if (users.empty()) return Status::ResourceNotFound("there is no user " + email);
  UserDetails details = {.user = std::move(users.front())};
  for (UserOrganisation& membership : memberships) {
    auto& where = membership.accepted_at ? details.organisations : details.invitations;
    where.push_back(std::move(membership));
  }
  return details;
}

Result<OrganisationDetails> Org::GetOrganisation(const std::string& id) const {
  auto found = table_.Query<Organisation, OrganisationMember, OrganisationService>()
                   .With<&Organisation::id>(id)
                   .Grouped();
  if (!found.ok()) return found.status();
  auto& [organisations, members, services] = *found;
  if (organisations.empty()) return Status::ResourceNotFound("there is no organisation " + id);
  return BuildDetails(std::move(organisations.front()), std::move(members), std::move(services));
}

Result<OrganisationDetails> Org::GetOrganisationAs(const MembershipId& id) const {
  Result<OrganisationDetails> details = GetOrganisation(id.organisation_id);
  if (details.status().code() == StatusCode::kResourceNotFound) return NotAMember(id);
  if (!details.ok()) return details;
  const auto member = std::ranges::find(details->members, id, &OrganisationMember::id);
  if (member == details->members.end()) return NotAMember(id);
  if (name_copies_ == NameCopies::kOnRead &&
      member->seen_name_version < details->organisation.name_version) {
    // If ShowName cannot update the member's copy of the name, ignore the error: the organisation
    // itself was read successfully, and the next read tries again.
    ShowName(id, details->organisation).IgnoreError();
  }
  return details;
}

Status Org::PutService(const OrganisationService& service) const {
  if (service.name.empty()) return Status::Validation("a service needs a name");
  return table_.Transact()
      .Require(Organisation{.id = service.organisation_id})
      .Put(service)
      .Commit();
}

Status Org::AddToGroup(const std::string& email, const GroupId& group) const {
  const Result<std::string> text = GroupText(group);
  if (!text.ok()) return text.status();
  const auto changes = Changes<OrganisationMember>().Add<&OrganisationMember::group_names>({*text});
  if (group.service_id.empty()) return table_.Update(MemberKey(email, group), changes).status();
  return table_.Transact()
      .Require(
          OrganisationService{.organisation_id = group.organisation_id, .id = group.service_id})
      .Update(MemberKey(email, group), changes)
      .Commit();
}

Status Org::RemoveFromGroup(const std::string& email, const GroupId& group) const {
  const Result<std::string> text = GroupText(group);
  if (!text.ok()) return text.status();
  return table_.Update(MemberKey(email, group))
      .Delete<&OrganisationMember::group_names>({*text})
      .Commit()
      .status();
}

Result<User> Org::ContactMember(const MembershipId& id) const {
  Result<User> user = table_.Get(User{.email = id.email});
  if (!user.ok()) return user;
  const Status status = table_.Update(OrganisationMember{.id = id})
                            .Set<&OrganisationMember::profile>(user->profile)
                            .If(AttrOf<&OrganisationMember::accepted_at>().Exists())
                            .Commit()
                            .status();
  if (status.code() == StatusCode::kConditionalCheckFailed ||
      status.code() == StatusCode::kResourceNotFound) {
    return NotAMember(id);
  }
  if (!status.ok()) return status;
  return user;
}

}  // namespace dolmen::org
