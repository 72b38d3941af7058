#include "models/org/design.h"

#include "models/org/org.h"

namespace dolmen::org {

TableDesign Design() {
  return Describe<User, OrganisationRecord, UserOrganisationRecord, OrganisationMemberRecord,
                  OrganisationServiceRecord>(
      "org", {AccessPattern("A user").With<&User::email>().By("GetUser"),
              AccessPattern("The organisations of a user and the invitations to an address")
                  .With<&UserOrganisationRecord::email>()
                  .By("GetUserDetails"),
              AccessPattern("An organisation")
                  .With<&OrganisationRecord::organisation, &Organisation::id>()
                  .By("GetOrganisation"),
              AccessPattern("A member, or a member's rights")
                  .With<&OrganisationMemberRecord::organisation_id>()
                  .With<&OrganisationMemberRecord::member, &Member::user, &User::email>()
                  .By("GetMember, IsInGroup")});
}

}  // namespace dolmen::org
