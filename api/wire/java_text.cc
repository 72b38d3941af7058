#include "wire/java_text.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// A printer of JSON in the format of Java's toString. The printer cuts the text to kShownMax bytes.
// Each function returns false if the text was cut. The caller then stops printing.
class JavaPrinter {
 public:
  bool Print(const Json& json, const Shape* shape) {
    switch (json.type()) {
      case JsonType::OBJECT:
        return PrintObject(json, shape);
      case JsonType::ARRAY:
        return PrintArray(json, shape);
      case JsonType::STRING:
        return Append(StringOf(json));
      case JsonType::BOOL:
        return Append(BooleanOf(json) ? "true" : "false");
      case JsonType::NULL_VALUE:
        return Append("null");
      default:
        return Append(std::to_string(IntegerOf(json)));
    }
  }

  std::string Take() && { return std::move(text_); }

 private:
  bool Append(std::string_view part) {
    if (is_full_) return false;
    const std::string_view shown = Truncated(part, kShownMax - text_.size());
    text_.append(shown);
    is_full_ = shown.size() < part.size();
    return !is_full_;
  }

  // Prints an object: a structure with the name of its class, or a map, which has no class.
  bool PrintObject(const Json& json, const Shape* shape) {
    const bool structure = shape != nullptr && (shape->kind == Kind::kStructure ||
                                                shape->kind == Kind::kAttributeValue);
    if (structure && !Append(shape->name)) return false;
    if (!Append(structure ? "(" : "{")) return false;
    std::string_view separator;
    for (const auto& [name, value] : EntriesOf(ObjectOf(json))) {
      if (!Append(separator) || !Append(structure ? LowerFirst(Truncated(name)) : name))
        return false;
      if (!Append("=")) return false;
      if (!Print(value, structure ? MemberOf(*shape, name) : ElementOf(shape))) return false;
      separator = ", ";
    }
    return Append(structure ? ")" : "}");
  }

  bool PrintArray(const Json& json, const Shape* shape) {
    if (!Append("[")) return false;
    std::string_view separator;
    for (const Json element : ArrayOf(json)) {
      if (!Append(separator) || !Print(element, ElementOf(shape))) return false;
      separator = ", ";
    }
    return Append("]");
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
  printer.Print(json, &shape);
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
