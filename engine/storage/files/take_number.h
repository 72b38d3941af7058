// Numbers in the small text files of a database. Their text does not depend on a locale.

#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace dolmen::engine {

// Removes `before` and a number from the front of `*text`. Returns the number. Returns nothing if
// `*text` does not begin with them.
template <std::unsigned_integral Integer>
std::optional<Integer> TakeNumber(std::string_view before, std::string_view* text) {
  Integer number = 0;
  if (!text->starts_with(before)) return std::nullopt;
  text->remove_prefix(before.size());
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), number);
  if (parsed.ec != std::errc()) return std::nullopt;
  text->remove_prefix(static_cast<std::size_t>(parsed.ptr - text->data()));
  return number;
}

}  // namespace dolmen::engine
