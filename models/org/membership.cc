// Creating organisations and inviting users. One transaction always writes both sides of a
// membership.

#include <dolmen/entity/changes.h>

#include <utility>

#include "models/org/details.h"
#include "models/org/errors.h"
#include "models/org/org.h"

namespace dolmen::org {
namespace {

// Returns the user's side of a new membership, given the organisation's side.
UserOrganisation OtherSide(const OrganisationMember& member, const Organisation& organisation) {
  return {.id = member.id,
          .organisation_name = organisation.name,
          .name_version = organisation.name_version,
          .invited_at = member.invited_at,
          .accepted_at = member.accepted_at};
}

Status CheckGroups(const NewInvitation& request) {
  for (const std::string& name : request.group_names) {
    const Result<std::string> text =
        GroupText({.organisation_id = request.id.organisation_id, .name = name});
    if (!text.ok()) return text.status();
  }
  return {};
}

// Returns the error of accepting or declining an invitation, given the transaction's error.
Status WhyNotOpen(const Status& refusal, const MembershipId& id) {
  if (refusal.code() == StatusCode::kResourceNotFound) return NoInvitation(id);
  if (refusal.code() == StatusCode::kConditionalCheckFailed) return MemberAlready(id);
  return refusal;
}

}  // namespace

Result<Organisation> Org::CreateOrganisation(const NewOrganisation& request) const {
  if (request.name.empty()) return Status::Validation("an organisation needs a name");
  const Result<User> owner = table_.Get(User{.email = request.owner_email});
  if (!owner.ok()) return owner.status();
  const Timestamp now = table_.Now();
  Organisation organisation = {.id = request.id.empty() ? table_.NewUlid() : request.id,
                               .name = request.name,
                               .member_count = 1,
                               .created_at = now};
  const OrganisationMember member = {
      .id = {.organisation_id = organisation.id, .email = owner->email},
      .group_names = {kOwners},
      .seen_name_version = organisation.name_version,
      .invited_at = now,
      .accepted_at = now,
      .profile = owner->profile};
  const Status status = table_.Transact()
                            .Create(organisation)
                            .Create(OtherSide(member, organisation))
                            .Create(member)
                            .Commit();
  if (!status.ok()) return status;
  return organisation;
}

Status Org::Invite(const NewInvitation& request) const {
  if (Status status = CheckGroups(request); !status.ok()) return status;
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const auto organisation = table_.Get(Organisation{.id = request.id.organisation_id});
    if (!organisation.ok()) return organisation.status();
    const OrganisationMember member = {.id = request.id,
                                       .group_names = request.group_names,
                                       .seen_name_version = organisation->name_version,
                                       .invited_at = table_.Now()};
    const Status status =
        table_.Transact()
            .Update(*organisation,
                    Changes<Organisation>().Add<&Organisation::member_count>(1).If(
                        AttrOf<&Organisation::name_version>() == organisation->name_version))
            .Create(OtherSide(member, *organisation))
            .Create(member)
            .Commit();
    if (status.code() == StatusCode::kResourceInUse) return InvitedAlready(request.id);
    // The organisation was renamed after Invite read its name, so the invitation would hold the old
    // name. Invite tries again.
    if (status.code() != StatusCode::kConditionalCheckFailed) return status;
  }
  return Status::TransactionConflict();
}

Status Org::Accept(const MembershipId& id) const {
  const Result<User> user = table_.Get(User{.email = id.email});
  if (!user.ok()) return user.status();
  const Timestamp now = table_.Now();
  const Status status =
      table_.Transact()
          .Update(UserOrganisation{.id = id},
                  Changes<UserOrganisation>().Set<&UserOrganisation::accepted_at>(now).If(
                      AttrOf<&UserOrganisation::accepted_at>().NotExists()))
          .Update(OrganisationMember{.id = id},
                  Changes<OrganisationMember>()
                      .Set<&OrganisationMember::profile>(user->profile)
                      .Set<&OrganisationMember::accepted_at>(now))
          .Commit();
  return WhyNotOpen(status, id);
}

Status Org::Decline(const MembershipId& id) const {
  const Status status =
      table_.Transact()
          .Remove(UserOrganisation{.id = id}, AttrOf<&UserOrganisation::accepted_at>().NotExists())
          .Remove(OrganisationMember{.id = id})
          .Update(Organisation{.id = id.organisation_id},
                  Changes<Organisation>().Add<&Organisation::member_count>(-1))
          .Commit();
  return WhyNotOpen(status, id);
}

}  // namespace dolmen::org
