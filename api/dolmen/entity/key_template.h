// Key templates, parsed when the program is compiled.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"

namespace dolmen::entity {

enum class PartFormat : std::uint8_t { kPlain, kPadded, kDate, kAny };

// A literal, and the attribute behind it, if any.
struct KeySegment {
  static constexpr std::int16_t kNoAttribute = -1;

  std::string_view literal = {};
  std::int16_t attribute = kNoAttribute;  // its place in EntitySpec::attributes
  PartFormat format = PartFormat::kPlain;
  std::uint8_t width = 0;  // kPadded
};

struct KeyTemplate {
  static constexpr std::size_t kSegmentsMax = 8;

  std::array<KeySegment, kSegmentsMax> segments = {};
  std::size_t count = 0;

  constexpr const KeySegment* begin() const { return segments.data(); }
  constexpr const KeySegment* end() const { return segments.data() + count; }
  constexpr bool HasPart(std::size_t attribute) const {
    for (const KeySegment& segment : *this) {
      if (segment.attribute == static_cast<std::int16_t>(attribute)) return true;
    }
    return false;
  }
};

// A template read at compile time.  What is thrown is the compiler's message.
consteval std::int16_t FindAttribute(std::span<const AttributeSpec> attributes,
                                     std::string_view name) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == name) return static_cast<std::int16_t>(i);
  }
  throw "a key template names an attribute that the entity does not have";
}

consteval void ParseFormat(std::string_view format, PartKind kind, KeySegment* segment) {
  if (format.empty()) return;
  if (format == "date") {
    if (kind != PartKind::kTime) throw "{name:date} is for times";
    segment->format = PartFormat::kDate;
  } else if (format == "any") {
    if (kind != PartKind::kText) throw "{name:any} is for texts";
    segment->format = PartFormat::kAny;
  } else {
    if (kind != PartKind::kInteger) throw "{name:04} is for whole numbers";
    if (format.size() > 3 || format[0] != '0') throw "what is {name:format}?";
    for (const char digit : format) {
      if (digit < '0' || digit > '9') throw "what is {name:format}?";
      segment->width = static_cast<std::uint8_t>(segment->width * 10 + (digit - '0'));
    }
    if (segment->width == 0 || segment->width > 19) throw "a number has 1 to 19 digits";
    segment->format = PartFormat::kPadded;
  }
}

consteval KeyTemplate ParseTemplate(std::string_view text,
                                    std::span<const AttributeSpec> attributes) {
  KeyTemplate key;
  while (!text.empty()) {
    if (key.count == KeyTemplate::kSegmentsMax) throw "a key template has at most 8 parts";
    KeySegment& segment = key.segments[key.count++];
    const std::size_t open = text.find('{');
    segment.literal = text.substr(0, open);
    if (segment.literal.find('}') != std::string_view::npos) throw "a } without a {";
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) throw "a { without a }";
    const std::string_view part = text.substr(open + 1, close - open - 1);
    const std::size_t colon = part.find(':');
    segment.attribute = FindAttribute(attributes, part.substr(0, colon));
    const PartKind kind = attributes[static_cast<std::size_t>(segment.attribute)].part_kind;
    if (kind == PartKind::kNone) throw "an attribute of this type can't be in a key template";
    if (colon != std::string_view::npos) ParseFormat(part.substr(colon + 1), kind, &segment);
    text.remove_prefix(close + 1);
    if (segment.format == PartFormat::kAny && !text.empty()) throw "{name:any} comes last";
    if (!text.empty() && text[0] == '{') throw "two parts of a key need a separator";
  }
  return key;
}

}  // namespace dolmen::entity
