#include "engine/value/violation.h"

namespace dolmen::engine {
namespace {

std::string FailedAt(std::string_view place, std::string_view constraint) {
  return std::string(" at '")
      .append(place)
      .append("' failed to satisfy constraint: ")
      .append(constraint);
}

std::string Bounded(std::string_view what, std::string_view bound, std::int64_t limit) {
  return std::string("Member must have ").append(what).append(bound).append(std::to_string(limit));
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

std::string AtLeast(std::string_view what, std::int64_t limit) {
  return Bounded(what, " greater than or equal to ", limit);
}

std::string AtMost(std::string_view what, std::int64_t limit) {
  return Bounded(what, " less than or equal to ", limit);
}

std::string MustMatch(std::string_view pattern) {
  return std::string("Member must satisfy regular expression pattern: ").append(pattern);
}

std::string Detected(const std::vector<std::string>& errors) {
  if (errors.empty()) return {};
  std::string text = std::to_string(errors.size()) + " validation error" +
                     (errors.size() > 1 ? "s" : "") + " detected: ";
  for (const std::string& error : errors) {
    text.append(&error == errors.data() ? "" : "; ").append(error);
  }
  return text;
}

Status DetectedOne(std::string_view error) {
  return Status::Validation(Detected({std::string(error)}));
}

Status CheckRange(std::int64_t number, std::string_view place, std::int64_t min, std::int64_t max) {
  if (min <= number && number <= max) return {};
  return DetectedOne(Violation(std::to_string(number), place,
                               number < min ? AtLeast("value", min) : AtMost("value", max)));
}

Status CheckLength(std::size_t count, std::string_view place, std::size_t min, std::size_t max) {
  if (min <= count && count <= max) return {};
  return DetectedOne(
      UnquotedViolation(place, count < min ? AtLeast("length", static_cast<std::int64_t>(min))
                                           : AtMost("length", static_cast<std::int64_t>(max))));
}

}  // namespace dolmen::engine
