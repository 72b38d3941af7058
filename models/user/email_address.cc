#include "models/user/email_address.h"

#include <algorithm>

namespace dolmen::user {
namespace {

constexpr std::size_t kAddressBytesMax = 254;  // RFC 5321
constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Changes A to Z to a to z. Does not use std::tolower, because its result depends on the locale,
// and stored keys must not depend on the locale.
std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsBlankOrControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

Status NotAnAddress(std::string_view address) {
  return Status::Validation("\"" + std::string(address) + "\" is not an e-mail address");
}

bool IsStripped(const std::string& domain, const EmailNormalization& how) {
  return how.only_domains.empty() ||
         std::ranges::any_of(how.only_domains, [&](const std::string& stripped) {
           return LowerAscii(stripped) == domain;
         });
}

std::string Strip(std::string local, const EmailNormalization& how) {
  if (how.strip_plus_suffix) local = local.substr(0, local.find('+'));
  if (how.strip_dots) std::erase(local, '.');
  return local;
}

}  // namespace

Result<std::string> NormalizeEmail(std::string_view address, const EmailNormalization& how) {
  const std::string whole = LowerAscii(Trim(address));
  const std::size_t at = whole.rfind('@');
  if (at == std::string::npos || at + 1 == whole.size() || whole.size() > kAddressBytesMax ||
      std::ranges::any_of(whole, IsBlankOrControl)) {
    return NotAnAddress(address);
  }
  const std::string domain = whole.substr(at + 1);
  std::string local = whole.substr(0, at);
  if (IsStripped(domain, how)) local = Strip(std::move(local), how);
  if (local.empty()) return NotAnAddress(address);
  return local + "@" + domain;
}

std::string DescribeNormalization(const EmailNormalization& how) {
  std::string text = "lowercase";
  if (how.strip_plus_suffix) text += ", strip plus suffix";
  if (how.strip_dots) text += ", strip dots";
  if (text.find("strip") == std::string::npos || how.only_domains.empty()) return text;
  std::vector<std::string> domains;
  for (const std::string& domain : how.only_domains) domains.push_back(LowerAscii(domain));
  std::ranges::sort(domains);
  text += " at";
  for (const std::string& domain : domains) text += " " + domain;
  return text;
}

}  // namespace dolmen::user
