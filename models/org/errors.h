// Errors of requests to an Org.

#pragma once

#include <dolmen/result.h>

#include <string>

#include "models/org/entities.h"

namespace dolmen::org {

// Returns the same error for an organisation that does not exist and for a user who is not a
// member. So a user who may not see an organisation cannot find out whether the organisation
// exists.
inline Status NotAMember(const MembershipId& id) {
  return Status::ResourceNotFound("the organisation " + id.organisation_id +
                                  " does not exist or has no member " + id.email);
}

inline Status NoInvitation(const MembershipId& id) {
  return Status::ResourceNotFound(id.email + " is not invited to " + id.organisation_id);
}

inline Status InvitedAlready(const MembershipId& id) {
  return Status::ResourceInUse(id.email + " is already invited to " + id.organisation_id +
                               ", or is a member of it");
}

inline Status MemberAlready(const MembershipId& id) {
  return Status::ResourceInUse(id.email + " is a member of " + id.organisation_id + " already");
}

}  // namespace dolmen::org
