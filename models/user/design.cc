#include "models/user/design.h"

#include "models/user/entities.h"

namespace dolmen::user {

TableDesign Design() {
  return Describe<Profile, Email, Session, Achievement, Connection, Token, RateCounter, TokenBucket,
                  Circuit, CachedValue, Setting, EmailRules>(
      "user",
      {AccessPattern("A profile by id").With<&Profile::user_id>().By("Users::GetProfile"),
       AccessPattern("All addresses of a user").With<&Email::user_id>().By("Users::ListEmails"),
       AccessPattern("A profile by its primary address")
           .With<&Profile::email>()
           .By("Users::FindByEmail"),
       AccessPattern("The e-mail record of an address")
           .With<&Email::email>()
           .By("Users::FindEmail"),
       AccessPattern("A session by id")
           .With<&Session::user_id>()
           .With<&Session::session_id>()
           .By("Sessions::Get"),
       AccessPattern("All sessions of a user").With<&Session::user_id>().By("Sessions::List"),
       AccessPattern("All badges of a user").With<&Achievement::user_id>().By("Achievements::List"),
       AccessPattern("Leaderboard of a tier, highest score first, in pages")
           .With<&Achievement::tier>()
           .With<&Achievement::shard>()
           .SortedBy<&Achievement::score>()
           .By("Achievements::Leaderboard"),
       AccessPattern("Are they connected?")
           .With<&Connection::user_id>()
           .With<&Connection::other_id>()
           .By("Connections::Find"),
       AccessPattern("The users that a user has connected to, in pages")
           .With<&Connection::user_id>()
           .By("Connections::ListTargets"),
       AccessPattern("The users who have connected to a user, in pages")
           .With<&Connection::other_id>()
           .By("Connections::ListSources")});
}

}  // namespace dolmen::user
