// The repository of the organisations model (README.md): users, organisations, and the users'
// groups in them, in one table.

#pragma once

#include <dolmen/entity/table.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/org/entities.h"

namespace dolmen::org {

// The time when the copies of an organisation's name change after a rename. Each member and each
// invited user has a copy.
enum class NameCopies : std::uint8_t {
  kInTransaction,  // in the rename's transaction, so no copy is ever old; for at most 49 members
  kOnRead,         // each copy when its member reads the organisation, possibly never
  kByFeed,         // soon after the rename, by the subscription of Org::KeepNamesFresh
};

struct OrgOptions {
  NameCopies name_copies = NameCopies::kInTransaction;  // handles to one table may differ
  RequestObserver observer = {};                        // called for each request
};

// A directory of users and organisations in a database. A handle: copies refer to the same
// directory. Thread-safe. Both sides of a membership are always written together.
//
// Errors besides the database's own:
// - kResourceNotFound: the user, organisation, service, invitation or member does not exist.
// - kResourceInUse: the thing to create exists already.
// - kConditionalCheckFailed: the call breaks a rule, which the message states.
// - kTransactionConflict: every attempt met a concurrent write. The caller can try again.
// - kValidation: a name, an address or an id is empty, or an id or a group's name holds a '/'.
class Org {
 public:
  // The group of the owners. An organisation always has an owner: the last one stays.
  static constexpr const char* kOwners = "owner";
  // The greatest number of members and open invitations that a rename kInTransaction can have. Each
  // of them is two of the 100 writes of a transaction.
  static constexpr std::size_t kCopiesInTransactionMax = 49;

  // Opens the directory in `database`, and creates it if it does not exist. With kByFeed the table
  // gets a stream of both images, retained for 30 days.
  static Result<Org> Open(const Database& database, const OrgOptions& options = {});

  // Creates a user, or changes the names and the phone of one. Returns the user as stored.
  Result<User> PutUser(const User& user) const;

  // Imports users in batches of 25. Replaces users that exist, with their created_at.
  Status PutUsers(const std::vector<User>& users) const;

  // Return a user alone, or with the organisations and the open invitations. GetUserDetails also
  // returns the invitations that wait for a user who has not registered.
  Result<User> GetUser(const Email& email) const;
  Result<UserDetails> GetUserDetails(const Email& email) const;

  // Creates an organisation, whose first member is its owner, a user that exists. Gives it a new UUID
  // if its id is "". A UUID does not tell the time.
  Result<Organisation> CreateOrganisation(Organisation organisation, const Email& owner) const;

  // Return an organisation alone, or with its members, groups and services.
  Result<Organisation> GetOrganisation(const std::string& id) const;
  Result<OrganisationDetails> GetOrganisationDetails(const std::string& id) const;

  // Returns what GetOrganisationDetails returns, if the user is a member.
  // - kResourceNotFound: the organisation does not exist, or the user is not a member of it. The
  //   error is the same in both cases.
  Result<OrganisationDetails> GetOrganisationAs(const MembershipId& id) const;

  // Renames an organisation.
  // - kValidation: with kInTransaction, there are more than kCopiesInTransactionMax copies.
  Status RenameOrganisation(const std::string& id, const std::string& name) const;

  // Removes an organisation with all that belongs to it. Succeeds if it does not exist, so an
  // interrupted call can be repeated.
  Status RemoveOrganisation(const std::string& id) const;

  // Creates a service of an organisation, or renames it.
  Status PutService(const std::string& organisation_id, const Service& service) const;

  // Removes a service, and its groups from the members. Succeeds if the service does not exist, so
  // an interrupted call can be repeated.
  Status RemoveService(const std::string& organisation_id, const std::string& service_id) const;

  // Invites an address, of which there need not be a user yet. On accepting, the user joins these
  // groups of the organisation.
  Status Invite(const MembershipId& id, const std::set<std::string>& groups = {}) const;
  Status Accept(const MembershipId& id) const;
  Status Decline(const MembershipId& id) const;
  Status RemoveMember(const MembershipId& id) const;

  // Check rights without reading the organisation. IsInGroup returns false for a user who is not a
  // member.
  Result<Member> GetMember(const MembershipId& id) const;
  Result<bool> IsInGroup(const MembershipId& id, const GroupId& group) const;

  // Change a member's groups. Succeed if the member is in the group already, or is not in it.
  Status AddToGroup(const MembershipId& id, const GroupId& group) const;
  Status RemoveFromGroup(const MembershipId& id, const GroupId& group) const;

  // Returns a member's current profile, for a caller that wants to contact the member, and renews the
  // organisation's copy of it.
  Result<User> ContactMember(const MembershipId& id) const;

  // Copies the new names of organisations to their members while the Subscription exists. First
  // copies the names that no subscription has copied, for up to 30 days.
  // - kValidation: the table has no stream.
  // - kResourceInUse: a Subscription of an earlier call is still open.
  Result<Subscription> KeepNamesFresh(bool in_background = true) const;

 private:
  Org(EntityTable table, NameCopies name_copies)
      : table_(std::move(table)), name_copies_(name_copies) {}

  Status CopyName(const std::string& id) const;
  // Calls `change` for each member and each open invitation. Ignores kResourceNotFound from `change`:
  // the member was removed meanwhile. Stops at any other error.
  Status ForEachMember(const std::string& organisation_id,
                       const std::function<Status(const OrganisationMemberRecord&)>& change) const;

  EntityTable table_;
  NameCopies name_copies_;
};

}  // namespace dolmen::org
