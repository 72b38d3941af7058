// Accounts: profiles with e-mail addresses. Each address belongs to one user, and exactly one
// address of each user is primary.

#pragma once

#include "models/user/entities.h"

namespace dolmen::user {

// All that the table holds in the partition of a user.
struct Account {
  Profile profile = {};
  std::vector<Email> emails = {};  // each list in order of the ids
  std::vector<Session> sessions = {};
  std::vector<Achievement> achievements = {};

  // Returns the record of the primary address. Null if no address is primary, which Users
  // prevents.
  const Email* primary() const DOLMEN_LIFETIME_BOUND {
    const auto found = std::ranges::find(emails, true, &Email::is_primary);
    return found == emails.end() ? nullptr : &*found;
  }
};

// Commits a write that concerns a user, if the user is active, and returns `written`.
// ConditionCheck USER#<id>/PROFILE with status = active.
// - kConditionalCheckFailed: the user is suspended or deleted.
// - kResourceNotFound: the user does not exist.
template <typename T>
Result<T> CommitIfActive(EntityTransaction write, T written) {
  const Profile user = {.user_id = written.user_id};
  write.Require(user, AttrOf<&Profile::status>() == UserStatus::kActive,
                "the user " + user.user_id + " is not active");
  return write.Commit().and_return(written);
}

// A handle to the accounts in the table. Thread-safe. Addresses are normalised before they are
// stored or looked up. An Email that is a `key` needs only user_id and email_id. Errors besides the
// database's own:
// - kResourceNotFound: the user, the e-mail record or the token does not exist.
// - kResourceInUse: the address or an id is taken.
// - kTransactionConflict: the profile no longer has the version that was read. Read it again.
// - kConditionalCheckFailed: a rule that the method states forbids the change, or the user is not
//   active.
// - kValidation: an address, a telephone number or an id is malformed.
// A call that returns an error has written nothing, except for SetStatus, Erase, and a secret that
// was used.
struct Users {
  EntityTable table;
  EmailRules rules = {};

  // Creates a user, whose address is primary and verified: the caller has verified it. Returns the
  // address's record. An empty id becomes a UUID. TransactWriteItems: Put USER#<id>/PROFILE, Put
  // USER#<id>/EMAIL#<emailId> and Put the claim of the address, each with attribute_not_exists(PK).
  Result<Email> Create(Profile user, const std::string& email_id = NewUuid()) const {
    if (user.user_id.empty()) user.user_id = NewUuid();
    user.email = NormalizeEmail(user.email, rules);
    const Timestamp now = table.Now();
    const Email email = {user.user_id, email_id, user.email, true, true, now, now};
    return table.Transact().Create(user).Create(email).Commit().and_return(email);
  }

  // Returns a profile, whatever its status. GetItem USER#<id>/PROFILE.
  Result<Profile> GetProfile(const std::string& user_id) const {
    return table.Get(Profile{.user_id = user_id});
  }

  // Returns the profile, addresses, sessions and badges of a user. They are read at one moment if
  // together they have at most 1 MB. Query PK = USER#<id>, SK BETWEEN ACHIEVEMENT# AND the last
  // session.
  Result<Account> GetAccount(const std::string& user_id) const {
    return table.Query<Profile, Email, Session, Achievement>()
        .With<&Profile::user_id>(user_id)
        .Grouped()
        .and_then([&](const auto& found) -> Result<Account> {
          const auto& [profiles, emails, sessions, achievements] = found;
          if (profiles.empty()) return Status::ResourceNotFound("there is no user " + user_id);
          return Account{profiles.front(), emails, sessions, achievements};
        });
  }

  // Returns a user's addresses; none if the user does not exist. Query PK = USER#<id>,
  // begins_with(SK, EMAIL#).
  Result<std::vector<Email>> ListEmails(const std::string& user_id) const {
    return table.Query<Email>().With<&Email::user_id>(user_id).All();
  }

  // Returns the record of any address, which names its owner; nothing if no user has the address.
  // Query GSI1 with GSI1PK = EMAIL#<address>, Limit 1.
  Result<std::optional<Email>> FindEmailRecord(const std::string& address) const {
    return table.Query<Email>("GSI1").With<&Email::email>(NormalizeEmail(address, rules)).First();
  }

  // Returns the profile with this primary address, or nothing. Query GSI2 with GSI2PK =
  // EMAIL#<address>, Limit 1.
  Result<std::optional<Profile>> FindByPrimaryEmail(const std::string& address) const {
    const std::string email = NormalizeEmail(address, rules);
    return table.Query<Profile>("GSI2").With<&Profile::email>(email).First();
  }

  // Returns true if FindEmailRecord finds the address. The result is only a hint for a form, because the
  // address can be taken before the next call. Only Create and AddEmail decide.
  Result<bool> IsTaken(const std::string& address) const {
    return FindEmailRecord(address).transform([](const auto& found) { return found.has_value(); });
  }

  // Stores the names and the telephone number of a profile that was read and changed. UpdateItem
  // USER#<id>/PROFILE with version = :version.
  Result<Profile> Edit(const Profile& profile) const {
    return table.Update(profile)
        .Set<&Profile::first_name>(profile.first_name)
        .Set<&Profile::last_name>(profile.last_name)
        .Set<&Profile::phone>(profile.phone)
        .IfVersion(profile.version)
        .Commit();
  }

  // Changes the status of a profile that was read, and ends all sessions unless the user is active.
  // The user keeps all addresses. If the call fails after the first write, sessions can remain; none
  // of them can be renewed. UpdateItem with version = :version, then Sessions::EndAll.
  Status SetStatus(const Profile& profile, UserStatus status) const {
    return table.Update(profile)
        .Set<&Profile::status>(status)
        .IfVersion(profile.version)
        .Commit()
        .and_then([&](const Profile& changed) {
          if (changed.status == UserStatus::kActive) return Status();
          return RemoveAll(table, table.Query<Session>().With<&Session::user_id>(changed.user_id));
        });
  }

  // Erases a user with all addresses, sessions, badges and connections. The addresses become free.
  // Removes the profile last, so a call that has failed can be repeated. Secrets that were issued
  // lose their effect. A connection that is created during the call can remain.
  Status Erase(const std::string& user_id) const {
    const Profile user = {.user_id = user_id};
    return table.Update(user)
        .Set<&Profile::status>(UserStatus::kDeleted)  // so that no session starts meanwhile
        .Commit()
        .and_then([&](const Profile&) {
          return RemoveAll(
              table, table.Query<Session, Achievement, Email>().With<&Email::user_id>(user_id),
              table.Query<Connection>().With<&Connection::user_id>(user_id),
              table.Query<Connection>("GSI1").With<&Connection::other_id>(user_id));
        })
        .and_then([&] { return table.Remove(user); });
  }

  // Adds an address that is neither verified nor primary, for the user_id of `email`. An empty
  // email_id becomes a UUID. TransactWriteItems: Put USER#<id>/EMAIL#<emailId> and Put the claim of
  // the address, both with attribute_not_exists(PK); ConditionCheck of the profile.
  Result<Email> AddEmail(const Email& email) const {
    const Email added = {.user_id = email.user_id,
                         .email_id = email.email_id.empty() ? NewUuid() : email.email_id,
                         .email = NormalizeEmail(email.email, rules),
                         .created_at = table.Now()};
    return CommitIfActive(table.Transact().Create(added), added);
  }

  // Marks an address as verified. A second verification does not change the time of the first.
  // UpdateItem USER#<id>/EMAIL#<emailId>.
  Result<Email> VerifyEmail(const Email& key) const {
    return table.Update(key)
        .Set<&Email::is_verified>(true)
        .SetIfAbsent<&Email::verified_at>(table.Now())
        .Commit();
  }

  // Issues a secret for a mail to the address; UseVerification with it verifies the address. The
  // secret works once, within a day. PutItem TOKEN#<secret>; GetItem and DeleteItem of it, then
  // VerifyEmail.
  Result<std::string> IssueVerification(const Email& key) const {
    return Verifications(key.user_id).Issue(key.email_id, std::chrono::hours(24));
  }
  Result<Email> UseVerification(const std::string& user_id, const std::string& secret) const {
    return Verifications(user_id).Use(secret).and_then([&](const std::string& email_id) {
      return VerifyEmail({.user_id = user_id, .email_id = email_id});
    });
  }

  // Issues a secret for a mail that lets a user choose a new password. UseReset returns the user who
  // has asked for it. The secret works once, within an hour.
  // - kResourceNotFound: no user has verified the address.
  Result<std::string> IssueReset(const std::string& address) const {
    return FindEmailRecord(address).and_then([&](const auto& email) -> Result<std::string> {
      if (!email || !email->is_verified)
        return Status::ResourceNotFound("no user has verified the address " + address);
      return Resets().Issue(email->user_id, std::chrono::hours(1));
    });
  }
  Result<Profile> UseReset(const std::string& secret) const {
    return Resets().Use(secret).and_then([&](const std::string& id) { return GetProfile(id); });
  }

  // Makes an address the primary one, unless it is already. GetAccount; then TransactWriteItems:
  // - Update USER#<id>/PROFILE, SET email, if it has the version that was read.
  // - Update USER#<id>/EMAIL#<emailId>, SET isPrimary = true, if isVerified is true.
  // - Update the record of the address that was primary, SET isPrimary = false.
  // Begins again if the profile has changed between the read and the transaction.
  // - kConditionalCheckFailed: the address is not verified.
  Status MakePrimary(const Email& key) const {
    const auto swap = [&](EntityTransaction& transaction) {
      return GetAccount(key.user_id).and_then([&](const Account& account) -> Status {
        const Email* before = account.primary();
        const auto after = std::ranges::find(account.emails, key.email_id, &Email::email_id);
        if (before == nullptr || after == account.emails.end())
          return Status::ResourceNotFound(key.user_id + " has no e-mail record " + key.email_id);
        if (after->is_primary) return {};
        const auto is_verified = AttrOf<&Email::is_verified>() == true;
        const auto is_unchanged = AttrOf<&Email::email>() == after->email;
        transaction
            .Update(account.profile, Changes<Profile>()
                                         .Set<&Profile::email>(after->email)
                                         .IfVersion(account.profile.version))
            .Update(*before, Changes<Email>().Set<&Email::is_primary>(false))
            .Update(*after, Changes<Email>()
                                .Set<&Email::is_primary>(true)
                                .If(is_verified, after->email + " is not verified")
                                .If(is_unchanged, "the address has changed"));
        return {};
      });
    };
    // A failed attempt means that another writer has succeeded.
    return table.Retry(swap, {.attempts_max = 100});
  }

  // Removes an address. TransactWriteItems: Delete the record, if it is not primary, and the claim.
  // - kConditionalCheckFailed: the address is primary.
  Status RemoveEmail(const Email& key) const {
    return table.Remove(key, AttrOf<&Email::is_primary>() == false,
                        key.email_id + " is the primary address of " + key.user_id);
  }

  // Makes the claims of addresses that were stored without them, for example by the requests of the
  // published pattern. An address with two owners is a failure: "email a@b is taken".
  Result<MigrationProgress> AdoptEmails() const { return table.AdoptUnique<Email>(); }

  // Returns the tokens that verify addresses of a user. Their purpose names the user, so that they
  // cannot verify an address of another user.
  Tokens Verifications(const std::string& user_id) const {
    return Tokens(table, "verify an address of " + user_id);
  }
  Tokens Resets() const { return Tokens(table, "reset a password"); }
};

}  // namespace dolmen::user
