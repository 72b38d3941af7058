// Three users with what belongs to them, to try the access patterns on.

#pragma once

#include "models/user/user.h"

namespace dolmen::user {

// Ann (abc-123) has two verified addresses, of which ann@example.org is primary; Sam (user123) and
// Kim (user456) have one each.  Ann is signed in once and Sam twice, once to stay.  All have
// badges, of which Kim's badge-3 leads the gold tier.  Sam and Kim are connected both ways, Ann to
// Kim. What is there already is left as it is; times are the clock's.
Status LoadSampleData(const UserStore& store);

}  // namespace dolmen::user
