// DynamoDB's number: an exact decimal of up to 38 significant digits, never a double.
//
//   Result<Number> price = Number::Parse("19.90");
//   Result<Number> total = Number::Add(*price, 3);  // exactly 22.9
//   if (*total > Number(20)) std::cout << total->ToString();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/internal/lifetime.h"
#include "dolmen/result.h"

namespace dolmen {

// The integer types that convert to a Number. Characters and bool do not convert, because a program
// that writes 'M' means a text, not 77.
template <typename I>
concept Integer =
    std::integral<I> && sizeof(I) <= 8 && !std::same_as<I, bool> && !std::same_as<I, char> &&
    !std::same_as<I, wchar_t> && !std::same_as<I, char8_t> && !std::same_as<I, char16_t> &&
    !std::same_as<I, char32_t>;

// A decimal number: 0, or a magnitude between 1E-130 and
// 9.9999999999999999999999999999999999999E+125.
//
// A Number holds the bytes in which it is stored (engine/storage/FORMAT.md). Each number has
// exactly one such form, and the bytes sort as the numbers do, so a comparison is one memcmp.
//
// An AttributeValue that was made from an invalid double holds a Number without bytes. Its text is
// "NaN", it has no integer, and every request that contains it is rejected.
//
// Number is a value type of 23 bytes and never allocates memory. Const methods are thread-safe.
class Number {
 public:
  static constexpr std::size_t kDigitsMax = 38;
  static constexpr std::size_t kEncodedBytesMax = 22;  // exponent, 20 base-100 digits, terminator

  // Makes 0.
  Number() : Number(std::int64_t{0}) {}

  // Converts an integer of up to 64 bits exactly.
  template <Integer I>
  Number(I value)  // NOLINT(google-explicit-constructor)
      : Number(value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value)
                                    : static_cast<std::uint64_t>(value)) {}

  // A double does not convert to a Number implicitly. Write Number::FromDouble(0.1) or
  // Number::Parse("0.1").
  template <std::floating_point F>
  Number(F) = delete;

  // Return the number with the shortest text that gives the same double or the same float:
  // FromDouble(0.1) and FromDouble(0.1F) are 0.1.
  // - kValidation: the double is not a number or infinite, or its magnitude leaves the range.
  static Result<Number> FromDouble(double value);
  static Result<Number> FromDouble(float value);

  // Parses an optional sign, digits with an optional point, and an optional exponent: "-12.50e3".
  // White space, hexadecimal digits, "NaN" and "Infinity" are not accepted.
  // Errors, with DynamoDB's messages:
  // - kValidation: the text is not a number.
  // - kValidation: the number has more than 38 significant digits. It is never rounded.
  // - kValidation: the magnitude is above or below the range. A zero is refused, too, if its exponent is: 0e126.
  static Result<Number> Parse(std::string_view text);

  // Returns the number with the stored form `encoded`.
  // - kCorruption: `encoded` is not the stored form of a number.
  static Result<Number> Decode(std::string_view encoded);

  // Returns the stored form. The view is valid until this Number is assigned to or destroyed.
  std::string_view encoded() const& DOLMEN_LIFETIME_BOUND {
    return {reinterpret_cast<const char*>(bytes_.data()), size_};
  }
  std::string_view encoded() const&& = delete;

  // Returns DynamoDB's normal form: plain decimal without exponent, "+" or superfluous zeros. The
  // text has at most 170 characters; only a number near the lower limit of the range is so long.
  std::string ToString() const;

  // Return the value as an integer, or nothing if it has a fraction or is outside the range of the
  // type.
  std::optional<std::int64_t> ToInt64() const;
  std::optional<std::uint64_t> ToUint64() const;
  template <Integer I>
  std::optional<I> ToInteger() const {
    if constexpr (std::unsigned_integral<I>) {
      const std::optional<std::uint64_t> value = ToUint64();
      if (!value || static_cast<I>(*value) != *value) return std::nullopt;
      return static_cast<I>(*value);
    } else {
      const std::optional<std::int64_t> value = ToInt64();
      if (!value || static_cast<I>(*value) != *value) return std::nullopt;
      return static_cast<I>(*value);
    }
  }

  // Returns the nearest double. ToDouble of FromDouble(d) is d; for -0.0 it is 0.0.
  double ToDouble() const;

  // Returns the exact sum or difference. The result is never rounded.
  // - kValidation: the result needs more than 38 digits, or leaves the range.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  // Numbers compare by value: 1, 1.0 and 10e-1 are equal.
  friend bool operator==(const Number& a, const Number& b) { return a.encoded() == b.encoded(); }
  friend std::strong_ordering operator<=>(const Number& a, const Number& b) {
    return a.encoded() <=> b.encoded();
  }

 private:
  friend class AttributeValue;

  Number(bool negative, std::uint64_t magnitude);

  // Returns the number, or for an error a Number without bytes, whose text is "NaN". A request
  // rejects such a Number, as a write rejects an empty set.
  static Number OrInvalid(const Result<Number>& number);

  std::array<unsigned char, kEncodedBytesMax> bytes_;  // [0, size_) is the stored form
  std::uint8_t size_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
