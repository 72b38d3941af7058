#include "engine/value/older_number.h"

#include <algorithm>
#include <limits>

#include "engine/value/number_errors.h"
#include "engine/value/number_text.h"

namespace dolmen::engine {
namespace {

constexpr std::int32_t kOlderMagnitudeMax = 126;
constexpr std::int32_t kOlderMagnitudeMin = -129;

bool IsInteger32(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

std::optional<DecimalSize> ReadDecimalSize(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  std::string_view whole = text.substr(0, e);
  std::string_view fraction;
  if (const std::size_t point = whole.find('.'); point != std::string_view::npos) {
    fraction = whole.substr(point + 1);
    whole = whole.substr(0, point);
  }
  const bool digits = std::all_of(whole.begin(), whole.end(), IsDecimalDigit) &&
                      std::all_of(fraction.begin(), fraction.end(), IsDecimalDigit);
  if (!digits || whole.size() + fraction.size() == 0) return std::nullopt;
  std::int32_t exponent = 0;
  if (e < text.size()) {
    const auto read = ReadExponent<std::int32_t>(text.substr(e + 1));
    if (!read) return std::nullopt;
    exponent = *read;
  }
  const std::int64_t scale = static_cast<std::int64_t>(fraction.size()) - exponent;
  if (!IsInteger32(scale)) return std::nullopt;
  const std::size_t first = whole.find_first_not_of('0');
  std::size_t precision = 0;
  if (first != std::string_view::npos) {
    precision = whole.size() - first + fraction.size();
  } else {
    precision = fraction.size() - std::min(fraction.find_first_not_of('0'), fraction.size());
  }
  return DecimalSize{std::max<std::int64_t>(static_cast<std::int64_t>(precision), 1),
                     static_cast<std::int32_t>(scale)};
}

Result<Number> ReadOlderNumber(std::string_view text) {
  const std::optional<DecimalSize> size = ReadDecimalSize(text);
  if (!size) return NotANumber(text);
  // The conversion keeps the low 32 bits, as Java's does.
  const auto magnitude = static_cast<std::int32_t>(size->precision - size->scale);
  if (magnitude > kOlderMagnitudeMax) return NumberOverflow();
  if (magnitude < kOlderMagnitudeMin) return NumberUnderflow();
  return Number::Parse(text);
}

}  // namespace dolmen::engine
