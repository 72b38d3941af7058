// Tests of how each type of member is stored, and of the errors for values that a type cannot have.

#include <dolmen/entity.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "tests/entity/fixture.h"
#include "tests/entity/holder.h"

namespace dolmen::hotel {
namespace {

using std::chrono::milliseconds;
using test::B;

template <typename V>
void ExpectCorruptValue(const AttributeValue& stored, const std::string& problem) {
  EXPECT_THAT(Decoded<V>(stored),
              StatusIs(kCorruption, "holder \"HOLDER#1\": attribute value " + problem));
}

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
                                std::int32_t, std::uint32_t, std::int64_t>;
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

// A time is stored as text, always with milliseconds. Therefore the texts sort in the order of the
// times.
TEST(CodecTest, TimesAreStoredAsIso8601WithMilliseconds) {
  EXPECT_THAT(Encoded(Time("2026-04-15T10:30:00Z")),
              IsOkAndHolds(AttributeValue("2026-04-15T10:30:00.000Z")));
  EXPECT_THAT(Encoded(Time("2026-04-15T10:30:00.250Z")),
              IsOkAndHolds(AttributeValue("2026-04-15T10:30:00.250Z")));
  EXPECT_THAT(Encoded(Timestamp()), IsOkAndHolds(AttributeValue("1970-01-01T00:00:00.000Z")));
}

TEST(CodecTest, TimesWithoutMillisecondsAreRead) {
  EXPECT_THAT(Decoded<Timestamp>("2026-04-15T10:30:00Z"),
              IsOkAndHolds(Time("2026-04-15T10:30:00.000Z")));
  ExpectCorruptValue<Timestamp>("yesterday", "is not a time: \"yesterday\"");
  ExpectCorruptValue<Timestamp>("2026-02-30T10:30:00Z", "is not a time: \"2026-02-30T10:30:00Z\"");
  ExpectCorruptValue<Timestamp>(1776249000, "has type N, not S");
}

TEST(CodecTest, TimesOutsideTheYears0To9999AreRejected) {
  const Timestamp first = Time("0000-01-01T00:00:00.000Z");
  const Timestamp last = Time("9999-12-31T23:59:59.999Z");
  EXPECT_THAT(ThereAndBack(first), IsOkAndHolds(first));
  EXPECT_THAT(ThereAndBack(last), IsOkAndHolds(last));
  for (const Timestamp past :
       {first - milliseconds(1), last + milliseconds(1), Timestamp::min(), Timestamp::max()}) {
    EXPECT_THAT(Encoded(past), StatusIs(kValidation,
                                        "holder: attribute value is a time outside the "
                                        "years 0 to 9999"));
  }
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

struct Session {
  std::string id = {};
  std::optional<Timestamp> ends_at = {};

  friend bool operator==(const Session&, const Session&) = default;
};
constexpr auto DescribeEntity(const Session*) {
  return DefineEntity<Session>(
      "session",
      {Attribute<&Session::id>("id"), Attribute<&Session::ends_at>("endsAt").AsEpochSeconds()},
      {PrimaryKey("SESSION#{id}")});
}

Result<Session> SessionOf(const AttributeValue& ends_at) {
  return Read<Session>(
      {{"PK", "SESSION#1"}, {"entityType", "session"}, {"id", "1"}, {"endsAt", ends_at}});
}

// Seconds are rounded up, so that an item does not expire before its time.
TEST(CodecTest, TimesMayBeStoredAsSecondsRoundedUp) {
  const auto seconds = [](Timestamp time) {
    return Value(ToItem(Session{.id = "1", .ends_at = time})).at("endsAt");
  };
  EXPECT_EQ(seconds(Time("2026-04-15T10:30:00Z")), AttributeValue(1776249000));
  EXPECT_EQ(seconds(Time("2026-04-15T10:30:00.001Z")), AttributeValue(1776249001));
  EXPECT_EQ(seconds(Time("1969-12-31T23:59:58.500Z")), AttributeValue(-1));
  EXPECT_THAT(SessionOf(1776249000),
              IsOkAndHolds(Session{.id = "1", .ends_at = Time("2026-04-15T10:30:00Z")}));
}

TEST(CodecTest, SecondsThatATimeCannotHoldAreCorruption) {
  for (const AttributeValue& wrong :
       {AttributeValue(N("1.5")), AttributeValue(std::numeric_limits<std::int64_t>::max())}) {
    EXPECT_THAT(SessionOf(wrong),
                StatusIs(kCorruption, Says("session", "endsAt", "is not a whole number")));
  }
  EXPECT_THAT(SessionOf("2026-04-15T10:30:00Z"),
              StatusIs(kCorruption, Says("session", "endsAt", "has type S, not N")));
}

}  // namespace
}  // namespace dolmen::hotel
