// Reader of tokens, which all parsers share. It reads paths and values, checks limits and reports
// syntax errors.

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/lexer.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// Checks the size of a text. DynamoDB reports a wrong size before all other errors.
// - kValidation, with DynamoDB's message: the text is empty or longer than kExpressionBytesMax.
Status CheckTextSize(std::string_view text, ExpressionKind kind);

// Reader of the tokens of one expression. If the next tokens are not the expected tokens, the Read
// and Expect functions add a syntax error and return false, and the parser stops. After any other
// error these functions return true, and the parser continues. Not thread-safe.
class TokenReader {
 public:
  // Copies the text into `*syntax`. The Read functions add the steps of paths to `*syntax`.
  // `*syntax` must outlive the reader, and no other code may change its text.
  // REQUIRES: CheckTextSize(text, kind) returned success.
  TokenReader(std::string_view text, ExpressionKind kind, ExpressionSyntax* syntax);

  const Token& current() const { return tokens_[position_]; }
  // Return true if the current token is of this kind, is this keyword, or is the name in a function
  // call.
  bool At(TokenKind kind) const { return current().kind == kind; }
  bool At(Keyword keyword) const { return current().keyword == keyword; }
  bool AtFunction() const {
    return At(TokenKind::kName) && !IsGrammarKeyword(current().keyword) &&
           tokens_[position_ + 1].kind == TokenKind::kLeftParenthesis;
  }

  // If the current token is of this kind or is this keyword, moves to the next token and returns
  // true. Otherwise returns false, and Expect also adds a syntax error.
  bool Accept(TokenKind kind) { return At(kind) && Step(); }
  bool Accept(Keyword keyword) { return At(keyword) && Step(); }
  bool Expect(TokenKind kind) { return Accept(kind) || Fail(); }
  bool Expect(Keyword keyword) { return Accept(keyword) || Fail(); }

  // Adds a syntax error at the current token and returns false.
  bool Fail();

  // Adds the error for parentheses and function calls that nest deeper than in any valid
  // expression. Returns false.
  bool FailTooDeep();

  // Adds the error for a function that is used where it is not allowed.
  void AddMisusedFunctionFault(std::string_view function);

  // Reads a path.
  bool ReadPath(PathSyntax* path);
  // Reads further steps of a path and appends them to `*path`.
  // REQUIRES: `*path` is the path that was read last.
  bool ReadMoreSteps(PathSyntax* path);

  // Reads a value placeholder.
  bool ReadValue(ValueSyntax* value);

  void AddFault(Fault fault, std::string message) {
    diagnostics_.AddFault(fault, std::move(message));
  }

  // Returns the error to report, or success. Call Finish once, after the last token is read.
  Status Finish();

 private:
  bool Step() {
    ++position_;
    return true;
  }
  bool IsGrammarKeyword(Keyword keyword) const;
  bool ReadNameStep();
  bool ReadIndexStep();
  TextSpan SpanOf(const Token& token) const {
    return {static_cast<std::uint32_t>(token.text.data() - syntax_->text.data()),
            static_cast<std::uint32_t>(token.text.size())};
  }
  std::size_t CountOperators() const;

  ExpressionKind kind_;
  ExpressionSyntax* syntax_;
  Tokens tokens_;
  std::size_t position_ = 0;  // index of the current token; never past the last token, kEnd
  Diagnostics diagnostics_;
};

// Checker of the nesting of parentheses. A pair is redundant if it directly encloses another pair.
// The checker adds an error for redundant parentheses and for nesting that is too deep. Borrows the
// reader.
class Nesting {
 public:
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();

  Nesting(TokenReader* reader, std::size_t depth_max) : reader_(reader), depth_max_(depth_max) {}

  // Begin and end the content of a pair of parentheses. If the parentheses nest too deep,
  // EnterParentheses adds an error and returns false.
  bool EnterParentheses() { return ++depth_ <= depth_max_ || reader_->FailTooDeep(); }
  void LeaveParentheses() { --depth_; }

  // Checks a pair of parentheses after the parser has read the closing parenthesis. `node` is the
  // node that the pair encloses.
  void CheckRedundancy(std::uint16_t node) {
    if (node == enclosed_) {
      reader_->AddFault(Fault::kRedundantParentheses, "The expression has redundant parentheses;");
    }
    enclosed_ = node;
  }

  // Allows one more pair of parentheses around the enclosed node. The parser calls this function if
  // the tokens after the parentheses extend the node, as in `(a.b).c`.
  void AllowParentheses() { enclosed_ = kNone; }

 private:
  TokenReader* reader_;
  std::size_t depth_max_;
  std::size_t depth_ = 0;
  std::uint16_t enclosed_ = kNone;  // the node that the last closed pair encloses
};

}  // namespace dolmen::engine
