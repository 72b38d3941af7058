// Errors in an expression, and DynamoDB's messages for these errors.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/result.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// The kinds of error in an expression, in the order in which DynamoDB reports them. This is not the
// order in the text. DynamoDB reports unknown functions and wrong operand counts later in updates
// than in conditions, so updates have their own values for these errors.
enum class Fault : std::uint8_t {
  kSyntax,
  kRedundantParentheses,
  kConditionFunction,  // an unknown function in a condition
  kMisusedFunction,
  kReservedWord,
  kUpdateFunction,  // an unknown function in an update
  kRepeatedSection,
  kLimit,
  kUndefinedName,
  kUndefinedValue,
  kOverlap,
  kConflict,
  kConditionOperandCount,
  kNotDistinct,
  kOperandType,
  kUpdateOperandCount,
};

// Collector of the errors in an expression. It keeps only one error: the error whose kind comes
// first in Fault and, among errors of the same kind, the error that was added first. Not
// thread-safe.
class Diagnostics {
 public:
  explicit Diagnostics(ExpressionKind kind, Dialect dialect = Dialect::kExpression)
      : kind_(kind), dialect_(dialect) {}

  void AddFault(Fault fault, std::string message) {
    if (!message_.empty() && fault >= fault_) return;
    fault_ = fault;
    message_ = std::move(message);
  }

  bool ok() const { return message_.empty(); }
  Dialect dialect() const { return dialect_; }

  // Returns the kept error, or success if no error was added.
  // - kValidation: an error was added. The message is "Invalid ", the name of the kind of
  //   expression, ": " and the message of the kept error. In a statement it is only the message of
  //   the kept error.
  Status status() const;

 private:
  ExpressionKind kind_;
  Dialect dialect_;
  Fault fault_ = Fault::kSyntax;
  std::string message_;  // empty: no error was added
};

// Return the messages, without a prefix, for an expression that exceeds a limit.
std::string TooManyOperators(std::size_t count);
std::string TooManyLevels(std::size_t count);
std::string TooManySteps(std::size_t count);
std::string BadListIndex(std::string_view digits);

}  // namespace dolmen::engine
