// Faults of an expression and the messages that report them, which are DynamoDB's.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/status.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// The kinds of fault, in the order in which DynamoDB reports them, which is not the order in the
// text.  Conditions and updates report unknown functions and operand counts at different places, so
// each has its own value for them.
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

// Collector of an expression's faults.  Keeps only the fault to report: the first one added of the
// kind that comes first in Fault.  Not thread-safe.
class Diagnostics {
 public:
  explicit Diagnostics(ExpressionKind kind) : kind_(kind) {}

  void AddFault(Fault fault, std::string message) {
    if (!message_.empty() && fault >= fault_) return;
    fault_ = fault;
    message_ = std::move(message);
  }

  bool ok() const { return message_.empty(); }

  // Returns success if there is no fault.
  // - kValidation: there is one.  The message is "Invalid ConditionExpression: ", or the name of
  //   the other kind of expression, and the fault's message.
  Status status() const;

 private:
  ExpressionKind kind_;
  Fault fault_ = Fault::kSyntax;
  std::string message_;  // empty: there is no fault
};

// Return the messages, without a prefix, for expressions that exceed a limit.
std::string TooManyOperators(std::size_t count);
std::string TooManyLevels(std::size_t count);
std::string TooManySteps(std::size_t count);
std::string BadListIndex(std::string_view digits);

}  // namespace dolmen::engine
