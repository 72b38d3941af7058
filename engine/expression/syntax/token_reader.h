// What the parsers have in common: stepping through the tokens, paths, limits, and syntax errors.

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

// kValidation if the text is empty or too long, which is said before anything else about it.
Status CheckTextSize(std::string_view text, ExpressionKind kind);

// Functions that read something return false, having noted a fault, if it is not there; the parser
// then gives up.  Faults other than syntax errors are noted, and reading goes on.
class TokenReader {
 public:
  // Puts the text and the steps of paths into `*syntax`, which must outlive the reader and whose
  // text must not change.  REQUIRES: CheckTextSize(text, kind)
  TokenReader(std::string_view text, ExpressionKind kind, ExpressionSyntax* syntax);

  const Token& current() const { return tokens_[position_]; }
  bool At(TokenKind kind) const { return current().kind == kind; }
  bool At(Keyword keyword) const { return current().keyword == keyword; }
  bool AtFunction() const {
    return At(TokenKind::kName) && !IsGrammarKeyword(current().keyword) &&
           tokens_[position_ + 1].kind == TokenKind::kLeftParenthesis;
  }

  // Steps over the current token, if it is that one.
  bool Accept(TokenKind kind) { return At(kind) && Step(); }
  bool Accept(Keyword keyword) { return At(keyword) && Step(); }
  bool Expect(TokenKind kind) { return Accept(kind) || Fail(); }
  bool Expect(Keyword keyword) { return Accept(keyword) || Fail(); }

  // Notes a syntax error at the current token.
  bool Fail();

  // Notes that parentheses and calls are nested deeper than an expression within its limits can be.
  bool FailTooDeep();

  // Notes that a function stands where it may not, which is no syntax error.
  void NoteMisused(std::string_view function);

  // A path; `more` reads further steps onto one that was read last.
  bool ReadPath(PathSyntax* path);
  bool ReadMoreSteps(PathSyntax* path);

  // A value placeholder.
  bool ReadValue(ValueSyntax* value);

  void Note(Fault fault, std::string message) { diagnostics_.Note(fault, std::move(message)); }

  // The fault to report, or success.  To be called once, after the last token.
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
  std::size_t position_ = 0;  // of a token; the last one, kEnd, is never stepped over
  Diagnostics diagnostics_;
};

// Notes parentheses directly within parentheses.  Tells, too, when nesting becomes too deep.
class Nesting {
 public:
  static constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();

  Nesting(TokenReader* reader, std::size_t depth_max) : reader_(reader), depth_max_(depth_max) {}

  // Around the reading of what is in parentheses.  Enter is false if they are too many.
  bool Enter() { return ++depth_ <= depth_max_ || reader_->FailTooDeep(); }
  void Leave() { --depth_; }

  // To be called with the node that parentheses have just been closed around.
  void Enclose(std::uint16_t node) {
    if (node == enclosed_) {
      reader_->Note(Fault::kRedundantParentheses, "The expression has redundant parentheses;");
    }
    enclosed_ = node;
  }

  // To be called if the node grew after its parentheses, so that a further pair is not redundant.
  void Grow() { enclosed_ = kNone; }

 private:
  TokenReader* reader_;
  std::size_t depth_max_;
  std::size_t depth_ = 0;
  std::uint16_t enclosed_ = kNone;
};

}  // namespace dolmen::engine
