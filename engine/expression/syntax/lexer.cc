#include "engine/expression/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "engine/value/utf8.h"

namespace dolmen::engine {
namespace {

constexpr bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::array<bool, 256> kIsWordCharacter = [] {
  std::array<bool, 256> table{};
  for (int i = 0; i < 256; ++i) {
    const char c = static_cast<char>(i);
    table[static_cast<std::size_t>(i)] = IsLetter(c) || IsDigit(c) || c == '_';
  }
  return table;
}();

constexpr std::array<std::pair<std::string_view, Keyword>, 9> kKeywords = {{
    {"AND", Keyword::kAnd},
    {"OR", Keyword::kOr},
    {"NOT", Keyword::kNot},
    {"BETWEEN", Keyword::kBetween},
    {"IN", Keyword::kIn},
    {"SET", Keyword::kSet},
    {"REMOVE", Keyword::kRemove},
    {"ADD", Keyword::kAdd},
    {"DELETE", Keyword::kDelete},
}};
constexpr std::size_t kKeywordBytesMax = 7;

Keyword FindKeyword(std::string_view name) {
  if (name.size() > kKeywordBytesMax) return Keyword::kNone;
  const auto equal = [](char keyword, char c) {
    return keyword == c || (c >= 'a' && c <= 'z' && keyword == c - 'a' + 'A');
  };
  for (const auto& [keyword, value] : kKeywords) {
    if (std::equal(keyword.begin(), keyword.end(), name.begin(), name.end(), equal)) return value;
  }
  return Keyword::kNone;
}

// Returns the number of bytes of the first character of `text`, or 0 if `text` does not begin with
// a UTF-8 character.
std::size_t CharacterBytes(std::string_view text) {
  constexpr std::size_t kCharacterBytesMax = 4;
  for (std::size_t size = 1; size <= std::min(text.size(), kCharacterBytesMax); ++size) {
    if (IsUtf8(text.substr(0, size))) return size;
  }
  return 0;
}

// Returns the number of bytes from `start` that match [A-Za-z0-9_]*.
std::size_t WordBytes(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && kIsWordCharacter[static_cast<unsigned char>(text[end])]) ++end;
  return end - start;
}

TokenKind PunctuationKind(char c) {
  switch (c) {
    case '=':
      return TokenKind::kEqual;
    case '<':
      return TokenKind::kLess;
    case '>':
      return TokenKind::kGreater;
    case '(':
      return TokenKind::kLeftParenthesis;
    case ')':
      return TokenKind::kRightParenthesis;
    case '[':
      return TokenKind::kLeftBracket;
    case ']':
      return TokenKind::kRightBracket;
    case ',':
      return TokenKind::kComma;
    case '.':
      return TokenKind::kDot;
    case '+':
      return TokenKind::kPlus;
    case '-':
      return TokenKind::kMinus;
    default:
      return TokenKind::kUnknown;
  }
}

Token PunctuationAt(std::string_view rest) {
  const std::string_view two = rest.substr(0, 2);
  if (two == "<>") return {TokenKind::kNotEqual, Keyword::kNone, two};
  if (two == "<=") return {TokenKind::kLessOrEqual, Keyword::kNone, two};
  if (two == ">=") return {TokenKind::kGreaterOrEqual, Keyword::kNone, two};
  const TokenKind kind = PunctuationKind(rest.front());
  std::size_t size = 1;
  if (kind == TokenKind::kUnknown) size = std::max(size, CharacterBytes(rest));
  return {kind, Keyword::kNone, rest.substr(0, size)};
}

// Returns the token at the start of `rest`.
// REQUIRES: `rest` is not empty and does not begin with white space.
Token TokenAt(std::string_view rest) {
  const char first = rest.front();
  if (IsLetter(first)) {
    const std::string_view name = rest.substr(0, WordBytes(rest, 0));
    return {TokenKind::kName, FindKeyword(name), name};
  }
  if (first == '#' || first == ':') {
    const std::size_t size = WordBytes(rest, 1);
    const TokenKind kind =
        first == '#' ? TokenKind::kNamePlaceholder : TokenKind::kValuePlaceholder;
    return {size == 0 ? TokenKind::kUnknown : kind, Keyword::kNone, rest.substr(0, 1 + size)};
  }
  if (IsDigit(first)) {
    // A number must not have leading zeros, so a 0 at the start of a number is a complete token.
    const auto end = std::find_if_not(rest.begin(), rest.end(), IsDigit);
    const auto size = first == '0' ? 1 : static_cast<std::size_t>(end - rest.begin());
    return {TokenKind::kNumber, Keyword::kNone, rest.substr(0, size)};
  }
  return PunctuationAt(rest);
}

}  // namespace

Tokens Tokenize(std::string_view text) {
  Tokens tokens;
  std::size_t position = 0;
  while (true) {
    while (position < text.size() && IsSpace(text[position])) ++position;
    if (position == text.size()) break;
    tokens.push_back(TokenAt(text.substr(position)));
    position += tokens.back().text.size();
  }
  tokens.push_back({TokenKind::kEnd, Keyword::kNone, text.substr(position)});
  return tokens;
}

std::string Printable(std::string_view text) {
  if (IsUtf8(text)) return std::string(text);
  std::string printable;
  while (!text.empty()) {
    const std::size_t size = CharacterBytes(text);
    printable.append(size == 0 ? std::string_view("\uFFFD") : text.substr(0, size));
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return printable;
}

}  // namespace dolmen::engine
