// The repository of the organisations model (README.md): users, organisations, and the users'
// groups in them, in one table.

#pragma once

#include <dolmen/entity/table.h>
#include <dolmen/streams.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/org/entities.h"

namespace dolmen::org {

// The time when the copies of an organisation's name are updated after a rename. Each member and
// each invited user has a copy in an item, so one Query of the user's partition returns the
// organisations with their names.
enum class NameCopies : std::uint8_t {
  kInTransaction,  // in the rename's transaction, so no copy is ever old; for at most 99 members
  kOnRead,         // each copy when its member reads the organisation, possibly never
  kByFeed,         // soon after the rename, by the subscription of Org::KeepNamesFresh
};

struct OrgOptions {
  // Several handles to one table can use different values of NameCopies. Org::Open with kByFeed
  // adds a stream to the table. A later Org::Open without kByFeed does not remove the stream.
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
  StringSet group_names = {};  // the groups that the invited user joins on accepting
};

// A user with all organisations and open invitations, each in order of the organisations' ids.
struct UserDetails {
  User user = {};
  std::vector<UserOrganisation> organisations = {};
  std::vector<UserOrganisation> invitations = {};  // open invitations

  friend bool operator==(const UserDetails&, const UserDetails&) = default;
};

// A group with its users. Never empty: a group exists only while it has users.
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

// An organisation with everything in its partition. Groups are sorted by name and list only
// members, not invited users. Services are sorted by id. Members, invitations and the users of a
// group are sorted by address.
struct OrganisationDetails {
  Organisation organisation = {};
  std::vector<OrganisationMember> members = {};
  std::vector<OrganisationMember> invitations = {};  // open invitations
  std::vector<Group> groups = {};                    // without the services' groups
  std::vector<Service> services = {};

  friend bool operator==(const OrganisationDetails&, const OrganisationDetails&) = default;
};

// The id of a group in an organisation or, with a service_id, in one of its services.
struct GroupId {
  std::string organisation_id = {};
  std::string service_id = {};  // "" = a group of the organisation itself
  std::string name = {};        // holds no '/'
};

// A directory of users and organisations in a database. A handle: copies refer to the same
// directory. Thread-safe.
//
// Addresses are compared byte by byte, so Ann@x.org and ann@x.org are two users. A caller that
// treats them as one user must always pass the same form. Times come from the database's clock.
// Both sides of a membership are always written together.
//
// Errors besides the database's own:
// - kResourceNotFound: the user, organisation, service, invitation or member does not exist.
// - kResourceInUse: the thing to create exists already.
// - kTransactionConflict: every attempt failed because of a concurrent write. The caller can try
//   again.
// - kValidation: a name, an address or an id is empty.
// - kValidation: an id or a group's name contains a '/'.
// - kCorruption: an item cannot be read as its entity.
// A call that returns an error has written nothing.
class Org {
 public:
  // The group of a new organisation's owner.
  static constexpr const char* kOwners = "owner";
  // The greatest number of members and open invitations of an organisation that
  // NameCopies::kInTransaction can rename. TransactWriteItems takes at most 100 actions, and one of
  // them updates the organisation.
  static constexpr std::size_t kCopiesInTransactionMax = 99;

  // Opens the directory in `database`, and creates it if it does not exist (CreateTable org: PK,
  // SK). With kByFeed the table has a stream of both images, retained for 30 days; UpdateTable adds
  // the stream to an existing table without a stream.
  static Result<Org> Open(const Database& database, const OrgOptions& options = {});

  // Creates a user. If the user exists, changes the names and the phone, and keeps created_at.
  // Returns the user as stored. UpdateItem user/<email> / user. Copies in organisations stay as
  // they are (see ContactMember).
  Result<User> PutUser(const User& user) const;

  // Returns a user with all organisations and open invitations. Sends one request for each MB of
  // items. Query PK = user/<email>, SK BETWEEN user AND the last userOrganisation/.
  // - kResourceNotFound: the user does not exist. An invitation to the address does not create the
  //   user.
  Result<UserDetails> GetUser(const std::string& email) const;

  // Creates an organisation with its owner, who is in the group kOwners. GetItem
  // user/<owner>/user, then TransactWriteItems: Put the organisation, Put both sides of the owner's
  // membership. Fails if one of these three items exists.
  Result<Organisation> CreateOrganisation(const NewOrganisation& request) const;

  // Returns an organisation with its members and services. Sends one request for each MB of items.
  // Query PK = organisation/<id>, SK BETWEEN organisation AND the last organisationService/.
  Result<OrganisationDetails> GetOrganisation(const std::string& id) const;

  // Returns what GetOrganisation returns, if the user is a member. The items that GetOrganisation
  // reads show who is a member, so no further request is needed. With kOnRead, if the user's copy
  // of the name is old, the call updates the copy and seenNameVersion with two UpdateItem requests.
  // If one of them fails, the call still succeeds, and the next call tries again.
  // - kResourceNotFound: the organisation does not exist, or the user is not a member of it (an
  //   invitation is not enough). The error is the same in both cases.
  Result<OrganisationDetails> GetOrganisationAs(const MembershipId& id) const;

  // Renames an organisation. Without kInTransaction this is UpdateItem
  // organisation/<id>/organisation. With kInTransaction it is GetItem
  // organisation/<id>/organisation, Query PK = organisation/<id>, begins_with(SK,
  // organisationMember/), and then TransactWriteItems. The transaction updates the organisation, if
  // its name and number of members have not changed, and each copy.
  // - kValidation: with kInTransaction, there are more than kCopiesInTransactionMax copies.
  Status RenameOrganisation(const std::string& id, const std::string& name) const;

  // Invites an address. A user with this address need not exist yet. GetItem
  // organisation/<id>/organisation for its name, then TransactWriteItems: Update the organisation's
  // memberCount, if its name has not changed; Put both sides of the invitation, which must not
  // exist.
  Status Invite(const NewInvitation& request) const;

  // Accepts an invitation. GetItem user/<email>/user, then TransactWriteItems: Update both sides of
  // the membership, with the condition attribute_not_exists(acceptedAt) on the user's side. SET
  // acceptedAt on both sides, and a copy of the user's profile on the organisation's side.
  // - kResourceNotFound: the user or the invitation does not exist.
  // - kResourceInUse: the invitation has been accepted.
  Status Accept(const MembershipId& id) const;

  // Declines an invitation. TransactWriteItems: Delete both sides of the membership, with the
  // condition attribute_not_exists(acceptedAt) on the user's side, and Update the organisation's
  // memberCount.
  // - kResourceNotFound: the invitation does not exist.
  // - kResourceInUse: the invitation has been accepted.
  Status Decline(const MembershipId& id) const;

  // Creates a service, or replaces one with the same id. TransactWriteItems: ConditionCheck that
  // the organisation exists, Put the service.
  Status PutService(const OrganisationService& service) const;

  // Adds a user to a group. Succeeds if the user is in the group already. An invited user becomes a
  // member of the group when the invitation is accepted.
  // - A group of the organisation: UpdateItem organisation/<id> / organisationMember/<email>: ADD
  //   groupNames.
  // - A group of a service: TransactWriteItems: the same Update as for a group of the organisation,
  //   and ConditionCheck that the service exists.
  Status AddToGroup(const std::string& email, const GroupId& group) const;

  // Removes a user from a group. Succeeds if the user is not in the group. UpdateItem
  // organisation/<id> / organisationMember/<email>: DELETE groupNames.
  Status RemoveFromGroup(const std::string& email, const GroupId& group) const;

  // Returns a member's current profile, for a caller that wants to contact the member. Updates the
  // copy of the profile on the organisation's side. GetItem user/<email>/user, then UpdateItem
  // organisation/<id> / organisationMember/<email>: SET the copy of the profile.
  // - kResourceNotFound: the user does not exist or is not a member.
  Result<User> ContactMember(const MembershipId& id) const;

  // Copies the new name of every renamed organisation to its members while the Subscription exists.
  // The rename can come from any handle. A later subscription first processes the renames of the
  // last 30 days that no subscription has processed. If an unprocessed rename is older, the
  // Subscription's status() is kTrimmedDataAccess until the caller calls Seek to choose where to
  // resume. Calls Subscribe with a filter for renames.
  // - kValidation: the table has no stream.
  // - kResourceInUse: a Subscription of an earlier call is still open.
  Result<Subscription> KeepNamesFresh(bool in_background = true) const;

  // Handles the stream record of a rename. Query PK = organisation/<id>, begins_with(SK,
  // organisationMember/), then UpdateItem of each copy that exists and is older than the record. A
  // record can arrive twice or late, so CopyName does not restore a removed copy and does not
  // replace a newer name.
  Status CopyName(const StreamRecord& rename) const;

 private:
  // The greatest number of attempts of a write. Each failed attempt means that a concurrent write
  // has succeeded. Even a busy organisation does not need this many attempts, so reaching the limit
  // indicates a bug.
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
