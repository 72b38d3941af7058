// Connections between users, listed from both ends.

#pragma once

#include "models/user/entities.h"

namespace dolmen::user {

// A handle to the connections in the table. Thread-safe.
//
// A connection leads from a first user (user_id) to a second user (other_id) and is one item. The
// table lists the item under the first user, and GSI1 lists it under the second user. Connect does
// not check that the users exist, because another service can store them.
//
// Errors besides the database's own:
// - kResourceNotFound: the users are not connected.
// - kResourceInUse: the users are connected already.
// - kValidation: an id is empty or holds a '#', or both ids are the same.
struct Connections {
  EntityTable table;

  // Connects two users. PutItem CONNECTION#<user>/TARGET#<other> with attribute_not_exists(PK). In
  // GSI1 the item has the key CONNECTION#<other>/SOURCE#<user>.
  Result<Connection> Connect(const Connection& connection) const {
    if (connection.user_id == connection.other_id)
      return Status::Validation(connection.user_id + " cannot be connected to itself");
    return table.Create(connection);
  }

  // Deletes a connection. DeleteItem CONNECTION#<user>/TARGET#<other>.
  Status Disconnect(const Connection& connection) const { return table.Remove(connection); }

  // Returns the connection, or nothing. GetItem CONNECTION#<user>/TARGET#<other>.
  Result<std::optional<Connection>> Find(const Connection& connection) const {
    return table.Find(connection);
  }

  // Returns a page of the connections that lead from a user, sorted by the ids of the second users.
  // Query PK = CONNECTION#<user>, begins_with(SK, TARGET#), Limit.
  Result<EntityPage<Connection>> ListTargets(const std::string& user, PageInput page = {}) const {
    return table.Query<Connection>().With<&Connection::user_id>(user).Page(std::move(page));
  }

  // Returns a page of the connections that lead to a user, sorted by the ids of the first users.
  // Query GSI1 with GSI1PK = CONNECTION#<user>, begins_with(GSI1SK, SOURCE#), Limit.
  Result<EntityPage<Connection>> ListSources(const std::string& user, PageInput page = {}) const {
    return table.Query<Connection>("GSI1").With<&Connection::other_id>(user).Page(std::move(page));
  }
};

}  // namespace dolmen::user
