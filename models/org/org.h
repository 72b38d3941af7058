// The organisations model of README.md as a repository: users, organisations, and the users' groups
// in them, in one table.

#pragma once

#include <dolmen/entity/table.h>
#include <dolmen/subscription.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/org/entities.h"

namespace dolmen::org {

// The way in which copies of an organisation's name follow a rename.  Each member and each invited
// user has a copy in an item, so one Query returns a user's organisations.
enum class NameCopies : std::uint8_t {
  kInTransaction,  // in the rename's transaction, so no copy is ever old; for at most 99 members
  kOnRead,         // each when its member looks at the organisation, which may be never
  kByFeed,         // soon after the rename, for any number of members: Org::KeepNamesFresh
};

struct OrgOptions {
  // May differ for each handle and each time the directory is opened.  kByFeed adds a stream to the
  // table, which stays.
  NameCopies name_copies = NameCopies::kInTransaction;
  RequestObserver observer = {};  // called for each request
};

struct NewOrganisation {
  std::string id = {};  // "" = a new ULID
  std::string name = {};
  std::string owner_email = {};  // the address of a user that exists
};

struct NewInvitation {
  MembershipId id = {};
  StringSet group_names = {};  // groups of the organisation; members only once they accept
};

// A user with all organisations and open invitations, each in order of the organisations' ids.
struct UserDetails {
  User user = {};
  std::vector<UserOrganisation> organisations = {};
  std::vector<UserOrganisation> invitations = {};  // open invitations

  friend bool operator==(const UserDetails&, const UserDetails&) = default;
};

// A group with its users.  Never empty: a group exists only while it has users.
struct Group {
  std::string name = {};
  std::vector<User> users = {};  // from the copies in the organisation's partition

  friend bool operator==(const Group&, const Group&) = default;
};

struct Service {
  std::string id = {};
  std::string name = {};
  std::vector<Group> groups = {};

  friend bool operator==(const Service&, const Service&) = default;
};

// An organisation with everything in its partition.  Groups are sorted by name and list members
// only.  Services are sorted by id.  Everything else is sorted by address.
struct OrganisationDetails {
  Organisation organisation = {};
  std::vector<OrganisationMember> members = {};
  std::vector<OrganisationMember> invitations = {};  // open invitations
  std::vector<Group> groups = {};                    // the organisation's own
  std::vector<Service> services = {};

  friend bool operator==(const OrganisationDetails&, const OrganisationDetails&) = default;
};

// The id of a group in an organisation or, with a service_id, in one of its services.
struct GroupId {
  std::string organisation_id = {};
  std::string service_id = {};  // "" = the organisation's own
  std::string name = {};        // holds no '/'
};

// An open directory.  A handle: copies refer to the same directory.  Thread-safe.
//
// Addresses are used exactly as given.  A caller for whom Ann@x.org and ann@x.org are one user must
// pass one form of them.  Times come from the database's clock.  Both sides of a membership are
// always written together.
//
// Errors besides the database's own:
// - kResourceNotFound: the user, organisation, service, invitation or member does not exist.
// - kResourceInUse: the thing to create exists already.
// - kTransactionConflict: concurrent writers won every attempt; try again.
// - kValidation: a name or an id is empty, or holds a '/' where none is allowed.
// - kCorruption: the table holds an item that this model did not write.
// On any error nothing has been written.
class Org {
 public:
  // The group of a new organisation's owner.
  static constexpr const char* kOwners = "owner";
  // The most members and open invitations of an organisation that NameCopies::kInTransaction can
  // rename.  TransactWriteItems takes 100 actions, and the organisation itself takes one.
  static constexpr std::size_t kCopiesInTransactionMax = 99;

  // Opens the directory in `database`, and creates it if it does not exist (CreateTable org: PK,
  // SK).  With kByFeed the table has a stream of both images, retained for 30 days; UpdateTable
  // adds it to a table without one.
  static Result<Org> Open(const Database& database, const OrgOptions& options = {});

  // Creates a user, or changes the names and phone of one that exists; created_at stays.  Returns
  // the user as stored.  UpdateItem user/<email> / user.  Copies in organisations stay as they are
  // (see ContactMember).
  Result<User> PutUser(const User& user) const;

  // Returns a user and all organisations in one request, or one for each MB of them.  Query PK =
  // user/<email>, SK BETWEEN user AND the last userOrganisation/.
  // - kResourceNotFound: the user does not exist, even if the address is invited.
  Result<UserDetails> GetUser(const std::string& email) const;

  // Creates an organisation with its owner, who is in the group kOwners.  GetItem
  // user/<owner>/user, then TransactWriteItems: Put the organisation, Put both sides of the owner's
  // membership.  None of these may exist.
  Result<Organisation> CreateOrganisation(const NewOrganisation& request) const;

  // Returns an organisation, its members and its services in one request, or one for each MB of
  // them.  Query PK = organisation/<id>, SK BETWEEN organisation AND the last organisationService/.
  Result<OrganisationDetails> GetOrganisation(const std::string& id) const;

  // Returns what GetOrganisation returns, if the user is a member.  The fetched items decide that,
  // with no further request.  With kOnRead, two UpdateItem renew the user's copy of the name if it
  // is old; if they fail, the next call tries again.
  // - kResourceNotFound: the organisation does not exist, or the user is not a member of it (an
  //   invitation is not enough).  The error does not tell which.
  Result<OrganisationDetails> GetOrganisationAs(const MembershipId& id) const;

  // Renames an organisation.  Without kInTransaction this is UpdateItem
  // organisation/<id>/organisation.  With kInTransaction it is GetItem
  // organisation/<id>/organisation, Query PK = organisation/<id>, begins_with(SK,
  // organisationMember/), TransactWriteItems: Update the organisation, if its name and number of
  // members have not changed, and Update each copy.
  // - kValidation: with kInTransaction, there are more than kCopiesInTransactionMax copies.
  Status RenameOrganisation(const std::string& id, const std::string& name) const;

  // Invites an address, which need not belong to a user yet.  GetItem
  // organisation/<id>/organisation for its name, then TransactWriteItems: Update the organisation,
  // which counts members, if its name has not changed; Put both sides of the invitation, which may
  // not exist.
  Status Invite(const NewInvitation& request) const;

  // Accepts an invitation.  GetItem user/<email>/user, then TransactWriteItems: Update both sides:
  // SET acceptedAt, if it is absent, and on the organisation's side a copy of the user's profile.
  // - kResourceNotFound: the user or the invitation does not exist.
  // - kResourceInUse: the invitation has been accepted.
  Status Accept(const MembershipId& id) const;

  // Declines an invitation.  TransactWriteItems: Delete both sides, if they have no acceptedAt;
  // Update the organisation, which counts members.
  // - kResourceNotFound: the invitation does not exist.
  // - kResourceInUse: the invitation has been accepted.
  Status Decline(const MembershipId& id) const;

  // Creates a service, or replaces one with the same id.  TransactWriteItems: ConditionCheck that
  // the organisation exists, Put the service.
  Status PutService(const OrganisationService& service) const;

  // Adds a user to a group.  Succeeds if the user is in it already.  An invited user is in the
  // group once the invitation is accepted. For a group of the organisation: UpdateItem
  // organisation/<id> / organisationMember/<email>: ADD groupNames. For a group of a service:
  // TransactWriteItems of that update and a ConditionCheck that the service exists.
  Status AddToGroup(const std::string& email, const GroupId& group) const;

  // Removes a user from a group.  Succeeds if the user is not in it.  UpdateItem organisation/<id>
  // / organisationMember/<email>: DELETE groupNames.
  Status RemoveFromGroup(const std::string& email, const GroupId& group) const;

  // Returns a member's current profile, to write to the member, and renews its copy.  GetItem
  // user/<email>/user, then UpdateItem organisation/<id> / organisationMember/<email>: SET the copy
  // of the profile.
  // - kResourceNotFound: the user does not exist or is not a member.
  Result<User> ContactMember(const MembershipId& id) const;

  // Copies new names to members while the Subscription lives, whichever handle renames.  A later
  // subscription copies the renames that it missed, if they are at most 30 days old.  If they are
  // older, its status() is kTrimmedDataAccess until Seek tells it where to resume.  Subscribe, with
  // a filter for renames.
  // - kValidation: the table has no stream.
  // - kResourceInUse: another subscription of this kind is open.
  Result<Subscription> KeepNamesFresh(bool in_background = true) const;

  // Handles the stream record of a rename.  Query PK = organisation/<id>, begins_with(SK,
  // organisationMember/), then UpdateItem of each copy that exists and is older.  A record may come
  // twice or late: a copy that was removed stays removed, and a newer name stays.
  Status CopyName(const StreamRecord& rename) const;

 private:
  // The number of attempts of a write that others overtake.  Each failed attempt is another
  // writer's success, so only a bug reaches this limit, not a busy organisation.
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
