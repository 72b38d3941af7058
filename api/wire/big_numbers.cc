#include "wire/big_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dolmen::wire {
namespace {

constexpr std::size_t kDigitsMax = 18;  // of what is in 64 bits for sure

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOfNumber(char c) {
  return IsDigit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Where the string that begins at `at` ends.
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

bool Take(char c, std::string_view* rest) {
  const bool there = rest->starts_with(c);
  rest->remove_prefix(there ? 1 : 0);
  return there;
}

// Whether there is one at least.
bool TakeDigits(std::string_view* rest) {
  const auto end = std::find_if_not(rest->begin(), rest->end(), IsDigit);
  const auto count = static_cast<std::size_t>(end - rest->begin());
  rest->remove_prefix(count);
  return count > 0;
}

// By JSON's grammar, whose first digit is 0 only if no other follows.
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

// What is no number is left for the parser to find.
void AppendNumber(std::string_view number, std::string* out) {
  if (!IsNumber(number)) {
    out->append(number);
    return;
  }
  const bool negative = number.starts_with('-');
  const std::string_view digits = number.substr(negative ? 1 : 0);
  if (std::all_of(digits.begin(), digits.end(), IsDigit)) {
    const bool big = digits.size() > kDigitsMax;
    out->append(big ? (negative ? "-9223372036854775807" : "9223372036854775807") : number);
    return;
  }
  const bool finite = std::isfinite(std::strtod(std::string(number).c_str(), nullptr));
  out->append(finite ? number : (negative ? "-1e308" : "1e308"));
}

}  // namespace

std::string WithoutBigNumbers(std::string_view json) {
  std::string shorter;
  for (std::size_t i = 0; i < json.size();) {
    std::size_t end = i + 1;
    if (json[i] == '"') {
      end = StringEnd(json, i);
      shorter.append(json.substr(i, end - i));
    } else if (IsDigit(json[i]) || json[i] == '-') {
      while (end < json.size() && IsOfNumber(json[end])) ++end;
      AppendNumber(json.substr(i, end - i), &shorter);
    } else {
      shorter.push_back(json[i]);
    }
    i = end;
  }
  return shorter;
}

}  // namespace dolmen::wire
