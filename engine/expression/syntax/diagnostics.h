// What is wrong with an expression, as DynamoDB would say it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/status.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

// In the order in which DynamoDB reports them, whatever their order in the text.  Conditions and
// updates differ in it, so some have a fault of their own for what is the same otherwise.
enum class Fault : std::uint8_t {
  kSyntax,
  kRedundantParentheses,
  kConditionFunction,  // unknown
  kMisusedFunction,
  kReservedWord,
  kUpdateFunction,  // unknown
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

// Keeps the one fault that is to be reported: the first kind's first.
class Diagnostics {
 public:
  explicit Diagnostics(ExpressionKind kind) : kind_(kind) {}

  void Note(Fault fault, std::string message) {
    if (!message_.empty() && fault >= fault_) return;
    fault_ = fault;
    message_ = std::move(message);
  }

  bool ok() const { return message_.empty(); }

  // kValidation: "Invalid ConditionExpression: " and the message; success if nothing was noted.
  Status status() const;

 private:
  ExpressionKind kind_;
  Fault fault_ = Fault::kSyntax;
  std::string message_;  // empty: nothing was noted
};

// What is said of an expression that breaks a limit, without a prefix.
std::string TooManyOperators(std::size_t count);
std::string TooManyLevels(std::size_t count);
std::string TooManySteps(std::size_t count);
std::string BadListIndex(std::string_view digits);

}  // namespace dolmen::engine
