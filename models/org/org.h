// The repository of the organisations model (README.md): users, organisations, and the users'
// groups in them, in one table.

#pragma once

#include <algorithm>
#include <map>

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
  static Result<Org> Open(const Database& database, const OrgOptions& options = {}) {
    EntityTableInput input = {.name = "org", .observer = options.observer};
    if (options.name_copies == NameCopies::kByFeed) {
      input.stream_specification = {.view_type = StreamViewType::kNewAndOldImages,
                                    .retention = std::chrono::days(30)};
    }
    return EntityTable::Open(database, input).transform([&](const EntityTable& table) {
      return Org(table, options.name_copies);
    });
  }

  // Creates a user, or changes the names and the phone of one. Returns the user as stored.
  Result<User> PutUser(const User& user) const {
    return table_.Update(user)
        .Set<&User::first_name>(user.first_name)
        .Set<&User::last_name>(user.last_name)
        .Set<&User::phone>(user.phone)
        .OrCreate()
        .Commit();
  }

  // Imports users in batches of 25. Replaces users that exist, with their created_at.
  Status PutUsers(const std::vector<User>& users) const { return table_.BatchPut(users); }

  // Return a user alone, or with the organisations and the open invitations. GetUserDetails also
  // returns the invitations that wait for a user who has not registered.
  Result<User> GetUser(const Email& email) const { return table_.Get(User{.email = email}); }
  Result<UserDetails> GetUserDetails(const Email& email) const {
    const auto build = [](const auto& found) {
      const auto& [users, memberships] = found;
      UserDetails details;
      if (!users.empty()) details.user = users.front();
      for (const auto& [owner, invitation] : memberships) {
        if (!invitation.accepted_at) details.invitations.push_back(invitation);
        if (invitation.accepted_at) details.organisations.push_back(invitation.organisation);
      }
      return details;
    };
    return table_.Query<User, UserOrganisationRecord>()
        .With<&User::email>(email)
        .Grouped()
        .transform(build);
  }

  // Creates an organisation, whose first member is its owner, a user that exists. Gives it a new UUID
  // if its id is "". A UUID does not tell the time.
  Result<Organisation> CreateOrganisation(Organisation organisation, const Email& owner) const {
    if (organisation.id.empty()) organisation.id = NewUuid();
    return GetUser(owner).and_then([&](const User& user) {
      const Timestamp now = table_.Now();
      const Member member = {user, {{.name = kOwners}}, now, now};
      return table_.Transact()
          .Create(OrganisationRecord{.organisation = organisation, .owners = {owner}})
          .Create(MemberRecord{organisation.id, organisation.name, member})
          .Commit()
          .and_return(organisation);
    });
  }

  // Return an organisation alone, or with its members, groups and services.
  Result<Organisation> GetOrganisation(const std::string& id) const {
    return table_.Get(KeyOf(id)).transform([](const auto& record) { return record.organisation; });
  }
  Result<OrganisationDetails> GetOrganisationDetails(const std::string& id) const {
    return Read(id).and_then([&](const Records& records) -> Result<OrganisationDetails> {
      if (!std::get<0>(records).empty()) return BuildDetails(records);
      return Status::ResourceNotFound("there is no organisation " + id);
    });
  }

  // Returns what GetOrganisationDetails returns, if the user is a member.
  // - kResourceNotFound: the organisation does not exist, or the user is not a member of it. The
  //   error is the same in both cases.
  Result<OrganisationDetails> GetOrganisationAs(const MembershipId& id) const {
    const Result<Records> records = Read(id.organisation_id);
    if (!records.ok()) return records.status();
    const auto& [organisations, members, services] = *records;
    // The items show who may see them, so the check of the right needs no further request.
    const auto own = std::ranges::find_if(members, [&](const MemberRecord& record) {
      return record.member.user.email == id.email && record.member.accepted_at;
    });
    if (organisations.empty() || own == members.end()) {
      return Status::ResourceNotFound("the organisation " + id.organisation_id +
                                      " does not exist or has no member " + id.email.text());
    }
    const std::string& name = organisations.front().organisation.name;
    if (name_copies_ == NameCopies::kOnRead && own->organisation_name != name) {
      // Ignores an error, because the organisation itself was read, and the next read tries again. The
      // condition keeps a newer name.
      const auto is_old = AttrOf<&MemberRecord::organisation_name>() == own->organisation_name;
      table_.Transact()
          .Update(*own,
                  Changes<MemberRecord>().Set<&MemberRecord::organisation_name>(name).If(is_old))
          .Commit()
          .IgnoreError();
    }
    return BuildDetails(*records);
  }

  // Renames an organisation.
  // - kValidation: with kInTransaction, there are more than kCopiesInTransactionMax copies.
  Status RenameOrganisation(const std::string& id, const std::string& name) const;

  // Removes an organisation with all that belongs to it. Succeeds if it does not exist, so an
  // interrupted call can be repeated.
  Status RemoveOrganisation(const std::string& id) const {
    // Removes this item first, so that no user can join the organisation meanwhile.
    return table_.BatchRemove<OrganisationRecord>({KeyOf(id)}).and_then([&] {
      auto parts = table_.Query<MemberRecord, ServiceRecord>();
      return RemoveAll(table_, parts.With<&MemberRecord::organisation_id>(id));
    });
  }

  // Creates a service of an organisation, or renames it.
  Status PutService(const std::string& organisation_id, const Service& service) const {
    return table_.Transact()
        .Require(KeyOf(organisation_id))
        .Put(ServiceRecord{.organisation_id = organisation_id, .service = service})
        .Commit();
  }

  // Removes a service, and its groups from the members. Succeeds if the service does not exist, so
  // an interrupted call can be repeated.
  Status RemoveService(const std::string& organisation_id, const std::string& service_id) const {
    const auto leave_its_groups = [&](const MemberRecord& record) -> Status {
      std::set<GroupId> gone = record.member.groups;
      std::erase_if(gone, [&](const GroupId& group) { return group.service_id != service_id; });
      if (gone.empty()) return {};
      return table_.Update(record)
          .Delete<&MemberRecord::member, &Member::groups>(gone)
          .CommitIgnoring(StatusCode::kResourceNotFound);  // the member was removed meanwhile
    };
    // Removes the service first, so that no member can join its groups meanwhile.
    return table_.BatchRemove<ServiceRecord>({{organisation_id, {.id = service_id}}}).and_then([&] {
      return MembersOf(organisation_id).ForEach(leave_its_groups);
    });
  }

  // Invites an address, of which there need not be a user yet. On accepting, the user joins these
  // groups of the organisation.
  Status Invite(const MembershipId& id, const std::set<std::string>& groups = {}) const {
    if (groups.contains(kOwners)) {
      return Status::Validation("an owner must be a member first: invite without the group owner");
    }
    MemberRecord invited = KeyOf(id);
    invited.member.invited_at = table_.Now();
    for (const std::string& name : groups) invited.member.groups.insert({.name = name});
    return table_.Retry([&](EntityTransaction& write) {
      return table_.Get(KeyOf(id.organisation_id)).and_then([&](const OrganisationRecord& found) {
        invited.organisation_name = found.organisation.name;
        // The version makes sure that the organisation still has the name that the copy gets.
        write.Update(found, Changes<OrganisationRecord>().IfVersion(found.version)).Create(invited);
        return Status();
      });
    });
  }
  Status Accept(const MembershipId& id) const {
    return GetUser(id.email).and_then([&](const User& user) {
      return table_.Transact()
          .Update(KeyOf(id), Changes<MemberRecord>()
                                 .Set<&MemberRecord::member, &Member::user>(user)
                                 .Set<&MemberRecord::member, &Member::accepted_at>(table_.Now())
                                 .If(AcceptedAt().NotExists(), IsMemberAlready(id)))
          .Commit();
    });
  }
  Status Decline(const MembershipId& id) const {
    return table_.Transact()
        .Remove(KeyOf(id), AcceptedAt().NotExists(), IsMemberAlready(id))
        .Update(KeyOf(id.organisation_id), Changes<OrganisationRecord>())
        .Commit();
  }
  Status RemoveMember(const MembershipId& id) const {
    return table_.Transact()
        .Remove(KeyOf(id), AcceptedAt().Exists(), NotAMember(id))
        .Update(KeyOf(id.organisation_id), WithoutOwner(id))
        .Commit();
  }

  // Check rights without reading the organisation. IsInGroup returns false for a user who is not a
  // member.
  Result<Member> GetMember(const MembershipId& id) const {
    return table_.Find(KeyOf(id)).and_then([&](const auto& found) -> Result<Member> {
      if (found && found->member.accepted_at) return found->member;
      return Status::ResourceNotFound(NotAMember(id));
    });
  }
  Result<bool> IsInGroup(const MembershipId& id, const GroupId& group) const {
    return table_.Find(KeyOf(id)).transform([&](const auto& found) {
      return found && found->member.accepted_at && found->member.groups.contains(group);
    });
  }

  // Change a member's groups. Succeed if the member is in the group already, or is not in it.
  Status AddToGroup(const MembershipId& id, const GroupId& group) const {
    EntityTransaction write = table_.Transact();
    auto groups = Changes<MemberRecord>().Add<&MemberRecord::member, &Member::groups>({group});
    write.Update(KeyOf(id), groups.If(AcceptedAt().Exists(), NotAMember(id)));
    if (!group.service_id.empty()) {
      write.Require(ServiceRecord{id.organisation_id, {.id = group.service_id}});
    }
    if (group == GroupId{.name = kOwners}) {
      write.Update(KeyOf(id.organisation_id),
                   Changes<OrganisationRecord>().Add<&OrganisationRecord::owners>({id.email}));
    }
    return write.Commit();
  }
  Status RemoveFromGroup(const MembershipId& id, const GroupId& group) const {
    EntityTransaction write = table_.Transact();
    auto groups = Changes<MemberRecord>().Delete<&MemberRecord::member, &Member::groups>({group});
    write.Update(KeyOf(id), groups.If(AcceptedAt().Exists(), NotAMember(id)));
    if (group == GroupId{.name = kOwners})
      write.Update(KeyOf(id.organisation_id), WithoutOwner(id));
    return write.Commit();
  }

  // Returns a member's current profile, for a caller that wants to contact the member, and renews the
  // organisation's copy of it.
  Result<User> ContactMember(const MembershipId& id) const {
    return GetUser(id.email).and_then([&](const User& user) {
      return table_.Update(KeyOf(id))
          .Set<&MemberRecord::member, &Member::user>(user)
          .If(AcceptedAt().Exists(), NotAMember(id))
          .Commit()
          .transform([](const MemberRecord& renewed) { return renewed.member.user; });
    });
  }

  // Copies the new names of organisations to their members while the Subscription exists. First
  // copies the names that no subscription has copied, for up to 30 days.
  // - kValidation: the table has no stream.
  // - kResourceInUse: a Subscription of an earlier call is still open.
  Result<Subscription> KeepNamesFresh(bool in_background = true) const;

 private:
  Org(EntityTable table, NameCopies name_copies)
      : table_(std::move(table)), name_copies_(name_copies) {}

  using MemberRecord = OrganisationMemberRecord;
  using ServiceRecord = OrganisationServiceRecord;
  using AcceptedAt = AttrOf<&MemberRecord::member, &Member::accepted_at>;

  static OrganisationRecord KeyOf(const std::string& id) { return {.organisation = {.id = id}}; }
  static MemberRecord KeyOf(const MembershipId& id) {
    return {.organisation_id = id.organisation_id, .member = {.user = {.email = id.email}}};
  }

  // The items of an organisation's partition, by entity.
  using Records = std::tuple<std::vector<OrganisationRecord>, std::vector<MemberRecord>,
                             std::vector<ServiceRecord>>;
  Result<Records> Read(const std::string& id) const {
    return table_.Query<OrganisationRecord, MemberRecord, ServiceRecord>()
        .With<&MemberRecord::organisation_id>(id)
        .Grouped();
  }

  static OrganisationDetails BuildDetails(const Records& records) {
    const auto& [organisations, members, services] = records;
    OrganisationDetails details = {.organisation = organisations.front().organisation};
    std::map<GroupId, std::vector<User>> users_of;
    for (const auto& [id, name, member] : members) {
      (member.accepted_at ? details.members : details.invitations).push_back(member);
      if (!member.accepted_at) continue;
      for (const GroupId& group : member.groups) users_of[group].push_back(member.user);
    }
    std::map<std::string, std::vector<Group>> groups_of;  // by service; at "" those of no service
    for (const auto& [group, users] : users_of) {
      groups_of[group.service_id].push_back({.name = group.name, .users = users});
    }
    details.groups = groups_of[""];
    for (const auto& [id, service] : services) {
      details.services.push_back({service.id, service.name, groups_of[service.id]});
    }
    return details;
  }

  // Returns the changes that take the user from the owners. The last owner stays.
  static Changes<OrganisationRecord> WithoutOwner(const MembershipId& id) {
    return Changes<OrganisationRecord>()
        .Delete<&OrganisationRecord::owners>({id.email})
        .If(AttrOf<&OrganisationRecord::owners>() != std::set<Email>{id.email},
            id.email.text() + " is the last owner of " + id.organisation_id);
  }
  static std::string NotAMember(const MembershipId& id) {
    return id.email.text() + " is not a member of " + id.organisation_id;
  }
  static std::string IsMemberAlready(const MembershipId& id) {
    return id.email.text() + " is a member of " + id.organisation_id + " already";
  }

  // Returns the query of the members and the open invitations of an organisation.
  EntityQuery<MemberRecord> MembersOf(const std::string& organisation_id) const {
    return table_.Query<MemberRecord>().With<&MemberRecord::organisation_id>(organisation_id);
  }

  EntityTable table_;
  NameCopies name_copies_;
};

}  // namespace dolmen::org
