// The normal form in which an e-mail address is stored and compared, and checks of e-mail addresses and
// telephone numbers.

#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace dolmen::user {

// The rules by which an organisation compares addresses. Blanks around an address are always
// removed, and A to Z always become a to z. Letters outside ASCII stay as they are, because their
// case depends on the language.
//
// By default dots and plus suffixes stay. People sort their mail by them, and for most providers
// they are part of the address. Strip them if the owner of one mailbox must not register many users.
struct EmailRules {
  std::string organisation = {};
  bool strip_plus_suffix = false;           // true = ann+news@x.org is ann@x.org
  bool strip_dots = false;                  // true = a.n.n@x.org is ann@x.org
  std::set<std::string> only_domains = {};  // strip only at these, in lower case; none = everywhere

  friend bool operator==(const EmailRules&, const EmailRules&) = default;
};

// Returns true for ASCII's blanks and control characters.
inline bool IsBlank(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F; }

// Returns the form in which an address is stored and looked up. Two texts with the same normal form
// are the same address. A text that is not an address has a normal form that is not one either.
inline std::string NormalizeEmail(std::string_view address, const EmailRules& rules = {}) {
  while (!address.empty() && IsBlank(address.front())) address.remove_prefix(1);
  while (!address.empty() && IsBlank(address.back())) address.remove_suffix(1);
  std::string text(address);
  // Does not depend on the locale, unlike std::tolower: stored keys must not.
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::size_t at = text.rfind('@');
  const std::string domain = text.substr(at + 1);
  const bool strips = rules.only_domains.empty() || rules.only_domains.contains(domain);
  if (at == std::string::npos || !strips) return text;
  std::string local = text.substr(0, at);
  if (rules.strip_plus_suffix) local = local.substr(0, local.find('+'));
  if (rules.strip_dots) std::erase(local, '.');
  return local + "@" + domain;
}

// Returns true if the text has an '@' between two parts, at most 254 bytes (RFC 5321), and neither
// blanks nor control characters.
inline bool IsEmailAddress(const std::string& text) {
  const std::size_t at = text.rfind('@');
  return at != std::string::npos && at > 0 && at + 1 < text.size() && text.size() <= 254 &&
         std::ranges::none_of(text, IsBlank);
}

// Returns true if the text is E.164: a plus sign and up to 15 digits, the first of which is not 0.
inline bool IsPhoneNumber(const std::string& text) {
  return text.starts_with('+') && text.size() >= 2 && text.size() <= 16 && text[1] != '0' &&
         text.find_first_not_of("0123456789", 1) == std::string::npos;
}

}  // namespace dolmen::user
