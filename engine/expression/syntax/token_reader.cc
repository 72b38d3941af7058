#include "engine/expression/syntax/token_reader.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <string>

#include "engine/expression/syntax/reserved_words.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

Status CheckTextSize(std::string_view text, ExpressionKind kind) {
  Diagnostics diagnostics(kind);
  if (text.empty()) diagnostics.AddFault(Fault::kSyntax, "The expression can not be empty;");
  if (text.size() > kExpressionBytesMax) {
    // DynamoDB does not print the size of an UpdateExpression.
    diagnostics.AddFault(
        Fault::kSyntax,
        "Expression size has exceeded the maximum allowed size;" +
            (kind == ExpressionKind::kUpdate ? std::string()
                                             : " expression size: " + std::to_string(text.size())));
  }
  return diagnostics.status();
}

TokenReader::TokenReader(std::string_view text, ExpressionKind kind, ExpressionSyntax* syntax)
    : kind_(kind), syntax_(syntax), diagnostics_(kind) {
  assert(text.size() <= kExpressionBytesMax);
  syntax_->text.assign(text.begin(), text.end());
  tokens_ = Tokenize({syntax_->text.data(), syntax_->text.size()});
}

bool TokenReader::Fail() {
  // DynamoDB's message quotes the text around the token. DynamoDB does not document how much text.
  // This message quotes the text from the previous token to the next one.
  const Token& token = current();
  const Token& first = tokens_[position_ == 0 ? 0 : position_ - 1];
  const Token& last = tokens_[std::min(position_ + 1, tokens_.size() - 1)];
  const char* const end = last.text.data() + last.text.size();
  std::string_view near(first.text.data(), static_cast<std::size_t>(end - first.text.data()));
  near = near.substr(0, near.find_last_not_of(" \t\r\n") + 1);

  std::string message = "Syntax error; token: \"";
  message += token.kind == TokenKind::kEnd ? "<EOF>" : Printable(token.text);
  message.append("\", near: \"").append(Printable(near)).append("\"");
  AddFault(Fault::kSyntax, std::move(message));
  return false;
}

bool TokenReader::FailTooDeep() {
  // The limit of the nesting is the depth that the maximum number of operators needs. An expression
  // that nests deeper therefore has too many operators or redundant parentheses.
  const std::size_t operators = CountOperators();
  AddFault(Fault::kSyntax, operators > kExpressionOperatorsMax
                               ? TooManyOperators(operators)
                               : "The expression has redundant parentheses;");
  return false;
}

void TokenReader::AddMisusedFunctionFault(std::string_view function) {
  AddFault(
      Fault::kMisusedFunction,
      std::string("The function is not allowed to be used this way in an expression; function: ")
          .append(function));
}

bool TokenReader::ReadPath(PathSyntax* path) {
  path->first_step = static_cast<std::uint16_t>(syntax_->steps.size());
  if (IsGrammarKeyword(current().keyword)) return Fail();
  return ReadNameStep() && ReadMoreSteps(path);
}

bool TokenReader::ReadMoreSteps(PathSyntax* path) {
  while (true) {
    if (Accept(TokenKind::kDot)) {
      if (!ReadNameStep()) return false;
    } else if (Accept(TokenKind::kLeftBracket)) {
      if (!ReadIndexStep()) return false;
    } else {
      break;
    }
  }
  path->step_count = static_cast<std::uint16_t>(syntax_->steps.size() - path->first_step);
  if (path->step_count > kPathStepsMax) AddFault(Fault::kLimit, TooManySteps(path->step_count));
  return true;
}

bool TokenReader::ReadNameStep() {
  const Token token = current();
  PathStepSyntax step;
  step.text = SpanOf(token);
  if (Accept(TokenKind::kNamePlaceholder)) {
    step.kind = PathStepSyntax::Kind::kPlaceholder;
  } else if (Accept(TokenKind::kName)) {
    if (IsReservedWord(token.text)) {
      AddFault(Fault::kReservedWord, "Attribute name is a reserved keyword; reserved keyword: " +
                                         std::string(token.text));
    }
  } else {
    return Fail();
  }
  syntax_->steps.push_back(step);
  return true;
}

bool TokenReader::ReadIndexStep() {
  const std::string_view digits = current().text;
  if (!Expect(TokenKind::kNumber) || !Expect(TokenKind::kRightBracket)) return false;
  PathStepSyntax step;
  step.kind = PathStepSyntax::Kind::kIndex;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), step.index);
  if (error != std::errc()) AddFault(Fault::kLimit, BadListIndex(digits));
  syntax_->steps.push_back(step);
  return true;
}

bool TokenReader::ReadValue(ValueSyntax* value) {
  value->text = SpanOf(current());
  return Expect(TokenKind::kValuePlaceholder);
}

Status TokenReader::Finish() {
  const std::size_t operators = CountOperators();
  if (operators > kExpressionOperatorsMax) AddFault(Fault::kLimit, TooManyOperators(operators));
  return diagnostics_.status();
}

bool TokenReader::IsGrammarKeyword(Keyword keyword) const {
  switch (kind_) {
    case ExpressionKind::kCondition:
    case ExpressionKind::kFilter:
    case ExpressionKind::kKeyCondition:
      return keyword >= Keyword::kAnd && keyword <= Keyword::kIn;
    case ExpressionKind::kUpdate:
      return keyword >= Keyword::kSet;
    case ExpressionKind::kProjection:
      return false;
  }
  return false;
}

// Counts the tokens that are operators. If the syntax is valid, the result is the number of
// operator nodes. For `a BETWEEN b AND c` the AND is counted and the BETWEEN is not. The `=` of SET
// is not an operator.
std::size_t TokenReader::CountOperators() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    const bool call = tokens_[i + 1].kind == TokenKind::kLeftParenthesis;
    if (token.kind == TokenKind::kName) {
      const bool keyword = IsGrammarKeyword(token.keyword);
      count +=
          keyword ? kind_ != ExpressionKind::kUpdate && token.keyword != Keyword::kBetween : call;
    } else if (token.kind == TokenKind::kPlus || token.kind == TokenKind::kMinus) {
      ++count;
    } else if (token.kind >= TokenKind::kEqual && token.kind <= TokenKind::kGreaterOrEqual) {
      count += kind_ != ExpressionKind::kUpdate;
    }
  }
  return count;
}

}  // namespace dolmen::engine
