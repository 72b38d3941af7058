#include "dolmen/entity/token.h"

#include <exception>
#include <random>
#include <string_view>

namespace dolmen {

Result<std::string> NewSecret() {
  constexpr int kHexDigits = 128 / 4;
  constexpr std::string_view kDigits = "0123456789abcdef";
  try {
    std::random_device random;
    std::string secret;
    for (int i = 0; i < kHexDigits; ++i) secret += kDigits[random() % kDigits.size()];
    return secret;
  } catch (const std::exception& error) {
    return Status::Storage(std::string("cannot get random numbers from the system: ") +
                           error.what());
  }
}

Result<std::string> Tokens::Issue(std::string subject, std::chrono::seconds lifetime) const {
  Result<std::string> secret = NewSecret();
  if (!secret.ok()) return secret;
  const Status created = table_
                             .Create(Token{.purpose = purpose_,
                                           .secret = *secret,
                                           .subject = std::move(subject),
                                           .expires_at = table_.Now() + lifetime})
                             .status();
  if (!created.ok()) return created;
  return secret;
}

Result<std::string> Tokens::Use(const std::string& secret) const {
  const Status unknown = Status::ResourceNotFound("the token is unknown, used or expired");
  if (secret.empty()) return unknown;
  const Result<std::optional<Token>> token =
      table_.Find(Token{.purpose = purpose_, .secret = secret});
  if (!token.ok()) return token.status();
  if (!*token || (*token)->expires_at <= table_.Now()) return unknown;
  const Status removed = table_.Remove(**token);
  if (removed.code() == StatusCode::kResourceNotFound) return unknown;
  if (!removed.ok()) return removed;
  return (*token)->subject;
}

}  // namespace dolmen
