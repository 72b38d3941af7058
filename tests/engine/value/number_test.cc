// Tests of numbers: order, exact arithmetic and conversions. tests/behaviour/data_types_rules_test.cc
// tests their syntax, normal form, range and precision.

#include "dolmen/number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "dolmen/attribute_value.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"

namespace dolmen {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::HasSubstr;

Number Parsed(std::string_view text) {
  Result<Number> number = Number::Parse(text);
  EXPECT_THAT(number, IsOk()) << text;
  return number.ok() ? *number : Number();
}

TEST(NumberTest, ComparesByNumericValue) {
  const std::vector<std::string> ascending = {
      "-9.9999999999999999999999999999999999999e125",
      "-1e125",
      "-1000",
      "-100.5",
      "-100",
      "-99.99",
      "-2",
      "-1.5",
      "-1.01",
      "-1",
      "-0.5",
      "-1e-130",
      "0",
      "1e-130",
      "1.1e-130",
      "0.01",
      "0.011",
      "0.1",
      "1",
      "1.01",
      "1.1",
      "9",
      "10",
      "99",
      "100",
      "101",
      "1e38",
      "9.9999999999999999999999999999999999999e125",
  };
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(Parsed(ascending[i]) <=> Parsed(ascending[j]), i <=> j)
          << ascending[i] << " and " << ascending[j];
    }
  }
}

TEST(NumberTest, AddsAndSubtractsExactly) {
  struct Case {
    std::string a, b, sum, difference;
  };
  const std::vector<Case> cases = {
      {"1", "1", "2", "0"},
      {"0.1", "0.2", "0.3", "-0.1"},
      {"0", "-5", "-5", "5"},
      {"99", "1", "100", "98"},
      {"100", "-1", "99", "101"},
      {"1e20", "1e-17", "100000000000000000000.00000000000000001",
       "99999999999999999999.99999999999999999"},
      {"-1.5", "-2.5", "-4", "1"},
      {"12345678901234567890123456789012345678", "1", "12345678901234567890123456789012345679",
       "12345678901234567890123456789012345677"},
  };
  for (const Case& c : cases) {
    const Result<Number> sum = Number::Add(Parsed(c.a), Parsed(c.b));
    const Result<Number> difference = Number::Subtract(Parsed(c.a), Parsed(c.b));
    ASSERT_THAT(sum, IsOk());
    ASSERT_THAT(difference, IsOk());
    EXPECT_EQ(sum->ToString(), c.sum) << c.a << " + " << c.b;
    EXPECT_EQ(difference->ToString(), c.difference) << c.a << " - " << c.b;
  }
}

TEST(NumberTest, ToInt64ReturnsOnlyIntegersThatFit) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-42},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(Number(value).ToInt64(), value);
    EXPECT_EQ(Number(value).ToString(), std::to_string(value));
  }
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()).ToString(), "18446744073709551615");
  EXPECT_EQ(Number(std::numeric_limits<std::uint64_t>::max()).ToInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1.5").ToInt64(), std::nullopt);
  EXPECT_DOUBLE_EQ(Parsed("-12.5").ToDouble(), -12.5);
}

TEST(NumberTest, DecodeAcceptsOnlyEncodedNumbers) {
  for (const std::string text : {"0", "1", "-1", "123.456", "-1e-130", "9e125"}) {
    const Number number = Parsed(text);
    EXPECT_THAT(Number::Decode(number.encoded()), IsOkAndHolds(number)) << text;
  }
  using namespace std::string_literals;
  for (const std::string& bytes : {
           ""s, "\x81"s,                       // an exponent without digits
           "\xc1\x01"s,                        // leading zero digit
           "\xc2\x02\x01"s,                    // trailing zero digit
           "\xc1\x66"s,                        // digit above 99
           "\xc1\x00"s,                        // digit below 0
           "\x3e\x63"s,                        // negative without its end
           "\x3e\x65"s,                        // negative without digits
           "\xc1"s + std::string(21, '\x02'),  // too many digits
       }) {
    EXPECT_THAT(Number::Decode(bytes), StatusIs(StatusCode::kCorruption, testing::_));
  }
}

static_assert(!std::is_constructible_v<Number, double>);
static_assert(!std::is_constructible_v<Number, char>);
static_assert(!std::is_constructible_v<AttributeValue, long double>);
static_assert(std::is_convertible_v<double, AttributeValue>);
static_assert(std::is_convertible_v<float, AttributeValue>);

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(NumberTest, FromDoubleTakesTheShortestText) {
  const auto text = [](auto value) {
    const Result<Number> number = Number::FromDouble(value);
    EXPECT_THAT(number, IsOk()) << value;
    return number.ok() ? number->ToString() : "";
  };
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(0.1F), "0.1");
  EXPECT_EQ(text(-2.5), "-2.5");
  EXPECT_EQ(text(0.0), "0");
  EXPECT_EQ(text(-0.0), "0");
  EXPECT_EQ(text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(text(1.0F / 3), "0.33333334");
  EXPECT_EQ(text(1e22), "1" + std::string(22, '0'));
  EXPECT_EQ(text(1e125), "1" + std::string(125, '0'));
  EXPECT_EQ(text(1e-130), "0." + std::string(129, '0') + "1");
  EXPECT_EQ(text(std::numeric_limits<float>::denorm_min()), "0." + std::string(44, '0') + "1");
}

TEST(NumberTest, FromDoubleRejectsDoublesOutsideOfTheRange) {
  for (const double value : {1e126, -1e126, std::numeric_limits<double>::max()}) {
    EXPECT_THAT(Number::FromDouble(value),
                StatusIs(StatusCode::kValidation, HasSubstr("Number overflow")));
  }
  for (const double value : {1e-131, -1e-131, std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::denorm_min()}) {
    EXPECT_THAT(Number::FromDouble(value),
                StatusIs(StatusCode::kValidation, HasSubstr("Number underflow")));
  }
  for (const double value : {kNaN, -kNaN, kInfinity, -kInfinity}) {
    EXPECT_THAT(Number::FromDouble(value),
                StatusIs(StatusCode::kValidation, HasSubstr("cannot be converted")));
    EXPECT_THAT(Number::FromDouble(static_cast<float>(value)),
                StatusIs(StatusCode::kValidation, HasSubstr("cannot be converted")));
  }
}

class RandomNumberTest : public test::SeededTest {};

TEST_F(RandomNumberTest, ToDoubleOfFromDoubleIsTheSameDouble) {
  for (std::size_t i = 0; i < test::TestSteps(10'000);) {
    const auto value = std::bit_cast<double>(random_.Next());
    if (!(std::abs(value) > 1e-130 && std::abs(value) < 1e125)) continue;
    ++i;
    const Result<Number> number = Number::FromDouble(value);
    ASSERT_THAT(number, IsOk()) << value;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(number->ToDouble()), std::bit_cast<std::uint64_t>(value))
        << number->ToString();
    const Result<Number> again = Number::FromDouble(static_cast<float>(i));
    ASSERT_THAT(again, IsOkAndHolds(Number(i)));
  }
}

TEST(NumberTest, ToUint64ReturnsOnlyIntegersThatFit) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, kMax}) {
    EXPECT_EQ(Number(value).ToUint64(), value);
  }
  for (const std::string text : {"-1", "18446744073709551616", "0.5", "1e125", "1e-130"}) {
    EXPECT_EQ(Parsed(text).ToUint64(), std::nullopt) << text;
  }
}

// Expects that ToInteger returns the least and the greatest value of the type, and nothing for the
// next values outside.
template <typename I>
void ExpectLimits() {
  constexpr I kMin = std::numeric_limits<I>::min();
  constexpr I kMax = std::numeric_limits<I>::max();
  EXPECT_EQ(Number(kMin).ToInteger<I>(), kMin);
  EXPECT_EQ(Number(kMax).ToInteger<I>(), kMax);
  const Number below = *Number::Subtract(kMin, 1);
  const Number above = *Number::Add(kMax, 1);
  EXPECT_EQ(below.ToInteger<I>(), std::nullopt);
  EXPECT_EQ(above.ToInteger<I>(), std::nullopt);
  EXPECT_EQ(Parsed("0.5").ToInteger<I>(), std::nullopt);
  EXPECT_EQ(Parsed("1e125").ToInteger<I>(), std::nullopt);
}

TEST(NumberTest, ToIntegerReturnsOnlyIntegersThatFit) {
  ExpectLimits<signed char>();
  ExpectLimits<unsigned char>();
  ExpectLimits<std::int16_t>();
  ExpectLimits<std::uint16_t>();
  ExpectLimits<std::int32_t>();
  ExpectLimits<std::uint32_t>();
  ExpectLimits<std::int64_t>();
  ExpectLimits<std::uint64_t>();
  ExpectLimits<long>();
  ExpectLimits<unsigned long long>();
}

TEST(NumberTest, AnAttributeValueOfADoubleIsANumber) {
  EXPECT_EQ(AttributeValue(0.1), AttributeValue(Parsed("0.1")));
  EXPECT_EQ(AttributeValue(0.1F), AttributeValue(Parsed("0.1")));
  EXPECT_EQ(AttributeValue(static_cast<const char*>(nullptr)).type(), AttributeType::kNull);
}

// A double that is not a number has no stored form. A program may still use the Number.
TEST(NumberTest, ANumberOfADoubleThatIsNotANumberCanBeUsed) {
  for (const double value : {kNaN, kInfinity, 1e126, 1e-131}) {
    const AttributeValue attribute = value;
    ASSERT_EQ(attribute.type(), AttributeType::kN);
    const Number& number = *attribute.get_if<Number>();
    EXPECT_EQ(number.ToString(), "NaN");
    EXPECT_EQ(number.ToInt64(), std::nullopt);
    EXPECT_EQ(number.ToUint64(), std::nullopt);
    EXPECT_TRUE(std::isnan(number.ToDouble()));
    EXPECT_THAT(Number::Add(number, 1), StatusIs(StatusCode::kValidation, testing::_));
    EXPECT_THAT(Number::Subtract(1, number), StatusIs(StatusCode::kValidation, testing::_));
  }
}

}  // namespace
}  // namespace dolmen
