#include "dolmen/entity/codec.h"

#include <chrono>
#include <limits>
#include <utility>

namespace dolmen {

namespace {

using std::chrono::sys_days;
using std::chrono::year;

constexpr Timestamp kTimeMin = sys_days(year(0) / 1 / 1);
constexpr Timestamp kTimeMax = sys_days(year(10000) / 1 / 1) - std::chrono::milliseconds(1);

}  // namespace

namespace entity {

std::string DescribeProblem(std::string_view attribute, const Problem& problem) {
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

}  // namespace entity

Problem AttributeCodec<std::string>::Encode(const std::string& text, AttributeValue* value) {
  *value = text;
  return {};
}

Problem AttributeCodec<std::string>::Decode(AttributeView view, std::string* text) {
  const auto found = view.AsString();
  if (!found) return entity::WrongType(view, AttributeType::kS);
  *text = *found;
  return {};
}

Problem AttributeCodec<bool>::Encode(bool flag, AttributeValue* value) {
  *value = flag;
  return {};
}

Problem AttributeCodec<bool>::Decode(AttributeView view, bool* flag) {
  const auto found = view.AsBool();
  if (!found) return entity::WrongType(view, AttributeType::kBool);
  *flag = *found;
  return {};
}

Problem AttributeCodec<Number>::Encode(const Number& number, AttributeValue* value) {
  *value = number;
  return {};
}

Problem AttributeCodec<Number>::Decode(AttributeView view, Number* number) {
  const auto found = view.AsNumber();
  if (!found) return entity::WrongType(view, AttributeType::kN);
  *number = *found;
  return {};
}

Problem AttributeCodec<Binary>::Encode(const Binary& binary, AttributeValue* value) {
  *value = binary;
  return {};
}

Problem AttributeCodec<Binary>::Decode(AttributeView view, Binary* binary) {
  const auto found = view.AsBinary();
  if (!found) return entity::WrongType(view, AttributeType::kB);
  binary->bytes = *found;
  return {};
}

Problem AttributeCodec<Timestamp>::Encode(Timestamp time, AttributeValue* value) {
  if (time < kTimeMin || time > kTimeMax) return "is a time outside the years 0 to 9999";
  std::string text = ToIso8601(time);
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  *value = std::move(text);
  return {};
}

Problem AttributeCodec<Timestamp>::Decode(AttributeView view, Timestamp* time) {
  const auto text = view.AsString();
  if (!text) return entity::WrongType(view, AttributeType::kS);
  const Result<Timestamp> parsed = ParseIso8601(*text);
  if (!parsed.ok()) return "is not a time: \"" + std::string(*text) + "\"";
  *time = *parsed;
  return {};
}

Problem EpochSecondsCodec::Encode(Timestamp time, AttributeValue* value) {
  *value = std::int64_t{std::chrono::ceil<std::chrono::seconds>(time).time_since_epoch().count()};
  return {};
}

Problem EpochSecondsCodec::Decode(AttributeView view, Timestamp* time) {
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max() / 1000;
  const auto found = view.AsInt64();
  if (!found || *found < -kGreatest || *found > kGreatest) {
    return entity::NotAnInteger(view, -kGreatest, kGreatest);
  }
  *time = Timestamp(std::chrono::seconds(*found));
  return {};
}

Problem AttributeCodec<AttributeValue>::Encode(const AttributeValue& from, AttributeValue* value) {
  *value = from;
  return {};
}

Problem AttributeCodec<AttributeValue>::Decode(AttributeView view, AttributeValue* to) {
  Result<AttributeValue> copy = view.Copy();
  if (!copy.ok()) return "is damaged";
  *to = *std::move(copy);
  return {};
}

}  // namespace dolmen
