// The design of the table, with its keys and its access patterns, and sample data: four users in three
// organisations. README.md shows both, and a test compares the page with the design
// (tests/models/readme_test.cc).

#pragma once

#include <dolmen/entity/describe.h>

#include "models/org/org.h"

namespace dolmen::org {

// Returns the design. Every access pattern is one request; README.md lists the operations that need
// several requests.
inline TableDesign Design() {
  using MemberRecord = OrganisationMemberRecord;
  return Describe<User, OrganisationRecord, UserOrganisationRecord, MemberRecord,
                  OrganisationServiceRecord>(
      "org", {AccessPattern("A user", "GetUser").With<&User::email>(),
              AccessPattern("The organisations of a user and the invitations to an address",
                            "GetUserDetails")
                  .With<&UserOrganisationRecord::email>(),
              AccessPattern("An organisation", "GetOrganisation").WithKey<OrganisationRecord>(),
              AccessPattern("A member, or a member's rights", "GetMember, IsInGroup")
                  .WithKey<MemberRecord>()});
}

// Creates the sample data through the ordinary operations of Org. Existing items are not changed,
// so an interrupted load can be repeated.
inline Status LoadSampleData(const Org& org) {
  if (org.GetOrganisation("o_museum").ok()) return {};  // written last
  const MembershipId bob = {"o_quarry", "bob@example.com"};
  const MembershipId cleo = {"o_quarry", "cleo@example.com"};
  const MembershipId ann = {"o_press", "ann@example.com"};
  const auto accept = [&](const MembershipId& id) {
    return org.GetMember(id).ok() ? Status() : org.Accept(id);
  };
  for (const Status& written :
       {org.PutUsers({{"ann@example.com", "Ann", "Archer", "+49 30 5550101"},
                      {"bob@example.com", "Bob", "Barrow"},
                      {"cleo@example.com", "Cleo", "Cairn", "+33 1 5550103"},
                      {"dan@example.com", "Dan", "Delver"}}),
        org.CreateOrganisation({"o_quarry", "Quarry Works"}, "ann@example.com").status(),
        org.PutService("o_quarry", {"billing", "Billing"}),
        org.PutService("o_quarry", {"website", "Website"}), org.Invite(bob, {"administrator"}),
        org.Invite(cleo), org.Invite({"o_quarry", "dan@example.com"}, {"administrator"}),
        org.Invite({"o_quarry", "eve@example.com"}),  // not a user yet
        accept(bob), org.AddToGroup(bob, {"billing", "support"}), accept(cleo),
        org.AddToGroup(cleo, {"billing", "support"}), org.AddToGroup(cleo, {"website", "editor"}),
        org.CreateOrganisation({"o_press", "Menhir Press"}, "cleo@example.com").status(),
        org.Invite(ann), accept(ann),
        org.CreateOrganisation({"o_museum", "Museum of Stones"}, "bob@example.com").status(),
        org.Invite({"o_museum", "ann@example.com"})}) {
    // An earlier, interrupted load has written what is in use.
    const Status status = written.Ignoring(StatusCode::kResourceInUse);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace dolmen::org
