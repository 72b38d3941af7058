#include "wire/java_text.h"

#include "engine/base/deep.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// A printer of JSON in the format of Java's toString. The printer cuts the text to kShownMax bytes.
// Each function returns false if the text was cut. The caller then stops printing. The functions that nest are
// coroutines, because an unknown member may nest as deep as simdjson reads.
class JavaPrinter {
 public:
  void PrintAll(const Json& json, const Shape* shape) { Print(json, shape).Run(); }

  std::string Take() && { return std::move(text_); }

 private:
  engine::Deep<bool> Print(Json json, const Shape* shape) {
    switch (json.type()) {
      case JsonType::OBJECT:
        co_return co_await PrintObject(json, shape);
      case JsonType::ARRAY:
        co_return co_await PrintArray(json, shape);
      case JsonType::STRING:
        co_return Append(StringOf(json));
      case JsonType::BOOL:
        co_return Append(BooleanOf(json) ? "true" : "false");
      case JsonType::NULL_VALUE:
        co_return Append("null");
      default:
        co_return Append(std::to_string(IntegerOf(json)));
    }
  }

  bool Append(std::string_view part) {
    if (is_full_) return false;
    const std::string_view shown = Truncated(part, kShownMax - text_.size());
    text_.append(shown);
    is_full_ = shown.size() < part.size();
    return !is_full_;
  }

  // Prints an object: a structure with the name of its class, or a map, which has no class.
  engine::Deep<bool> PrintObject(Json json, const Shape* shape) {
    const bool structure = shape != nullptr && (shape->kind == Kind::kStructure ||
                                                shape->kind == Kind::kAttributeValue);
    if (structure && !Append(shape->name)) co_return false;
    if (!Append(structure ? "(" : "{")) co_return false;
    std::string_view separator;
    for (const auto& [name, value] : EntriesOf(ObjectOf(json))) {
      if (!Append(separator) || !Append(structure ? LowerFirst(Truncated(name)) : name))
        co_return false;
      if (!Append("=")) co_return false;
      const Shape* const inner = structure ? MemberOf(*shape, name) : ElementOf(shape);
      const bool is_whole = co_await Print(value, inner);
      if (!is_whole) co_return false;
      separator = ", ";
    }
    co_return Append(structure ? ")" : "}");
  }

  engine::Deep<bool> PrintArray(Json json, const Shape* shape) {
    if (!Append("[")) co_return false;
    std::string_view separator;
    for (const Json element : ArrayOf(json)) {
      if (!Append(separator)) co_return false;
      const bool is_whole = co_await Print(element, ElementOf(shape));
      if (!is_whole) co_return false;
      separator = ", ";
    }
    co_return Append("]");
  }

  static const Shape* ElementOf(const Shape* shape) {
    return shape != nullptr ? shape->element : nullptr;
  }

  static const Shape* MemberOf(const Shape& shape, std::string_view name) {
    if (shape.kind == Kind::kAttributeValue) {
      if (name == "M") return &kAttributeMapShape;
      return nullptr;
    }
    const MemberShape* const member = FindMember(shape.members, name);
    return member != nullptr ? member->shape : nullptr;
  }

  std::string text_;
  bool is_full_ = false;
};

}  // namespace

std::string_view Truncated(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t size = bytes_max;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

std::string JavaText(const Json& json, const Shape& shape) {
  JavaPrinter printer;
  printer.PrintAll(json, &shape);
  return std::move(printer).Take();
}

std::string LowerFirst(std::string_view name) {
  std::string lower(name);
  if (!lower.empty() && lower[0] >= 'A' && lower[0] <= 'Z') {
    lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  }
  return lower;
}

}  // namespace dolmen::wire
