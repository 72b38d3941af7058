#include "dolmen/entity/codec.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace dolmen {

namespace {

// Writes a floating-point number, or returns an error that contains it.
template <typename F>
Status EncodeFloat(F number, AttributeValue* value) {
  const Result<Number> exact = Number::FromDouble(number);
  if (exact.ok()) {
    *value = *exact;
    return {};
  }
  std::array<char, 32> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), number);
  return Status::Validation("is " + std::string(text.data(), written.ptr) +
                            ", which is outside the range of DynamoDB's numbers");
}

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

Status NotAnInteger(AttributeView view, const Number& least, const Number& greatest) {
  if (!view.Is(AttributeType::kN)) return WrongType(view, AttributeType::kN);
  return Status::Validation("is not a whole number from " + least.ToString() + " to " +
                            greatest.ToString());
}

Status DecodeInteger(AttributeView view, std::int64_t least, std::int64_t greatest,
                     std::int64_t* integer) {
  const auto found = view.AsInt64();
  if (!found || *found < least || *found > greatest) return NotAnInteger(view, least, greatest);
  *integer = *found;
  return {};
}

Status DecodeInteger(AttributeView view, std::uint64_t least, std::uint64_t greatest,
                     std::uint64_t* integer) {
  const auto number = view.AsNumber();
  const auto found = number ? number->ToUint64() : std::nullopt;
  if (!found || *found < least || *found > greatest) return NotAnInteger(view, least, greatest);
  *integer = *found;
  return {};
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

Status AttributeCodec<double>::Encode(double number, AttributeValue* value) {
  return EncodeFloat(number, value);
}

Status AttributeCodec<double>::Decode(AttributeView view, double* number) {
  const auto found = view.AsNumber();
  if (!found) return entity::WrongType(view, AttributeType::kN);
  *number = found->ToDouble();
  return {};
}

Status AttributeCodec<float>::Encode(float number, AttributeValue* value) {
  return EncodeFloat(number, value);
}

Status AttributeCodec<float>::Decode(AttributeView view, float* number) {
  const auto found = view.AsNumber();
  if (!found) return entity::WrongType(view, AttributeType::kN);
  // Parses the text, because a conversion through double would round twice.
  const std::string text = found->ToString();
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), *number);
  if (parsed.ec == std::errc()) return {};
  return Status::Validation("is outside the range of a float: " + text);
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

Status AttributeCodec<std::vector<std::byte>>::Encode(const std::vector<std::byte>& bytes,
                                                      AttributeValue* value) {
  *value = Binary{std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
  return {};
}

Status AttributeCodec<std::vector<std::byte>>::Decode(AttributeView view,
                                                      std::vector<std::byte>* bytes) {
  const auto found = view.AsBinary();
  if (!found) return entity::WrongType(view, AttributeType::kB);
  const auto* first = reinterpret_cast<const std::byte*>(found->data());
  bytes->assign(first, first + found->size());
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
