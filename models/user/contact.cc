#include "models/user/contact.h"

#include <algorithm>

namespace dolmen::user {
namespace {

constexpr std::size_t kAddressBytesMax = 254;  // RFC 5321
constexpr std::size_t kDigitsMax = 15;         // E.164

bool IsBlankOrControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlankOrControl(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlankOrControl(text.back())) text.remove_suffix(1);
  return text;
}

// Does not depend on the locale, unlike std::tolower: stored keys must not.
char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string NormalizeEmail(std::string_view address, const EmailRules& rules) {
  std::string text(Trim(address));
  std::ranges::transform(text, text.begin(), LowerAscii);
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) return text;
  std::string local = text.substr(0, at);
  const std::string domain = text.substr(at + 1);
  if (!rules.only_domains.empty() && !rules.only_domains.contains(domain)) return text;
  if (rules.strip_plus_suffix) local = local.substr(0, local.find('+'));
  if (rules.strip_dots) std::erase(local, '.');
  return local + "@" + domain;
}

bool IsEmailAddress(const std::string& text) {
  const std::size_t at = text.rfind('@');
  return at != std::string::npos && at > 0 && at + 1 < text.size() &&
         text.size() <= kAddressBytesMax && std::ranges::none_of(text, IsBlankOrControl);
}

bool IsPhoneNumber(const std::string& text) {
  return text.starts_with('+') && text.size() >= 2 && text.size() <= kDigitsMax + 1 &&
         text[1] != '0' && text.find_first_not_of("0123456789", 1) == std::string::npos;
}

}  // namespace dolmen::user
