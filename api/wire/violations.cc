#include "wire/violations.h"

namespace dolmen::wire {
namespace {

std::string FailedAt(std::string_view place, std::string_view constraint) {
  return std::string(" at '")
      .append(place)
      .append("' failed to satisfy constraint: ")
      .append(constraint);
}

}  // namespace

std::string Violation(std::string_view value, std::string_view place, std::string_view constraint) {
  return std::string("Value '").append(value).append("'").append(FailedAt(place, constraint));
}

std::string UnquotedViolation(std::string_view place, std::string_view constraint) {
  return "Value" + FailedAt(place, constraint);
}

std::string NullViolation(std::string_view place) {
  return "Value null" + FailedAt(place, "Member must not be null");
}

std::string MustMatch(std::string_view pattern) {
  return std::string("Member must satisfy regular expression pattern: ").append(pattern);
}

std::string Detected(const std::vector<std::string>& violations) {
  if (violations.empty()) return {};
  std::string text = std::to_string(violations.size()) + " validation error" +
                     (violations.size() > 1 ? "s" : "") + " detected: ";
  for (const std::string& violation : violations) {
    text.append(&violation == violations.data() ? "" : "; ").append(violation);
  }
  return text;
}

}  // namespace dolmen::wire
