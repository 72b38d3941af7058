// Parsed key templates, and the parser, which runs at compile time. key.h defines the syntax.
//
// A parser function returns after a mistake. The compiler then rejects the declaration (mistakes.h),
// so that no program has an incomplete template.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dolmen/entity/attribute_spec.h"
#include "dolmen/entity/mistakes.h"

namespace dolmen::entity {

// The form of a part in the key:
// - kPlain: {name}.
// - kPadded: {name:04}.
// - kDate: {name:date}.
// - kAny: {name:any}.
// - kLower: {name:lower}.
enum class PartFormat : std::uint8_t { kPlain, kPadded, kDate, kAny, kLower };

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

// Returns the position of the attribute with this name, or kNoAttribute if no attribute has it.
consteval std::int16_t FindAttribute(std::span<const AttributeSpec> attributes,
                                     std::string_view name) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == name) return static_cast<std::int16_t>(i);
  }
  return KeySegment::kNoAttribute;
}

// Sets the segment's width from a format like "04". Returns the broken rule, or kNone.
consteval Rule ParseWidth(std::string_view format, KeySegment* segment) {
  if (format.size() > 3 || format[0] != '0') return Rule::kFormatIsKnown;
  for (const char digit : format) {
    if (digit < '0' || digit > '9') return Rule::kFormatIsKnown;
    segment->width = static_cast<std::uint8_t>(segment->width * 10 + (digit - '0'));
  }
  segment->format = PartFormat::kPadded;
  return segment->width >= 1 && segment->width <= 20 ? Rule::kNone : Rule::kWidthHasRange;
}

// Sets the segment's format and width from the text after the colon of {name:format}. `kind` says
// which formats the attribute's type allows. Returns the broken rule, or kNone.
consteval Rule ParseFormat(std::string_view format, PartKind kind, KeySegment* segment) {
  if (format.empty()) return Rule::kNone;
  if (format == "date") {
    segment->format = PartFormat::kDate;
    return kind == PartKind::kTime ? Rule::kNone : Rule::kDateIsTime;
  }
  if (format == "any") {
    segment->format = PartFormat::kAny;
    return kind == PartKind::kText ? Rule::kNone : Rule::kAnyIsText;
  }
  if (format == "lower") {
    segment->format = PartFormat::kLower;
    return kind == PartKind::kText ? Rule::kNone : Rule::kLowerIsText;
  }
  if (kind != PartKind::kInteger) return Rule::kPaddedIsInteger;
  if (format == "unpadded") return Rule::kNone;
  return ParseWidth(format, segment);
}

// Sets the segment's attribute and format from the text between the braces. Returns the broken rule,
// or kNone.
consteval Rule ParsePart(std::string_view part, bool is_sort,
                         std::span<const AttributeSpec> attributes, KeySegment* segment) {
  const std::size_t colon = part.find(':');
  const std::string_view format = colon == part.npos ? part.substr(0, 0) : part.substr(colon + 1);
  segment->attribute = FindAttribute(attributes, part.substr(0, colon));
  if (segment->attribute == KeySegment::kNoAttribute) return Rule::kPartIsAttribute;
  const PartKind kind = attributes[static_cast<std::size_t>(segment->attribute)].part_kind;
  if (kind == PartKind::kNone) return Rule::kPartHasCodecForKeys;
  if (kind == PartKind::kInteger && is_sort && format.empty()) return Rule::kSortedNumberHasWidth;
  return ParseFormat(format, kind, segment);
}

// Parses the text of a template whose parts name some of `attributes`. `is_sort` is true for the
// template of a sort key. Adds a mistake and returns an incomplete template for:
// - an opening brace without a closing brace, and a closing brace without an opening brace
// - more than kSegmentsMax segments
// - two parts without a literal between them, and any text after {name:any}
// - an unknown attribute, and an attribute whose type cannot be in a key (PartKind::kNone)
// - a format that is unknown, or that does not fit the attribute's type
// - a number without a format in a sort key, where 10 would sort before 5
consteval KeyTemplate ParseTemplate(std::string_view text, bool is_sort,
                                    std::span<const AttributeSpec> attributes, Mistake* mistake) {
  const std::string_view whole = text;
  KeyTemplate key;
  while (!text.empty() && mistake->IsNone()) {
    if (key.count == KeyTemplate::kSegmentsMax) {
      mistake->Add(Rule::kPartsMax, whole);
      break;
    }
    KeySegment& segment = key.segments[key.count++];
    const std::size_t open = text.find('{');
    segment.literal = text.substr(0, open);
    if (segment.literal.find('}') != text.npos) mistake->Add(Rule::kBraceIsOpened, whole);
    if (open == text.npos) break;
    const std::size_t close = text.find('}', open);
    if (close == text.npos) {
      mistake->Add(Rule::kBraceIsClosed, whole);
      break;
    }
    const std::string_view part = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    const Rule broken = ParsePart(part, is_sort, attributes, &segment);
    if (broken != Rule::kNone) mistake->Add(broken, part);
    if (segment.format == PartFormat::kAny && !text.empty()) mistake->Add(Rule::kAnyIsLast, part);
    if (text.starts_with('{')) mistake->Add(Rule::kPartsHaveSeparator, whole);
  }
  return key;
}

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
