// DynamoDB's number: an exact decimal of up to 38 significant digits, 0 or between 1E-130 and
// 9.9999999999999999999999999999999999999E+125 in magnitude.  Never a double.
//
// A Number is kept in the form in which it is stored: bytes that compare as the numbers do, one
// form per number (engine/storage/FORMAT.md).  So comparing two of them is one memcmp.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html

#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/lifetime.h"
#include "dolmen/result.h"

namespace dolmen {

// A value; const methods may be called from any thread.
class Number {
 public:
  static constexpr std::size_t kDigitsMax = 38;
  static constexpr std::size_t kEncodedBytesMax = 22;  // exponent, 20 base-100 digits, terminator

  Number() : Number(std::int64_t{0}) {}
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  Number(I value)  // NOLINT(google-explicit-constructor)
      : Number(value < 0, value < 0 ? 0 - static_cast<std::uint64_t>(value)
                                    : static_cast<std::uint64_t>(value)) {}
  // A double is not a decimal: write Number::Parse("0.1").
  template <std::floating_point F>
  Number(F) = delete;

  // Reads an optional sign, digits with an optional point, and an optional exponent: "-12.50e3".
  // kValidation, with DynamoDB's messages: not a number, more than 38 significant digits, overflow,
  // underflow.
  static Result<Number> Parse(std::string_view text);

  // Reads the stored form.  kCorruption if `encoded` is not the one form of some number.
  static Result<Number> Decode(std::string_view encoded);

  // The stored form; lives as long as this Number.
  std::string_view encoded() const& DOLMEN_LIFETIME_BOUND {
    return {reinterpret_cast<const char*>(bytes_.data()), size_};
  }
  std::string_view encoded() const&& = delete;

  // DynamoDB's normal form: plain decimal without exponent, "+", or superfluous zeros.
  std::string ToString() const;

  // The value as an integer; nothing if it has a fraction or does not fit.
  std::optional<std::int64_t> ToInt64() const;

  // The nearest double, for display and approximate arithmetic.
  double ToDouble() const;

  // Exact sum and difference.  kValidation if the result needs more than 38 digits or leaves the
  // range; the result is never rounded.
  static Result<Number> Add(const Number& a, const Number& b);
  static Result<Number> Subtract(const Number& a, const Number& b);

  friend bool operator==(const Number& a, const Number& b) { return a.encoded() == b.encoded(); }
  friend std::strong_ordering operator<=>(const Number& a, const Number& b) {
    return a.encoded() <=> b.encoded();
  }

 private:
  Number(bool negative, std::uint64_t magnitude);

  std::array<unsigned char, kEncodedBytesMax> bytes_;  // [0, size_) is the stored form
  std::uint8_t size_;
};

}  // namespace dolmen
