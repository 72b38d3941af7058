// Key templates, as on paper:
//
//   PrimaryKey("CONVO#{convoId}", "MSG#{messageId}")
//   IndexKey("GSI1", "TIER#{tier}", "SCORE#{score:04}")
//
// {name} is the attribute of that name: a text, an enum, a time (ISO 8601 with milliseconds) or a
// whole number.  {name:04} pads a number with zeros to four digits, so that keys sort as the
// numbers do; {name:date} is a time's day, 2026-04-15.  A text in a key can't be empty, nor hold
// the character that ends the literal before it or begins the one behind it, so that no value looks
// like another key; {name:any}, the last of its template, may hold anything.
//
// Templates are read when the program is compiled, where a mistake in one is an error.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/entity/attribute.h"
#include "dolmen/result.h"

namespace dolmen {

// A key as it is declared.
struct KeyDeclaration {
  std::string_view index = {};  // "" = the table's own
  std::string_view partition = {};
  std::string_view sort = {};  // "" = there is none
  // "" = the convention: PK and SK, and in an index its name and these: GSI1PK and GSI1SK.
  std::string_view partition_name = {};
  std::string_view sort_name = {};

  // The names of the key attributes, where they are other ones.
  consteval KeyDeclaration Named(std::string_view partition_attribute,
                                 std::string_view sort_attribute = {}) const {
    KeyDeclaration named = *this;
    named.partition_name = partition_attribute;
    named.sort_name = sort_attribute;
    return named;
  }
};

// The table's key.
consteval KeyDeclaration PrimaryKey(std::string_view partition, std::string_view sort = {}) {
  return {.partition = partition, .sort = sort};
}

// The key in an index.  An item is in the index only if all that the templates name is present.
consteval KeyDeclaration IndexKey(std::string_view index, std::string_view partition,
                                  std::string_view sort = {}) {
  return {.index = index, .partition = partition, .sort = sort};
}

namespace entity {

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
  constexpr bool Names(std::size_t attribute) const {
    for (const KeySegment& segment : *this) {
      if (segment.attribute == static_cast<std::int16_t>(attribute)) return true;
    }
    return false;
  }
};

struct KeySpec {
  std::string_view index = {};  // "" = the table's own
  std::string_view partition_name = {};
  std::string_view sort_name = {};
  KeyTemplate partition = {};
  KeyTemplate sort = {};
  bool has_sort = false;

  std::string PartitionName() const;
  std::string SortName() const;

  constexpr bool Names(std::size_t attribute) const {
    return partition.Names(attribute) || sort.Names(attribute);
  }
};

// Everything that an entity is, without its types.  All views are of constants.
struct EntitySpec {
  std::string_view name = {};
  std::string_view type_attribute = {};
  std::span<const AttributeSpec> attributes = {};
  std::span<const KeySpec> keys = {};  // the primary key first

  const KeySpec& primary() const { return keys.front(); }
  // Null if the entity is not in the index.
  const KeySpec* FindKey(std::string_view index) const;
  const AttributeSpec* version() const;  // null if it has none
};

// What a template is filled with: the attributes that are known, by their places.
class PartValues {
 public:
  virtual ~PartValues() = default;
  // Makes `*value` the attribute's; false if it is not known.
  virtual Result<bool> Get(std::size_t attribute, AttributeValue* value) const = 0;
};

// Appends the template's text as far as the parts are known.  Returns how many segments that were:
// all of them, or those before the one whose attribute is not known, its literal being appended.
// kValidation: a value is not fit for a key.
Result<std::size_t> RenderKey(const EntitySpec& entity, const KeyTemplate& key,
                              const PartValues& parts, std::string* text);

// Appends the text of the segment's attribute with this value.
Status RenderPart(const EntitySpec& entity, const KeyTemplate& key, const KeySegment& segment,
                  const AttributeValue& value, std::string* text);

// A segment's attribute and what of a key's text is it.
struct KeyPart {
  const KeySegment* segment = nullptr;
  std::string_view text = {};
};

// The parts of a key's text, as far as it is as the template has it; `*problem` says where not.
std::vector<KeyPart> SplitKey(const KeyTemplate& key, std::string_view text, Problem* problem);

// kValidation: the entity and its attribute that something is wrong with.
Status BadAttribute(const EntitySpec& entity, std::string_view attribute, const Problem& problem);

// A template read at compile time.  What is thrown is the compiler's message.
consteval std::int16_t FindAttribute(std::span<const AttributeSpec> attributes,
                                     std::string_view name) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == name) return static_cast<std::int16_t>(i);
  }
  throw "a key template names an attribute that the entity does not have";
}

consteval void ReadFormat(std::string_view format, PartKind kind, KeySegment* segment) {
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
    const PartKind kind = attributes[static_cast<std::size_t>(segment.attribute)].part;
    if (kind == PartKind::kNone) throw "an attribute of this type can't be in a key template";
    if (colon != std::string_view::npos) ReadFormat(part.substr(colon + 1), kind, &segment);
    text.remove_prefix(close + 1);
    if (segment.format == PartFormat::kAny && !text.empty()) throw "{name:any} comes last";
    if (!text.empty() && text[0] == '{') throw "two parts of a key need a separator";
  }
  return key;
}

}  // namespace entity
}  // namespace dolmen
