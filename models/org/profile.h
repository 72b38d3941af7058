// The copy of a user's profile on the organisation's side of a membership.

#pragma once

#include <dolmen/entity/changes.h>

#include "models/org/entities.h"

namespace dolmen::org {

inline Changes<OrganisationMember> CopyOf(const Profile& profile) {
  using Member = OrganisationMember;
  return Changes<Member>()
      .Set<&Member::profile, &Profile::first_name>(profile.first_name)
      .Set<&Member::profile, &Profile::last_name>(profile.last_name)
      .Set<&Member::profile, &Profile::phone>(profile.phone)
      .Set<&Member::profile, &Profile::created_at>(profile.created_at);
}

}  // namespace dolmen::org
