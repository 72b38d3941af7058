// Connections between users, listed from both ends.

#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "models/user/entities.h"

namespace dolmen::user {

struct ConnectionId {
  std::string user_id = {};   // the user who has connected
  std::string other_id = {};  // the user that the connection leads to
};

struct ConnectionQuery {
  std::string user_id = {};
  std::uint32_t limit = 50;
  std::string cursor = {};  // EntityPage::next_cursor of the previous page; "" = the start
};

// A handle to the connections in the table. Thread-safe.
//
// A connection leads from a first user to a second user and is one item. The table lists the item
// under the first user, and GSI1 lists it under the second user. Connect does not check that the
// users exist.
//
// Errors besides the database's own:
// - kResourceNotFound: the users are not connected.
// - kResourceInUse: the users are connected already.
// - kValidation: an id is empty or holds a '#', or both ids are the same.
class Connections {
 public:
  explicit Connections(EntityTable table) : table_(std::move(table)) {}

  // Connects two users. PutItem CONNECTION#<user>/TARGET#<other> with attribute_not_exists(PK). In
  // GSI1 the item has the key CONNECTION#<other>/SOURCE#<user>.
  Result<Connection> Connect(const ConnectionId& id) const;

  // Deletes a connection. DeleteItem CONNECTION#<user>/TARGET#<other>.
  Status Disconnect(const ConnectionId& id) const;

  // Returns true if the connection exists. GetItem CONNECTION#<user>/TARGET#<other>.
  Result<bool> AreConnected(const ConnectionId& id) const;

  // Returns a page of the connections that lead from `user_id`, sorted by the ids of the second
  // users. Query PK = CONNECTION#<user>, begins_with(SK, TARGET#), Limit.
  Result<EntityPage<Connection>> ListTargets(const ConnectionQuery& query) const;

  // Returns a page of the connections that lead to `user_id`, sorted by the ids of the first users.
  // Query GSI1 with GSI1PK = CONNECTION#<user>, begins_with(GSI1SK, SOURCE#), Limit.
  Result<EntityPage<Connection>> ListSources(const ConnectionQuery& query) const;

 private:
  EntityTable table_;
};

}  // namespace dolmen::user
