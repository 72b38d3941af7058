#include "models/org/org.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace dolmen::org {
namespace {

using MemberRecord = OrganisationMemberRecord;
using ServiceRecord = OrganisationServiceRecord;

// The items of an organisation's partition, by entity.
using Records = std::tuple<std::vector<OrganisationRecord>, std::vector<MemberRecord>,
                           std::vector<ServiceRecord>>;

Result<Records> Read(const EntityTable& table, const std::string& id) {
  return table.Query<OrganisationRecord, MemberRecord, ServiceRecord>()
      .With<&MemberRecord::organisation_id>(id)
      .Grouped();
}

// Returns the groups of each service by its id, and the organisation's own groups at "".
std::map<std::string, std::vector<Group>> GroupsOf(const std::vector<Member>& members) {
  std::map<GroupId, std::vector<User>> users;
  for (const Member& member : members) {
    for (const GroupId& group : member.groups) users[group].push_back(member.user);
  }
  std::map<std::string, std::vector<Group>> groups;
  for (const auto& [group, its_users] : users) {
    groups[group.service_id].push_back({.name = group.name, .users = its_users});
  }
  return groups;
}

OrganisationDetails BuildDetails(const Records& records) {
  const auto& [organisations, members, services] = records;
  OrganisationDetails details = {.organisation = organisations.front().organisation};
  for (const MemberRecord& record : members) {
    (record.member.accepted_at ? details.members : details.invitations).push_back(record.member);
  }
  auto groups = GroupsOf(details.members);
  details.groups = groups[""];
  for (const ServiceRecord& record : services) {
    details.services.push_back(record.service);
    details.services.back().groups = groups[record.service.id];
  }
  return details;
}

}  // namespace

Result<Org> Org::Open(const Database& database, const OrgOptions& options) {
  EntityTableInput input = {.name = "org", .observer = options.observer};
  if (options.name_copies == NameCopies::kByFeed) {
    input.stream_specification = {.view_type = StreamViewType::kNewAndOldImages,
                                  .retention = std::chrono::days(30)};
  }
  return EntityTable::Open(database, input).transform([&](const EntityTable& table) {
    return Org(table, options.name_copies);
  });
}

Result<User> Org::PutUser(const User& user) const {
  return table_.Update(user)
      .Set<&User::first_name>(user.first_name)
      .Set<&User::last_name>(user.last_name)
      .Set<&User::phone>(user.phone)
      .OrCreate()
      .Commit();
}

Status Org::PutUsers(const std::vector<User>& users) const { return table_.BatchPut(users); }

Result<User> Org::GetUser(const Email& email) const { return table_.Get(User{.email = email}); }

Result<UserDetails> Org::GetUserDetails(const Email& email) const {
  const auto found =
      table_.Query<User, UserOrganisationRecord>().With<&User::email>(email).Grouped();
  if (!found.ok()) return found.status();
  const auto& [users, memberships] = *found;
  UserDetails details;
  if (!users.empty()) details.user = users.front();
  for (const auto& [owner, invitation] : memberships) {
    if (invitation.accepted_at) {
      details.organisations.push_back(invitation.organisation);
    } else {
      details.invitations.push_back(invitation);
    }
  }
  return details;
}

Result<Organisation> Org::CreateOrganisation(Organisation organisation, const Email& owner) const {
  if (organisation.id.empty()) organisation.id = NewUuid();
  return GetUser(owner).and_then([&](const User& user) -> Result<Organisation> {
    const Timestamp now = table_.Now();
    const Status created =
        table_.Transact()
            .Create(OrganisationRecord{.organisation = organisation, .owners = {owner}})
            .Create(MemberRecord{.organisation_id = organisation.id,
                                 .organisation_name = organisation.name,
                                 .member = {.user = user,
                                            .groups = {{.name = kOwners}},
                                            .invited_at = now,
                                            .accepted_at = now}})
            .Commit();
    if (!created.ok()) return created;
    return organisation;
  });
}

Result<Organisation> Org::GetOrganisation(const std::string& id) const {
  return table_.Get(OrganisationRecord{.organisation = {.id = id}})
      .transform([](const OrganisationRecord& record) { return record.organisation; });
}

Result<OrganisationDetails> Org::GetOrganisationDetails(const std::string& id) const {
  return Read(table_, id).and_then([&](const Records& records) -> Result<OrganisationDetails> {
    if (!std::get<0>(records).empty()) return BuildDetails(records);
    return Status::ResourceNotFound("there is no organisation " + id);
  });
}

Result<OrganisationDetails> Org::GetOrganisationAs(const MembershipId& id) const {
  const Result<Records> records = Read(table_, id.organisation_id);
  if (!records.ok()) return records.status();
  const auto& [organisations, members, services] = *records;
  // The items show who may see them, so the check of the right needs no further request.
  const auto own = std::ranges::find_if(members, [&](const MemberRecord& record) {
    return record.member.user.email == id.email && record.member.accepted_at;
  });
  if (organisations.empty() || own == members.end()) {
    return Status::ResourceNotFound("the organisation " + id.organisation_id +
                                    " does not exist or has no member " + id.email.text());
  }
  const std::string& name = organisations.front().organisation.name;
  if (name_copies_ == NameCopies::kOnRead && own->organisation_name != name) {
    // Ignores an error, because the organisation itself was read, and the next read tries again. The
    // condition keeps a newer name.
    using Copy = AttrOf<&MemberRecord::organisation_name>;
    table_.Update(*own)
        .Set<&MemberRecord::organisation_name>(name)
        .If(Copy() == own->organisation_name)
        .Commit()
        .status()
        .IgnoreError();
  }
  return BuildDetails(*records);
}

Status Org::RemoveOrganisation(const std::string& id) const {
  // Removes this item first, so that no user can join the organisation meanwhile.
  const OrganisationRecord key = {.organisation = {.id = id}};
  if (Status removed = table_.BatchRemove<OrganisationRecord>({key}); !removed.ok()) return removed;
  return Read(table_, id).and_then([&](const Records& records) {
    const auto& [organisations, members, services] = records;
    const Status removed = table_.BatchRemove(members);
    return removed.ok() ? table_.BatchRemove(services) : removed;
  });
}

Status Org::PutService(const std::string& organisation_id, const Service& service) const {
  return table_.Transact()
      .Require(OrganisationRecord{.organisation = {.id = organisation_id}})
      .Put(ServiceRecord{.organisation_id = organisation_id, .service = service})
      .Commit();
}

}  // namespace dolmen::org
