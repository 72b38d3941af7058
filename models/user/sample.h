// Sample data: three users with sessions, badges and connections.

#pragma once

#include "models/user/user.h"

namespace dolmen::user {

// Creates the sample data in one transaction. Does nothing if an item of it exists already. The
// times in the items come from the database's clock.
// - Addresses: Ann (abc-123) has two verified addresses; ann@example.org is primary. Sam (user123)
//   and Kim (user456) have one each.
// - Sessions: Ann has one session. Sam has two, and one of the two is a stay-signed-in session.
// - Badges: all three users have badges. Kim's badge-3 has the highest score of the gold tier.
// - Connections: Sam and Kim are connected in both directions. Ann is connected to Kim.
Status LoadSampleData(const UserStore& store);

}  // namespace dolmen::user
