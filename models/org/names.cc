// Copying an organisation's new name to its members, in one of three ways (NameCopies).
//
// A user who is invited during a rename gets the new name. Invite depends on the organisation's
// version, so it never writes an older name after the rename. A member that Invite has added before
// the rename is among those that the rename, or afterwards the subscription, reads.

#include "models/org/org.h"

namespace dolmen::org {
namespace {

using MemberRecord = OrganisationMemberRecord;

Changes<OrganisationRecord> NewName(const std::string& name) {
  return Changes<OrganisationRecord>().Set<&OrganisationRecord::organisation, &Organisation::name>(
      name);
}

Changes<MemberRecord> NewCopy(const std::string& name) {
  return Changes<MemberRecord>().Set<&MemberRecord::organisation_name>(name);
}

}  // namespace

Status Org::ForEachMember(
    const std::string& organisation_id,
    const std::function<Status(const OrganisationMemberRecord&)>& change) const {
  return table_.Query<MemberRecord>()
      .With<&MemberRecord::organisation_id>(organisation_id)
      .All()
      .and_then([&](const std::vector<MemberRecord>& records) {
        for (const MemberRecord& record : records) {
          Status changed = change(record);
          if (!changed.ok() && changed.code() != StatusCode::kResourceNotFound) return changed;
        }
        return Status();
      });
}

Status Org::RenameOrganisation(const std::string& id, const std::string& name) const {
  const OrganisationRecord key = {.organisation = {.id = id}};
  if (name_copies_ != NameCopies::kInTransaction) return table_.Update(key, NewName(name)).status();
  return table_.Retry([&](EntityTransaction& rename) {
    return table_.Get(key).and_then([&](const OrganisationRecord& found) {
      // The version makes sure that no user joins or leaves between the read and the write.
      rename.Update(key, NewName(name).IfVersion(found.version));
      const Status read = ForEachMember(id, [&](const MemberRecord& record) {
        rename.Update(record, NewCopy(name));
        return Status();
      });
      if (!read.ok() || rename.size() <= 1 + kCopiesInTransactionMax) return read;
      return Status::Validation("organisation " + id + " has more than " +
                                std::to_string(kCopiesInTransactionMax) +
                                " members and invitations, too many for one transaction; rename "
                                "it with NameCopies::kByFeed or NameCopies::kOnRead");
    });
  });
}

// Writes the current name, not that of a record of the stream. So a record that comes twice or late
// does no harm.
Status Org::CopyName(const std::string& id) const {
  return table_.Find(OrganisationRecord{.organisation = {.id = id}})
      .and_then([&](const std::optional<OrganisationRecord>& found) {
        if (!found) return Status();  // the organisation was removed meanwhile
        return ForEachMember(id, [&](const MemberRecord& record) {
          return table_.Update(record, NewCopy(found->organisation.name)).status();
        });
      });
}

Result<Subscription> Org::KeepNamesFresh(bool in_background) const {
  return table_.Subscribe<OrganisationRecord>(
      {.name = "org: fresh names", .in_background = in_background},
      [org = *this](const EntityChange<OrganisationRecord>& change) {
        const bool is_rename = change.before && change.after &&
                               change.before->organisation.name != change.after->organisation.name;
        return is_rename ? org.CopyName(change.after->organisation.id) : Status();
      });
}

}  // namespace dolmen::org
