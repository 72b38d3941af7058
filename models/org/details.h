// Builds the details of an organisation from the items of its partition.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "models/org/org.h"

namespace dolmen::org {

using OrganisationItem = std::variant<Organisation, OrganisationMember, OrganisationService>;

// Returns the text for a group in OrganisationMember::group_names: "owner" for a group of the
// organisation, "billing/support" for a group of a service.
// - kValidation: the group's own name is empty, or the name or the service's id holds a '/'.
Result<std::string> GroupText(const GroupId& group);

// Builds the details from `items`, which are in the table's order: members before services.
// - kResourceNotFound: the organisation is not among the items.
// - kCorruption: a member is in a group of a service that does not exist.
Result<OrganisationDetails> DetailsOf(const std::string& id, std::vector<OrganisationItem> items);

}  // namespace dolmen::org
