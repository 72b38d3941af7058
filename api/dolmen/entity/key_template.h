// Parsed key templates, and the parser, which runs at compile time. key.h defines the syntax.
//
// A parser function reports a mistake with RejectDeclaration, so the compiler reports an error and
// shows the argument.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"

namespace dolmen::entity {

// The form of a part in the key:
// - kPlain: {name}.
// - kPadded: {name:04}.
// - kDate: {name:date}.
// - kAny: {name:any}.
enum class PartFormat : std::uint8_t { kPlain, kPadded, kDate, kAny };

// A literal of a template and the part that follows it. "BOOKING#{arrival:date}#{bookingId}" has
// two segments: "BOOKING#" with the part arrival, and "#" with the part bookingId.
struct KeySegment {
  static constexpr std::int16_t kNoAttribute = -1;

  // The literal before the segment's part; may be empty in the first segment.
  std::string_view literal = {};

  // The part's position in EntitySpec::attributes. kNoAttribute if the template ends with the
  // literal.
  std::int16_t attribute = kNoAttribute;

  PartFormat format = PartFormat::kPlain;

  // The number of digits of a kPadded part; otherwise 0.
  std::uint8_t width = 0;
};

// A parsed template. If a key has no sort key, its sort template has no segments (count is 0).
struct KeyTemplate {
  static constexpr std::size_t kSegmentsMax = 8;

  // The segments in order, of which the first `count` are used.
  std::array<KeySegment, kSegmentsMax> segments = {};
  std::size_t count = 0;

  constexpr const KeySegment* begin() const { return segments.data(); }
  constexpr const KeySegment* end() const { return segments.data() + count; }

  // Returns true if `attribute`, a position in EntitySpec::attributes, is a part of the template.
  constexpr bool HasPart(std::size_t attribute) const {
    for (const KeySegment& segment : *this) {
      if (segment.attribute == static_cast<std::int16_t>(attribute)) return true;
    }
    return false;
  }
};

// Returns the position of the attribute with this name; rejects the template if no attribute has it.
consteval std::int16_t FindAttribute(std::span<const AttributeSpec> attributes,
                                     std::string_view name) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == name) return static_cast<std::int16_t>(i);
  }
  RejectDeclaration("a key template names an attribute that the entity does not have");
}

// Sets the segment's format and width from the text after the colon of {name:format}. `kind` says
// which formats the attribute's type allows.
consteval void ParseFormat(std::string_view format, PartKind kind, KeySegment* segment) {
  if (format.empty()) return;
  if (format == "date") {
    if (kind != PartKind::kTime) RejectDeclaration("{name:date} needs a time");
    segment->format = PartFormat::kDate;
  } else if (format == "any") {
    if (kind != PartKind::kText) RejectDeclaration("{name:any} needs a text");
    segment->format = PartFormat::kAny;
  } else {
    if (kind != PartKind::kInteger) RejectDeclaration("{name:04} needs an integer");
    if (format.size() > 3 || format[0] != '0') RejectDeclaration("unknown format in {name:format}");
    for (const char digit : format) {
      if (digit < '0' || digit > '9') RejectDeclaration("unknown format in {name:format}");
      segment->width = static_cast<std::uint8_t>(segment->width * 10 + (digit - '0'));
    }
    if (segment->width == 0 || segment->width > 20)
      RejectDeclaration("a padded number has 1 to 20 digits");
    segment->format = PartFormat::kPadded;
  }
}

// Parses the text of a template whose parts name some of `attributes`. Rejects:
// - an opening brace without a closing brace, and a closing brace without an opening brace
// - more than kSegmentsMax segments
// - two parts without a literal between them, and any text after {name:any}
// - an unknown attribute, and an attribute whose type cannot be in a key (PartKind::kNone)
// - a format that is unknown, or that does not fit the attribute's type
consteval KeyTemplate ParseTemplate(std::string_view text,
                                    std::span<const AttributeSpec> attributes) {
  KeyTemplate key;
  while (!text.empty()) {
    if (key.count == KeyTemplate::kSegmentsMax)
      RejectDeclaration("a key template has at most 8 parts");
    KeySegment& segment = key.segments[key.count++];
    const std::size_t open = text.find('{');
    segment.literal = text.substr(0, open);
    if (segment.literal.find('}') != std::string_view::npos) RejectDeclaration("a } without a {");
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) RejectDeclaration("a { without a }");
    const std::string_view part = text.substr(open + 1, close - open - 1);
    const std::size_t colon = part.find(':');
    segment.attribute = FindAttribute(attributes, part.substr(0, colon));
    const PartKind kind = attributes[static_cast<std::size_t>(segment.attribute)].part_kind;
    if (kind == PartKind::kNone)
      RejectDeclaration("an attribute of this type cannot be in a key template");
    if (colon != std::string_view::npos) ParseFormat(part.substr(colon + 1), kind, &segment);
    text.remove_prefix(close + 1);
    if (segment.format == PartFormat::kAny && !text.empty())
      RejectDeclaration("{name:any} must be the last part");
    if (!text.empty() && text[0] == '{') RejectDeclaration("two parts of a key need a separator");
  }
  return key;
}

}  // namespace dolmen::entity
