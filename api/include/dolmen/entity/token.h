// Tokens: secrets that a program gives to a person, and that can be used once before they expire.
// For example, the link of an invitation or of a forgotten password.
//
//   const Tokens invitations(table, "invitation");
//   Result<std::string> secret = invitations.Issue("project 7", std::chrono::hours(48));
//   ...
//   Result<std::string> subject = invitations.Use(*secret);   // "project 7"; fails the next time

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <string>
#include <utility>

#include "dolmen/entity/table.h"

namespace dolmen {

// Returns 128 random bits from the operating system's source of randomness, as 32 hexadecimal
// digits. It cannot be guessed, unlike a ULID. Thread-safe.
// - kStorage: the source fails.
Result<std::string> NewSecret();

// An issued token. Public only so that CheckTable can list it.
struct Token {
  std::string purpose = {};
  std::string secret = {};
  std::string subject = {};
  Timestamp expires_at = {};

  friend bool operator==(const Token&, const Token&) = default;
};

constexpr auto DescribeEntity(const Token*) {
  return DefineEntity<Token>(
      "token",
      {Attribute<&Token::purpose>("purpose").InKeyOnly(),
       Attribute<&Token::secret>("secret").InKeyOnly(), Attribute<&Token::subject>("subject"),
       Attribute<&Token::expires_at>("ttl").AsEpochSeconds()},
      {PrimaryKey("TOKEN#{secret:any}", "TOKEN#{purpose:any}")});
}

// A handle to the tokens of one purpose. Thread-safe.
class Tokens {
 public:
  // The purpose is any text that is not empty. A token has no effect for another purpose.
  Tokens(EntityTable table, std::string purpose)
      : table_(std::move(table)), purpose_(std::move(purpose)) {}

  // Makes a token and returns its secret (PutItem). `subject` is any text that Use returns. The token
  // is an item with the attribute `ttl`. It loses its effect after `lifetime`, rounded up to seconds.
  // To have expired tokens deleted, enable the time to live on `ttl`
  // (EntityTableInput::time_to_live).
  // - kValidation: the purpose is empty.
  // - kStorage: the source of random numbers fails.
  // - Any error of Table::PutItem.
  Result<std::string> Issue(std::string subject, std::chrono::seconds lifetime) const;

  // Deletes the token and returns its subject (GetItem, DeleteItem). Of several concurrent calls, one
  // succeeds.
  // - kResourceNotFound: no such token exists: it was never issued, is used already, or has expired.
  // - Any error of Table::GetItem and Table::DeleteItem.
  Result<std::string> Use(const std::string& secret) const;

 private:
  EntityTable table_;
  std::string purpose_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
