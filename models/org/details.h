// Builds the details of an organisation from the items of its partition.

#pragma once

#include <string>
#include <vector>

#include "models/org/org.h"

namespace dolmen::org {

// Returns the text for a group in OrganisationMember::group_names: "owner" for a group of the
// organisation, "billing/support" for a group of a service.
// - kValidation: the group's own name is empty, or the name or the service's id holds a '/'.
Result<std::string> GroupText(const GroupId& group);

// Builds the details from the items of the organisation's partition.
// - kCorruption: a member is in a group of a service that does not exist.
Result<OrganisationDetails> BuildDetails(Organisation organisation,
                                         std::vector<OrganisationMember> members,
                                         std::vector<OrganisationService> services);

}  // namespace dolmen::org
