#include "database/statement/syntax/token_cursor.h"

#include <algorithm>
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
         lower == engine::UpdateOperatorName(engine::UpdateNode::Kind::kListAppend) ||
         lower == kSetAdd || lower == kSetDelete;
}

namespace {

using TokenType = StatementTokenKind;

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

bool TokenCursor::ExpectName(std::string* name) {
  if (!AtName()) return FailSyntax();
  *name = At(TokenType::kQuotedName) ? UnquotedText(current()) : std::string(current().text);
  Advance();
  return true;
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

bool TokenCursor::Fail(std::string message) {
  if (failure_.ok()) failure_ = Status::Validation(std::move(message));
  return false;
}

bool TokenCursor::FailAt(std::string message, const StatementToken& token) {
  return Fail(AtPosition(std::move(message), token));
}

bool TokenCursor::FailSyntax() {
  const std::string start = "Statement wasn't well formed, can't be processed: ";
  if (At(TokenType::kUnterminated)) return Fail(start);
  if (next_ == 0) return Fail(start + "Expected data manipulation");
  if (At(TokenType::kWord)) return Fail(start + "Unexpected keyword");
  if (At(TokenType::kEnd)) return Fail(start + "Unexpected end of the statement");
  return FailAt(start + "Unexpected token", current());
}

std::string TokenCursor::AtPosition(std::string message, const StatementToken& token) const {
  return message.append(" at ").append(TokenPosition(statement_, token.text));
}

}  // namespace dolmen::database
