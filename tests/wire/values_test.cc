// Tests of attribute values in DynamoDB's JSON: accepted values, the form in which they are
// returned, and the message for each invalid value.

#include <gtest/gtest.h>

#include <string>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

class WireValuesTest : public WireItemTest {
 protected:
  static std::string PutOf(std::string_view value) {
    return R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":"s"},"a":)" + std::string(value) +
           "}}";
  }
  // Writes the value and returns the text in which GetItem returns it.
  std::string RoundTrip(std::string_view value) {
    Body("PutItem", PutOf(value));
    const std::string got = Get("p", "s");
    const std::size_t start = got.find(R"("a":)") + 4;
    return got.substr(start, got.size() - start - 2);
  }
  void ExpectKept(std::string_view value) { EXPECT_EQ(RoundTrip(value), value); }
  void ExpectRefused(std::string_view value, std::string_view message) {
    ExpectCounted("PutItem", PutOf(value), message);
  }
};

TEST_F(WireValuesTest, EveryTypeIsReturnedAsItWasSent) {
  ExpectKept(R"({"S":"text"})");
  ExpectKept(R"({"S":""})");
  ExpectKept(R"({"N":"12"})");
  ExpectKept(R"({"B":"AAEC/w=="})");
  ExpectKept(R"({"B":""})");
  ExpectKept(R"({"BOOL":true})");
  ExpectKept(R"({"BOOL":false})");
  ExpectKept(R"({"NULL":true})");
  ExpectKept(R"({"M":{"x":{"N":"1"},"y":{"M":{}}}})");
  ExpectKept(R"({"L":[{"S":"a"},{"N":"2"},{"L":[]}]})");
  ExpectKept(R"({"SS":["a","b"]})");
  ExpectKept(R"({"NS":["1","2"]})");
  ExpectKept(R"({"BS":["AA==","AAE="]})");
}

TEST_F(WireValuesTest, NumbersAreReturnedInNormalForm) {
  EXPECT_EQ(RoundTrip(R"({"N":"-0015.789e6"})"), R"({"N":"-15789000"})");
  EXPECT_EQ(RoundTrip(R"({"N":"1e-130"})"), R"({"N":"0.)" + std::string(129, '0') + R"(1"})");
  EXPECT_EQ(RoundTrip(R"({"N":"-0.00"})"), R"({"N":"0"})");
  EXPECT_EQ(RoundTrip(R"({"NS":["1.50","+2"]})"), R"({"NS":["1.5","2"]})");
  ExpectKept(R"({"N":"12345678901234567890123456789012345678"})");
}

TEST_F(WireValuesTest, TextIsEscapedAsJsonRequires) {
  ExpectKept(R"({"S":"\"\\\b\f\n\r\t\u0001\u001f"})");
  EXPECT_EQ(RoundTrip(R"({"S":"\u00e4\ud83d\ude00\/"})"), "{\"S\":\"ä😀/\"}");
  // The JSON writer scans text in groups of eight characters. These lengths put the quote that it
  // must escape at every position of a group.
  for (int length = 0; length < 20; ++length) {
    ExpectKept(R"({"S":")" + std::string(static_cast<std::size_t>(length), 'x') + R"(\"y"})");
  }
}

TEST_F(WireValuesTest, NamesOfAttributesAreEscapedToo) {
  ExpectKept(R"({"M":{"a\"b\\c":{"S":"x"}}})");
}

TEST_F(WireValuesTest, AValueHasExactlyOneType) {
  for (const std::string_view value : {"{}", R"({"X":"a"})", R"({"S":null})"}) {
    ExpectInvalid(
        "PutItem", PutOf(value),
        "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  ExpectInvalid("PutItem", PutOf(R"({"S":"a","N":"1"})"),
                "Supplied AttributeValue has more than one datatypes set, must contain exactly one "
                "of the supported datatypes");
}

TEST_F(WireValuesTest, AnInvalidValueIsReportedBeforeASecondType) {
  ExpectRefused(R"({"S":"a","N":"x"})", "The parameter cannot be converted to a numeric value: x");
}

TEST_F(WireValuesTest, TheLastDuplicateMemberOfAMapCounts) {
  EXPECT_EQ(RoundTrip(R"({"M":{"x":{"S":"1"},"y":{"S":"2"},"x":{"S":"3"}}})"),
            R"({"M":{"x":{"S":"3"},"y":{"S":"2"}}})");
}

TEST_F(WireValuesTest, WrongJsonTypesAreReportedInJavasWords) {
  const auto refused = [&](std::string_view value, std::string_view message) {
    ExpectUnserializable("PutItem", PutOf(value), message);
  };
  refused(R"({"S":1})", "NUMBER_VALUE cannot be converted to String");
  refused(R"({"S":1.5})", "DECIMAL_VALUE cannot be converted to String");
  refused(R"({"N":1})", "NUMBER_VALUE cannot be converted to String");
  refused(R"({"S":true})", "TRUE_VALUE cannot be converted to String");
  refused(R"({"S":false})", "FALSE_VALUE cannot be converted to String");
  refused(R"({"S":["a"]})", "Unrecognized collection type class java.lang.String");
  refused(R"({"S":{"a":1}})", "Start of structure or map found where not expected");
  refused(R"({"BOOL":"maybe"})", "Unexpected token received from parser");
  refused(R"({"B":1})", "only base-64-encoded strings are convertible to bytes");
  refused(R"({"B":"abcde"})",
          "Base64 encoded length is expected a multiple of 4 bytes but found: 5");
  refused(R"({"B":"ab=="})", "Invalid last non-pad Base64 character dectected");
  refused(R"({"SS":"a"})", "Unexpected field type");
  refused(R"({"L":{"a":1}})", "Start of structure or map found where not expected");
  refused(R"({"M":["a"]})",
          "Unrecognized collection type java.util.Map<java.lang.String, "
          "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  refused(R"("text")", "Unexpected value type in payload");
  refused(R"(["text"])",
          "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
}

TEST_F(WireValuesTest, BooleansCanBeWrittenAsTexts) {
  EXPECT_EQ(RoundTrip(R"({"BOOL":"TRUE"})"), R"({"BOOL":true})");
  EXPECT_EQ(RoundTrip(R"({"BOOL":"0"})"), R"({"BOOL":false})");
}

// Elsewhere a null means an absent value. In a set, a null is an error, with the same message as
// for a null in a list.
TEST_F(WireValuesTest, NullMembersOfSetsAreRejected) {
  const auto message = [](std::string_view where) {
    return "Value null at '" + std::string(where) +
           ".member' failed to satisfy constraint: Member must not be null";
  };
  ExpectRefused(R"({"SS":[null]})", message("sS.1"));
  ExpectRefused(R"({"NS":["1",null]})", message("nS.2"));
  ExpectRefused(R"({"BS":["AA==","AQ==",null]})", message("bS.3"));
  ExpectRefused(R"({"L":[{"M":{"a":{"SS":["a",null]}}}]})", message("sS.2"));
}

TEST_F(WireValuesTest, AnInvalidBase64CharacterIsShownWhole) {
  for (const std::string_view character : {"é", "€", "😀"}) {
    std::string text(character);
    text.insert(0, 4 - text.size(), 'a');
    ExpectUnserializable("PutItem", PutOf(R"({"B":")" + text + "\"}"),
                         "Invalid Base64 character: '" + std::string(character) + "'");
    ExpectUnserializable("PutItem", PutOf(R"({"BS":["AA==",")" + text + "\"]}"),
                         "Invalid Base64 character: '" + std::string(character) + "'");
  }
  ExpectUnserializable("PutItem", PutOf(R"({"B":"éab"})"), "Invalid Base64 character: 'é'");
}

}  // namespace
}  // namespace dolmen
