#include "engine/expression/syntax/diagnostics.h"

namespace dolmen::engine {

Status Diagnostics::status() const {
  if (ok()) return {};
  if (dialect_ == Dialect::kStatement) return Status::Validation(message_);
  return Status::Validation(
      std::string("Invalid ").append(ExpressionKindName(kind_)).append(": ").append(message_));
}

std::string TooManyOperators(std::size_t count) {
  return "The expression contains too many operators; operator count: " + std::to_string(count);
}

std::string TooManyLevels(std::size_t count) {
  return "The expression has too many nesting levels; nesting levels: " + std::to_string(count);
}

std::string TooManySteps(std::size_t count) {
  return "The document path has too many nesting levels; nesting levels: " + std::to_string(count);
}

std::string BadListIndex(std::string_view digits) {
  return std::string("List index is not within the allowable range; index: [")
      .append(digits)
      .append("]");
}

}  // namespace dolmen::engine
