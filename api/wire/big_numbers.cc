#include "wire/big_numbers.h"

#include <simdjson.h>

#include <algorithm>

namespace dolmen::wire {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNumberCharacter(char c) {
  return IsDigit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Returns the position after the string that begins at `at`, or the end of `json`.
std::size_t StringEnd(std::string_view json, std::size_t at) {
  for (std::size_t i = at + 1; i < json.size(); ++i) {
    if (json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      return i + 1;
    }
  }
  return json.size();
}

// Removes `c` from the start of `rest`. Returns false if `rest` does not start with `c`.
bool Take(char c, std::string_view* rest) {
  const bool there = rest->starts_with(c);
  rest->remove_prefix(there ? 1 : 0);
  return there;
}

// Removes the digits at the start of `rest`. Returns false if there are none.
bool TakeDigits(std::string_view* rest) {
  const auto end = std::find_if_not(rest->begin(), rest->end(), IsDigit);
  const auto count = static_cast<std::size_t>(end - rest->begin());
  rest->remove_prefix(count);
  return count > 0;
}

// Checks the text against JSON's grammar for numbers. A first digit 0 must be the only integer
// digit.
bool IsNumber(std::string_view text) {
  Take('-', &text);
  if (!Take('0', &text) && !TakeDigits(&text)) return false;
  if (Take('.', &text) && !TakeDigits(&text)) return false;
  if (Take('e', &text) || Take('E', &text)) {
    if (!Take('-', &text)) Take('+', &text);
    if (!TakeDigits(&text)) return false;
  }
  return text.empty();
}

// A check that finds numbers which simdjson rejects. The check parses numbers with simdjson, so the
// limits of the check are exactly simdjson's limits.
class NumberReader {
 public:
  // Returns true if simdjson rejects the number because the number is too large. Returns false for
  // a text that is not a number, because the parser of the request reports that error.
  bool IsBig(std::string_view text) {
    constexpr std::size_t kSmallMax = 18;  // characters; so short an integer always fits 64 bits
    if (text.size() <= kSmallMax && text.find_first_of("eE") == text.npos) return false;
    if (!IsNumber(text)) return false;
    text_.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    text_ = text;
    return parser_.parse(text_).error() == simdjson::NUMBER_ERROR;
  }

 private:
  simdjson::dom::parser parser_;
  std::string text_;
};

// Returns the replacement for `number`: a large number that simdjson reads, with the same sign. The
// replacement is an integer if `number` is an integer.
std::string_view LargeNumberLike(std::string_view number) {
  const bool whole = number.find_first_of(".eE") == number.npos;
  if (number.starts_with('-')) return whole ? "-9223372036854775807" : "-1e308";
  return whole ? "9223372036854775807" : "1e308";
}

}  // namespace

std::string ReplaceBigNumbers(std::string_view json) {
  std::string shorter;
  NumberReader reader;
  for (std::size_t i = 0; i < json.size();) {
    std::size_t end = i + 1;
    if (json[i] == '"') {
      end = StringEnd(json, i);
      shorter.append(json.substr(i, end - i));
    } else if (IsDigit(json[i]) || json[i] == '-') {
      while (end < json.size() && IsNumberCharacter(json[end])) ++end;
      const std::string_view number = json.substr(i, end - i);
      shorter.append(reader.IsBig(number) ? LargeNumberLike(number) : number);
    } else {
      shorter.push_back(json[i]);
    }
    i = end;
  }
  return shorter;
}

}  // namespace dolmen::wire
