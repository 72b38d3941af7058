#include "bench/contender.h"

#include <algorithm>
#include <string_view>

namespace dolmen::bench {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

std::optional<std::string> Difference(const Answer& expected, const Answer& actual) {
  const std::size_t rows = std::min(expected.size(), actual.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string row = "row " + std::to_string(i);
    if (expected[i].key != actual[i].key) {
      return row + " has the key " + Hex(actual[i].key) + " instead of " + Hex(expected[i].key);
    }
    const std::string& want = expected[i].item;
    const std::string& have = actual[i].item;
    if (want == have) continue;
    const auto ends = std::mismatch(want.begin(), want.end(), have.begin(), have.end());
    return row + " has an item of " + std::to_string(have.size()) + " bytes instead of " +
           std::to_string(want.size()) + ", and the bytes differ from byte " +
           std::to_string(ends.first - want.begin()) + " on";
  }
  if (expected.size() == actual.size()) return std::nullopt;
  return std::to_string(actual.size()) + " rows instead of " + std::to_string(expected.size());
}

std::vector<std::unique_ptr<Contender>>& Contenders() {
  static std::vector<std::unique_ptr<Contender>> contenders;
  return contenders;
}

}  // namespace dolmen::bench
