// Tests that JSON texts are escaped wherever the character is, for the writer handles 16 characters at a
// time.

#include "wire/json_writer.h"

#include <gmock/gmock.h>

#include <string>

#include "dolmen/attribute_value.h"

namespace dolmen::wire {
namespace {

std::string StringOf(const std::string& text) {
  std::string out;
  JsonWriter(&out).String(text);
  return out;
}

// A text of this size in which no character needs an escape. Its bytes are of all other kinds.
std::string Plain(std::size_t size) {
  constexpr std::string_view kKinds = " !#[]~\x7f\x80\xff";
  std::string text;
  while (text.size() < size) text += kKinds[text.size() % kKinds.size()];
  return text;
}

TEST(JsonWriterTest, ATextWithoutEscapesIsCopied) {
  for (std::size_t size = 0; size < 50; ++size) {
    EXPECT_EQ(StringOf(Plain(size)), '"' + Plain(size) + '"');
  }
}

TEST(JsonWriterTest, AnEscapeIsFoundAtEachPlaceOfATextOfEachSize) {
  for (std::size_t size = 1; size < 50; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      std::string text = Plain(size);
      text[place] = '"';
      std::string escaped = text;
      escaped.insert(place, 1, '\\');
      EXPECT_EQ(StringOf(text), '"' + escaped + '"') << size << ", " << place;
    }
  }
}

TEST(JsonWriterTest, EachCharacterBelowASpaceIsEscaped) {
  for (const std::string& around : {std::string(), std::string(20, 'x')}) {
    for (char c = 0; c < ' '; ++c) {
      const std::string written = StringOf(around + c + around);
      EXPECT_EQ(written.find(c), std::string::npos) << int{c};
      EXPECT_EQ(written.find('\\'), around.size() + 1) << int{c};
    }
  }
  EXPECT_EQ(StringOf("\b\f\n\r\t\\\"\x01\x1f"), R"("\b\f\n\r\t\\\"\u0001\u001f")");
}

TEST(JsonWriterTest, AnItemHasItsNamesAndTextsEscaped) {
  const Item item = {{"a\"name", "plain"}, {"plain", "a\ntext"}, {"z", "plain"}};
  std::string out;
  JsonWriter(&out).ItemAttributes(item);
  EXPECT_EQ(out, R"({"a\"name":{"S":"plain"},"plain":{"S":"a\ntext"},"z":{"S":"plain"}})");
}

}  // namespace
}  // namespace dolmen::wire
