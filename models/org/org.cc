#include "models/org/org.h"

#include <dolmen/entity/changes.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "models/org/details.h"
#include "models/org/errors.h"
#include "models/org/profile.h"

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
  return table_.Update(user, Changes<User>()
                                 .Set<&User::profile, &Profile::first_name>(user.profile.first_name)
                                 .Set<&User::profile, &Profile::last_name>(user.profile.last_name)
                                 .Set<&User::profile, &Profile::phone>(user.profile.phone)
                                 .OrCreate());
}

Result<UserDetails> Org::GetUser(const std::string& email) const {
  auto items = table_.Query<User, UserOrganisation>().With<&User::email>(email).All();
  if (!items.ok()) return items.status();
  // The sort key of the user's item is `user`, the least one in the partition, so this item comes
  // first.
  if (items->empty() || !std::holds_alternative<User>(items->front())) {
    return Status::ResourceNotFound("there is no user " + email);
  }
  UserDetails details = {.user = std::get<User>(std::move(items->front()))};
  for (auto item = items->begin() + 1; item != items->end(); ++item) {
    auto& membership = std::get<UserOrganisation>(*item);
    auto& where = membership.accepted_at ? details.organisations : details.invitations;
    where.push_back(std::move(membership));
  }
  return details;
}

Result<OrganisationDetails> Org::GetOrganisation(const std::string& id) const {
  auto items = table_.Query<Organisation, OrganisationMember, OrganisationService>()
                   .With<&Organisation::id>(id)
                   .All();
  if (!items.ok()) return items.status();
  return DetailsOf(id, *std::move(items));
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
  return table_
      .Update(MemberKey(email, group),
              Changes<OrganisationMember>().Delete<&OrganisationMember::group_names>({*text}))
      .status();
}

Result<User> Org::ContactMember(const MembershipId& id) const {
  Result<User> user = table_.Get(User{.email = id.email});
  if (!user.ok()) return user;
  auto changes = CopyOf(user->profile);
  changes.If(AttrOf<&OrganisationMember::accepted_at>().Exists());
  const Status status = table_.Update(OrganisationMember{.id = id}, changes).status();
  if (status.code() == StatusCode::kConditionalCheckFailed ||
      status.code() == StatusCode::kResourceNotFound) {
    return NotAMember(id);
  }
  if (!status.ok()) return status;
  return user;
}

}  // namespace dolmen::org
