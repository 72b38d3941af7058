#include "models/user/users.h"

#include <algorithm>
#include <utility>

namespace dolmen::user {
namespace {

// Checks that the number is E.164: a plus sign and up to 15 digits, the first of which is not zero.
Status CheckPhone(const std::optional<std::string>& phone) {
  constexpr std::size_t kDigitsMax = 15;
  if (!phone) return {};
  const std::string_view digits = std::string_view(*phone).substr(phone->empty() ? 0 : 1);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (phone->starts_with('+') && !digits.empty() && digits.size() <= kDigitsMax &&
      digits.front() != '0' && std::ranges::all_of(digits, is_digit)) {
    return {};
  }
  return Status::Validation("\"" + *phone + "\" is not a telephone number like +4930123456");
}

Status NoSuchUser(const std::string& user_id) {
  return Status::ResourceNotFound("there is no user " + user_id);
}

Email KeyOf(const EmailId& id) { return {.user_id = id.user_id, .email_id = id.email_id}; }

// Returns true if a write failed because the address in the e-mail record has changed since the
// record was read.
bool HasAnotherAddress(const Status& refusal, const Email& read) {
  if (refusal.item() == nullptr) return false;
  const Result<Email> found = FromItem<Email>(refusal.item()->view());
  return found.ok() && found->email != read.email;
}

}  // namespace

const Email* Account::primary() const {
  const auto found = std::ranges::find(emails, true, &Email::is_primary);
  return found == emails.end() ? nullptr : &*found;
}

Result<EmailId> Users::Create(const NewUser& request) const {
  const Result<std::string> address = NormalizeEmail(request.email, normalization_);
  if (!address.ok()) return address.status();
  if (Status status = CheckPhone(request.phone); !status.ok()) return status;
  const EmailId id = {.user_id = IdOrNew(request.user_id), .email_id = IdOrNew(request.email_id)};
  const Status created = table_.Transact()
                             .Create(Profile{.user_id = id.user_id,
                                             .email = *address,
                                             .first_name = request.first_name,
                                             .last_name = request.last_name,
                                             .phone = request.phone})
                             .Create(Email{.user_id = id.user_id,
                                           .email_id = id.email_id,
                                           .email = *address,
                                           .is_primary = true,
                                           .is_verified = true,
                                           .verified_at = table_.Now()})
                             .Commit();
  if (!created.ok()) return created;
  return id;
}

Result<Profile> Users::GetProfile(const std::string& user_id) const {
  return table_.Get(Profile{.user_id = user_id});
}

Result<Account> Users::GetAccount(const std::string& user_id) const {
  auto account = table_.Query<Profile, Email>().With<&Profile::user_id>(user_id).Grouped();
  if (!account.ok()) return account.status();
  auto& [profiles, emails] = *account;
  if (profiles.empty()) return NoSuchUser(user_id);
  return Account{std::move(profiles.front()), std::move(emails)};
}

Result<Profile> Users::Edit(const ProfileEdit& edit) const {
  const bool removes_phone = edit.phone && edit.phone->empty();
  auto update = table_.Update(Profile{.user_id = edit.user_id});
  if (edit.first_name) update.Set<&Profile::first_name>(*edit.first_name);
  if (edit.last_name) update.Set<&Profile::last_name>(*edit.last_name);
  if (removes_phone) {
    update.Remove<&Profile::phone>();
  } else if (edit.phone) {
    if (Status status = CheckPhone(edit.phone); !status.ok()) return status;
    update.Set<&Profile::phone>(edit.phone);
  }
  return update.IfVersion(edit.version).Commit();
}

Result<Profile> Users::SetStatus(const StatusChange& change) const {
  return table_.Update(Profile{.user_id = change.user_id})
      .Set<&Profile::status>(change.status)
      .IfVersion(change.version)
      .Commit();
}

Result<std::vector<Email>> Users::ListEmails(const std::string& user_id) const {
  return table_.Query<Email>().With<&Email::user_id>(user_id).All();
}

Result<Email> Users::FindEmail(const std::string& address) const {
  const Result<std::string> normalized = NormalizeEmail(address, normalization_);
  if (!normalized.ok()) return normalized.status();
  Result<std::optional<Email>> found =
      table_.Query<Email>("GSI1").With<&Email::email>(*normalized).First();
  if (!found.ok()) return found.status();
  if (!*found) return Status::ResourceNotFound("no user has the address " + *normalized);
  return **std::move(found);
}

Result<Profile> Users::FindByEmail(const std::string& address) const {
  const Result<Email> email = FindEmail(address);
  if (!email.ok()) return email.status();
  return GetProfile(email->user_id);
}

Result<bool> Users::IsTaken(const std::string& address) const {
  const Status found = FindEmail(address).status();
  if (found.code() == StatusCode::kResourceNotFound) return false;
  if (!found.ok()) return found;
  return true;
}

Result<Email> Users::AddEmail(const NewEmail& request) const {
  const Result<std::string> address = NormalizeEmail(request.email, normalization_);
  if (!address.ok()) return address.status();
  const Email email = {.user_id = request.user_id,
                       .email_id = IdOrNew(request.email_id),
                       .email = *address,
                       .created_at = table_.Now()};
  const Status added = table_.Transact()
                           .Require(Profile{.user_id = email.user_id},
                                    AttrOf<&Profile::status>() != UserStatus::kDeleted,
                                    "the user " + email.user_id + " is deleted")
                           .Create(email)
                           .Commit();
  if (!added.ok()) return added;
  return email;
}

Result<Email> Users::VerifyEmail(const EmailId& id) const {
  return table_.Update(KeyOf(id))
      .Set<&Email::is_verified>(true)
      .SetIfAbsent<&Email::verified_at>(table_.Now())
      .Commit();
}

Status Users::MakePrimary(const EmailId& id) const {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    const Result<Account> account = GetAccount(id.user_id);
    if (!account.ok()) return account.status();
    const auto chosen = std::ranges::find(account->emails, id.email_id, &Email::email_id);
    if (chosen == account->emails.end()) {
      return Status::ResourceNotFound("the user " + id.user_id + " has no e-mail record " +
                                      id.email_id);
    }
    if (chosen->is_primary) return {};
    Status swapped = SwapPrimary(*account, *chosen);
    const bool is_overtaken =
        swapped.code() == StatusCode::kTransactionConflict || HasAnotherAddress(swapped, *chosen);
    if (!is_overtaken) return swapped;
  }
  return Status::TransactionConflict(
      "other writers changed the profile during each attempt; try again");
}

// Makes `chosen` the primary address. If a concurrent writer has changed the primary address, the
// profile has a new version, and several writes of this transaction can fail. The transaction
// returns the error of the first failed write. The profile is written first, so MakePrimary gets
// kTransactionConflict and tries again.
Status Users::SwapPrimary(const Account& account, const Email& chosen) const {
  const Email* before = account.primary();
  if (before == nullptr) {
    return Status::Corruption("the user " + account.profile.user_id + " has no primary address");
  }
  return table_.Transact()
      .Update(
          Profile{.user_id = chosen.user_id},
          Changes<Profile>().Set<&Profile::email>(chosen.email).IfVersion(account.profile.version))
      .Update(chosen,
              Changes<Email>()
                  .Set<&Email::is_primary>(true)
                  .If(AttrOf<&Email::is_verified>() == true, chosen.email + " is not verified")
                  .If(AttrOf<&Email::email>() == chosen.email))
      .Update(*before, Changes<Email>().Set<&Email::is_primary>(false))
      .Commit();
}

Status Users::RemoveEmail(const EmailId& id) const {
  return table_.Remove(KeyOf(id), AttrOf<&Email::is_primary>() == false,
                       id.email_id + " is the primary address of " + id.user_id);
}

}  // namespace dolmen::user
