#include "models/user/design.h"

#include "models/user/entities.h"

namespace dolmen::user {

TableDesign Design() {
  return Describe<Profile, Email, Session, Achievement, Connection, Token, RateCounter, TokenBucket,
                  Circuit, CachedValue, Setting, EmailRules>(
      "user",
      {AccessPattern("A profile by id", "Users::GetProfile").With<&Profile::user_id>(),
       AccessPattern("All addresses of a user", "Users::ListEmails").With<&Email::user_id>(),
       AccessPattern("A profile by its primary address", "Users::FindByEmail")
           .With<&Profile::email>(),
       AccessPattern("The e-mail record of an address", "Users::FindEmail").With<&Email::email>(),
       AccessPattern("A session by id", "Sessions::Get")
           .With<&Session::user_id>()
           .With<&Session::session_id>(),
       AccessPattern("All sessions of a user", "Sessions::List").With<&Session::user_id>(),
       AccessPattern("All badges of a user", "Achievements::List").With<&Achievement::user_id>(),
       AccessPattern("Leaderboard of a tier, highest score first, in pages",
                     "Achievements::Leaderboard")
           .With<&Achievement::tier>()
           .With<&Achievement::shard>()
           .SortedBy<&Achievement::score>(),
       AccessPattern("Are they connected?", "Connections::Find")
           .With<&Connection::user_id>()
           .With<&Connection::other_id>(),
       AccessPattern("The users that a user has connected to, in pages", "Connections::ListTargets")
           .With<&Connection::user_id>(),
       AccessPattern("The users who have connected to a user, in pages", "Connections::ListSources")
           .With<&Connection::other_id>()});
}

}  // namespace dolmen::user
