// Expression texts to tokens.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "dolmen/lifetime.h"

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

// Keywords are names until the grammar asks for one: each grammar has its own.
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

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Keyword keyword = Keyword::kNone;  // of a kName, in any case
  std::string_view text;             // a stretch of the expression; empty at its end for kEnd
};

using Tokens = boost::container::small_vector<Token, 64>;

// All tokens of `text`, which they look at, and a kEnd.  Any bytes may be given; time is linear in
// their number.
Tokens Tokenize(std::string_view text DOLMEN_LIFETIME_BOUND);

// The text with each byte that is not UTF-8 replaced by U+FFFD, so that a message can hold it.
std::string Printable(std::string_view text);

}  // namespace dolmen::engine
