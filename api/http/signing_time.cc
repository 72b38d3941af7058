#include "http/signing_time.h"

#include <algorithm>

namespace dolmen::http {
namespace {

constexpr std::string_view kPattern = "00000000T000000Z";  // 0: any digit

// Returns the time in ISO 8601's extended format, "2015-08-30T12:36:00Z", which clock.h parses and
// validates.
std::string ToExtended(std::string_view basic) {
  const auto part = [&](std::size_t from, std::size_t count) {
    return std::string(basic.substr(from, count));
  };
  return part(0, 4) + "-" + part(4, 2) + "-" + part(6, 5) + ":" + part(11, 2) + ":" + part(13, 3);
}

bool IsBasic(std::string_view text) {
  return std::equal(text.begin(), text.end(), kPattern.begin(), kPattern.end(),
                    [](char c, char p) { return p == '0' ? c >= '0' && c <= '9' : c == p; });
}

// Converts HTTP's format "Sun, 30 Aug 2015 12:36:00 GMT" to ISO 8601's basic format
// "20150830T123600Z". If `text` is not in HTTP's format, the result is not in the basic format.
std::string HttpDateToBasic(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 29) return {};
  const std::size_t at = kMonths.find(text.substr(8, 3));
  if (at == kMonths.npos || at % 3 != 0) return {};
  const std::size_t month = at / 3 + 1;
  const std::string two_digits = {static_cast<char>('0' + month / 10),
                                  static_cast<char>('0' + month % 10)};
  const auto part = [&](std::size_t from, std::size_t count) {
    return std::string(text.substr(from, count));
  };
  return part(12, 4) + two_digits + part(5, 2) + "T" + part(17, 2) + part(20, 2) + part(23, 2) +
         "Z";
}

}  // namespace

std::optional<Timestamp> ParseSigningTime(std::string_view text) {
  std::string basic(text);
  if (!IsBasic(basic)) basic = HttpDateToBasic(text);
  if (!IsBasic(basic)) return std::nullopt;
  const auto time = ParseIso8601(ToExtended(basic));
  return time ? std::optional(*time) : std::nullopt;
}

std::string ToSigningTime(Timestamp time) {
  std::string text = ToIso8601(std::chrono::floor<std::chrono::seconds>(time));
  std::erase(text, '-');
  std::erase(text, ':');
  return text;
}

}  // namespace dolmen::http
