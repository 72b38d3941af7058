#include "tests/property/key_value.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace dolmen::test {
namespace {

constexpr int kDigitsMax = 38;
constexpr int kExponentMin = -129;  // 0.1 * 10^-129 = 1E-130
constexpr int kExponentMax = 126;   // 0.99... * 10^126 = 9.9...E125
constexpr std::size_t kBytesMax = 1024;

// Characters with different first bytes in UTF-8. Some neighbours sort differently in UTF-16, where
// U+FFFF sorts above U+10000.
const std::vector<std::string>& Characters() {
  static const std::vector<std::string> kCharacters = {
      std::string(1, '\0'), "\x01", "\x02", "A", "a", "b", "\x7F",
      "\xC2\x80",          // U+0080
      "\xC2\xBF",          // U+00BF
      "\xDF\xBF",          // U+07FF
      "\xE0\xA0\x80",      // U+0800
      "\xED\x9F\xBF",      // U+D7FF, below the surrogates
      "\xEE\x80\x80",      // U+E000, above the surrogates
      "\xEF\xBF\xBD",      // U+FFFD
      "\xEF\xBF\xBF",      // U+FFFF
      "\xF0\x90\x80\x80",  // U+10000
      "\xF0\x9F\x98\x80",  // U+1F600
      "\xF4\x8F\xBF\xBF",  // U+10FFFF
  };
  return kCharacters;
}

const std::vector<std::string>& Bytes() {
  static const std::vector<std::string> kBytes = {
      std::string(1, '\0'), "\x01", "\x02", "a", "\x7F", "\x80", "\xFE", "\xFF"};
  return kBytes;
}

const std::vector<std::string>& Alphabet(AttributeType type) {
  return type == AttributeType::kS ? Characters() : Bytes();
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Removes the last byte of a binary or the last character of a string.
void RemoveLast(KeyValue* value) {
  std::string& bytes = value->bytes;
  while (value->type == AttributeType::kS && bytes.size() > 1 && IsContinuation(bytes.back())) {
    bytes.pop_back();
  }
  bytes.pop_back();
}

std::string RandomBytes(Random& random, AttributeType type) {
  const std::vector<std::string>& alphabet = Alphabet(type);
  std::string bytes;
  if (random.OneIn(40)) {  // the greatest length of a sort key
    const std::string unit = random.Pick(alphabet);
    while (bytes.size() + unit.size() <= kBytesMax) bytes += unit;
    return bytes;
  }
  const std::size_t length = random.OneIn(10) ? 40 : 1 + random.Below(5);
  const bool run = random.OneIn(4);
  const std::string unit = random.Pick(alphabet);
  for (std::size_t i = 0; i < length; ++i) bytes += run ? unit : random.Pick(alphabet);
  return bytes;
}

KeyValue Neighbour(Random& random, KeyValue value) {
  const std::size_t room = kBytesMax - 4;  // for the longest character
  switch (random.Below(3)) {
    case 0:
      if (value.bytes.size() <= room) value.bytes += random.Pick(Alphabet(value.type));
      return value;
    case 1:
      RemoveLast(&value);
      if (value.bytes.empty()) value.bytes = random.Pick(Alphabet(value.type));
      return value;
    default:
      RemoveLast(&value);
      if (value.bytes.size() <= room) value.bytes += random.Pick(Alphabet(value.type));
      return value;
  }
}

Decimal Trimmed(Decimal number) {
  while (number.digits.ends_with('0')) number.digits.pop_back();
  const std::size_t zeros = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, zeros);
  number.exponent -= static_cast<int>(zeros);
  if (number.digits.empty()) return {};
  number.exponent = std::clamp(number.exponent, kExponentMin, kExponentMax);
  return number;
}

Decimal RandomDecimal(Random& random) {
  if (random.OneIn(15)) return {};
  Decimal number{random.OneIn(2), 0, {}};
  const std::size_t digits = random.OneIn(3) ? kDigitsMax : 1 + random.Below(6);
  const bool nines = random.OneIn(6);
  for (std::size_t i = 0; i < digits; ++i) {
    number.digits += nines ? '9' : static_cast<char>('0' + random.Below(10));
  }
  switch (random.Below(4)) {
    case 0:
      number.exponent = static_cast<int>(random.Between(-3, 5));
      break;
    case 1:
      number.exponent = random.OneIn(2) ? kExponentMin : kExponentMax;
      break;
    default:
      number.exponent = static_cast<int>(random.Between(kExponentMin, kExponentMax));
  }
  return Trimmed(number);
}

// Returns `number` with one change: another digit, exponent or sign, or one more digit.
Decimal Neighbour(Random& random, Decimal number) {
  if (number.digits.empty()) return RandomDecimal(random);
  switch (random.Below(4)) {
    case 0:
      number.digits[random.Below(number.digits.size())] = static_cast<char>('0' + random.Below(10));
      break;
    case 1:
      number.exponent += random.OneIn(2) ? 1 : -1;
      break;
    case 2:
      number.negative = !number.negative;
      break;
    default:
      if (number.digits.size() < kDigitsMax)
        number.digits += static_cast<char>('1' + random.Below(9));
  }
  return Trimmed(number);
}

}  // namespace

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const auto sign = [](const Decimal& d) { return d.digits.empty() ? 0 : d.negative ? -1 : 1; };
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  const Decimal& low = a.negative ? b : a;  // the larger of two negative numbers is farther from 0
  const Decimal& high = a.negative ? a : b;
  if (low.exponent != high.exponent) return low.exponent <=> high.exponent;
  return low.digits.compare(high.digits) <=> 0;  // as fractions: "12" is 0.12, below 0.123
}

std::string Decimal::ToText(Random& random) const {
  if (digits.empty()) return random.OneIn(2) ? "0" : "-0.00";
  const std::string sign = negative ? "-" : random.OneIn(8) ? "+" : "";
  // The text has `whole` digits before the decimal point. A shorter text is filled up with zeros.
  const int whole = static_cast<int>(random.Between(1, 6));
  std::string text = digits;
  while (static_cast<int>(text.size()) < whole) text += '0';
  text.insert(static_cast<std::size_t>(whole),
              text.size() > static_cast<std::size_t>(whole) ? "." : "");
  if (const int power = exponent - whole; power != 0) {
    text += (random.OneIn(2) ? "E" : "e") + std::to_string(power);
  }
  return sign + text;
}

AttributeValue KeyValue::ToAttribute(Random& random) const {
  if (type == AttributeType::kS) return bytes;
  if (type == AttributeType::kB) return Binary{bytes};
  const std::string text = number.ToText(random);
  const Result<Number> parsed = Number::Parse(text);
  EXPECT_TRUE(parsed.ok()) << text << ": " << parsed.status().ToString();
  return *parsed;
}

std::string KeyValue::ToString() const {
  if (type == AttributeType::kN) {
    return (number.negative ? "-0." : "0.") + number.digits + "e" + std::to_string(number.exponent);
  }
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  std::string text = "x\"";
  for (const char c : bytes) {
    text += kHexDigits[static_cast<unsigned char>(c) >> 4];
    text += kHexDigits[static_cast<unsigned char>(c) & 15];
  }
  return text + "\"";
}

std::strong_ordering operator<=>(const KeyValue& a, const KeyValue& b) {
  if (a.type == AttributeType::kN) return a.number <=> b.number;
  const auto below = [](char x, char y) {
    return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
  };
  if (a.bytes == b.bytes) return std::strong_ordering::equal;
  return std::lexicographical_compare(a.bytes.begin(), a.bytes.end(), b.bytes.begin(),
                                      b.bytes.end(), below)
             ? std::strong_ordering::less
             : std::strong_ordering::greater;
}

KeyValue RandomKeyValue(Random& random, AttributeType type, const std::optional<KeyValue>& near) {
  const bool close = near && near->type == type && random.OneIn(2);
  if (type == AttributeType::kN) {
    return {type, {}, close ? Neighbour(random, near->number) : RandomDecimal(random)};
  }
  return close ? Neighbour(random, *near) : KeyValue{type, RandomBytes(random, type), {}};
}

KeyValue RandomPrefix(Random& random, const KeyValue& near) {
  KeyValue prefix = near;
  const std::size_t keep = 1 + random.Below(std::min<std::size_t>(near.bytes.size(), 4));
  while (prefix.bytes.size() > keep) RemoveLast(&prefix);
  if (prefix.bytes.empty()) prefix.bytes = random.Pick(Alphabet(near.type));
  return random.OneIn(4) ? Neighbour(random, prefix) : prefix;
}

}  // namespace dolmen::test
