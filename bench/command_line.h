// Parsing of our own arguments, which all have the form --name=value.

#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace dolmen::bench {

// Parses a number.  Returns false if `text` is not exactly a number.
template <typename Number>
bool ParseNumber(std::string_view text, Number* number) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, *number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

// Removes the arguments that begin with `prefix` from `*args`.  Returns the text after the prefix
// of the last of them, or nothing if `*args` has none.
inline std::optional<std::string_view> TakeArgument(std::string_view prefix,
                                                    std::vector<char*>* args) {
  std::optional<std::string_view> value;
  std::erase_if(*args, [&](const char* arg) {
    const std::string_view text(arg);
    if (!text.starts_with(prefix)) return false;
    value = text.substr(prefix.size());
    return true;
  });
  return value;
}

}  // namespace dolmen::bench
