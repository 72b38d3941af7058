// Texts in the header of a message: names of fields, codings, media types and hosts, and values.

#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace dolmen::http {

struct HeaderField {
  std::string_view name;  // in the sender's spelling, upper or lower case
  std::string_view value;
};

// Returns true if the names are equal without regard to the case of ASCII letters. In contrast to
// boost::beast::iequals of Boost 1.74, never reads the byte after a name.
inline bool IsSameName(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return x == y || lower(x) == lower(y); });
}

// Returns the text without the spaces and tabs at its ends.
inline std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  return text.substr(0, text.find_last_not_of(kSpaces) + 1);
}

// Calls `call` with each part of `list` between separators.
template <typename Function>
void ForEachPart(std::string_view list, char separator, const Function& call) {
  for (;;) {
    const std::size_t end = list.find(separator);
    call(list.substr(0, end));
    if (end == list.npos) return;
    list.remove_prefix(end + 1);
  }
}

}  // namespace dolmen::http
