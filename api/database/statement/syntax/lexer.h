// Lexer of PartiQL statements, which splits their texts into tokens.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/internal/lifetime.h"

namespace dolmen::database {

enum class StatementTokenKind : std::uint8_t {
  kName,        // [A-Za-z_$][A-Za-z0-9_$]* that is not a reserved word
  kWord,        // a reserved word, in upper or lower case
  kQuotedName,  // "any text"
  kString,      // 'any text'
  kNumber,      // digits, a fraction, an exponent; without a sign
  kParameter,   // ?
  kSymbol,  // an operator or a bracket: . , ; : ( ) [ ] { } << >> = <> != < <= > >= + - * / % ||
  kIon,     // `a literal in Ion`
  kUnknown,  // a character that no token allows, or a number whose exponent or scale needs over 32 bits
  kUnterminated,  // a text or a comment without its end
  kEnd,
};

// A token of a statement. Borrows the statement's text.
struct StatementToken {
  StatementTokenKind kind = StatementTokenKind::kEnd;
  std::string_view text;  // with its quotes; empty and at the end of the statement for kEnd
};

// Return true for the characters of a name without quotes: its first one, and the others.
bool IsStatementNameStart(char c);
bool IsStatementNamePart(char c);

// Returns the tokens of a statement, then a token kEnd. Leaves out spaces and comments. The text
// may be any bytes. Takes time linear in its size.
std::vector<StatementToken> TokenizeStatement(std::string_view text DOLMEN_LIFETIME_BOUND);

// Returns the content of a kQuotedName or a kString. Removes its quotes, and one quote of each
// doubled quote.
std::string UnquotedText(const StatementToken& token);

// Returns the place of a token as messages have it, "line:column:length". All three count from 1
// and in characters. `statement` is the text that contains the token.
std::string TokenPosition(std::string_view statement, std::string_view token);

// Returns true if both are equal, apart from upper and lower case. `lower` is in lower case.
bool IsWord(std::string_view text, std::string_view lower);

}  // namespace dolmen::database
