#include "wire/json_text.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/wire/fixture.h"

namespace dolmen::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> PartTexts(std::string_view json) {
  std::vector<std::string> texts;
  for (const JsonPart& part : JsonParts(json)) {
    texts.push_back(std::string(part.name) + "=" + std::string(part.value));
  }
  return texts;
}

TEST(JsonTextTest, AnObjectAndAnArrayHaveParts) {
  EXPECT_THAT(PartTexts(R"({ "a" : 1.50 , "b":[1,{"c":"}]"}],"d\"":"x" } rest)"),
              ElementsAre("a=1.50", R"(b=[1,{"c":"}]"}])", R"(d\"="x")"));
  EXPECT_THAT(PartTexts(R"([ "a", {} ,null])"), ElementsAre(R"(="a")", "={}", "=null"));
  EXPECT_THAT(PartTexts("{}"), IsEmpty());
}

TEST(JsonTextTest, ATextThatEndsHasThePartsBeforeItsEnd) {
  const std::string whole = R"({"a":[1,"x\"y"],"b":{"c":2}})";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string_view text = std::string_view(whole).substr(0, size);
    EXPECT_LE(JsonParts(text).size(), 2) << text;
    EXPECT_TRUE(text.starts_with(FirstValue(text)));
  }
}

TEST(JsonTextTest, NumbersAreReplacedOutsideStrings) {
  const auto mark = [](std::string_view number) { return "<" + std::string(number) + ">"; };
  EXPECT_EQ(ReplaceNumbers(R"({"1":-0.5e+3,"a\"2":[12,"3"],"b":1.,"c":01})", mark),
            R"({"1":<-0.5e+3>,"a\"2":[<12>,"3"],"b":1.,"c":01})");
}

TEST(JsonTextTest, HalfOfASurrogatePairIsFoundWithItsPlace) {
  const struct {
    const char* json;
    const char* says;  // "": all pairs are whole
  } cases[] = {
      {R"({"a":"\ud83d\ude00 \\ud83d \u00e4"})", ""},
      {R"("ab\ud83d")", R"(a string has half of a surrogate pair, \ud83d)"},
      {R"({"Items":[{},{"n":{"S":"x\uD83Dy"}}]})",
       R"(a string has half of a surrogate pair, \uD83D, at Items[1].n.S)"},
      {R"( {"a":1,"b":["\ude00"]})", R"(a string has half of a surrogate pair, \ude00, at b[0])"},
      {R"({"a":"\ud83d\ud83d\ude00"})", R"(a string has half of a surrogate pair, \ud83d, at a)"},
      {R"({"a":"\\\ud83d"})", R"(a string has half of a surrogate pair, \ud83d, at a)"},
  };
  for (const auto& [json, says] : cases) {
    const auto half = FindHalfSurrogate(json);
    EXPECT_EQ(half ? Describe(*half) : "", says) << json;
    EXPECT_FALSE(FindHalfSurrogate(WithoutHalfSurrogates(json))) << json;
  }
}

class HalfSurrogateTest : public WireTest {};

TEST_F(HalfSurrogateTest, TheErrorOfARequestNamesItsPlace) {
  ExpectUnserializable("PutItem", R"({"TableName":"t","Item":{"id":{"S":"ab\ud83d"}}})",
                       R"(The request is not JSON: a string has half of a surrogate pair, \ud83d,)"
                       " at Item.id.S");
}

}  // namespace
}  // namespace dolmen::wire
