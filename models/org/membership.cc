// Members, invitations and groups. A write of OrganisationMemberRecord also writes the user's side.

#include "models/org/org.h"

namespace dolmen::org {
namespace {

using MemberRecord = OrganisationMemberRecord;
using AcceptedAt = AttrOf<&MemberRecord::member, &Member::accepted_at>;

MemberRecord KeyOf(const MembershipId& id) {
  return {.organisation_id = id.organisation_id, .member = {.user = {.email = id.email}}};
}

OrganisationRecord OrganisationOf(const MembershipId& id) {
  return {.organisation = {.id = id.organisation_id}};
}

// Returns the changes that take the user from the owners. The last owner stays.
Changes<OrganisationRecord> WithoutOwner(const MembershipId& id) {
  return Changes<OrganisationRecord>()
      .Delete<&OrganisationRecord::owners>({id.email})
      .If(AttrOf<&OrganisationRecord::owners>() != std::set<Email>{id.email},
          id.email.text() + " is the last owner of " + id.organisation_id);
}

std::string NotAMember(const MembershipId& id) {
  return id.email.text() + " is not a member of " + id.organisation_id;
}

std::string IsMemberAlready(const MembershipId& id) {
  return id.email.text() + " is a member of " + id.organisation_id + " already";
}

}  // namespace

Status Org::Invite(const MembershipId& id, const std::set<std::string>& groups) const {
  if (groups.contains(kOwners)) {
    return Status::Validation("an owner must be a member first: invite without the group owner");
  }
  MemberRecord invited = KeyOf(id);
  invited.member.invited_at = table_.Now();
  for (const std::string& name : groups) invited.member.groups.insert({.name = name});
  return table_.Retry([&](EntityTransaction& write) {
    return table_.Get(OrganisationOf(id)).and_then([&](const OrganisationRecord& found) {
      invited.organisation_name = found.organisation.name;
      // The version makes sure that the organisation still has the name that the copy gets.
      write.Update(found, Changes<OrganisationRecord>().IfVersion(found.version)).Create(invited);
      return Status();
    });
  });
}

Status Org::Accept(const MembershipId& id) const {
  return GetUser(id.email).and_then([&](const User& user) {
    return table_.Update(KeyOf(id))
        .Set<&MemberRecord::member, &Member::user>(user)
        .Set<&MemberRecord::member, &Member::accepted_at>(table_.Now())
        .If(AcceptedAt().NotExists(), IsMemberAlready(id))
        .Commit()
        .status();
  });
}

Status Org::Decline(const MembershipId& id) const {
  return table_.Transact()
      .Remove(KeyOf(id), AcceptedAt().NotExists(), IsMemberAlready(id))
      .Update(OrganisationOf(id), Changes<OrganisationRecord>())
      .Commit();
}

Status Org::RemoveMember(const MembershipId& id) const {
  return table_.Transact()
      .Remove(KeyOf(id), AcceptedAt().Exists(), NotAMember(id))
      .Update(OrganisationOf(id), WithoutOwner(id))
      .Commit();
}

Result<Member> Org::GetMember(const MembershipId& id) const {
  return table_.Find(KeyOf(id)).and_then(
      [&](const std::optional<MemberRecord>& found) -> Result<Member> {
        if (found && found->member.accepted_at) return found->member;
        return Status::ResourceNotFound(NotAMember(id));
      });
}

Result<bool> Org::IsInGroup(const MembershipId& id, const GroupId& group) const {
  return table_.Find(KeyOf(id)).transform([&](const std::optional<MemberRecord>& found) {
    return found && found->member.accepted_at && found->member.groups.contains(group);
  });
}

Status Org::AddToGroup(const MembershipId& id, const GroupId& group) const {
  EntityTransaction write = table_.Transact();
  write.Update(KeyOf(id),
               Changes<MemberRecord>().Add<&MemberRecord::member, &Member::groups>({group}).If(
                   AcceptedAt().Exists(), NotAMember(id)));
  if (!group.service_id.empty()) {
    write.Require(OrganisationServiceRecord{.organisation_id = id.organisation_id,
                                            .service = {.id = group.service_id}});
  }
  if (group == GroupId{.name = kOwners}) {
    write.Update(OrganisationOf(id),
                 Changes<OrganisationRecord>().Add<&OrganisationRecord::owners>({id.email}));
  }
  return write.Commit();
}

Status Org::RemoveFromGroup(const MembershipId& id, const GroupId& group) const {
  EntityTransaction write = table_.Transact();
  write.Update(KeyOf(id),
               Changes<MemberRecord>().Delete<&MemberRecord::member, &Member::groups>({group}).If(
                   AcceptedAt().Exists(), NotAMember(id)));
  if (group == GroupId{.name = kOwners}) write.Update(OrganisationOf(id), WithoutOwner(id));
  return write.Commit();
}

Status Org::RemoveService(const std::string& organisation_id, const std::string& service_id) const {
  // Removes the service first, so that no member can join its groups meanwhile.
  const OrganisationServiceRecord key = {.organisation_id = organisation_id,
                                         .service = {.id = service_id}};
  Status status = table_.BatchRemove<OrganisationServiceRecord>({key});
  if (!status.ok()) return status;
  return ForEachMember(organisation_id, [&](const MemberRecord& record) -> Status {
    std::set<GroupId> gone = record.member.groups;
    std::erase_if(gone, [&](const GroupId& group) { return group.service_id != service_id; });
    if (gone.empty()) return {};
    return table_.Update(record)
        .Delete<&MemberRecord::member, &Member::groups>(gone)
        .Commit()
        .status();
  });
}

Result<User> Org::ContactMember(const MembershipId& id) const {
  return GetUser(id.email).and_then([&](const User& user) {
    return table_.Update(KeyOf(id))
        .Set<&MemberRecord::member, &Member::user>(user)
        .If(AcceptedAt().Exists(), NotAMember(id))
        .Commit()
        .transform([](const MemberRecord& renewed) { return renewed.member.user; });
  });
}

}  // namespace dolmen::org
