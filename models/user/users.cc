#include "models/user/users.h"

#include <algorithm>

#include "models/user/sessions.h"

namespace dolmen::user {

const Email* Account::primary() const {
  const auto found = std::ranges::find(emails, true, &Email::is_primary);
  return found == emails.end() ? nullptr : &*found;
}

Result<Email> Users::Create(Profile user, std::string email_id) const {
  if (user.user_id.empty()) user.user_id = NewUuid();
  user.email = NormalizeEmail(user.email, rules);
  const Email email = {.user_id = user.user_id,
                       .email_id = std::move(email_id),
                       .email = user.email,
                       .is_primary = true,
                       .is_verified = true,
                       .verified_at = table.Now(),
                       .created_at = table.Now()};
  const Status created = table.Transact().Create(user).Create(email).Commit();
  if (!created.ok()) return created;
  return email;
}

Result<Account> Users::GetAccount(const std::string& user_id) const {
  return table.Query<Profile, Email, Session, Achievement>()
      .With<&Profile::user_id>(user_id)
      .Grouped()
      .and_then([&](auto found) -> Result<Account> {
        auto& [profiles, emails, sessions, achievements] = found;
        if (profiles.empty()) return Status::ResourceNotFound("there is no user " + user_id);
        return Account{profiles.front(), emails, sessions, achievements};
      });
}

Status Users::SetStatus(const Profile& profile, UserStatus status) const {
  return table.Update(profile)
      .Set<&Profile::status>(status)
      .IfVersion(profile.version)
      .Commit()
      .and_then([&](const Profile& changed) {
        const bool stays = status == UserStatus::kActive;
        return stays ? Status() : Sessions{table}.EndAll(changed.user_id);
      });
}

// Begins with the status, so that no session starts and no address is added meanwhile.
Status Users::Erase(const std::string& user_id) const {
  const auto remove = [&](const auto& query) {
    return query.All().and_then([&](const auto& found) { return table.BatchRemove(found); });
  };
  const Profile user = {.user_id = user_id};
  Status erased = table.Update(user).Set<&Profile::status>(UserStatus::kDeleted).Commit().status();
  if (erased.ok()) erased = Sessions{table}.EndAll(user_id);
  if (erased.ok()) erased = remove(table.Query<Achievement>().With<&Achievement::user_id>(user_id));
  if (erased.ok()) erased = remove(table.Query<Connection>().With<&Connection::user_id>(user_id));
  if (erased.ok())
    erased = remove(table.Query<Connection>("GSI1").With<&Connection::other_id>(user_id));
  if (erased.ok()) erased = remove(table.Query<Email>().With<&Email::user_id>(user_id));
  return erased.ok() ? table.Remove(user) : erased;
}

Result<Email> Users::AddEmail(Email email) const {
  email = {.user_id = email.user_id,
           .email_id = email.email_id.empty() ? NewUuid() : email.email_id,
           .email = NormalizeEmail(email.email, rules),
           .created_at = table.Now()};
  return CommitIfActive(table.Transact().Create(email), email);
}

Result<std::string> Users::IssueReset(const std::string& address) const {
  return FindEmail(address).and_then([&](const std::optional<Email>& email) -> Result<std::string> {
    if (!email || !email->is_verified)
      return Status::ResourceNotFound("no user has verified the address " + address);
    return Resets().Issue(email->user_id, std::chrono::hours(1));
  });
}

Status Users::MakePrimary(const Email& key) const {
  const auto swap = [&](EntityTransaction& transaction) {
    return GetAccount(key.user_id).and_then([&](const Account& account) -> Status {
      const Email* before = account.primary();
      const auto after = std::ranges::find(account.emails, key.email_id, &Email::email_id);
      if (before == nullptr || after == account.emails.end())
        return Status::ResourceNotFound(key.user_id + " has no e-mail record " + key.email_id);
      if (after->is_primary) return {};
      transaction
          .Update(account.profile, Changes<Profile>()
                                       .Set<&Profile::email>(after->email)
                                       .IfVersion(account.profile.version))
          .Update(*before, Changes<Email>().Set<&Email::is_primary>(false))
          .Update(*after,
                  Changes<Email>()
                      .Set<&Email::is_primary>(true)
                      .If(AttrOf<&Email::is_verified>() == true, after->email + " is not verified")
                      .If(AttrOf<&Email::email>() == after->email, "the address has changed"));
      return {};
    });
  };
  // A failed attempt means that another writer has succeeded.
  return table.Retry(swap, {.attempts_max = 100});
}

}  // namespace dolmen::user
