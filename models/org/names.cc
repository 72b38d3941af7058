// Copying an organisation's new name to its members, in one of three ways (NameCopies).
//
// A user who is invited during a rename gets the new name. Invite depends on the organisation's
// version, so it never writes an older name after the rename. A member that Invite has added before
// the rename is among those that the rename, or afterwards the subscription, reads.

#include "models/org/org.h"

namespace dolmen::org {

Status Org::RenameOrganisation(const std::string& id, const std::string& name) const {
  auto rename = Changes<OrganisationRecord>();
  rename.Set<&OrganisationRecord::organisation, &Organisation::name>(name);
  if (name_copies_ != NameCopies::kInTransaction) return table_.Update(KeyOf(id), rename).status();
  return table_.Retry([&](EntityTransaction& write) {
    return table_.Get(KeyOf(id)).and_then([&](const OrganisationRecord& found) {
      // The version makes sure that no user joins or leaves between the read and the write.
      write.Update(found, rename.IfVersion(found.version));
      const auto copy = [&](const MemberRecord& record) {
        write.Update(record, Changes<MemberRecord>().Set<&MemberRecord::organisation_name>(name));
        if (write.size() <= 1 + kCopiesInTransactionMax) return Status();
        return Status::Validation("organisation " + id + " has more than " +
                                  std::to_string(kCopiesInTransactionMax) +
                                  " members and invitations, too many for one transaction; rename "
                                  "it with NameCopies::kByFeed or NameCopies::kOnRead");
      };
      return MembersOf(id).ForEach(copy);
    });
  });
}

Result<Subscription> Org::KeepNamesFresh(bool in_background) const {
  // Copies the current name, not that of the record of the stream. So a record that comes twice or
  // late does no harm.
  const auto copy_name = [org = *this](const EntityChange<OrganisationRecord>& change) -> Status {
    if (!change.before || !change.after) return {};
    const Organisation& renamed = change.after->organisation;
    if (change.before->organisation.name == renamed.name) return {};
    return org.table_.Find(*change.after).and_then([&](const auto& found) -> Status {
      if (!found) return {};  // the organisation was removed meanwhile
      return org.MembersOf(renamed.id).ForEach([&](const MemberRecord& record) {
        return org.table_.Update(record)
            .Set<&MemberRecord::organisation_name>(found->organisation.name)
            .CommitIgnoring(StatusCode::kResourceNotFound);  // the member was removed meanwhile
      });
    });
  };
  return table_.Subscribe<OrganisationRecord>(
      {.name = "org: fresh names", .in_background = in_background}, copy_name);
}

}  // namespace dolmen::org
