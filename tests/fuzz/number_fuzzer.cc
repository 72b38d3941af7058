// Fuzzes numbers: one or two texts, or one or two stored forms.
//
// Input: a byte and the rest. The byte's lowest bit selects the meaning of the rest.
// - 0: one text, or two texts with a line feed between them.
// - 1: a byte with the size of the first stored form, then both stored forms.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/number.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

// A number as an independent parser reads it: sign, digits and position of the point.
struct Reference {
  bool negative = false;
  std::string digits;  // without zeros at either end; empty for 0
  long point = 0;      // digits before the point; negative: zeros after the point
};

bool TakeExponent(std::string_view* text, long* exponent) {
  const std::size_t e = text->find_first_of("eE");
  if (e == text->npos) return true;
  std::string_view digits = text->substr(e + 1);
  *text = text->substr(0, e);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return false;
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  // Limits the exponent to 999,999,999, which is far more than the number of digits in any input.
  *exponent = digits.empty() ? 0 : digits.size() > 9 ? 999'999'999 : std::stol(std::string(digits));
  if (negative) *exponent = -*exponent;
  return true;
}

std::optional<Reference> ReadReference(std::string_view text) {
  Reference number;
  number.negative = text.starts_with('-');
  if (number.negative || text.starts_with('+')) text.remove_prefix(1);
  long exponent = 0;
  if (!TakeExponent(&text, &exponent)) return std::nullopt;
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  number.point = static_cast<long>(digits.size()) + exponent;
  if (point != text.npos) digits.append(text.substr(point + 1));
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  const std::size_t leading = std::min(digits.find_first_not_of('0'), digits.size());
  number.digits = digits.substr(leading, digits.find_last_not_of('0') + 1 - leading);
  number.point -= static_cast<long>(leading);
  // DynamoDB judges a zero by the exponent of its last digit: 0e126 is out of range.
  if (number.digits.empty()) return Reference{false, "", number.point + 1};
  return number;
}

bool IsInRange(const Reference& number) {
  return number.digits.size() <= Number::kDigitsMax && number.point <= 126 && number.point >= -129;
}

// Returns the number as DynamoDB writes it.
// REQUIRES: IsInRange(number)
std::string TextOf(const Reference& number) {
  if (number.digits.empty()) return "0";
  const std::string sign = number.negative ? "-" : "";
  const auto size = static_cast<long>(number.digits.size());
  if (number.point <= 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-number.point), '0') + number.digits;
  }
  const auto point = static_cast<std::size_t>(number.point);
  if (number.point >= size) {
    return sign + number.digits + std::string(point - number.digits.size(), '0');
  }
  return sign + number.digits.substr(0, point) + "." + number.digits.substr(point);
}

// Compares the absolute values of two numbers. Returns a negative value if `a` is smaller, 0 if
// both are equal, and a positive value if `a` is greater.
int CompareMagnitudes(const Reference& a, const Reference& b) {
  if (a.digits.empty() || b.digits.empty()) {
    return static_cast<int>(b.digits.empty()) - static_cast<int>(a.digits.empty());
  }
  if (a.point != b.point) return a.point < b.point ? -1 : 1;
  return a.digits.compare(b.digits);
}

int Compare(const Reference& a, const Reference& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  return a.negative ? CompareMagnitudes(b, a) : CompareMagnitudes(a, b);
}

void RequireSound(const Number& number) {
  const std::string text = number.ToString();
  const Result<Number> parsed = Number::Parse(text);
  Require(parsed.ok() && *parsed == number, "a number's text is read as the number");
  const Result<Number> decoded = Number::Decode(number.encoded());
  Require(decoded.ok() && *decoded == number, "a number's stored form is read as the number");
  const std::optional<Reference> reference = ReadReference(text);
  Require(reference && TextOf(*reference) == text, "a number's text is in the normal form");
  if (const std::optional<std::int64_t> integer = number.ToInt64()) {
    Require(Number(*integer) == number, "an integer equals the number");
  }
  const double approximate = number.ToDouble();
  Require(approximate == 0 || (approximate < 0) == reference->negative,
          "a double has the number's sign");
}

void RequireOrder(const Number& a, const Number& b) {
  const int order = Compare(*ReadReference(a.ToString()), *ReadReference(b.ToString()));
  Require((a < b) == (order < 0) && (a == b) == (order == 0), "numbers sort like their texts");
  Require(order > 0 || a.ToDouble() <= b.ToDouble(), "doubles keep the order of the numbers");
}

void RequireArithmetic(const Number& a, const Number& b) {
  const Result<Number> sum = Number::Add(a, b);
  RequireShowable(sum.status(), StatusCode::kValidation);
  const Result<Number> other = Number::Add(b, a);
  Require(sum.ok() == other.ok() && (!sum.ok() || *sum == *other), "addition commutes");
  if (sum.ok()) {
    RequireSound(*sum);
    const Result<Number> back = Number::Subtract(*sum, b);
    Require(back.ok() && *back == a, "a + b - b is a");
  }
  const Result<Number> difference = Number::Subtract(a, b);
  RequireShowable(difference.status(), StatusCode::kValidation);
  if (!difference.ok()) return;
  RequireSound(*difference);
  Require((*difference < Number(0)) == (a < b), "a - b is below 0 where a is below b");
  Require((*difference == Number(0)) == (a == b), "a - b is 0 where they are equal");
  const Result<Number> back = Number::Add(*difference, b);
  Require(back.ok() && *back == a, "a - b + b is a");
}

void RequireAll(const Result<Number>& a, const Result<Number>& b) {
  if (a.ok()) RequireSound(*a);
  if (b.ok()) RequireSound(*b);
  if (!a.ok() || !b.ok()) return;
  RequireOrder(*a, *b);
  RequireOrder(*b, *a);
  RequireArithmetic(*a, *b);
}

Result<Number> ParseAndCheck(std::string_view text) {
  Result<Number> number = Number::Parse(text);
  const std::optional<Reference> reference = ReadReference(text);
  Require(number.ok() == (reference && IsInRange(*reference)),
          "Parse accepts exactly the valid numbers in range");
  Require(number.ok() || number.status().code() == StatusCode::kValidation,
          "a refused text is kValidation");
  if (number.ok())
    Require(number->ToString() == TextOf(*reference), "ToString gives the number of the text");
  return number;
}

Result<Number> DecodeAndCheck(std::string_view bytes) {
  Result<Number> number = Number::Decode(bytes);
  RequireShowable(number.status(), StatusCode::kCorruption);
  if (number.ok()) Require(number->encoded() == bytes, "a stored form is kept as it is");
  return number;
}

void TryTexts(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const Result<Number> a = ParseAndCheck(input.substr(0, end));
  RequireAll(a, ParseAndCheck(input.substr(std::min(end + 1, input.size()))));
}

void TryStoredForms(std::string_view input) {
  if (input.empty()) return;
  const std::size_t size =
      std::min<std::size_t>(static_cast<unsigned char>(input[0]), input.size() - 1);
  const Result<Number> a = DecodeAndCheck(input.substr(1, size));
  RequireAll(a, DecodeAndCheck(input.substr(1 + size)));
}

}  // namespace
}  // namespace dolmen::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  (data[0] & 1) == 0 ? dolmen::fuzz::TryTexts(input.substr(1))
                     : dolmen::fuzz::TryStoredForms(input.substr(1));
  return 0;
}
