// Copying an organisation's new name to its members.
//
// If a rename and an Invite run at the same time, the invited user's copy must get the new name:
// - Invite reads the name and writes the copy in a transaction. The transaction fails if the name
//   has changed since Invite read the name.
// - With kInTransaction, the rename reads the members and writes all copies in one transaction. The
//   transaction fails if a member was added or removed since the rename read the members.
// - With kByFeed and kOnRead, the copies are updated after the rename.

#include <dolmen/entity/changes.h>

#include <utility>

#include "models/org/org.h"

namespace dolmen::org {
namespace {

constexpr const char* kSubscription = "org: fresh names";

Changes<Organisation> NewName(const std::string& name) {
  return Changes<Organisation>().Set<&Organisation::name>(name).Add<&Organisation::name_version>(1);
}

Changes<UserOrganisation> NewCopy(const std::string& name, std::int64_t version) {
  return Changes<UserOrganisation>()
      .Set<&UserOrganisation::organisation_name>(name)
      .Set<&UserOrganisation::name_version>(version);
}

Status TooManyCopies(const Organisation& organisation) {
  return Status::Validation(
      "organisation " + organisation.id + " has " + std::to_string(organisation.member_count) +
      " members and invitations, but one transaction can update at most " +
      std::to_string(Org::kCopiesInTransactionMax) +
      " copies of its name; rename it with NameCopies::kByFeed or NameCopies::kOnRead");
}

// Returns true if the item was changed or removed after it was read.
bool IsOvertaken(const Status& status) {
  return status.code() == StatusCode::kConditionalCheckFailed ||
         status.code() == StatusCode::kResourceNotFound;
}

}  // namespace

Status Org::RenameOrganisation(const std::string& id, const std::string& name) const {
  if (name.empty()) return Status::Validation("an organisation needs a name");
  if (name_copies_ == NameCopies::kInTransaction) return RenameWithCopies(id, name);
  return table_.Update(Organisation{.id = id}, NewName(name)).status();
}

Status Org::RenameWithCopies(const std::string& id, const std::string& name) const {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const Result<Organisation> organisation = table_.Get(Organisation{.id = id});
    if (!organisation.ok()) return organisation.status();
    if (organisation->member_count > kCopiesInTransactionMax) return TooManyCopies(*organisation);
    const auto members = table_.Query<OrganisationMember>()
                             .With<&OrganisationMember::id, &MembershipId::organisation_id>(id)
                             .All();
    if (!members.ok()) return members.status();
    // If the number of items that were read differs from memberCount, a member joined or left
    // between the two reads. The loop then repeats both reads.
    if (members->size() != organisation->member_count) continue;

    // The transaction requires that each member that was read still exists and that the number of
    // members has not changed. So all members get the new name.
    EntityTransaction rename = table_.Transact();
    rename.Update(*organisation,
                  NewName(name)
                      .If(AttrOf<&Organisation::name_version>() == organisation->name_version)
                      .If(AttrOf<&Organisation::member_count>() == organisation->member_count));
    for (const OrganisationMember& member : *members) {
      rename.Update(UserOrganisation{.id = member.id},
                    NewCopy(name, organisation->name_version + 1));
    }
    const Status status = rename.Commit();
    if (!IsOvertaken(status)) return status;
  }
  return Status::TransactionConflict();
}

// Sets the name in the user's copy. Does nothing if the copy does not exist, or if the copy has the
// same or a newer version of the name.
Status Org::CopyName(const MembershipId& id, const Organisation& organisation) const {
  const Status status =
      table_
          .Update(UserOrganisation{.id = id},
                  NewCopy(organisation.name, organisation.name_version)
                      .If(AttrOf<&UserOrganisation::name_version>() < organisation.name_version))
          .status();
  return IsOvertaken(status) ? Status() : status;
}

// Updates a member's copy of the organisation's name when the member reads the organisation. Then
// sets seenNameVersion in the OrganisationMember, so that later reads write nothing. After a crash
// between the two writes, the next read repeats both writes.
Status Org::ShowName(const MembershipId& id, const Organisation& organisation) const {
  if (Status status = CopyName(id, organisation); !status.ok()) return status;
  using Member = OrganisationMember;
  const Status status = table_.Update(Member{.id = id})
                            .Set<&Member::seen_name_version>(organisation.name_version)
                            .If(AttrOf<&Member::seen_name_version>() < organisation.name_version)
                            .Commit()
                            .status();
  return IsOvertaken(status) ? Status() : status;
}

Result<Subscription> Org::KeepNamesFresh(bool in_background) const {
  SubscribeInput input;
  input.name = kSubscription;
  const std::string_view name_version = AttrOf<&Organisation::name_version>::name();
  input.filter = Attr("eventName") == "MODIFY" &&
                 Attr("NewImage")[kEntityType] == EntityName<Organisation>() &&
                 Attr("NewImage")[name_version] > Attr("OldImage")[name_version];
  input.in_background = in_background;
  return table_.table().Subscribe(
      input, [org = *this](const StreamRecord& rename) { return org.CopyName(rename); });
}

Status Org::CopyName(const StreamRecord& rename) const {
  const auto organisation =
      FromItem<Organisation>(rename.new_image ? rename.new_image->view() : ItemView());
  if (!organisation.ok()) return organisation.status();
  auto query = table_.Query<OrganisationMember>();
  query.With<&OrganisationMember::id, &MembershipId::organisation_id>(organisation->id);
  std::string cursor;
  do {
    const auto page = query.From(cursor).Page();
    if (!page.ok()) return page.status();
    if (!page->damaged.empty()) return page->damaged.front();
    for (const OrganisationMember& member : page->items) {
      if (Status status = CopyName(member.id, *organisation); !status.ok()) return status;
    }
    cursor = page->next_cursor;
  } while (!cursor.empty());
  return {};
}

}  // namespace dolmen::org
