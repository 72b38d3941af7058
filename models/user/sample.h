// Sample data: three users with sessions, badges and connections.

#pragma once

#include "models/user/user.h"

namespace dolmen::user {

// Creates the sample data. Items that exist stay as they are. Times are the clock's.
// - Addresses: Ann (abc-123) has two, both verified, and ann@example.org is primary. Sam (user123)
//   and Kim (user456) have one each.
// - Sessions: Ann has one, Sam two, one of which is a stay-signed-in session.
// - Badges: all three have some, and Kim's badge-3 leads the gold tier.
// - Connections: Sam and Kim in both directions, Ann to Kim.
Status LoadSampleData(const UserStore& store);

}  // namespace dolmen::user
