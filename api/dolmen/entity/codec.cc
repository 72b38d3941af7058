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

std::string NameAttribute(std::string_view attribute, const std::string& message) {
  const bool is_within = message.starts_with('.') || message.starts_with('[');
  return std::string(attribute).append(is_within ? "" : " ").append(message);
}

Status NameAttribute(std::string_view attribute, const Status& error) {
  if (error.ok()) return {};
  return Status::Validation(NameAttribute(attribute, error.message()));
}

Status WrongType(AttributeView view, AttributeType type) {
  if (!view.exists()) return Status::Validation("is missing");
  return Status::Validation("has type " + std::string(AttributeTypeName(view.type())) + ", not " +
                            std::string(AttributeTypeName(type)));
}

Status NotAnInteger(AttributeView view, std::int64_t least, std::int64_t greatest) {
  if (!view.Is(AttributeType::kN)) return WrongType(view, AttributeType::kN);
  return Status::Validation("is not a whole number from " + std::to_string(least) + " to " +
                            std::to_string(greatest));
}

}  // namespace entity

Status AttributeCodec<std::string>::Encode(const std::string& text, AttributeValue* value) {
  *value = text;
  return {};
}

Status AttributeCodec<std::string>::Decode(AttributeView view, std::string* text) {
  const auto found = view.AsString();
  if (!found) return entity::WrongType(view, AttributeType::kS);
  *text = *found;
  return {};
}

Status AttributeCodec<bool>::Encode(bool flag, AttributeValue* value) {
  *value = flag;
  return {};
}

Status AttributeCodec<bool>::Decode(AttributeView view, bool* flag) {
  const auto found = view.AsBool();
  if (!found) return entity::WrongType(view, AttributeType::kBool);
  *flag = *found;
  return {};
}

Status AttributeCodec<Number>::Encode(const Number& number, AttributeValue* value) {
  *value = number;
  return {};
}

Status AttributeCodec<Number>::Decode(AttributeView view, Number* number) {
  const auto found = view.AsNumber();
  if (!found) return entity::WrongType(view, AttributeType::kN);
  *number = *found;
  return {};
}

Status AttributeCodec<Binary>::Encode(const Binary& binary, AttributeValue* value) {
  *value = binary;
  return {};
}

Status AttributeCodec<Binary>::Decode(AttributeView view, Binary* binary) {
  const auto found = view.AsBinary();
  if (!found) return entity::WrongType(view, AttributeType::kB);
  binary->bytes = *found;
  return {};
}

Status AttributeCodec<Timestamp>::Encode(Timestamp time, AttributeValue* value) {
  if (time < kTimeMin || time > kTimeMax)
    return Status::Validation("is a time outside the years 0 to 9999");
  std::string text = ToIso8601(time);
  if (text.find('.') == std::string::npos) text.insert(text.size() - 1, ".000");
  *value = std::move(text);
  return {};
}

Status AttributeCodec<Timestamp>::Decode(AttributeView view, Timestamp* time) {
  const auto text = view.AsString();
  if (!text) return entity::WrongType(view, AttributeType::kS);
  const Result<Timestamp> parsed = ParseIso8601(*text);
  if (!parsed.ok()) return Status::Validation("is not a time: \"" + std::string(*text) + "\"");
  *time = *parsed;
  return {};
}

Status EpochSecondsCodec::Encode(Timestamp time, AttributeValue* value) {
  *value = std::int64_t{std::chrono::ceil<std::chrono::seconds>(time).time_since_epoch().count()};
  return {};
}

Status EpochSecondsCodec::Decode(AttributeView view, Timestamp* time) {
  constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max() / 1000;
  const auto found = view.AsInt64();
  if (!found || *found < -kGreatest || *found > kGreatest) {
    return entity::NotAnInteger(view, -kGreatest, kGreatest);
  }
  *time = Timestamp(std::chrono::seconds(*found));
  return {};
}

Status AttributeCodec<AttributeValue>::Encode(const AttributeValue& from, AttributeValue* value) {
  *value = from;
  return {};
}

Status AttributeCodec<AttributeValue>::Decode(AttributeView view, AttributeValue* to) {
  Result<AttributeValue> copy = view.Copy();
  if (!copy.ok()) return Status::Validation("is damaged");
  *to = *std::move(copy);
  return {};
}

}  // namespace dolmen
