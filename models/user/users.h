// Accounts: profiles with e-mail addresses. Each address belongs to one user, and exactly one
// address of each user is primary.

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
  std::string email = {};     // the caller has verified it; it becomes the primary address
  std::string first_name = {};
  std::string last_name = {};
  std::optional<std::string> phone = {};
};

struct NewEmail {
  std::string user_id = {};
  std::string email = {};
  std::string email_id = {};  // "" = a new ULID
};

// A change of a profile. A member that is not set leaves its attribute unchanged.
struct ProfileEdit {
  std::string user_id = {};
  std::int64_t version = 0;  // of the profile that was read
  std::optional<std::string> first_name = {};
  std::optional<std::string> last_name = {};
  std::optional<std::string> phone = {};  // "" removes the phone
};

struct StatusChange {
  std::string user_id = {};
  std::int64_t version = 0;  // of the profile that was read
  UserStatus status = UserStatus::kActive;
};

struct Account {
  Profile profile = {};
  std::vector<Email> emails = {};  // in order of their ids

  // Returns the primary address. Returns null if no address is primary; the methods of Users never
  // store an account like that.
  const Email* primary() const DOLMEN_LIFETIME_BOUND;
};

// A handle to the accounts in the table. Thread-safe. Addresses are normalised before they are
// stored or looked up. Errors besides the database's own:
// - kResourceNotFound: the user, address or e-mail record does not exist.
// - kResourceInUse: the address or an id is taken.
// - kTransactionConflict: the profile no longer has the given version. Read the profile again.
// - kConditionalCheckFailed: a rule that the method states forbids the change.
// - kValidation: an address, a telephone number or an id is malformed.
// - kCorruption: an item cannot be read as its entity. The message names the item and the reason.
// A call that returns an error has written nothing.
class Users {
 public:
  Users(EntityTable table, EmailNormalization normalization)
      : table_(std::move(table)), normalization_(std::move(normalization)) {}

  // Creates a user whose address is primary and verified. TransactWriteItems: Put
  // USER#<id>/PROFILE, Put USER#<id>/EMAIL#<emailId> and Put the claim of the address, each with
  // attribute_not_exists(PK).
  Result<EmailId> Create(const NewUser& request) const;

  // Returns a profile, even if its status is deleted. GetItem USER#<id>/PROFILE.
  Result<Profile> GetProfile(const std::string& user_id) const;

  // Returns a profile and its addresses. They are read at one moment if together they have at most
  // 1 MB. Query PK = USER#<id>, SK BETWEEN EMAIL# AND PROFILE. Achievements sort before that range,
  // and sessions after it.
  Result<Account> GetAccount(const std::string& user_id) const;

  // Changes a profile that still has the given version, and returns it. UpdateItem
  // USER#<id>/PROFILE with version = :version.
  Result<Profile> Edit(const ProfileEdit& edit) const;

  // Changes the status of a profile that still has the given version, and returns the profile. The
  // user keeps all addresses, whatever the status.
  Result<Profile> SetStatus(const StatusChange& change) const;

  // Returns a user's addresses; none if the user does not exist. Query PK = USER#<id>,
  // begins_with(SK, EMAIL#).
  Result<std::vector<Email>> ListEmails(const std::string& user_id) const;

  // Returns the record of an address. Query GSI1 with GSI1PK = EMAIL#<address>, Limit 1.
  Result<Email> FindEmail(const std::string& address) const;

  // Returns the profile of an address's owner. FindEmail, then GetProfile: two requests.
  Result<Profile> FindByEmail(const std::string& address) const;

  // Returns true if FindEmail finds the address. The result is only a hint for a form, because the
  // address can be taken before the next call. Only Create and AddEmail decide.
  Result<bool> IsTaken(const std::string& address) const;

  // Adds an address that is neither verified nor primary. TransactWriteItems: ConditionCheck
  // USER#<id>/PROFILE with status <> deleted, Put USER#<id>/EMAIL#<emailId> and Put the claim of the
  // address, both with attribute_not_exists(PK).
  // - kConditionalCheckFailed: the user is deleted.
  Result<Email> AddEmail(const NewEmail& request) const;

  // Marks an address as verified. A second verification does not change the time of the first.
  // UpdateItem USER#<id>/EMAIL#<emailId>.
  Result<Email> VerifyEmail(const EmailId& id) const;

  // Makes an address the primary one. GetAccount; then, unless the address is already primary,
  // TransactWriteItems:
  // - Update USER#<id>/PROFILE, SET email, if it has the version that was read.
  // - Update USER#<id>/EMAIL#<emailId>, SET isPrimary = true, if isVerified is true.
  // - Update the record of the address that was primary, SET isPrimary = false.
  // If the profile has changed between the read and the transaction, tries again. Errors:
  // - kConditionalCheckFailed: the address is not verified.
  Status MakePrimary(const EmailId& id) const;

  // Removes an address. GetItem USER#<id>/EMAIL#<emailId> for its address; then TransactWriteItems:
  // Delete that item, if it is not primary, and Delete the claim. Tries again if the address of this
  // id has changed between the read and the transaction.
  // - kConditionalCheckFailed: the address is primary.
  Status RemoveEmail(const EmailId& id) const;

 private:
  // The greatest number of attempts of MakePrimary. Each failed attempt means that
  // a concurrent write has succeeded.
  static constexpr int kAttemptsMax = 1000;

  Status SwapPrimary(const Account& account, const Email& chosen) const;
  std::string IdOrNew(const std::string& id) const { return id.empty() ? table_.NewUlid() : id; }

  EntityTable table_;
  EmailNormalization normalization_;
};

}  // namespace dolmen::user
