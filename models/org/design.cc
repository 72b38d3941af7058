#include "models/org/design.h"

#include "models/org/entities.h"

namespace dolmen::org {

TableDesign Design() {
  return Describe<User, Organisation, UserOrganisation, OrganisationMember, OrganisationService>(
      "org");
}

}  // namespace dolmen::org
