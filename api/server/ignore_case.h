// Comparison of HTTP's names of fields, codings, media types and hosts.

#pragma once

#include <algorithm>
#include <string_view>

namespace dolmen::server {

// Returns true if the names are equal without regard to the case of ASCII letters. In contrast to
// boost::beast::iequals of Boost 1.74, never reads the byte after a name.
inline bool IsSameName(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return x == y || lower(x) == lower(y); });
}

}  // namespace dolmen::server
