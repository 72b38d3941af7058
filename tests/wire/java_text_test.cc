// Tests of values in Java's format, as DynamoDB's messages print them.

#include "wire/java_text.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <string_view>

#include "wire/table_json.h"

namespace dolmen {
namespace {

std::string InJava(std::string_view json, const wire::Shape& shape) {
  simdjson::dom::parser parser;
  wire::Json parsed;
  EXPECT_EQ(parser.parse(json.data(), json.size()).get(parsed), simdjson::SUCCESS) << json;
  return wire::JavaText(parsed, shape);
}

TEST(JavaTextTest, AStructureHasItsClassAndItsMembersInLowerCase) {
  EXPECT_EQ(
      InJava(R"({"AttributeName":"id","KeyType":"HASH"})", wire::kMembers<wire::KeySchemaElement>),
      "KeySchemaElement(attributeName=id, keyType=HASH)");
  EXPECT_EQ(InJava("{}", wire::kMembers<wire::KeySchemaElement>), "KeySchemaElement()");
}

TEST(JavaTextTest, AMapKeepsItsKeysAndAListItsOrder) {
  EXPECT_EQ(InJava(R"({"Id":{"S":"a"},"n":{"N":"1"}})", wire::kAttributeMapShape),
            "{Id=AttributeValue(s=a), n=AttributeValue(n=1)}");
  EXPECT_EQ(
      InJava(R"([{"AttributeName":"b"},{"AttributeName":"a"}])", wire::kAttributeDefinitionsShape),
      "[AttributeDefinition(attributeName=b), AttributeDefinition(attributeName=a)]");
  EXPECT_EQ(InJava("[]", wire::kAttributeDefinitionsShape), "[]");
}

TEST(JavaTextTest, ScalarsAreWrittenWithoutQuotes) {
  EXPECT_EQ(InJava(R"(["a","",true,false,null,-7])", wire::kAttributeDefinitionsShape),
            "[a, , true, false, null, -7]");
}

TEST(JavaTextTest, MapsInValuesAreMapsOfValues) {
  EXPECT_EQ(InJava(R"({"M":{"Key":{"SS":["x","y"]}}})", wire::kAttributeValueShape),
            "AttributeValue(m={Key=AttributeValue(sS=[x, y])})");
}

TEST(JavaTextTest, ALongTextEndsAtAWholeCharacter) {
  for (const std::string_view character : {"x", "é", "€", "😀"}) {
    std::string text = "1";
    while (text.size() < 2 * wire::kShownMax) text += character;
    const std::string shown = InJava("\"" + text + "\"", wire::kString);
    EXPECT_EQ(shown, text.substr(0, shown.size()));
    EXPECT_LE(shown.size(), wire::kShownMax);
    EXPECT_GT(shown.size() + character.size(), wire::kShownMax);
    EXPECT_EQ((shown.size() - 1) % character.size(), 0U);
  }
}

TEST(JavaTextTest, ATextOfTheFullLengthIsWhole) {
  const std::string text(wire::kShownMax, 'x');
  EXPECT_EQ(InJava("\"" + text + "\"", wire::kString), text);
}

TEST(JavaTextTest, ATextThatFillsTheLimitIsTheLast) {
  const std::string text(wire::kShownMax, 'x');
  const std::string shown = InJava("[\"" + text + R"(","y"])", wire::kAttributeDefinitionsShape);
  EXPECT_EQ(shown, "[" + text.substr(1));
}

TEST(JavaTextTest, LowerFirstChangesTheFirstLetterOnly) {
  EXPECT_EQ(wire::LowerFirst("TableName"), "tableName");
  EXPECT_EQ(wire::LowerFirst("SS"), "sS");
  EXPECT_EQ(wire::LowerFirst("name"), "name");
  EXPECT_EQ(wire::LowerFirst(""), "");
  EXPECT_EQ(wire::LowerFirst("Ä"), "Ä");
}

}  // namespace
}  // namespace dolmen
