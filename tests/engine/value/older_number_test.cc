// Each row is a text, and the text of its number or the error.

#include "engine/value/older_number.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/value/number_errors.h"

namespace dolmen::engine {
namespace {

std::string OlderNumber(std::string_view text) {
  const Result<Number> number = ReadOlderNumber(text);
  return number.ok() ? number->ToString() : number.status().message();
}

TEST(OlderNumberTest, ANumberInTheRangeIsRead) {
  struct Case {
    std::string_view text, number;
  };
  constexpr Case kCases[] = {
      {"0", "0"},
      {"-0.00", "0"},
      {"007", "7"},
      {"+1", "1"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1.50e+2", "150"},
      {"0e125", "0"},
      {"0e-130", "0"},
      {"1e-2", "0.01"},
      {"-1E1", "-10"},
      {"0.0001e4", "1"},
      {"1e+0002", "100"},
      {"0.00e127", "0"},
      {"100e-130", std::string_view()},
      {"1e-130", std::string_view()},
      {"9.9e125", std::string_view()},
  };
  for (const auto& [text, number] : kCases) {
    const Result<Number> read = ReadOlderNumber(text);
    ASSERT_TRUE(read.ok()) << text << ": " << read.status().message();
    if (!number.empty()) {
      EXPECT_EQ(read->ToString(), number) << text;
    }
  }
}

TEST(OlderNumberTest, TheMagnitudeWrapsRoundAt32Bits) {
  for (const char* text : {"1e126", "10e125", "-1e126", "5e2147483646", "0e126", "0.00e128"}) {
    EXPECT_EQ(OlderNumber(text), NumberOverflow().message()) << text;
  }
  for (const char* text :
       {"1e-131", "0.1e-130", "55e2147483646", "1e2147483647", "0e-131", "5e-2147483647"}) {
    EXPECT_EQ(OlderNumber(text), NumberUnderflow().message()) << text;
  }
}

TEST(OlderNumberTest, AnExponentOrAScaleBeyond32BitsIsNoNumber) {
  for (const std::string text : {"8e5000000000", "1e2147483648", "0.5e-2147483647", "1e-2147483648",
                                 "0e9223372036854775808"}) {
    EXPECT_EQ(OlderNumber(text), NotANumber(text).message()) << text;
  }
}

TEST(OlderNumberTest, ATextThatIsNoDecimalIsNoNumber) {
  for (const std::string text : {"twelve", "12,5", " 1", "1 ", "0x10", "NaN", "Infinity", "e", "1e",
                                 "e5", ".", "-", "1e+-5", "1e1.5", "1.2.3", "--1", "1_0"}) {
    EXPECT_EQ(OlderNumber(text), NotANumber(text).message()) << text;
  }
  EXPECT_EQ(OlderNumber(""), "The parameter cannot be converted to a numeric value");
}

TEST(OlderNumberTest, SignificantDigitsAreCountedAfterTheMagnitude) {
  const std::string digits(39, '7');
  EXPECT_EQ(OlderNumber(digits), TooManyDigits().message());
  EXPECT_EQ(OlderNumber(digits + "e100"), NumberOverflow().message());
  EXPECT_EQ(OlderNumber(std::string(38, '7') + "000"), std::string(38, '7') + "000");
}

}  // namespace
}  // namespace dolmen::engine
