// Accounts: a profile and e-mail addresses, of which each belongs to one user and exactly one of
// each user's is primary.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/user/email_address.h"
#include "models/user/entities.h"

namespace dolmen::user {

struct EmailId {
  std::string user_id = {};
  std::string email_id = {};

  friend bool operator==(const EmailId&, const EmailId&) = default;
};

struct NewUser {
  std::string user_id = {};   // "" = a new ULID
  std::string email_id = {};  // "" = a new ULID
  std::string email = {};     // that it is the user's has been confirmed: it will be primary
  std::string first_name = {};
  std::string last_name = {};
  std::optional<std::string> phone = {};
};

struct NewEmail {
  std::string user_id = {};
  std::string email = {};
  std::string email_id = {};  // "" = a new ULID
};

// What is to be changed; nothing leaves it as it is.
struct ProfileEdit {
  std::string user_id = {};
  std::int64_t version = 0;  // of the profile that was read
  std::optional<std::string> first_name = {};
  std::optional<std::string> last_name = {};
  std::optional<std::string> phone = {};  // "" removes it
};

struct StatusChange {
  std::string user_id = {};
  std::int64_t version = 0;  // of the profile that was read
  UserStatus status = UserStatus::kActive;
};

struct Account {
  Profile profile = {};
  std::vector<Email> emails = {};  // in order of their ids

  // The one that is primary.  Null: there is none, which no method of Users leaves behind.
  const Email* primary() const DOLMEN_LIFETIME_BOUND;
};

// A handle; callable from any number of threads.  Addresses are normalised before they are stored
// or looked up.  Errors, besides the database's own:
//   kResourceNotFound        there is no such user, address or e-mail record
//   kResourceInUse           the address, or an id, is taken
//   kTransactionConflict     the profile has another version: read it again
//   kConditionalCheckFailed  the rule that the method names forbids it
//   kValidation              an address, a telephone number or an id can't be one
//   kCorruption              an item is not as this model writes it; it says where and why
// On any error nothing has been written.
class Users {
 public:
  Users(EntityTable table, EmailNormalization normalization)
      : table_(std::move(table)), normalization_(std::move(normalization)) {}

  // TransactWriteItems: Put USER#<id>/PROFILE, Put USER#<id>/EMAIL#<emailId> and Put
  // UNIQUE#EMAIL#<address>/CLAIM, each with attribute_not_exists(PK).  The address is the user's
  // primary one, and verified.
  Result<EmailId> Create(const NewUser& request) const;

  // GetItem USER#<id>/PROFILE.  Of a deleted user, too.
  Result<Profile> GetProfile(const std::string& user_id) const;

  // Profile and addresses as they were at one moment, if they are no more than 1 MB.  Query PK =
  // USER#<id>, SK BETWEEN EMAIL# AND PROFILE: achievements lie before that, sessions behind it.
  Result<Account> GetAccount(const std::string& user_id) const;

  // UpdateItem USER#<id>/PROFILE with version = :version.  Returns it as it is then.
  Result<Profile> Edit(const ProfileEdit& edit) const;

  // The same for the status.  Whatever the status, the user's addresses stay theirs.
  Result<Profile> SetStatus(const StatusChange& change) const;

  // Query PK = USER#<id>, begins_with(SK, EMAIL#).  None, too, if there is no such user.
  Result<std::vector<Email>> ListEmails(const std::string& user_id) const;

  // Query GSI1 with GSI1PK = EMAIL#<address>, Limit 1.
  Result<Email> FindEmail(const std::string& address) const;

  // FindEmail, then GetProfile: two requests.
  Result<Profile> FindByEmail(const std::string& address) const;

  // FindEmail's query.  A hint for a form that is being filled in: only Create and AddEmail decide.
  Result<bool> IsTaken(const std::string& address) const;

  // TransactWriteItems: ConditionCheck USER#<id>/PROFILE with status <> deleted
  // (kConditionalCheckFailed), Put UNIQUE#EMAIL#<address>/CLAIM and Put USER#<id>/EMAIL#<emailId>,
  // both with attribute_not_exists(PK).  It is neither verified nor primary.
  Result<Email> AddEmail(const NewEmail& request) const;

  // UpdateItem USER#<id>/EMAIL#<emailId>.  Verifying again keeps the first time.
  Result<Email> VerifyEmail(const EmailId& id) const;

  // GetAccount; then, unless it is primary already, TransactWriteItems: Update PROFILE, SET email,
  // with the version that was read; Update EMAIL#<emailId>, SET isPrimary, with isVerified
  // (kConditionalCheckFailed); Update the one that was primary.  Begins again if somebody else has
  // changed the profile meanwhile.
  Status MakePrimary(const EmailId& id) const;

  // GetItem USER#<id>/EMAIL#<emailId> for its address; then TransactWriteItems: Delete it, if it is
  // not primary (kConditionalCheckFailed), and Delete UNIQUE#EMAIL#<address>/CLAIM.  Begins again
  // if the id has been used for another address meanwhile.
  Status RemoveEmail(const EmailId& id) const;

 private:
  // How often MakePrimary and RemoveEmail are tried.  Each failed attempt is somebody else's
  // success.
  static constexpr int kAttemptsMax = 1000;

  Status SwapPrimary(const Account& account, const Email& chosen) const;
  std::string IdOrNew(const std::string& id) const { return id.empty() ? table_.NewUlid() : id; }

  EntityTable table_;
  EmailNormalization normalization_;
};

}  // namespace dolmen::user
