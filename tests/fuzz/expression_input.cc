#include "tests/fuzz/expression_input.h"

#include <iterator>
#include <utility>

#include "engine/expression/syntax/lexer.h"
#include "engine/value/codec.h"
#include "tests/fuzz/require.h"

namespace dolmen::fuzz {
namespace {

// The 64 words, each selected by its position. The corpus depends on the positions: replace words,
// but do not move them.
constexpr std::string_view kWords[] = {
    "a",
    "b",
    "l",
    "m",
    "s",
    "SS",
    "NS",
    "q",
    "#b",
    "#a",
    "#d",
    "c",
    "PK",
    "SK",
    "N",
    "B",
    ":n",
    ":n1",
    ":n9",
    ":s",
    ":s1",
    ":s3",
    ":b",
    ":l1",
    ":m1",
    ":S1",
    ":N1",
    ":B",
    ":z",
    ":t",
    ":u",
    "t",
    " = ",
    " <> ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    "(",
    ")",
    "[0]",
    "[1]",
    "[2]",
    ".",
    ", ",
    " + ",
    " - ",
    " AND ",
    " OR ",
    " NOT ",
    " IN ",
    " BETWEEN ",
    " SET ",
    " REMOVE ",
    " ADD ",
    " DELETE ",
    "size(",
    "BS",
    "contains(",
    "begins_with(",
    "attribute_exists(",
    "attribute_type(",
    "if_not_exists(",
    "list_append(",
};

Item RichItem() {
  return {{"PK", "USER#1"},
          {"SK", "PROFILE"},
          {"a", 1},
          {"b", Map{{"a", 1}, {"b", List{1, Map{{"c", "deep"}}, "x"}}, {"c", StringSet{"x"}}}},
          {"B", Binary{std::string("\0\xFFx", 3)}},
          {"BS", BinarySet{Binary{"x"}, Binary{"y"}}},
          {"d.e", "with a point"},
          {"f", false},
          {"l", List{1, "x", List{2, List{3}}, Map{{"a", "x"}}, nullptr}},
          {"N", *Number::Parse("12345678901234567890.12345678901234567")},
          {"NS", NumberSet{1, 2, 3}},
          {"s", "some text"},
          {"status", "reserved"},
          {"SS", StringSet{"x", "y", "z"}},
          {"t", true},
          {"z", nullptr}};
}

// Returns the value for a placeholder. The placeholder's letter selects the type. A digit after the
// letter selects a value of this type.
AttributeValue ValueOf(std::string_view token) {
  const int variant = token.size() > 2 ? token[2] - '0' : 0;
  switch (token[1]) {
    case 'n':
      return variant == 9 ? AttributeValue(*Number::Parse("9e125")) : AttributeValue(variant);
    case 's':
      return variant == 0 ? "" : variant == 1 ? "x" : variant == 2 ? "some" : "SS";
    case 'b':
      return Binary{std::string("\0\xFF", variant == 0 ? 2 : 1)};
    case 't':
      return variant == 0;
    case 'l':
      return variant == 0 ? List{} : List{variant, "x", List{variant}};
    case 'm':
      return variant == 0 ? Map{} : Map{{"a", variant}, {"b", List{Map{{"c", "deep"}}}}};
    case 'S':
      return variant == 0 ? StringSet{"x"} : StringSet{"x", "y", "z"};
    case 'N':
      return variant == 0 ? NumberSet{1} : NumberSet{1, 2, 3};
    case 'B':
      return BinarySet{Binary{"x"}};
    default:
      return nullptr;
  }
}

}  // namespace

std::string Spell(std::string_view input) {
  static_assert(std::size(kWords) == 64);
  std::string text;
  for (const char c : input) text += kWords[static_cast<unsigned char>(c) % std::size(kWords)];
  return text;
}

Request RequestOf(std::string_view text) {
  Request request;
  for (const engine::Token& token : engine::Tokenize(text)) {
    const std::string_view name = token.text;
    if (name.size() < 2 || name[1] == 'u') continue;
    if (token.kind == engine::TokenKind::kNamePlaceholder) {
      request.names.emplace(std::string(name), name == "#d" ? "d.e" : std::string(name.substr(1)));
    } else if (token.kind == engine::TokenKind::kValuePlaceholder) {
      request.values.emplace(std::string(name), ValueOf(name));
    }
  }
  return request;
}

const Item& TheItem() {
  static const Item item = RichItem();
  return item;
}

const StoredItem& TheStoredItem() {
  static const StoredItem item = [] {
    std::string bytes;
    Require(engine::EncodeItem(TheItem(), &bytes).ok(), "the item can be stored");
    return *StoredItem::FromBytes(std::move(bytes));
  }();
  return item;
}

}  // namespace dolmen::fuzz
