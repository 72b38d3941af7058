#include "models/org/design.h"

#include "models/org/org.h"

namespace dolmen::org {

TableDesign Design() {
  return Describe<User, OrganisationRecord, UserOrganisationRecord, OrganisationMemberRecord,
                  OrganisationServiceRecord>(
      "org", {AccessPattern("A user", "GetUser").With<&User::email>(),
              AccessPattern("The organisations of a user and the invitations to an address",
                            "GetUserDetails")
                  .With<&UserOrganisationRecord::email>(),
              AccessPattern("An organisation", "GetOrganisation")
                  .With<&OrganisationRecord::organisation, &Organisation::id>(),
              AccessPattern("A member, or a member's rights", "GetMember, IsInGroup")
                  .With<&OrganisationMemberRecord::organisation_id>()
                  .With<&OrganisationMemberRecord::member, &Member::user, &User::email>()});
}

}  // namespace dolmen::org
