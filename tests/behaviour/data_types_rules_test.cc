// Tests of the types of values: which values are stored, how they are returned, which are rejected.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

class DataTypesRulesTest : public RulesTest {
 protected:
  Status PutValue(const AttributeValue& value) const {
    return table().PutItem({.item = With({{"v", value}})}).status();
  }

  // Stores the value and returns the value that is read back.
  AttributeValue Stored(const AttributeValue& value) const {
    PutWith({{"v", value}});
    return Attributes().at("v");
  }

  // Returns the message for an invalid value of the placeholder :v.
  static std::string InValues(const std::string& message) {
    return "ExpressionAttributeValues contains invalid value: " + message + " for key :v";
  }

  // Expects that the value is rejected in an item, in a list, in a map and as an expression's
  // value.
  void CheckRefused(const AttributeValue& value, const std::string& message) const {
    EXPECT_THAT(PutValue(value), IsInvalid(message));
    EXPECT_THAT(PutValue(List{1, value}), IsInvalid(message));
    EXPECT_THAT(PutValue(Map{{"k", Map{{"k", value}}}}), IsInvalid(message));
    EXPECT_THAT(Update("SET v = :v", {{":v", value}}), IsInvalid(InValues(message)));
    EXPECT_THAT(PutIf("v = :v", {{":v", List{value}}}), IsInvalid(InValues(message)));
    EXPECT_EQ(Get(Key()), Item());
  }
};

TEST_F(DataTypesRulesTest, ValuesOfTheTenTypesAreReadBackAsWritten) {
  for (const auto& [type, value] : OfEveryType()) {
    EXPECT_EQ(Stored(value), value);
    EXPECT_EQ(AttributeTypeName(Stored(value).type()), type);
    EXPECT_EQ(Stored(List{value, value}), AttributeValue(List{value, value}));
    EXPECT_EQ(Stored(Map{{type, value}}), AttributeValue(Map{{type, value}}));
  }
  EXPECT_EQ(Stored(false), AttributeValue(false));
  EXPECT_EQ(Stored(B(std::string(1, '\0') + "\xFF")),
            AttributeValue(B(std::string(1, '\0') + "\xFF")));
  EXPECT_EQ(Stored("\U0001F600 é"), AttributeValue("\U0001F600 é"));
}

TEST_F(DataTypesRulesTest, AllButSetsMayBeEmpty) {
  for (const AttributeValue& empty : List{"", B(""), List{}, Map{}}) {
    EXPECT_EQ(Stored(empty), empty);
    EXPECT_EQ(Stored(List{empty}), AttributeValue(List{empty}));
    EXPECT_EQ(Stored(Map{{"k", empty}}), AttributeValue(Map{{"k", empty}}));
  }
  EXPECT_EQ(Stored(StringSet{"", "x"}), AttributeValue(StringSet{"", "x"}));
  EXPECT_EQ(Stored(StringSet{""}), AttributeValue(StringSet{""}));
  EXPECT_EQ(Stored(BinarySet{B("")}), AttributeValue(BinarySet{B("")}));
}

// A set has at least one member.
TEST_F(DataTypesRulesTest, EmptySetsAreRejected) {
  CheckRefused(StringSet{}, kInvalidValue + "An string set  may not be empty");
  CheckRefused(NumberSet{}, kInvalidValue + "An number set  may not be empty");
  CheckRefused(BinarySet{}, kInvalidValue + "Binary sets should not be empty");
}

// A number is returned in its normalized form.
TEST_F(DataTypesRulesTest, NumbersAreReturnedInOneForm) {
  struct Row {
    std::string text, form;
  };
  for (const auto& [text, form] : std::vector<Row>{
           {"0", "0"},
           {"-0", "0"},
           {"0.00", "0"},
           {"0e125", "0"},
           {"0.0e-129", "0"},
           {"1", "1"},
           {"+1", "1"},
           {"1.0", "1"},
           {"10e-1", "1"},
           {"007", "7"},
           {"1e2", "100"},
           {"1E+2", "100"},
           {"1e-003", "0.001"},
           {".5", "0.5"},  // this row and the next are unverified
           {"1.", "1"},
           {"-1.50", "-1.5"},
           {"-0015.789e6", "-15789000"},
           {"1" + std::string(100, '0'), "1" + std::string(100, '0')},
           {"1e-130", "0." + std::string(129, '0') + "1"},
           {"9.99e125", "999" + std::string(123, '0')},
           {std::string(38, '9'), std::string(38, '9')},
           {"0.0" + std::string(38, '9'), "0.0" + std::string(38, '9')},
           {"0." + std::string(1000, '0') + "1e1000", "0.1"},
       }) {
    const Result<Number> number = Number::Parse(text);
    ASSERT_THAT(number, IsOk()) << text;
    PutWith({{"n", *number}, {"l", List{*number}}, {"ns", NumberSet{*number}}});
    const auto got = table().GetItem({.key = Key()});
    ASSERT_THAT(got, IsOk());
    const ItemView item = got->item->view();
    EXPECT_EQ(item["n"].ToString(), form);
    EXPECT_EQ(item["l"].ToString(), "[" + form + "]");
    EXPECT_EQ(item["ns"].ToString(), "<<" + form + ">>");
  }
}

// Text that is not a decimal number is rejected.
TEST_F(DataTypesRulesTest, TextThatIsNotANumberIsRejected) {
  const std::string message = "The parameter cannot be converted to a numeric value";
  EXPECT_THAT(Number::Parse(""), IsInvalid(message));
  for (const std::string text :
       {" ",   " 1",       "1 ",        "1 2",   "-",   "+",    ".",     "e5",
        "1e",  "1e+",      "1.2.3",     "--1",   "+-1", "0x10", "1_000", "1,000",
        "NaN", "Infinity", "-Infinity", "1e5.5", "one", "١"}) {
    EXPECT_THAT(Number::Parse(text), IsInvalid(message + ": " + text));
  }
}

// A number has at most 38 significant digits and, unless it is 0, a magnitude between 1E-130 and
// 9.99...E125.
TEST_F(DataTypesRulesTest, NumbersOutsideTheRangeOrWithMoreThan38DigitsAreRejected) {
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  const std::string digits = "Attempting to store more than 38 significant digits in a Number";
  for (const std::string sign : {"", "-"}) {
    for (const std::string text :
         {"1e-130", "9.9999999999999999999999999999999999999e125", "99e124", "0.1e-129",
          "12345678901234567890123456789012345678", "100000000000000000000000000000000000000000",
          "0.00012345678901234567890123456789012345678"}) {
      EXPECT_THAT(Number::Parse(sign + text), IsOk()) << text;
    }
    for (const std::string text : {"1e126", "10e125", "0.1e127", "1e999999999999999999", "0e126"}) {
      EXPECT_THAT(Number::Parse(sign + text), IsInvalid(overflow)) << text;
    }
    for (const std::string text : {"1e-131", "0.9e-130", "1e-999999999999999999", "0.0e-130"}) {
      EXPECT_THAT(Number::Parse(sign + text), IsInvalid(underflow)) << text;
    }
    for (const std::string text :
         {"123456789012345678901234567890123456789", "1.23456789012345678901234567890123456789",
          "10000000000000000000000000000000000000.1"}) {
      EXPECT_THAT(Number::Parse(sign + text), IsInvalid(digits)) << text;
    }
  }
}

// Sets and keys compare numbers by value.
TEST_F(DataTypesRulesTest, NumbersAreEqualInAnySpelling) {
  EXPECT_EQ(Stored(NumberSet{1, N("1.0"), N("10e-1"), 2}), AttributeValue(NumberSet{1, 2}));
  const auto numbered = database().CreateTable(
      {.name = "numbered", .partition_key = {"PK", AttributeType::kN}, .sort_key = std::nullopt});
  ASSERT_THAT(numbered, IsOk());
  EXPECT_THAT(numbered->PutItem({.item = {{"PK", N("1.0")}, {"v", 1}}}), IsOk());
  EXPECT_THAT(numbered->PutItem({.item = {{"PK", N("10e-1")}, {"v", 2}}}), IsOk());
  const auto got = numbered->GetItem({.key = {{"PK", 1}}});
  ASSERT_THAT(got, IsOk());
  EXPECT_THAT(got->item->Copy(), IsOkAndHolds(Item{{"PK", 1}, {"v", 2}}));
}

TEST_F(DataTypesRulesTest, SetsHaveNoOrder) {
  EXPECT_EQ(Stored(StringSet{"b", "a", "c"}), AttributeValue(StringSet{"c", "b", "a"}));
  EXPECT_EQ(Stored(NumberSet{10, 9, -1}), AttributeValue(NumberSet{-1, 9, 10}));
}

// A value within 31 lists or maps is on level 32. It is unverified that DynamoDB counts the
// innermost value as a level.
TEST_F(DataTypesRulesTest, ValuesAreNestedAtMost32Levels) {
  const std::string message =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
      "beyond supported limit";
  EXPECT_EQ(Stored(Nested(31)), Nested(31));
  EXPECT_EQ(Stored(Map{{"k", Nested(30)}}), AttributeValue(Map{{"k", Nested(30)}}));
  EXPECT_THAT(Update("SET v = :v", {{":v", Nested(31)}}), IsOk());
  EXPECT_THAT(table().DeleteItem({.key = Key()}), IsOk());
  EXPECT_THAT(PutValue(Nested(32)), IsInvalid(message));
  EXPECT_THAT(PutValue(Map{{"k", Nested(31)}}), IsInvalid(message));
  EXPECT_THAT(PutValue(List{Map{{"k", Nested(30)}}}), IsInvalid(message));
  EXPECT_THAT(Update("SET v = :v", {{":v", Nested(32)}}), IsInvalid(InValues(message)));
  EXPECT_EQ(Get(Key()), Item());
}

// It is unverified that DynamoDB returns these messages for an invalid attribute name.
TEST_F(DataTypesRulesTest, AttributeNamesMayBeAnyTextOf1To65535Bytes) {
  for (const std::string name :
       {"with space", "a.b", "a[0]", "#a", ":a", "é", "\U0001F600", "'\"", "SET", "status", "\n"}) {
    PutWith({{name, 1}, {"m", Map{{name, 2}}}});
    EXPECT_EQ(Attributes(), (Map{{name, 1}, {"m", Map{{name, 2}}}})) << name;
  }
  PutWith({{"case", 1}, {"Case", 2}, {"CASE", 3}});
  EXPECT_EQ(Attributes(), (Map{{"case", 1}, {"Case", 2}, {"CASE", 3}}));
  PutWith({{"m", Map{{"", 1}}}});  // only a top-level name must not be empty
  PutWith({{std::string(65'535, 'x'), 1}});
  EXPECT_THAT(table().PutItem({.item = With({{std::string(65'536, 'x'), 1}})}),
              IsInvalid("Attribute name is too large, must be at most 65535 bytes"));
  EXPECT_THAT(table().PutItem({.item = With({{"", 1}})}), IsInvalid("Empty attribute name"));
  EXPECT_EQ(Attributes().size(), 1u);
}

}  // namespace
}  // namespace dolmen::behaviour
