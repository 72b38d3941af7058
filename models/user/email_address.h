// When two texts are the same e-mail address.

#pragma once

#include <dolmen/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::user {

// Always: no blanks around it, and small letters for A to Z.  Letters outside ASCII stay as they
// are, so that "Ä@x.org" and "ä@x.org" are two addresses.
//
// Dots and what follows a plus sign are kept, as people sort their mail by them and most providers
// tell such addresses apart.  Who has to stop one mailbox from making many users strips them.
struct EmailNormalization {
  bool strip_plus_suffix = false;              // ann+news@x.org is ann@x.org
  bool strip_dots = false;                     // a.n.n@x.org is ann@x.org
  std::vector<std::string> only_domains = {};  // strip only there; none: everywhere

  friend bool operator==(const EmailNormalization&, const EmailNormalization&) = default;
};

// The form in which an address is stored and looked up.
// kValidation: it can't be an address: no @ between two parts, blanks or control characters within,
// more than 254 bytes, or nothing left of the first part.
Result<std::string> NormalizeEmail(std::string_view address, const EmailNormalization& how = {});

// The rules as one text, the same for the same rules.
std::string DescribeNormalization(const EmailNormalization& how);

}  // namespace dolmen::user
