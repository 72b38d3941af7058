// Who is connected to whom, seen from both ends.

#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

struct ConnectionId {
  std::string user_id = {};   // who has connected ...
  std::string other_id = {};  // ... to whom
};

struct ConnectionQuery {
  std::string user_id = {};
  std::uint32_t limit = 50;
  std::string cursor = {};  // EntityPage::next_cursor of the page before; "" = the start
};

// A connection has a direction and one item, which GSI1 shows from its other end.  That both users
// exist is not checked.
//
// A handle; callable from any number of threads.  Errors, besides the database's own:
//   kResourceNotFound  they are not connected
//   kResourceInUse     they are already
//   kValidation        an id can't be one, or both are the same
class Connections {
 public:
  explicit Connections(EntityTable table) : table_(std::move(table)) {}

  // PutItem CONNECTION#<user>/TARGET#<other> with attribute_not_exists(PK), GSI1 CONNECTION#<other>
  // and SOURCE#<user>.
  Result<Connection> Connect(const ConnectionId& id) const;

  // DeleteItem CONNECTION#<user>/TARGET#<other>.
  Status Disconnect(const ConnectionId& id) const;

  // GetItem CONNECTION#<user>/TARGET#<other>.
  Result<bool> AreConnected(const ConnectionId& id) const;

  // Query PK = CONNECTION#<user>, begins_with(SK, TARGET#), Limit.  In order of the others' ids.
  Result<EntityPage<Connection>> ListTargets(const ConnectionQuery& query) const;

  // Query GSI1 with GSI1PK = CONNECTION#<user>, begins_with(GSI1SK, SOURCE#), Limit: who has
  // connected to the user.  In order of their ids.
  Result<EntityPage<Connection>> ListSources(const ConnectionQuery& query) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
