// Tests of how each type of member is stored, and of the errors for values that a type cannot have.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tests/entity/fixture.h"
#include "tests/entity/holder.h"
#include "tests/support/random.h"

namespace dolmen::hotel {
namespace {

using test::B;

TEST(CodecTest, TextsAreStoredAsS) {
  EXPECT_THAT(Encoded<std::string>("quiet"), IsOkAndHolds(AttributeValue("quiet")));
  EXPECT_THAT(Decoded<std::string>("quiet"), IsOkAndHolds("quiet"));
  EXPECT_THAT(ThereAndBack<std::string>(""), IsOkAndHolds(""));
  EXPECT_THAT(ThereAndBack<std::string>("a\"#{}/\n\u00e9"), IsOkAndHolds("a\"#{}/\n\u00e9"));
  ExpectCorruptValue<std::string>(7, "has type N, not S");
  ExpectCorruptValue<std::string>(nullptr, "has type NULL, not S");
}

TEST(CodecTest, BooleansAreStoredAsBool) {
  EXPECT_THAT(Encoded(true), IsOkAndHolds(AttributeValue(true)));
  EXPECT_THAT(ThereAndBack(false), IsOkAndHolds(false));
  ExpectCorruptValue<bool>("true", "has type S, not BOOL");
  ExpectCorruptValue<bool>(1, "has type N, not BOOL");
}

template <typename Integer>
class IntegerCodecTest : public testing::Test {
 protected:
  static constexpr Integer kLeast = std::numeric_limits<Integer>::min();
  static constexpr Integer kGreatest = std::numeric_limits<Integer>::max();

  static std::string Limits() {
    return "is not a whole number from " + std::to_string(kLeast) + " to " +
           std::to_string(kGreatest);
  }
};
using Integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, long,
                                unsigned long long, signed char>;
TYPED_TEST_SUITE(IntegerCodecTest, Integers);

TYPED_TEST(IntegerCodecTest, IntegersAreStoredAsN) {
  EXPECT_THAT(Encoded(TypeParam{42}), IsOkAndHolds(AttributeValue(42)));
  EXPECT_THAT(Decoded<TypeParam>(N("42.0")), IsOkAndHolds(TypeParam{42}));
}

TYPED_TEST(IntegerCodecTest, IntegersHaveTheLimitsOfTheirType) {
  EXPECT_THAT(ThereAndBack(this->kLeast), IsOkAndHolds(this->kLeast));
  EXPECT_THAT(ThereAndBack(this->kGreatest), IsOkAndHolds(this->kGreatest));
  const Number below = Value(Number::Subtract(this->kLeast, 1));
  const Number above = Value(Number::Add(this->kGreatest, 1));
  ExpectCorruptValue<TypeParam>(below, this->Limits());
  ExpectCorruptValue<TypeParam>(above, this->Limits());
}

TYPED_TEST(IntegerCodecTest, OtherNumbersAndTypesAreCorruption) {
  ExpectCorruptValue<TypeParam>(N("1.5"), this->Limits());
  ExpectCorruptValue<TypeParam>(N("1E+125"), this->Limits());
  ExpectCorruptValue<TypeParam>("42", "has type S, not N");
}

TEST(CodecTest, NumbersKeepAllDigits) {
  const Number longest = N("0.12345678901234567890123456789012345678");
  EXPECT_THAT(Encoded(longest), IsOkAndHolds(AttributeValue(longest)));
  for (const Number& number : {longest, N("-9.9999999999999999999999999999999999999E+125"),
                               N("1E-130"), N("18446744073709551615"), N("0")}) {
    EXPECT_THAT(ThereAndBack(number), IsOkAndHolds(number));
  }
  ExpectCorruptValue<Number>("0.1", "has type S, not N");
}

// The codecs of double and float.
template <typename Float>
class FloatCodecTest : public testing::Test {};
using Floats = testing::Types<double, float>;
TYPED_TEST_SUITE(FloatCodecTest, Floats);

TYPED_TEST(FloatCodecTest, FloatsAreStoredAsTheShortestNumber) {
  EXPECT_THAT(Encoded(TypeParam(0.1)), IsOkAndHolds(AttributeValue(N("0.1"))));
  EXPECT_THAT(Encoded(TypeParam(-2)), IsOkAndHolds(AttributeValue(-2)));
  EXPECT_THAT(Decoded<TypeParam>(N("19.90")), IsOkAndHolds(TypeParam(19.9)));
  ExpectCorruptValue<TypeParam>("0.1", "has type S, not N");
}

TYPED_TEST(FloatCodecTest, EveryFloatIsReadAsItWasWritten) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam number :
       {TypeParam(0), TypeParam(1) / 3, -TypeParam(2) / 3, 1 + Limits::epsilon(),
        1 - Limits::epsilon() / 2, TypeParam(16777217), TypeParam(1E30), TypeParam(1E-30)}) {
    EXPECT_THAT(ThereAndBack(number), IsOkAndHolds(number));
  }
  std::mt19937_64 random(test::TestSeed());
  for (int i = 0; i < 10'000; ++i) {
    const auto number = static_cast<TypeParam>(
        std::ldexp(static_cast<double>(random()) - 0x1p63, static_cast<int>(random() % 160) - 120));
    ASSERT_THAT(ThereAndBack(number), IsOkAndHolds(number)) << "seed " << test::TestSeed();
  }
}

TYPED_TEST(FloatCodecTest, InfinityAndNanAreRejected) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_THAT(Encoded(Limits::quiet_NaN()),
              StatusIs(kValidation,
                       "holder: attribute value is nan, which is outside the range of DynamoDB's "
                       "numbers"));
  EXPECT_THAT(Encoded(-Limits::infinity()), StatusIs(kValidation, HasSubstr("is -inf, which")));
}

TEST(CodecTest, NumbersOutsideTheRangeOfAFloatAreRejected) {
  EXPECT_THAT(Encoded(1E+200), StatusIs(kValidation, HasSubstr("is 1e+200, which")));
  EXPECT_THAT(Encoded(std::numeric_limits<float>::max()), IsOk());
  ExpectCorruptValue<float>(N("1E+39"),
                            "is outside the range of a float: 1" + std::string(39, '0'));
  EXPECT_THAT(Decoded<double>(N("9.9999999999999999999999999999999999999E+125")),
              IsOkAndHolds(1E+126));
}

// The number lies just above the middle of two floats. It must not be rounded to a double first,
// because the double is the middle itself, and the middle is rounded down to the even float.
TEST(CodecTest, AFloatIsTheNearestToTheStoredNumber) {
  EXPECT_THAT(Decoded<float>(N("1.0000000596046447753906250000000001")),
              IsOkAndHolds(std::nextafter(1.0F, 2.0F)));
}

TEST(CodecTest, VectorsOfBytesAreStoredAsB) {
  const std::vector<std::byte> bytes = {std::byte{0}, std::byte{255}, std::byte{'#'}};
  EXPECT_THAT(Encoded(bytes), IsOkAndHolds(AttributeValue(B(std::string("\0\xff#", 3)))));
  EXPECT_THAT(ThereAndBack(bytes), IsOkAndHolds(bytes));
  EXPECT_THAT(ThereAndBack(std::vector<std::byte>()), IsOkAndHolds(IsEmpty()));
  ExpectCorruptValue<std::vector<std::byte>>(List{1}, "has type L, not B");
}

TEST(CodecTest, BytesAreStoredAsB) {
  const Binary bytes = B(std::string("\0\xff#", 3));
  EXPECT_THAT(Encoded(bytes), IsOkAndHolds(AttributeValue(bytes)));
  EXPECT_THAT(ThereAndBack(bytes), IsOkAndHolds(bytes));
  EXPECT_THAT(ThereAndBack(Binary()), IsOkAndHolds(Binary()));
  ExpectCorruptValue<Binary>("text", "has type S, not B");
}

TEST(CodecTest, EnumsAreStoredAsTheirSpelling) {
  EXPECT_THAT(Encoded(RoomKind::kDouble), IsOkAndHolds(AttributeValue("double")));
  for (const auto& [kind, text] : Spellings(RoomKind())) {
    EXPECT_THAT(ThereAndBack(kind), IsOkAndHolds(kind)) << text;
  }
}

TEST(CodecTest, EnumsRejectOtherValues) {
  EXPECT_THAT(Encoded(RoomKind{7}),
              StatusIs(kValidation, "holder: attribute value is 7, which Spellings does not list"));
  ExpectCorruptValue<RoomKind>("penthouse", "has the unknown value \"penthouse\"");
  ExpectCorruptValue<RoomKind>("Double", "has the unknown value \"Double\"");
  ExpectCorruptValue<RoomKind>("", "has the unknown value \"\"");
  ExpectCorruptValue<RoomKind>(1, "has type N, not S");
}

TEST(CodecTest, AnAttributeValueIsStoredAsItIs) {
  const AttributeValue list = List{1, "two", nullptr, Map{{"three", true}}};
  EXPECT_THAT(Encoded(list), IsOkAndHolds(list));
  EXPECT_THAT(ThereAndBack(list), IsOkAndHolds(list));
  EXPECT_THAT(ThereAndBack(AttributeValue(nullptr)), IsOkAndHolds(AttributeValue(nullptr)));
}

// A time of day. The type is an example of a member type that a program defines.
struct Minutes {
  int since_midnight = 0;

  friend bool operator==(const Minutes&, const Minutes&) = default;
};

}  // namespace
}  // namespace dolmen::hotel

template <>
struct dolmen::AttributeCodec<dolmen::hotel::Minutes> {
  static constexpr auto kPart = entity::PartKind::kNone;
  static Status Encode(const hotel::Minutes& minutes, AttributeValue* value) {
    if (minutes.since_midnight >= 24 * 60) return Status::Validation("is past midnight");
    *value = minutes.since_midnight;
    return {};
  }
  static Status Decode(AttributeView view, hotel::Minutes* minutes) {
    const auto found = view.AsInt64();
    if (!found) return entity::WrongType(view, AttributeType::kN);
    minutes->since_midnight = static_cast<int>(*found);
    return {};
  }
};

namespace dolmen::hotel {
namespace {

TEST(CodecTest, AProgramMayDefineACodecForItsOwnType) {
  EXPECT_THAT(Encoded(Minutes{90}), IsOkAndHolds(AttributeValue(90)));
  EXPECT_THAT(ThereAndBack(Minutes{90}), IsOkAndHolds(Minutes{90}));
  EXPECT_THAT(Encoded(Minutes{1440}),
              StatusIs(kValidation, "holder: attribute value is past midnight"));
  ExpectCorruptValue<Minutes>("01:30", "has type S, not N");
}

// A type without an AttributeCodec. Only the attribute names a codec.
struct Angle {
  int degrees = 0;

  friend bool operator==(const Angle&, const Angle&) = default;
};
struct DegreesCodec {
  static constexpr auto kPart = entity::PartKind::kInteger;
  static Status Encode(const Angle& angle, AttributeValue* value) {
    return AttributeCodec<int>::Encode(angle.degrees, value);
  }
  static Status Decode(AttributeView view, Angle* angle) {
    return AttributeCodec<int>::Decode(view, &angle->degrees);
  }
};

struct Lamp {
  std::string id = {};
  Angle angle = {};

  friend bool operator==(const Lamp&, const Lamp&) = default;
};
constexpr auto DescribeEntity(const Lamp*) {
  return DefineEntity<Lamp>(
      "lamp",
      {Attribute<&Lamp::id>("id"), Attribute<&Lamp::angle>("angle").Required().As<DegreesCodec>()},
      {PrimaryKey("LAMP#{id}", "ANGLE#{angle:03}")});
}

TEST(CodecTest, AnAttributeMayNameTheCodecOfATypeWithoutOne) {
  const Lamp lamp = {.id = "1", .angle = {.degrees = 90}};
  const Item item = Value(ToItem(lamp));
  EXPECT_EQ(item.at("angle"), AttributeValue(90));
  EXPECT_EQ(item.at("SK"), AttributeValue("ANGLE#090"));
  EXPECT_THAT(Read<Lamp>(item), IsOkAndHolds(lamp));
}

}  // namespace
}  // namespace dolmen::hotel
