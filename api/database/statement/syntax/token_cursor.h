// Reader of the tokens of a statement, which collects the errors of the parsers that share it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

// Returns true if only SET allows the function.
bool IsUpdateFunction(std::string_view lower);

// A position in the tokens of one statement. Borrows the text of the statement. Not thread-safe.
//
// An error in the syntax ends the parsing: Fail and FailSyntax return false, and so does each
// function that calls them. A fault, such as a clause that is not supported, does not end the
// parsing, because errors in the syntax are reported first.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view statement DOLMEN_LIFETIME_BOUND)
      : statement_(statement), tokens_(TokenizeStatement(statement)) {}

  const StatementToken& current() const DOLMEN_LIFETIME_BOUND { return tokens_[next_]; }
  const StatementToken& following() const DOLMEN_LIFETIME_BOUND {
    return tokens_[next_ + 1 < tokens_.size() ? next_ + 1 : next_];
  }

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
  // Reads a name. Removes its quotes.
  bool ExpectName(std::string* name);

  // Reads a `?` and returns its token in trees (ParameterToken).
  std::string TakeParameter();
  std::uint32_t parameter_count() const { return parameter_count_; }

  // Reads the name of a function and its parenthesis. Returns the name in lower case. The name of an
  // aggregate function is a fault.
  // REQUIRES: AtFunction().
  std::string TakeFunction();

  // Enters a pair of brackets, reads the elements between commas, and reads `end`. `read` reads one
  // element, and returns false if the parsing has ended. Returns false if the parsing has ended.
  template <typename ReadElement>
  bool ReadElements(std::string_view end, ReadElement read) {
    if (!EnterNesting()) return false;
    do {
      if (!read()) return false;
    } while (AcceptSymbol(","));
    LeaveNesting();
    return ExpectSymbol(end);
  }

  // A place in the statement, to which Reset moves back.
  struct Place {
    std::size_t next;
    std::uint32_t parameter_count;
  };
  Place Mark() const { return {next_, parameter_count_}; }
  void Reset(Place place) {
    next_ = place.next;
    parameter_count_ = place.parameter_count;
  }

  // Enter a pair of brackets or parentheses, and leave it. If too many are open, EnterNesting ends
  // the parsing and returns false.
  bool EnterNesting();
  void LeaveNesting() { --depth_; }

  // Records a fault. Only the first one is kept.
  void AddFault(std::string message);
  // Records a fault with the position of a token: "message at line:column:length".
  void AddFaultAt(std::string message, const StatementToken& token);
  // End the parsing with an error. Return false.
  bool Fail(std::string message);
  bool FailAt(std::string message, const StatementToken& token);
  // Ends the parsing with the error that the current token does not belong there.
  bool FailSyntax();

  // Returns the error that ended the parsing, else the first fault, else success.
  Status status() const { return failure_.ok() ? fault_ : failure_; }

 private:
  std::string AtPosition(std::string message, const StatementToken& token) const;

  std::string_view statement_;
  std::vector<StatementToken> tokens_;
  std::size_t next_ = 0;
  std::size_t depth_ = 0;
  std::uint32_t parameter_count_ = 0;
  Status failure_;
  Status fault_;
};

}  // namespace dolmen::database
