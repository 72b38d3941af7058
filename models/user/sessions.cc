#include "models/user/sessions.h"

#include <dolmen/entity/token.h>

#include <string>

namespace dolmen::user {
namespace {

Session KeyOf(const SessionId& id) { return {.user_id = id.user_id, .session_id = id.session_id}; }

}  // namespace

Result<Session> Sessions::Start(const NewSession& request) const {
  Result<std::string> id = request.session_id.empty() ? NewSecret() : request.session_id;
  if (!id.ok()) return id.status();
  const Timestamp now = table_.Now();
  const auto lifetime = request.stay_signed_in ? lifetimes_.stay_signed_in : lifetimes_.usual;
  const Session session = {.user_id = request.user_id,
                           .session_id = *std::move(id),
                           .stays_signed_in = request.stay_signed_in,
                           .created_at = now,
                           .expires_at = std::chrono::ceil<std::chrono::seconds>(now + lifetime)};
  const Status started = table_.Transact()
                             .Require(Profile{.user_id = request.user_id},
                                      AttrOf<&Profile::status>() == UserStatus::kActive,
                                      "the user " + request.user_id + " is not active")
                             .Create(session)
                             .Commit();
  if (!started.ok()) return started;
  return session;
}

Result<Session> Sessions::Get(const SessionId& id) const { return table_.Get(KeyOf(id)); }

Result<std::vector<Session>> Sessions::List(const std::string& user_id) const {
  return table_.Query<Session>().With<&Session::user_id>(user_id).All();
}

Status Sessions::End(const SessionId& id) const { return table_.Remove(KeyOf(id)); }

Result<std::uint64_t> Sessions::EndAll(const std::string& user_id) const {
  const Result<std::vector<Session>> sessions = List(user_id);
  if (!sessions.ok()) return sessions.status();
  if (Status status = table_.BatchRemove(*sessions); !status.ok()) return status;
  return sessions->size();
}

}  // namespace dolmen::user
