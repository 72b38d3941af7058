#include "dolmen/number.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <span>

#include "engine/base/status_macros.h"
#include "engine/value/number_errors.h"
#include "engine/value/number_text.h"

namespace dolmen {
namespace {

// The stored form of a number (FORMAT.md) is an exponent byte, then base-100 digits. The exponent
// counts powers of 100, so one byte holds the sign and every valid exponent. Zero has the same
// exponent byte as the positive numbers with the smallest exponent. The stored forms of these
// numbers are longer than the stored form of zero, so they sort after zero.
constexpr int kExponentMin = -65;  // 1E-130
constexpr int kExponentMax = 62;   // 9.9E+125
constexpr int kZeroByte = 0x80;
constexpr unsigned char kNegativeEnd = 101;  // sorts after every digit of a negative number
constexpr std::size_t kPairsMax = 20;
constexpr int kMagnitudeMax = 125;  // decimal exponent of the first digit
constexpr int kMagnitudeMin = -130;

using engine::NotANumber;
using engine::NumberOverflow;
using engine::NumberUnderflow;
using engine::TooManyDigits;

// A decoded number: the sum of digits[i] * 100^(exponent - i). Zero has no digits.
struct Decimal {
  bool negative = false;
  int exponent = 0;
  std::size_t size = 0;
  std::array<unsigned char, kPairsMax> digits = {};
};

Decimal Unpack(std::string_view encoded) {
  Decimal d;
  const auto first = static_cast<unsigned char>(encoded[0]);
  d.negative = first < kZeroByte;
  d.exponent = (d.negative ? 0x7F - first : first - kZeroByte) + kExponentMin;
  d.size = encoded.size() - (d.negative ? 2 : 1);
  for (std::size_t i = 0; i < d.size; ++i) {
    const auto byte = static_cast<unsigned char>(encoded[i + 1]);
    d.digits[i] = static_cast<unsigned char>(d.negative ? 100 - byte : byte - 1);
  }
  return d;
}

std::size_t Pack(const Decimal& d, std::span<unsigned char> bytes) {
  if (d.size == 0) {
    bytes[0] = kZeroByte;
    return 1;
  }
  const int biased = d.exponent - kExponentMin;
  bytes[0] = static_cast<unsigned char>(d.negative ? 0x7F - biased : kZeroByte + biased);
  std::size_t n = 1;
  for (std::size_t i = 0; i < d.size; ++i) {
    bytes[n++] = static_cast<unsigned char>(d.negative ? 100 - d.digits[i] : d.digits[i] + 1);
  }
  if (d.negative) bytes[n++] = kNegativeEnd;
  return n;
}

std::size_t SignificantDigits(std::span<const unsigned char> pairs) {
  if (pairs.empty()) return 0;
  return pairs.size() * 2 - (pairs.front() < 10 ? 1 : 0) - (pairs.back() % 10 == 0 ? 1 : 0);
}

// The decimal digits that were read so far, without leading and trailing zeros.
struct Significand {
  std::array<unsigned char, Number::kDigitsMax> digits = {};
  std::size_t size = 0;
  std::int64_t zeros = 0;      // number of zeros since the last digit kept
  std::int64_t magnitude = 0;  // decimal exponent of the first digit
  bool too_long = false;       // there are more digits than Number::kDigitsMax

  void Push(unsigned char digit) {
    if (digit == 0) {
      if (size > 0) ++zeros;
      return;
    }
    const auto needed = static_cast<std::size_t>(zeros) + 1;
    if (too_long || needed > digits.size() - size) {
      too_long = true;
      return;
    }
    size += needed - 1;  // `digits` already holds the zeros before this digit
    digits[size++] = digit;
    zeros = 0;
  }
};

Decimal ToBase100(const Significand& s, bool negative) {
  Decimal d{.negative = negative};
  const auto magnitude = static_cast<int>(s.magnitude);
  const bool odd = (magnitude & 1) != 0;  // odd: the first pair has two digits
  d.exponent = magnitude >> 1;
  std::size_t i = 0;
  if (!odd && s.size > 0) d.digits[d.size++] = s.digits[i++];
  for (; i < s.size; i += 2) {
    const int low = i + 1 < s.size ? s.digits[i + 1] : 0;
    d.digits[d.size++] = static_cast<unsigned char>(s.digits[i] * 10 + low);
  }
  return d;
}

// Reads an exponent. Returns nothing for any other text, and for an exponent that 64 bits cannot hold. Clamps the
// exponent to bounds. The bounds are so large that a number with a clamped exponent is out of range for every
// mantissa.
std::optional<std::int64_t> ReadClampedExponent(std::string_view text) {
  constexpr std::int64_t kBound = std::int64_t{1} << 50;
  const auto exponent = engine::ReadExponent<std::int64_t>(text);
  if (!exponent) return std::nullopt;
  return std::clamp(*exponent, -kBound, kBound);
}

// Reads the digits and the decimal point into `*s`, and sets the decimal exponent of the first
// digit, or of the last digit of a zero. Returns false for any other text.
bool ReadMantissa(std::string_view text, Significand* s) {
  std::int64_t position = 0;  // number of digits read so far
  std::int64_t first = 0;     // digits before the first digit that is kept
  std::int64_t point = -1;    // digits before the point; -1: no point
  bool any = false;
  for (const char c : text) {
    if (c == '.' && point < 0) {
      point = position;
      continue;
    }
    if (!engine::IsDecimalDigit(c)) return false;
    any = true;
    if (s->size == 0 && !s->too_long && c != '0') first = position;
    s->Push(static_cast<unsigned char>(c - '0'));
    ++position;
  }
  s->magnitude = (point < 0 ? position : point) - (s->size == 0 ? position : first + 1);
  return any;
}

Result<Decimal> ToDecimal(const Significand& s, bool negative) {
  // DynamoDB refuses a zero, too, whose exponent is out of range: 0e126.
  if (s.magnitude > kMagnitudeMax) return NumberOverflow();
  if (s.magnitude < kMagnitudeMin) return NumberUnderflow();
  if (s.size == 0) return Decimal();
  if (s.too_long) return TooManyDigits();
  return ToBase100(s, negative);
}

// Adds two numbers exactly, column by column. A column is one base-100 digit. The first column lies
// one above the first digit of the greater number, for the carry. The last column is that of the
// lowest digit of either number.
Result<Decimal> AddDecimals(const Decimal& a, const Decimal& b) {
  if (a.size == 0) return b;
  if (b.size == 0) return a;
  constexpr int kColumns = kExponentMax - kExponentMin + 1 + static_cast<int>(kPairsMax) + 1;
  std::array<int, kColumns> columns = {};
  const int top = std::max(a.exponent, b.exponent) + 1;
  const int bottom =
      std::min(a.exponent - static_cast<int>(a.size), b.exponent - static_cast<int>(b.size)) + 1;
  const auto width = static_cast<std::size_t>(top - bottom + 1);
  for (const Decimal* d : {&a, &b}) {
    for (std::size_t i = 0; i < d->size; ++i) {
      columns[static_cast<std::size_t>(top - d->exponent) + i] +=
          d->negative ? -int{d->digits[i]} : int{d->digits[i]};
    }
  }
  const auto leading = std::find_if(columns.begin(), columns.begin() + static_cast<int>(width),
                                    [](int c) { return c != 0; });
  Decimal sum;
  sum.negative = leading != columns.end() && *leading < 0;
  int carry = 0;
  std::array<unsigned char, kColumns> pairs = {};
  for (std::size_t i = width; i-- > 0;) {
    const int column = (sum.negative ? -columns[i] : columns[i]) + carry;
    carry = column < 0 ? -1 : column / 100;
    pairs[i] = static_cast<unsigned char>(column - carry * 100);
  }
  std::size_t from = 0;
  std::size_t to = width;
  while (from < to && pairs[from] == 0) ++from;
  while (to > from && pairs[to - 1] == 0) --to;
  if (from == to) return Decimal();
  sum.exponent = top - static_cast<int>(from);
  if (sum.exponent > kExponentMax) return NumberOverflow();
  if (sum.exponent < kExponentMin) return NumberUnderflow();
  const std::span<const unsigned char> digits(pairs.data() + from, to - from);
  // DynamoDB has the same message for a result that it cannot store exactly.
  if (SignificantDigits(digits) > Number::kDigitsMax) return NumberOverflow();
  sum.size = digits.size();
  std::copy(digits.begin(), digits.end(), sum.digits.begin());
  return sum;
}

// Returns the integer that `text` spells, or nothing if `text` is not an integer in the range of I.
template <typename I>
std::optional<I> ParseInteger(const std::string& text) {
  I value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns the number with the shortest text that gives `value`.
template <std::floating_point F>
Result<Number> ParseShortest(F value) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return Number::Parse({text.data(), static_cast<std::size_t>(end - text.data())});
}

}  // namespace

Number::Number(bool negative, std::uint64_t magnitude) {
  std::array<char, 20> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), magnitude).ptr;
  Significand s;
  ReadMantissa({text.data(), static_cast<std::size_t>(end - text.data())}, &s);
  size_ = static_cast<std::uint8_t>(Pack(ToBase100(s, negative), bytes_));
}

Result<Number> Number::Parse(std::string_view text) {
  std::string_view rest = text;
  const bool negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  std::int64_t exponent = 0;
  if (const auto e = rest.find_first_of("eE"); e != rest.npos) {
    const auto read = ReadClampedExponent(rest.substr(e + 1));
    if (!read) return NotANumber(text);
    exponent = *read;
    rest = rest.substr(0, e);
  }
  Significand s;
  if (!ReadMantissa(rest, &s)) return NotANumber(text);
  s.magnitude += exponent;
  DOLMEN_ASSIGN_OR_RETURN(const Decimal& decimal, ToDecimal(s, negative));
  Number number;
  number.size_ = static_cast<std::uint8_t>(Pack(decimal, number.bytes_));
  return number;
}

Result<Number> Number::FromDouble(double value) { return ParseShortest(value); }

Result<Number> Number::FromDouble(float value) { return ParseShortest(value); }

Number Number::OrInvalid(const Result<Number>& number) {
  if (number.ok()) return *number;
  Number invalid;
  invalid.size_ = 0;
  return invalid;
}

Result<Number> Number::Decode(std::string_view encoded) {
  const auto corrupt = [] { return Status::Corruption("a stored number is damaged"); };
  if (encoded.empty() || encoded.size() > kEncodedBytesMax) return corrupt();
  const bool negative = static_cast<unsigned char>(encoded[0]) < kZeroByte;
  if (negative && (encoded.size() < 2 || encoded.back() != kNegativeEnd)) return corrupt();
  const std::string_view body = encoded.substr(1, encoded.size() - (negative ? 2 : 1));
  if (body.size() > kPairsMax) return corrupt();
  for (const char c : body) {
    if (c < 1 || c > 100) return corrupt();
  }
  const Decimal d = Unpack(encoded);
  const std::span<const unsigned char> pairs(d.digits.data(), d.size);
  if (pairs.empty()) {
    if (static_cast<unsigned char>(encoded[0]) != kZeroByte) return corrupt();
  } else if (pairs.front() == 0 || pairs.back() == 0 || SignificantDigits(pairs) > kDigitsMax) {
    return corrupt();
  }
  Number number;
  std::copy(encoded.begin(), encoded.end(), number.bytes_.begin());
  number.size_ = static_cast<std::uint8_t>(encoded.size());
  return number;
}

std::string Number::ToString() const {
  if (size_ == 0) return "NaN";
  const Decimal d = Unpack(encoded());
  if (d.size == 0) return "0";
  std::string digits;
  for (std::size_t i = 0; i < d.size; ++i) {
    digits.push_back(static_cast<char>('0' + d.digits[i] / 10));
    digits.push_back(static_cast<char>('0' + d.digits[i] % 10));
  }
  std::int64_t point = std::int64_t{d.exponent} * 2 + 2;  // digits before the point
  const std::size_t leading = digits.front() == '0' ? 1 : 0;
  digits.erase(0, leading);
  point -= static_cast<std::int64_t>(leading);
  if (digits.back() == '0') digits.pop_back();

  std::string text = d.negative ? "-" : "";
  const auto size = static_cast<std::int64_t>(digits.size());
  if (point <= 0) {
    text.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else if (point >= size) {
    text.append(digits).append(static_cast<std::size_t>(point - size), '0');
  } else {
    text.append(digits).insert(text.size() - static_cast<std::size_t>(size - point), 1, '.');
  }
  return text;
}

std::optional<std::int64_t> Number::ToInt64() const {
  return ParseInteger<std::int64_t>(ToString());
}

std::optional<std::uint64_t> Number::ToUint64() const {
  return ParseInteger<std::uint64_t>(ToString());
}

double Number::ToDouble() const {
  const std::string text = ToString();
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Result<Number> Number::Add(const Number& a, const Number& b) {
  if (a.size_ == 0 || b.size_ == 0) return NotANumber("NaN");
  DOLMEN_ASSIGN_OR_RETURN(const Decimal& sum,
                          AddDecimals(Unpack(a.encoded()), Unpack(b.encoded())));
  Number number;
  number.size_ = static_cast<std::uint8_t>(Pack(sum, number.bytes_));
  return number;
}

Result<Number> Number::Subtract(const Number& a, const Number& b) {
  if (a.size_ == 0 || b.size_ == 0) return NotANumber("NaN");
  Decimal subtrahend = Unpack(b.encoded());
  subtrahend.negative = !subtrahend.negative;
  DOLMEN_ASSIGN_OR_RETURN(const Decimal& difference, AddDecimals(Unpack(a.encoded()), subtrahend));
  Number number;
  number.size_ = static_cast<std::uint8_t>(Pack(difference, number.bytes_));
  return number;
}

}  // namespace dolmen
