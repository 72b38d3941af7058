// The parts of a number's text that both readers of numbers share.

#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace dolmen::engine {

inline bool IsDecimalDigit(char c) { return c >= '0' && c <= '9'; }

// Reads a sign, which is optional, and digits. Returns nothing for any other text, and for an integer that
// leaves the range of `Integer`.
template <typename Integer>
std::optional<Integer> ReadExponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Integer exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return exponent;
}

}  // namespace dolmen::engine
