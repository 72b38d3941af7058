// Normalisation of e-mail addresses. Two texts with the same normal form are the same address.

#pragma once

#include <dolmen/result.h>

#include <string>
#include <string_view>
#include <vector>

namespace dolmen::user {

// The rules for a normal form. Blanks around an address are always removed, and A to Z always
// become a to z. Letters outside ASCII stay as they are, so "Ä@x.org" and "ä@x.org" are two
// addresses.
//
// By default dots and plus suffixes are kept. People use them to sort their mail, and for most
// providers they are part of the address. Strip them if the owner of one mailbox must not register
// many users.
struct EmailNormalization {
  bool strip_plus_suffix = false;              // true = ann+news@x.org is ann@x.org
  bool strip_dots = false;                     // true = a.n.n@x.org is ann@x.org
  std::vector<std::string> only_domains = {};  // strip only at these domains; none = everywhere

  friend bool operator==(const EmailNormalization&, const EmailNormalization&) = default;
};

// Returns the form in which an address is stored and looked up.
// - kValidation: the text has no '@' between two parts.
// - kValidation: the text contains a blank or a control character, or has more than 254 bytes.
// - kValidation: stripping leaves nothing before the '@'.
Result<std::string> NormalizeEmail(std::string_view address, const EmailNormalization& how = {});

// Returns the rules as a text, which a table stores. Equal rules give equal texts, so a later Open
// can compare the texts.
std::string DescribeNormalization(const EmailNormalization& how);

}  // namespace dolmen::user
