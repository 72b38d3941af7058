#include "wire/java_text.h"

#include <cctype>

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// Messages are for people: what is longer than this is of no use to them.
constexpr std::size_t kTextMax = 16 << 10;

class JavaPrinter {
 public:
  void Print(const Json& json, const Shape* shape) {
    if (text_.size() > kTextMax) return;
    switch (json.type()) {
      case JsonType::OBJECT:
        return PrintObject(json, shape);
      case JsonType::ARRAY:
        return PrintArray(json, shape);
      case JsonType::STRING:
        text_.append(StringOf(json));
        return;
      case JsonType::BOOL:
        text_.append(BooleanOf(json) ? "true" : "false");
        return;
      case JsonType::NULL_VALUE:
        text_.append("null");
        return;
      default:
        text_.append(std::to_string(IntegerOf(json)));
        return;
    }
  }

  std::string Take() && { return std::move(text_); }

 private:
  // A structure, whose class is known, or a map.
  void PrintObject(const Json& json, const Shape* shape) {
    const bool structure = shape != nullptr && (shape->kind == Kind::kStructure ||
                                                shape->kind == Kind::kAttributeValue);
    if (structure) text_.append(shape->name);
    text_.push_back(structure ? '(' : '{');
    bool first = true;
    for (const simdjson::dom::key_value_pair member : ObjectOf(json)) {
      text_.append(first ? "" : ", ");
      first = false;
      text_.append(structure ? LowerFirst(member.key) : std::string(member.key)).append("=");
      Print(member.value, structure ? MemberOf(*shape, member.key) : ElementOf(shape));
    }
    text_.push_back(structure ? ')' : '}');
  }

  void PrintArray(const Json& json, const Shape* shape) {
    text_.push_back('[');
    bool first = true;
    for (const Json element : ArrayOf(json)) {
      text_.append(first ? "" : ", ");
      first = false;
      Print(element, ElementOf(shape));
    }
    text_.push_back(']');
  }

  static const Shape* ElementOf(const Shape* shape) {
    return shape != nullptr ? shape->element : nullptr;
  }

  static const Shape* MemberOf(const Shape& shape, std::string_view name) {
    if (shape.kind == Kind::kAttributeValue) {
      if (name == "M") return &kAttributeMapShape;
      return nullptr;
    }
    for (const MemberShape& member : shape.members) {
      if (member.name == name) return member.shape;
    }
    return nullptr;
  }

  std::string text_;
};

}  // namespace

std::string JavaText(const Json& json, const Shape& shape) {
  JavaPrinter printer;
  printer.Print(json, &shape);
  return std::move(printer).Take();
}

std::string LowerFirst(std::string_view name) {
  std::string lower(name);
  if (!lower.empty()) {
    lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
  }
  return lower;
}

}  // namespace dolmen::wire
