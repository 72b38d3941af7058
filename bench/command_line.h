// Parsing of command-line arguments of the form --name=value.

#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace dolmen::bench {

// Parses a number into `*number`. Returns false if `text` contains anything besides the number, or
// if the number is too large.
template <typename Number>
bool ParseNumber(std::string_view text, Number* number) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, *number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

// Removes all arguments that begin with `prefix` from `*args`. Returns the text after the prefix
// of the last removed argument. Returns nothing if no argument begins with `prefix`.
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
