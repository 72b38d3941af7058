// The entities of the model: first the structs that its functions take and return, and below them the
// private records, which say how the entities are stored.

#pragma once

#include <dolmen/entity.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/org/email.h"

namespace dolmen::org {

struct User {
  Email email = {};  // the id
  std::string first_name = {};
  std::string last_name = {};
  std::optional<std::string> phone = {};
  Timestamp created_at = {};  // when the user was first put

  friend bool operator==(const User&, const User&) = default;
};

struct Organisation {
  std::string id = {};
  std::string name = {};

  friend bool operator==(const Organisation&, const Organisation&) = default;
};

struct Invitation {
  Organisation organisation = {};
  Timestamp invited_at = {};
  std::optional<Timestamp> accepted_at = {};  // nothing = open

  friend bool operator==(const Invitation&, const Invitation&) = default;
};

// A group of an organisation, or of one of its services. It exists while it has users.
struct GroupId {
  std::string service_id = {};  // "" = a group of the organisation itself
  std::string name = {};

  friend auto operator<=>(const GroupId&, const GroupId&) = default;
};

// An organisation's view of a user who belongs to it or is invited to it.
struct Member {
  User user = {};                 // for an open invitation only the address
  std::set<GroupId> groups = {};  // for an open invitation those that the user joins by accepting
  Timestamp invited_at = {};
  std::optional<Timestamp> accepted_at = {};  // nothing = an open invitation

  friend bool operator==(const Member&, const Member&) = default;
};

struct Group {
  std::string name = {};
  std::vector<User> users = {};

  friend bool operator==(const Group&, const Group&) = default;
};

struct Service {
  std::string id = {};
  std::string name = {};
  std::vector<Group> groups = {};

  friend bool operator==(const Service&, const Service&) = default;
};

// An address with everything that the application shows after login, in the order of the ids.
struct UserDetails {
  std::optional<User> user = {};  // nothing = has not registered
  std::vector<Organisation> organisations = {};
  std::vector<Invitation> invitations = {};  // open invitations

  friend bool operator==(const UserDetails&, const UserDetails&) = default;
};

// An organisation with everything that its page shows. Users are sorted by address, groups by name,
// services by id.
struct OrganisationDetails {
  Organisation organisation = {};
  std::vector<Member> members = {};
  std::vector<Member> invitations = {};  // open invitations
  std::vector<Group> groups = {};        // without the services' groups
  std::vector<Service> services = {};

  friend bool operator==(const OrganisationDetails&, const OrganisationDetails&) = default;
};

struct MembershipId {
  std::string organisation_id = {};
  Email email = {};
};

}  // namespace dolmen::org

// The records. No function of Org takes or returns one.

// Stores an address as a text.
template <>
struct dolmen::AttributeCodec<dolmen::org::Email> {
  static constexpr auto kPart = entity::PartKind::kText;
  static Status Encode(const org::Email& email, AttributeValue* value) {
    *value = email.text();
    return {};
  }
  static Status Decode(AttributeView view, org::Email* email) {
    const auto text = view.AsString();
    if (!text) return entity::WrongType(view, AttributeType::kS);
    *email = org::Email(*text);
    return {};
  }
};

// Stores a group of the organisation as "owner", and a group of a service as "billing/support".
template <>
struct dolmen::AttributeCodec<dolmen::org::GroupId> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const org::GroupId& group, AttributeValue* value) {
    if (group.name.empty()) return Status::Validation("needs a name for each group");
    for (const std::string& part : {group.service_id, group.name}) {
      if (part.find('/') == std::string::npos) continue;
      return Status::Validation("holds groups and services without '/', not \"" + part + "\"");
    }
    *value = group.service_id.empty() ? group.name : group.service_id + '/' + group.name;
    return {};
  }
  static Status Decode(AttributeView view, org::GroupId* group) {
    const auto text = view.AsString();
    if (!text) return entity::WrongType(view, AttributeType::kS);
    const std::size_t slash = text->find('/');
    group->service_id = slash == text->npos ? "" : text->substr(0, slash);
    group->name = text->substr(slash == text->npos ? 0 : slash + 1);
    return {};
  }
};

namespace dolmen::org {

inline bool IsName(const std::string& text) { return !text.empty(); }

// The userRecord is the user itself.
constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>(
      "user",
      {Attribute<&User::email>("emailAddress"), Attribute<&User::first_name>("firstName"),
       Attribute<&User::last_name>("lastName"), Attribute<&User::phone>("phone"),
       Attribute<&User::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("user/{emailAddress:any}", "user")});
}

struct OrganisationRecord {
  Organisation organisation = {};
  std::set<Email> owners = {};  // the members of the group `owner`; never empty
  std::int64_t version = 0;     // changes with the name and with the set of members and invitations
};

constexpr auto DescribeEntity(const OrganisationRecord*) {
  using Record = OrganisationRecord;
  return DefineEntity<Record>(
      "organisation",
      {Attribute<&Record::organisation, &Organisation::id>("organisationId"),
       Attribute<&Record::organisation, &Organisation::name>("organisationName")
           .Check<IsName>("is empty"),
       Attribute<&Record::owners>("owners"), Attribute<&Record::version>("version").Version()},
      {PrimaryKey("organisation/{organisationId}", "organisation")});
}

// The user's side of a membership. OrganisationMemberRecord writes it.
struct UserOrganisationRecord {
  Email email = {};
  Invitation invitation = {};  // Invitation::organisation is a copy
};

constexpr auto DescribeEntity(const UserOrganisationRecord*) {
  using Record = UserOrganisationRecord;
  return DefineEntity<Record>(
      "userOrganisation",
      {Attribute<&Record::email>("emailAddress"),
       Attribute<&Record::invitation, &Invitation::organisation, &Organisation::id>(
           "organisationId"),
       Attribute<&Record::invitation, &Invitation::organisation, &Organisation::name>(
           "organisationName"),
       Attribute<&Record::invitation, &Invitation::invited_at>("invitedAt").ReadOnly(),
       Attribute<&Record::invitation, &Invitation::accepted_at>("acceptedAt")},
      {PrimaryKey("user/{emailAddress:any}", "userOrganisation/{organisationId}")});
}

// The organisation's side of a membership, an edge: each of its writes also writes what both sides
// have, in the same transaction.
struct OrganisationMemberRecord {
  std::string organisation_id = {};
  std::string organisation_name = {};  // the copy of the other side
  Member member = {};                  // Member::user is a copy
};

constexpr auto DescribeEntity(const OrganisationMemberRecord*) {
  using Record = OrganisationMemberRecord;
  return DefineEntity<Record>(
             "organisationMember",
             {Attribute<&Record::organisation_id>("organisationId"),
              Attribute<&Record::organisation_name>("organisationName"),
              Attribute<&Record::member, &Member::groups>("groupNames"),
              Attribute<&Record::member, &Member::user, &User::email>("emailAddress").ReadOnly(),
              Attribute<&Record::member, &Member::user, &User::first_name>("firstName"),
              Attribute<&Record::member, &Member::user, &User::last_name>("lastName"),
              Attribute<&Record::member, &Member::user, &User::phone>("phone"),
              Attribute<&Record::member, &Member::user, &User::created_at>("createdAt"),
              Attribute<&Record::member, &Member::invited_at>("invitedAt").ReadOnly(),
              Attribute<&Record::member, &Member::accepted_at>("acceptedAt")},
             {PrimaryKey("organisation/{organisationId}", "organisationMember/{emailAddress:any}")})
      .Edge<UserOrganisationRecord>();
}

struct OrganisationServiceRecord {
  std::string organisation_id = {};
  Service service = {};  // Service::groups is not stored: the members have their groups
};

constexpr auto DescribeEntity(const OrganisationServiceRecord*) {
  using Record = OrganisationServiceRecord;
  return DefineEntity<Record>(
      "organisationService",
      {Attribute<&Record::organisation_id>("organisationId"),
       Attribute<&Record::service, &Service::id>("serviceId"),
       Attribute<&Record::service, &Service::name>("serviceName").Check<IsName>("is empty")},
      {PrimaryKey("organisation/{organisationId}", "organisationService/{serviceId}")});
}

static_assert(CheckTable<User, OrganisationRecord, UserOrganisationRecord, OrganisationMemberRecord,
                         OrganisationServiceRecord>());

}  // namespace dolmen::org
