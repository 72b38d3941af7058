// How the copies of an organisation's name follow when it is renamed.
//
// A copy may not stay old for good if it is made while the organisation is being renamed.  Invite
// sees to one half of that: its transaction requires the name that it has read.  The other half is
// here: who copies a new name to all members reads them when the name is there, or writes it only
// if they are the same still.

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
  return Status::Validation("organisation " + organisation.id + " has " +
                            std::to_string(organisation.member_count) +
                            " members and invitations, and one transaction renames " +
                            std::to_string(Org::kCopiesInTransactionMax) +
                            " at most: rename it with NameCopies::kByFeed or NameCopies::kOnRead");
}

// Refused because something was written between the reading and the writing, or is not there any
// longer.
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
    // Somebody came or went between the two reads.
    if (members->size() != organisation->member_count) continue;

    // Each copy must be there, and no more of them than were read: so they are the same.
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

// Gives the user's copy the organisation's name, unless it is gone or newer.
Status Org::CopyName(const MembershipId& id, const Organisation& organisation) const {
  const Status status =
      table_
          .Update(UserOrganisation{.id = id},
                  NewCopy(organisation.name, organisation.name_version)
                      .If(AttrOf<&UserOrganisation::name_version>() < organisation.name_version))
          .status();
  return IsOvertaken(status) ? Status() : status;
}

// The same for a member who looks at the organisation, and a note that it is done.  In this order:
// after a crash in between it is done once more.
Status Org::ShowName(const MembershipId& id, const Organisation& organisation) const {
  if (Status status = CopyName(id, organisation); !status.ok()) return status;
  using Member = OrganisationMember;
  const Status status =
      table_
          .Update(Member{.id = id},
                  Changes<Member>()
                      .Set<&Member::seen_name_version>(organisation.name_version)
                      .If(AttrOf<&Member::seen_name_version>() < organisation.name_version))
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
    for (const OrganisationMember& member : page->items) {
      if (Status status = CopyName(member.id, *organisation); !status.ok()) return status;
    }
    cursor = page->next_cursor;
  } while (!cursor.empty());
  return {};
}

}  // namespace dolmen::org
