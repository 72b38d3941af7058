#include "models/org/sample.h"

namespace dolmen::org {

Status LoadSampleData(const Org& org) {
  if (org.GetOrganisation("o_museum").ok()) return {};  // written last
  Status first_error;
  // An earlier, interrupted load has written what is in use.
  const auto expect = [&](const Status& status) {
    if (first_error.ok() && status.code() != StatusCode::kResourceInUse) first_error = status;
  };
  const MembershipId bob = {"o_quarry", "bob@example.com"};
  const MembershipId cleo = {"o_quarry", "cleo@example.com"};
  expect(org.PutUsers({{"ann@example.com", "Ann", "Archer", "+49 30 5550101"},
                       {"bob@example.com", "Bob", "Barrow"},
                       {"cleo@example.com", "Cleo", "Cairn", "+33 1 5550103"},
                       {"dan@example.com", "Dan", "Delver"}}));

  expect(org.CreateOrganisation({"o_quarry", "Quarry Works"}, "ann@example.com").status());
  expect(org.PutService("o_quarry", {"billing", "Billing"}));
  expect(org.PutService("o_quarry", {"website", "Website"}));
  expect(org.Invite(bob, {"administrator"}));
  expect(org.Invite(cleo));
  expect(org.Invite({"o_quarry", "dan@example.com"}, {"administrator"}));
  expect(org.Invite({"o_quarry", "eve@example.com"}));  // not a user yet
  for (const MembershipId& id : {bob, cleo}) {
    if (!org.GetMember(id).ok()) expect(org.Accept(id));
    expect(org.AddToGroup(id, {"billing", "support"}));
  }
  expect(org.AddToGroup(cleo, {"website", "editor"}));

  const MembershipId ann = {"o_press", "ann@example.com"};
  expect(org.CreateOrganisation({"o_press", "Menhir Press"}, "cleo@example.com").status());
  expect(org.Invite(ann));
  if (!org.GetMember(ann).ok()) expect(org.Accept(ann));

  expect(org.CreateOrganisation({"o_museum", "Museum of Stones"}, "bob@example.com").status());
  expect(org.Invite({"o_museum", "ann@example.com"}));
  return first_error;
}

}  // namespace dolmen::org
