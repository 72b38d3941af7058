#include "models/org/sample.h"

namespace dolmen::org {
namespace {

// Turns kResourceInUse into success. The error means that an earlier call has loaded the item.
Status Accepted(const Status& status) {
  return status.code() == StatusCode::kResourceInUse ? Status() : status;
}

Status LoadUsers(const Org& org) {
  const User users[] = {
      {"ann@example.com", {.first_name = "Ann", .last_name = "Archer", .phone = "+49 30 5550101"}},
      {"bob@example.com", {.first_name = "Bob", .last_name = "Barrow"}},
      {"cleo@example.com", {.first_name = "Cleo", .last_name = "Cairn", .phone = "+33 1 5550103"}},
      {"dan@example.com", {.first_name = "Dan", .last_name = "Delver"}}};
  for (const User& user : users) {
    if (Status status = org.PutUser(user).status(); !status.ok()) return status;
  }
  return {};
}

Status LoadOrganisations(const Org& org) {
  const NewOrganisation organisations[] = {{"o_museum", "Museum of Stones", "bob@example.com"},
                                           {"o_press", "Menhir Press", "cleo@example.com"},
                                           {"o_quarry", "Quarry Works", "ann@example.com"}};
  for (const NewOrganisation& organisation : organisations) {
    Status status = Accepted(org.CreateOrganisation(organisation).status());
    if (!status.ok()) return status;
  }
  for (const OrganisationService& service :
       {OrganisationService{"o_quarry", "billing", "Billing"},
        OrganisationService{"o_quarry", "website", "Website"}}) {
    if (Status status = org.PutService(service); !status.ok()) return status;
  }
  return {};
}

Status LoadMembers(const Org& org) {
  const NewInvitation invitations[] = {{{"o_quarry", "bob@example.com"}, {"administrator"}},
                                       {{"o_quarry", "cleo@example.com"}, {}},
                                       {{"o_quarry", "dan@example.com"}, {"administrator"}},
                                       {{"o_quarry", "eve@example.com"}, {}},  // not a user yet
                                       {{"o_press", "ann@example.com"}, {}},
                                       {{"o_museum", "ann@example.com"}, {}}};
  for (const NewInvitation& invitation : invitations) {
    if (Status status = Accepted(org.Invite(invitation)); !status.ok()) return status;
  }
  for (const MembershipId& id :
       {MembershipId{"o_quarry", "bob@example.com"}, MembershipId{"o_quarry", "cleo@example.com"},
        MembershipId{"o_press", "ann@example.com"}}) {
    if (Status status = Accepted(org.Accept(id)); !status.ok()) return status;
  }
  return {};
}

Status LoadServiceGroups(const Org& org) {
  const struct {
    const char* email;
    GroupId group;
  } assignments[] = {{"bob@example.com", {"o_quarry", "billing", "support"}},
                     {"cleo@example.com", {"o_quarry", "billing", "support"}},
                     {"cleo@example.com", {"o_quarry", "website", "editor"}}};
  for (const auto& assignment : assignments) {
    Status status = org.AddToGroup(assignment.email, assignment.group);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace

Status LoadSampleData(const Org& org) {
  for (const auto& load : {LoadUsers, LoadOrganisations, LoadMembers, LoadServiceGroups}) {
    if (Status status = load(org); !status.ok()) return status;
  }
  return {};
}

}  // namespace dolmen::org
