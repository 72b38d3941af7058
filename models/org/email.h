// The address of a user, in one form however it was typed.

#pragma once

#include <compare>
#include <concepts>
#include <string>
#include <string_view>

namespace dolmen::org {

// An e-mail address in lower case, without blanks around it: " Ann@Example.com" and
// "ann@example.com" are one address, and so one user. Only the letters A to Z are changed.
class Email {
 public:
  Email() = default;
  template <std::convertible_to<std::string_view> Text>
  Email(const Text& text) : text_(Normalise(text)) {}  // NOLINT(google-explicit-constructor)

  const std::string& text() const { return text_; }

  friend auto operator<=>(const Email&, const Email&) = default;

 private:
  static std::string Normalise(std::string_view typed) {
    const std::size_t begin = typed.find_first_not_of(" \t\r\n");
    if (begin == typed.npos) return "";
    std::string text(typed.substr(begin, typed.find_last_not_of(" \t\r\n") + 1 - begin));
    for (char& c : text) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
  }

  std::string text_;
};

}  // namespace dolmen::org
