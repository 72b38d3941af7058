#include <dolmen/database.h>

#include <string>
#include <vector>

#include "models/demo/story.h"
#include "models/demo/tours.h"
#include "models/org/design.h"
#include "models/org/org.h"

namespace dolmen::demo {
namespace {

using org::GroupId;
using org::MembershipId;
using org::NameCopies;
using org::Org;
using org::OrganisationDetails;
using org::UserDetails;

const MembershipId kAnn = {"o_quarry", "ann@example.com"};

// Three handles to one table, one for each value of NameCopies, and the story that shows their
// requests.
struct Handles {
  Story* story;
  Org in_transaction;
  Org on_read;
  Org by_feed;
};

void AddGroups(const std::string& where, const std::vector<org::Group>& groups, Rows* rows) {
  for (const org::Group& group : groups) {
    std::string users;
    for (const org::User& user : group.users) {
      users += (users.empty() ? "" : ", ") + user.first_name;
    }
    rows->push_back({where, group.name, users});
  }
}

Rows RowsOfUser(const UserDetails& details) {
  Rows rows;
  if (const auto& user = details.user) {
    rows.push_back(
        {user->first_name + " " + user->last_name, user->email.text(), user->phone.value_or("")});
  }
  for (const auto& organisation : details.organisations) {
    rows.push_back({"member", organisation.id, organisation.name});
  }
  for (const auto& invitation : details.invitations) {
    rows.push_back({"invited", invitation.organisation.id, invitation.organisation.name});
  }
  return rows;
}

Rows RowsOfOrganisation(const OrganisationDetails& details) {
  Rows rows = {{details.organisation.name, std::to_string(details.members.size()) + " members",
                std::to_string(details.invitations.size()) + " invited"}};
  AddGroups("group", details.groups, &rows);
  for (const org::Service& service : details.services) {
    AddGroups("service " + service.name, service.groups, &rows);
  }
  return rows;
}

Result<Handles> OpenAll(const Database& database, Story* story) {
  const auto open = [&](NameCopies name_copies) {
    return Org::Open(database, {.name_copies = name_copies, .observer = story->observer()});
  };
  const Result<Org> in_transaction = open(NameCopies::kInTransaction);
  if (!in_transaction.ok()) return in_transaction.status();
  const Result<Org> on_read = open(NameCopies::kOnRead);
  if (!on_read.ok()) return on_read.status();
  const Result<Org> by_feed = open(NameCopies::kByFeed);
  if (!by_feed.ok()) return by_feed.status();
  return Handles{story, *in_transaction, *on_read, *by_feed};
}

void ShowReads(const Handles& handles) {
  const Org& org = handles.in_transaction;
  handles.story->Show(
      {"O1", "A user, with organisations and open invitations"},
      [&] { return org.GetUserDetails("ann@example.com"); }, RowsOfUser);
  handles.story->Show(
      {"O2", "The view of an organisation for one of its members"},
      [&] { return org.GetOrganisationAs(kAnn); }, RowsOfOrganisation);
  handles.story->Outcome({"", "The view of an organisation for a user who is not a member"}, [&] {
    return org.GetOrganisationAs({"o_museum", "cleo@example.com"}).status();
  });
}

// Shows operations on memberships in an organisation that each run of the demo creates.
void ShowMemberships(const Handles& handles) {
  const Org& org = handles.in_transaction;
  std::string id;
  handles.story->Show(
      {"O3", "Create an organisation"},
      [&] { return org.CreateOrganisation({.name = "Cairn Tours"}, "dan@example.com"); },
      [&](const org::Organisation& made) {
        id = made.id;
        return Rows{{made.id, made.name}};
      });
  const MembershipId bob = {id, "bob@example.com"};
  const MembershipId cleo = {id, "cleo@example.com"};
  handles.story->Outcome({"O4", "Invite Bob"}, [&] { return org.Invite(bob, {"guide"}); });
  handles.story->Outcome({"O5", "Bob accepts"}, [&] { return org.Accept(bob); });
  handles.story->Outcome({"", "Bob declines after he has accepted"},
                         [&] { return org.Decline(bob); });
  handles.story->Outcome({"", "Invite Cleo"}, [&] { return org.Invite(cleo); });
  handles.story->Outcome({"O6", "Cleo declines an invitation"}, [&] { return org.Decline(cleo); });
}

void ShowGroups(const Handles& handles) {
  const Org& org = handles.in_transaction;
  const MembershipId bob = {"o_quarry", "bob@example.com"};
  const MembershipId cleo = {"o_quarry", "cleo@example.com"};
  const GroupId administrators = {.name = "administrator"};
  const GroupId editors = {"website", "editor"};
  handles.story->Outcome({"O7", "Create a service, or replace it"}, [&] {
    return org.PutService("o_quarry", {"website", "Website"});
  });
  handles.story->Outcome({"O8", "Add Cleo to a group of the organisation"},
                         [&] { return org.AddToGroup(cleo, administrators); });
  handles.story->Outcome({"", "Remove Cleo from the group"},
                         [&] { return org.RemoveFromGroup(cleo, administrators); });
  handles.story->Outcome({"O9", "Add Bob to a group of a service"},
                         [&] { return org.AddToGroup(bob, editors); });
  handles.story->Outcome({"", "Remove Bob from the group"},
                         [&] { return org.RemoveFromGroup(bob, editors); });
  handles.story->Show(
      {"O10", "Read the profile of a member, and renew its copy"},
      [&] { return org.ContactMember(kAnn); },
      [](const org::User& user) {
        return Rows{{user.email.text(), user.phone.value_or("")}};
      });
}

// Prints the organisation's name as it is stored in Ann's list of organisations.
void ShowCopies(const Handles& handles) {
  const Result<UserDetails> details = handles.in_transaction.GetUserDetails(kAnn.email);
  if (!details.ok()) return handles.story->Fail(details.status());
  for (const auto& organisation : details->organisations) {
    if (organisation.id == kAnn.organisation_id) {
      handles.story->Tell("In Ann's list the name is " + organisation.name + ".");
    }
  }
}

void ShowRenames(const Handles& handles) {
  handles.story->Outcome(
      {"O11", "Rename an organisation and all copies of its name in one transaction"},
      [&] { return handles.in_transaction.RenameOrganisation("o_quarry", "Granite Works"); });
  ShowCopies(handles);

  handles.story->Outcome(
      {"O12", "Rename an organisation; a member's copy changes when the member reads it"},
      [&] { return handles.on_read.RenameOrganisation("o_quarry", "Basalt Works"); });
  ShowCopies(handles);
  handles.story->Outcome({"", "Ann reads the organisation"},
                         [&] { return handles.on_read.GetOrganisationAs(kAnn).status(); });
  ShowCopies(handles);

  Result<Subscription> fresh = handles.by_feed.KeepNamesFresh(/*in_background=*/false);
  if (!fresh.ok()) return handles.story->Fail(fresh.status());
  if (const auto earlier = fresh->Deliver(); !earlier.ok()) {
    return handles.story->Fail(earlier.status());
  }
  handles.story->Outcome(
      {"O13", "Rename an organisation; the change feed then updates the copies"},
      [&] { return handles.by_feed.RenameOrganisation("o_quarry", "Quarry Works"); });
  ShowCopies(handles);
  handles.story->Outcome({"", "The change feed updates the copies"},
                         [&] { return fresh->Deliver().status(); });
  ShowCopies(handles);
}

}  // namespace

Status ShowOrg(const Database& database, ManualClock*, Page* page) {
  Story story(page, "Organisations: members, invitations, services and groups");
  const Result<Handles> handles = OpenAll(database, &story);
  if (!handles.ok()) return handles.status();
  if (Status status = LoadSampleData(handles->in_transaction); !status.ok()) return status;

  story.Draw(database, org::Design());
  for (const auto& show : {ShowReads, ShowMemberships, ShowGroups, ShowRenames}) show(*handles);
  return story.PrintCosts().status();
}

}  // namespace dolmen::demo
