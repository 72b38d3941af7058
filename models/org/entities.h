// The five entities of the model in one table, and how each is stored.

#pragma once

#include <dolmen/attribute_value.h>
#include <dolmen/clock.h>
#include <dolmen/entity/definition.h>
#include <dolmen/entity/table_check.h>

#include <cstdint>
#include <optional>
#include <string>

namespace dolmen::org {

// A user's data without the address.
struct Profile {
  std::string first_name = {};
  std::string last_name = {};
  std::optional<std::string> phone = {};
  Timestamp created_at = {};  // when the user was first put

  friend bool operator==(const Profile&, const Profile&) = default;
};

struct User {
  std::string email = {};
  Profile profile = {};

  friend bool operator==(const User&, const User&) = default;
};

constexpr auto DescribeEntity(const User*) {
  return DefineEntity<User>(
      "user",
      {Attribute<&User::email>("emailAddress"),
       Attribute<&User::profile, &Profile::first_name>("firstName"),
       Attribute<&User::profile, &Profile::last_name>("lastName"),
       Attribute<&User::profile, &Profile::phone>("phone"),
       Attribute<&User::profile, &Profile::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("user/{emailAddress:any}", "user")});
}

struct Organisation {
  std::string id = {};
  std::string name = {};
  std::int64_t name_version = 1;   // the number of names so far: each rename adds 1
  std::uint32_t member_count = 0;  // open invitations included
  Timestamp created_at = {};

  friend bool operator==(const Organisation&, const Organisation&) = default;
};

constexpr auto DescribeEntity(const Organisation*) {
  return DefineEntity<Organisation>(
      "organisation",
      {Attribute<&Organisation::id>("organisationId"),
       Attribute<&Organisation::name>("organisationName"),
       Attribute<&Organisation::name_version>("nameVersion"),
       Attribute<&Organisation::member_count>("memberCount"),
       Attribute<&Organisation::created_at>("createdAt").IfUnset<Now>().ReadOnly()},
      {PrimaryKey("organisation/{organisationId}", "organisation")});
}

// The id of a membership. A membership consists of two items, one in the user's partition and one
// in the organisation's partition. Both items hold the id.
struct MembershipId {
  std::string organisation_id = {};
  std::string email = {};

  friend bool operator==(const MembershipId&, const MembershipId&) = default;
};

// The user's side of a membership. Without accepted_at the item is an open invitation.
struct UserOrganisation {
  MembershipId id = {};
  std::string organisation_name = {};  // a copy of Organisation::name
  std::int64_t name_version = 1;       // the version of that copy
  Timestamp invited_at = {};
  std::optional<Timestamp> accepted_at = {};

  friend bool operator==(const UserOrganisation&, const UserOrganisation&) = default;
};

constexpr auto DescribeEntity(const UserOrganisation*) {
  return DefineEntity<UserOrganisation>(
      "userOrganisation",
      {Attribute<&UserOrganisation::id, &MembershipId::email>("emailAddress"),
       Attribute<&UserOrganisation::id, &MembershipId::organisation_id>("organisationId"),
       Attribute<&UserOrganisation::organisation_name>("organisationName"),
       Attribute<&UserOrganisation::name_version>("nameVersion"),
       Attribute<&UserOrganisation::invited_at>("invitedAt").ReadOnly(),
       Attribute<&UserOrganisation::accepted_at>("acceptedAt")},
      {PrimaryKey("user/{emailAddress:any}", "userOrganisation/{organisationId}")});
}

// The organisation's side of a membership. Without accepted_at the item is an open invitation.
struct OrganisationMember {
  MembershipId id = {};
  StringSet group_names = {};  // `owner` is the organisation's, `billing/support` a service's group
  std::int64_t seen_name_version = 1;  // the user's copy of the name is at least this new
  Timestamp invited_at = {};           // equal to UserOrganisation::invited_at
  std::optional<Timestamp> accepted_at = {};
  std::optional<Profile> profile = {};  // a copy, set when the invitation is accepted

  friend bool operator==(const OrganisationMember&, const OrganisationMember&) = default;
};

constexpr auto DescribeEntity(const OrganisationMember*) {
  return DefineEntity<OrganisationMember>(
      "organisationMember",
      {Attribute<&OrganisationMember::id, &MembershipId::organisation_id>("organisationId"),
       Attribute<&OrganisationMember::id, &MembershipId::email>("emailAddress"),
       Attribute<&OrganisationMember::group_names>("groupNames"),
       Attribute<&OrganisationMember::seen_name_version>("seenNameVersion"),
       Attribute<&OrganisationMember::invited_at>("invitedAt").ReadOnly(),
       Attribute<&OrganisationMember::accepted_at>("acceptedAt"),
       Attribute<&OrganisationMember::profile, &Profile::first_name>("firstName"),
       Attribute<&OrganisationMember::profile, &Profile::last_name>("lastName"),
       Attribute<&OrganisationMember::profile, &Profile::phone>("phone"),
       Attribute<&OrganisationMember::profile, &Profile::created_at>("createdAt")},
      {PrimaryKey("organisation/{organisationId}", "organisationMember/{emailAddress:any}")});
}

struct OrganisationService {
  std::string organisation_id = {};
  std::string id = {};
  std::string name = {};

  friend bool operator==(const OrganisationService&, const OrganisationService&) = default;
};

constexpr auto DescribeEntity(const OrganisationService*) {
  return DefineEntity<OrganisationService>(
      "organisationService",
      {Attribute<&OrganisationService::organisation_id>("organisationId"),
       Attribute<&OrganisationService::id>("serviceId"),
       Attribute<&OrganisationService::name>("serviceName")},
      {PrimaryKey("organisation/{organisationId}", "organisationService/{serviceId}")});
}

static_assert(
    CheckTable<User, Organisation, UserOrganisation, OrganisationMember, OrganisationService>());

}  // namespace dolmen::org
