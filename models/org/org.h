// Users, organisations, and who may do what in them, in one table: the model of README.md as a
// repository.

#pragma once

#include <dolmen/entity/table.h>
#include <dolmen/subscription.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/org/entities.h"

namespace dolmen::org {

// An organisation's name is repeated in an item of each of its members and invited users, so that a
// user's organisations are one Query.  When the copies follow a rename:
enum class NameCopies : std::uint8_t {
  kInTransaction,  // with it: never is a copy another than the name.  For 99 members at most
  kOnRead,         // when a member looks at the organisation: each for itself, if ever
  kByFeed,         // soon after it, however many: by Org::KeepNamesFresh
};

struct OrgOptions {
  // May be another one whenever the directory is opened, and for each handle.  kByFeed gives the
  // table a stream, which stays.
  NameCopies name_copies = NameCopies::kInTransaction;
  RequestObserver observer = {};  // is told of each request
};

struct NewOrganisation {
  std::string id = {};  // "" = a new ULID
  std::string name = {};
  std::string owner_email = {};  // of a user
};

struct NewInvitation {
  MembershipId id = {};
  StringSet group_names = {};  // of the organisation, to be in once it is accepted
};

// A user with all organisations.  In order of their ids.
struct UserDetails {
  User user = {};
  std::vector<UserOrganisation> organisations = {};
  std::vector<UserOrganisation> invitations = {};  // open ones

  friend bool operator==(const UserDetails&, const UserDetails&) = default;
};

// Never empty: a group is there for as long as somebody is in it.
struct Group {
  std::string name = {};
  std::vector<User> users = {};  // as of the copies in the organisation

  friend bool operator==(const Group&, const Group&) = default;
};

struct Service {
  std::string id = {};
  std::string name = {};
  std::vector<Group> groups = {};

  friend bool operator==(const Service&, const Service&) = default;
};

// An organisation with all that is in it.  Groups are in order of their names and of members only,
// services in order of their ids, the rest in order of addresses.
struct OrganisationDetails {
  Organisation organisation = {};
  std::vector<OrganisationMember> members = {};
  std::vector<OrganisationMember> invitations = {};  // open ones
  std::vector<Group> groups = {};                    // the organisation's own
  std::vector<Service> services = {};

  friend bool operator==(const OrganisationDetails&, const OrganisationDetails&) = default;
};

// A group in an organisation, or with a service_id in one of its services.
struct GroupId {
  std::string organisation_id = {};
  std::string service_id = {};  // "" = the organisation's own
  std::string name = {};        // no '/'
};

// An open directory.  A handle; copies are of the same one.  Callable from any number of threads.
//
// Addresses are taken as they are given: who wants Ann@x.org and ann@x.org to be one user passes
// one of them.  Times come from the database's clock.  Both sides of a membership are always
// written together.  Errors besides the database's own:
//   kResourceNotFound     the user, organisation, service, invitation or member is not there
//   kResourceInUse        what should be new is there already
//   kTransactionConflict  others were faster each time; try again
//   kValidation           a name or an id is empty, or holds a '/' where it may not
//   kCorruption           the table holds an item that is not this model's
// On any error nothing has been written.
class Org {
 public:
  // The group that a new organisation's owner is in.
  static constexpr const char* kOwners = "owner";
  // How many members and open invitations an organisation may have that is renamed with
  // NameCopies::kInTransaction: TransactWriteItems takes 100 actions, one of which is the
  // organisation's.
  static constexpr std::size_t kCopiesInTransactionMax = 99;

  // Opens the directory in `database`, making it (CreateTable org: PK, SK) if there is none.  With
  // kByFeed it has a stream of both images, retained for 30 days; UpdateTable adds it to a table
  // without.
  static Result<Org> Open(const Database& database, const OrgOptions& options = {});

  // UpdateItem user/<email> / user, which makes the user or changes names and phone; created_at
  // stays.  Returns the user as stored.  Copies of these in organisations stay as they are
  // (ContactMember).
  Result<User> PutUser(const User& user) const;

  // Query PK = user/<email>, SK BETWEEN user AND the last userOrganisation/: the user and all
  // organisations in one request (in one for each MB of them).  kResourceNotFound: there is no such
  // user, invited or not.
  Result<UserDetails> GetUser(const std::string& email) const;

  // GetItem user/<owner>/user, then TransactWriteItems: Put the organisation, Put both sides of the
  // owner's membership, who is in the group kOwners; none may be there.
  Result<Organisation> CreateOrganisation(const NewOrganisation& request) const;

  // Query PK = organisation/<id>, SK BETWEEN organisation AND the last organisationService/: the
  // organisation, its members and its services in one request (in one for each MB of them).
  Result<OrganisationDetails> GetOrganisation(const std::string& id) const;

  // The same, as a certain user, who must be a member.  That is decided on what was fetched, with
  // no further request.  With kOnRead, if the user's copy of the name is an old one, two UpdateItem
  // make it right; if they fail, the next call tries again.
  // kResourceNotFound: no such organisation, or not a member of it (an invitation is not enough),
  // which are not told apart.
  Result<OrganisationDetails> GetOrganisationAs(const MembershipId& id) const;

  // kInTransaction: GetItem organisation/<id>/organisation, Query PK = organisation/<id>,
  // begins_with(SK, organisationMember/), TransactWriteItems: Update the organisation, if it has
  // the same name and number of members still, and each copy.  kValidation: there are more copies
  // than kCopiesInTransactionMax.  Else: UpdateItem organisation/<id>/organisation.
  Status RenameOrganisation(const std::string& id, const std::string& name) const;

  // GetItem organisation/<id>/organisation, for its name, then TransactWriteItems: Update the
  // organisation, which counts members, if it has that name still; Put both sides of the
  // invitation, which must not be there.  The invited need not be a user yet.
  Status Invite(const NewInvitation& request) const;

  // GetItem user/<email>/user, then TransactWriteItems: Update both sides: SET acceptedAt, if there
  // is none, and at the organisation's a copy of the user's profile. kResourceNotFound: no user or
  // no invitation.  kResourceInUse: accepted already.
  Status Accept(const MembershipId& id) const;

  // TransactWriteItems: Delete both sides, if they have no acceptedAt; Update the organisation,
  // which counts members.  kResourceNotFound: no invitation.  kResourceInUse: accepted already.
  Status Decline(const MembershipId& id) const;

  // TransactWriteItems: ConditionCheck that the organisation is there, Put the service in place of
  // any with that id.
  Status PutService(const OrganisationService& service) const;

  // Of the organisation: UpdateItem organisation/<id> / organisationMember/<email>: ADD groupNames.
  // Of a service: TransactWriteItems of that and a ConditionCheck that the service is there.
  // Of an invited user, too, who is in the group once the invitation is accepted.  Success, too, if
  // the user is in it already.
  Status AddToGroup(const std::string& email, const GroupId& group) const;

  // UpdateItem organisation/<id> / organisationMember/<email>: DELETE groupNames.  Success, too, if
  // the user is not in it.
  Status RemoveFromGroup(const std::string& email, const GroupId& group) const;

  // For who writes to a member: GetItem user/<email>/user, the user as of now; and, as that is
  // known now, UpdateItem organisation/<id> / organisationMember/<email>: SET the copy of the
  // profile. kResourceNotFound: no user, or not a member.
  Result<User> ContactMember(const MembershipId& id) const;

  // Copies the names that organisations are given, by whichever handle, for as long as the
  // Subscription lives.  What is renamed while there is none is made up for when there is one
  // again, if that is within 30 days; later, its status() says kTrimmedDataAccess until it is told
  // to go on by Seek.  Subscribe, with a filter for renames. kValidation: the table has no stream.
  // kResourceInUse: somebody else does so.
  Result<Subscription> KeepNamesFresh(bool in_background = true) const;

  // What that does with the record of a rename: Query PK = organisation/<id>, begins_with(SK,
  // organisationMember/), then for each of them UpdateItem of the copy, if it is there and older. A
  // record may come twice, or late: what is gone stays gone, and what is newer stays.
  Status CopyName(const StreamRecord& rename) const;

 private:
  // How often a write that others overtake is tried.  Each failed attempt is somebody else's
  // success, so this ends what would be a bug, not a busy organisation.
  static constexpr int kAttemptsMax = 1000;

  Org(EntityTable table, NameCopies name_copies)
      : table_(std::move(table)), name_copies_(name_copies) {}

  Status RenameWithCopies(const std::string& id, const std::string& name) const;
  Status CopyName(const MembershipId& id, const Organisation& organisation) const;
  Status ShowName(const MembershipId& id, const Organisation& organisation) const;

  EntityTable table_;
  NameCopies name_copies_;
};

}  // namespace dolmen::org
