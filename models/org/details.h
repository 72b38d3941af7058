// An organisation's partition, as it is read, put together.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "models/org/org.h"

namespace dolmen::org {

using OrganisationItem = std::variant<Organisation, OrganisationMember, OrganisationService>;

// The name of a group as it stands in a member's set: "owner", or of a service "billing/support".
// kValidation: the group's own name is empty, or one of the two holds a '/'.
Result<std::string> GroupText(const GroupId& group);

// `items` are in the order in which the table has them: members before services.
// kResourceNotFound: there is no organisation among them.  kCorruption: a member is in a group of a
// service that is not there.
Result<OrganisationDetails> DetailsOf(const std::string& id, std::vector<OrganisationItem> items);

}  // namespace dolmen::org
