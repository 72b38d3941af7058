// Reader of the tokens of a statement, which collects the errors of the parsers that share it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "database/statement/syntax/lexer.h"
#include "dolmen/internal/lifetime.h"
#include "dolmen/result.h"

namespace dolmen::database {

inline constexpr std::string_view kSizeFunction = "size";
inline constexpr std::string_view kSetAdd = "set_add";
inline constexpr std::string_view kSetDelete = "set_delete";

// Returns the text with its letters of ASCII in lower case.
std::string LowerCase(std::string_view text);

// Returns true for COUNT, SUM, AVG, MIN and MAX, which DynamoDB does not support.
bool IsAggregateFunction(std::string_view lower);

// Returns true for a function of UpdateExpression, which only SET allows. set_add and set_delete are
// none: elsewhere DynamoDB does not know them.
bool IsUpdateFunction(std::string_view lower);

// A position in the tokens of one statement. Borrows the text of the statement. Not thread-safe.
//
// DynamoDB reports an error in the syntax first, then a fault of a literal, then another fault, such
// as a clause that is not supported. Therefore the first two kinds of fault do not end the parsing. An
// error in the syntax ends it, and so does a fault after which the parser cannot continue: each function
// that finds one returns false, and so does each function that calls it.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view statement DOLMEN_LIFETIME_BOUND)
      : statement_(statement), tokens_(TokenizeStatement(statement)) {
    CheckTokens();
  }

  const StatementToken& current() const DOLMEN_LIFETIME_BOUND { return tokens_[next_]; }
  const StatementToken& following() const DOLMEN_LIFETIME_BOUND {
    return tokens_[next_ + 1 < tokens_.size() ? next_ + 1 : next_];
  }

  bool AtStart() const { return next_ == 0; }
  bool At(StatementTokenKind kind) const { return current().kind == kind; }
  bool AtSymbol(std::string_view symbol) const {
    return At(StatementTokenKind::kSymbol) && current().text == symbol;
  }
  // Returns true at the word, in upper or lower case. `word` is in lower case. The word need not be
  // reserved.
  bool AtWord(std::string_view word) const {
    return (At(StatementTokenKind::kWord) || At(StatementTokenKind::kName)) &&
           IsWord(current().text, word);
  }
  // Returns true at a name, with or without quotes.
  bool AtName() const {
    return At(StatementTokenKind::kName) || At(StatementTokenKind::kQuotedName);
  }
  // Returns true at the name of a function and its parenthesis.
  bool AtFunction() const;

  void Advance() { next_ += next_ + 1 < tokens_.size() ? 1 : 0; }
  bool AcceptSymbol(std::string_view symbol);
  bool AcceptWord(std::string_view word);
  bool ExpectSymbol(std::string_view symbol) { return AcceptSymbol(symbol) || FailSyntax(); }
  bool ExpectWord(std::string_view word) { return AcceptWord(word) || FailSyntax(); }
  // Reads a name. Removes its quotes. The parsing ends as with FailTerm, or with the detail `missing`.
  bool ExpectName(std::string* name, std::string_view missing = {});
  // Ends the parsing and returns false if nothing follows an operator that has a right side.
  bool ExpectRightSide();

  // Reads a `?` and returns its token in trees (ParameterToken).
  std::string TakeParameter();
  std::uint32_t parameter_count() const { return parameter_count_; }

  // Reads the name of a function and its parenthesis. Returns the name in lower case. The name of an
  // aggregate function is a fault.
  // REQUIRES: AtFunction().
  std::string TakeFunction();

  // A place in the statement, to which Reset moves back. Reset also forgets the faults after it.
  struct Place {
    std::size_t next;
    std::uint32_t parameter_count;
    Status literal_fault;
    Status fault;
  };
  Place Mark() const { return {next_, parameter_count_, literal_fault_, fault_}; }
  void Reset(Place place) {
    next_ = place.next;
    parameter_count_ = place.parameter_count;
    literal_fault_ = std::move(place.literal_fault);
    fault_ = std::move(place.fault);
  }

  // Enter a pair of brackets or parentheses, and leave it. If too many are open, EnterNesting ends
  // the parsing and returns false.
  bool EnterNesting();
  void LeaveNesting() { --depth_; }
  // Leaves a pair of brackets whose closing one must be at the cursor. Returns false if the parsing has ended.
  bool LeaveNesting(std::string_view end) {
    LeaveNesting();
    return ExpectSymbol(end);
  }

  // Returns "message at line:column:length", with the position of the token.
  std::string AtPosition(std::string message, const StatementToken& token) const;
  // Records a fault. Only the first one is kept.
  void AddFault(std::string message);
  // Records a fault with the position of a token.
  void AddFaultAt(std::string message, const StatementToken& token);
  // Records a fault of a literal. Only the first one is kept.
  void AddLiteralFault(std::string message);
  void AddLiteralFaultAt(std::string message, const StatementToken& token);
  // End the parsing with a fault. Return false.
  bool Fail(std::string message);
  bool FailAt(std::string message, const StatementToken& token);

  // End the parsing with an error in the syntax: DynamoDB's message with the detail. Return false.
  bool FailSyntax(std::string_view detail);
  // The current token does not belong there.
  bool FailSyntax();
  // A term must begin at the current token, which begins none.
  bool FailTerm();
  // Something follows a complete statement.
  bool FailLeftover() { return FailSyntax("Unexpected token after expression"); }
  // A clause SET or REMOVE, or a statement, must begin at the current token.
  bool FailManipulation() { return FailSyntax("Expected data manipulation"); }

  // Returns true if a fault was recorded or the parsing has ended.
  bool failed() const { return !error().ok() || !fault().ok(); }
  // Returns the error in the syntax, else the fault of a literal, else success.
  const Status& error() const DOLMEN_LIFETIME_BOUND {
    return syntax_error_.ok() ? literal_fault_ : syntax_error_;
  }
  // Returns the fault that ended the parsing, else the first other fault, else success.
  const Status& fault() const DOLMEN_LIFETIME_BOUND { return failure_.ok() ? fault_ : failure_; }

 private:
  // Ends the parsing if a token is unknown or not complete.
  void CheckTokens();

  std::string_view statement_;
  std::vector<StatementToken> tokens_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
  std::uint32_t parameter_count_ = 0;
  Status syntax_error_;
  Status literal_fault_;
  Status failure_;
  Status fault_;
};

}  // namespace dolmen::database
