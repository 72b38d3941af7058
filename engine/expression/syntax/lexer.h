// Lexer of expressions, which splits their texts into tokens.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/internal/lifetime.h"

namespace dolmen::engine {

enum class TokenKind : std::uint8_t {
  kName,              // [A-Za-z_][A-Za-z0-9_]*, keywords included
  kNamePlaceholder,   // #[A-Za-z0-9_]+
  kValuePlaceholder,  // :[A-Za-z0-9_]+
  kNumber,            // [0-9]+
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kLeftParenthesis,
  kRightParenthesis,
  kLeftBracket,
  kRightBracket,
  kComma,
  kDot,
  kPlus,
  kMinus,
  kUnknown,  // a character that no token begins with, or a byte that is not UTF-8
  kEnd,
};

// Keywords. Each kind of expression has its own keywords. A keyword of one kind is an ordinary
// name in the other kinds.
enum class Keyword : std::uint8_t {
  kNone,
  kAnd,
  kOr,
  kNot,
  kBetween,
  kIn,
  kSet,
  kRemove,
  kAdd,
  kDelete,
};

// A token of an expression. Borrows the expression's text.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  Keyword keyword = Keyword::kNone;  // the keyword of a kName, in upper or lower case
  std::string_view text;             // part of the expression; empty and at its end for kEnd
};

using Tokens = boost::container::small_vector<Token, 64>;

// Returns the tokens of `text`, then a token kEnd. `text` may be any bytes. The tokens borrow
// `text`. Takes time linear in the size of the text.
Tokens Tokenize(std::string_view text DOLMEN_LIFETIME_BOUND);

// Returns the text in a form for messages: U+FFFD replaces each byte that is not UTF-8.
std::string Printable(std::string_view text);

}  // namespace dolmen::engine
