#include "models/user/connections.h"

namespace dolmen::user {
namespace {

Connection ToConnection(const ConnectionId& id) {
  return {.user_id = id.user_id, .other_id = id.other_id};
}

}  // namespace

Result<Connection> Connections::Connect(const ConnectionId& id) const {
  if (id.user_id == id.other_id) {
    return Status::Validation(id.user_id + " cannot be connected to itself");
  }
  return table_.Create(ToConnection(id));
}

Status Connections::Disconnect(const ConnectionId& id) const {
  return table_.Remove(ToConnection(id));
}

Result<bool> Connections::AreConnected(const ConnectionId& id) const {
  const Result<std::optional<Connection>> found = table_.Find(ToConnection(id));
  if (!found.ok()) return found.status();
  return found->has_value();
}

Result<EntityPage<Connection>> Connections::ListTargets(const ConnectionQuery& query) const {
  return table_.Query<Connection>()
      .With<&Connection::user_id>(query.user_id)
      .Limit(query.limit)
      .From(query.cursor)
      .Page();
}

Result<EntityPage<Connection>> Connections::ListSources(const ConnectionQuery& query) const {
  return table_.Query<Connection>("GSI1")
      .With<&Connection::other_id>(query.user_id)
      .Limit(query.limit)
      .From(query.cursor)
      .Page();
}

}  // namespace dolmen::user
