#include "database/statement/syntax/token_cursor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "database/statement/syntax/statement.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::database {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return lower;
}

bool IsAggregateFunction(std::string_view lower) {
  return lower == "count" || lower == "sum" || lower == "avg" || lower == "min" || lower == "max";
}

bool IsUpdateFunction(std::string_view lower) {
  return lower == engine::UpdateOperatorName(engine::UpdateNode::Kind::kIfNotExists) ||
         lower == engine::UpdateOperatorName(engine::UpdateNode::Kind::kListAppend);
}

namespace {

using TokenType = StatementTokenKind;

// The words that are operators, not keywords, and the symbols that are operators.
constexpr std::array<std::string_view, 9> kOperatorWords = {
    "is", "like", "in", "between", "and", "or", "union", "except", "intersect"};
constexpr std::array<std::string_view, 13> kOperatorSymbols = {
    "=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||"};

}  // namespace

bool TokenCursor::AtFunction() const {
  const bool name = At(TokenType::kName) || At(TokenType::kWord);
  return name && following().kind == TokenType::kSymbol && following().text == "(";
}

bool TokenCursor::AcceptSymbol(std::string_view symbol) {
  if (!AtSymbol(symbol)) return false;
  Advance();
  return true;
}

bool TokenCursor::AcceptWord(std::string_view word) {
  if (!AtWord(word)) return false;
  Advance();
  return true;
}

bool TokenCursor::ExpectName(std::string* name, std::string_view missing) {
  if (!AtName()) return missing.empty() ? FailTerm() : FailSyntax(missing);
  *name = At(TokenType::kQuotedName) ? UnquotedText(current()) : std::string(current().text);
  Advance();
  return true;
}

bool TokenCursor::ExpectRightSide() {
  if (!At(TokenType::kEnd) && !AtSymbol(";")) return true;
  return FailSyntax("Missing right-hand side expression of infix operator");
}

std::string TokenCursor::TakeParameter() {
  Advance();
  return engine::ParameterToken(parameter_count_++);
}

std::string TokenCursor::TakeFunction() {
  std::string name = LowerCase(current().text);
  if (IsAggregateFunction(name)) {
    AddFaultAt("Unsupported token in expression: " + std::string(current().text), current());
  }
  Advance();
  Advance();
  return name;
}

bool TokenCursor::EnterNesting() {
  return ++depth_ <= engine::kExpressionOperatorsMax || Fail(engine::TooManyLevels(depth_));
}

void TokenCursor::AddFault(std::string message) {
  if (fault_.ok()) fault_ = Status::Validation(std::move(message));
}

void TokenCursor::AddFaultAt(std::string message, const StatementToken& token) {
  AddFault(AtPosition(std::move(message), token));
}

void TokenCursor::AddLiteralFault(std::string message) {
  if (literal_fault_.ok()) literal_fault_ = Status::Validation(std::move(message));
}

void TokenCursor::AddLiteralFaultAt(std::string message, const StatementToken& token) {
  AddLiteralFault(AtPosition(std::move(message), token));
}

bool TokenCursor::Fail(std::string message) {
  if (failure_.ok()) failure_ = Status::Validation(std::move(message));
  return false;
}

bool TokenCursor::FailAt(std::string message, const StatementToken& token) {
  return Fail(AtPosition(std::move(message), token));
}

bool TokenCursor::FailSyntax(std::string_view detail) {
  if (syntax_error_.ok()) {
    syntax_error_ = Status::Validation(
        std::string("Statement wasn't well formed, can't be processed: ").append(detail));
  }
  return false;
}

bool TokenCursor::FailSyntax() {
  if (At(TokenType::kEnd) || At(TokenType::kWord)) return FailTerm();
  return FailLeftover();
}

bool TokenCursor::FailTerm() {
  const auto at_word = [&](std::string_view word) { return AtWord(word); };
  const auto at_symbol = [&](std::string_view symbol) { return AtSymbol(symbol); };
  if (std::any_of(kOperatorWords.begin(), kOperatorWords.end(), at_word) ||
      std::any_of(kOperatorSymbols.begin(), kOperatorSymbols.end(), at_symbol)) {
    return FailSyntax("Unexpected operator");
  }
  return FailSyntax(At(TokenType::kWord) ? "Unexpected keyword" : "Unexpected term");
}

// DynamoDB reads all tokens before it parses the statement, so an unknown token anywhere is the first
// error. The message about it has no detail.
void TokenCursor::CheckTokens() {
  const bool unknown = std::any_of(tokens_.begin(), tokens_.end(), [](const auto& token) {
    return token.kind == TokenType::kUnknown || token.kind == TokenType::kUnterminated;
  });
  if (unknown) FailSyntax("");
}

std::string TokenCursor::AtPosition(std::string message, const StatementToken& token) const {
  return message.append(" at ").append(TokenPosition(statement_, token.text));
}

}  // namespace dolmen::database
