// The normal form in which an e-mail address is stored and compared, and checks of e-mail addresses and
// telephone numbers.

#pragma once

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

// Returns the form in which an address is stored and looked up. Two texts with the same normal form
// are the same address. A text that is not an address has a normal form that is not one either.
std::string NormalizeEmail(std::string_view address, const EmailRules& rules = {});

// Returns true if the text has an '@' between two parts, at most 254 bytes, and neither blanks nor
// control characters.
bool IsEmailAddress(const std::string& text);

// Returns true if the text is E.164: a plus sign and up to 15 digits, the first of which is not 0.
bool IsPhoneNumber(const std::string& text);

}  // namespace dolmen::user
