#include "dolmen/entity/codec.h"

namespace dolmen::entity {
namespace {

using std::chrono::sys_days;
using std::chrono::year;

constexpr Timestamp kTimeMin = sys_days(year(0) / 1 / 1);
constexpr Timestamp kTimeMax = sys_days(year(10000) / 1 / 1) - std::chrono::milliseconds(1);

}  // namespace

std::string Sentence(std::string_view attribute, const Problem& problem) {
  const bool is_within = problem.starts_with('.') || problem.starts_with('[');
  return std::string(attribute).append(is_within ? "" : " ").append(problem);
}

Problem WrongType(AttributeView view, AttributeType type) {
  if (!view.exists()) return "is missing";
  return "has type " + std::string(AttributeTypeName(view.type())) + ", not " +
         std::string(AttributeTypeName(type));
}

Problem NotAnInteger(AttributeView view, std::int64_t least, std::int64_t greatest) {
  if (!view.Is(AttributeType::kN)) return WrongType(view, AttributeType::kN);
  return "is not a whole number from " + std::to_string(least) + " to " + std::to_string(greatest);
}

Problem EncodeTime(Timestamp time, AttributeValue* value) {
  if (time < kTimeMin || time > kTimeMax) return "is a time past the years 0 to 9999";
  std::string text = ToIso8601(time);
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  *value = std::move(text);
  return {};
}

Problem DecodeTime(AttributeView view, Timestamp* time) {
  const auto text = view.AsString();
  if (!text) return WrongType(view, AttributeType::kS);
  const Result<Timestamp> parsed = ParseIso8601(*text);
  if (!parsed.ok()) return "is not a time: \"" + std::string(*text) + "\"";
  *time = *parsed;
  return {};
}

}  // namespace dolmen::entity
