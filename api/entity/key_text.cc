#include "dolmen/entity/key_text.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen::entity {
namespace {

constexpr std::size_t kDateChars = 10;  // 2026-04-15

// Appends the digits of a number, padded with zeros if the segment's format is kPadded.
Status AppendNumber(const KeyTemplate& key, const KeySegment& segment, const Number& number,
                    std::string* text) {
  const std::string digits = number.ToString();
  if (segment.format == PartFormat::kPadded) {
    if (digits[0] == '-') {
      return Status::Validation("must not be negative, because its key pads it with zeros: " +
                                digits);
    }
    if (digits.size() > segment.width) {
      return Status::Validation("must have at most " + std::to_string(segment.width) +
                                " digits in its key, not " + digits);
    }
    text->append(segment.width - digits.size(), '0');
  }
  text->append(digits);
  return CheckPartText(key, segment, digits);  // the sign can be a separator
}

// Appends a text in lower case.
Status AppendLower(const KeyTemplate& key, const KeySegment& segment, std::string_view part,
                   std::string* text) {
  DOLMEN_RETURN_IF_ERROR(CheckPartText(key, segment, part));
  for (const char letter : part) {
    // JavaScript would change other letters, too, in a way that needs tables.
    if (static_cast<unsigned char>(letter) > 0x7f) {
      return Status::Validation("must be ASCII, as its key has it in lower case");
    }
    text->push_back(letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + ('a' - 'A'))
                                                   : letter);
  }
  return {};
}

// Appends the text of any value that can be part of a key.
Status AppendValue(const KeyTemplate& key, const KeySegment& segment, const AttributeValue& value,
                   std::string* text) {
  if (const auto* number = value.get_if<Number>()) return AppendNumber(key, segment, *number, text);
  const auto* whole = value.get_if<std::string>();
  if (whole == nullptr) {
    return Status::Validation("is neither a text nor a number, so it cannot be part of a key");
  }
  if (segment.format == PartFormat::kLower) return AppendLower(key, segment, *whole, text);
  const std::string_view part = segment.format == PartFormat::kDate
                                    ? std::string_view(*whole).substr(0, kDateChars)
                                    : std::string_view(*whole);
  DOLMEN_RETURN_IF_ERROR(CheckPartText(key, segment, part));
  text->append(part);
  return {};
}

}  // namespace

bool IsDay(std::string_view text) {
  if (text.size() != kDateChars) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (i == 4 || i == 7 ? text[i] != '-' : !is_digit) return false;
  }
  return true;
}

Status CheckPartText(const KeyTemplate& key, const KeySegment& segment, std::string_view text) {
  if (text.empty()) return Status::Validation("must not be empty, as it is part of a key");
  if (segment.format == PartFormat::kAny) return {};
  const KeySegment* next = &segment + 1;
  std::string separators;
  if (segment.format != PartFormat::kLower && !segment.literal.empty()) {
    separators = segment.literal.back();
  }
  if (next != key.end() && !next->literal.empty()) separators += next->literal.front();
  std::size_t found = text.npos;
  for (const char separator : separators) found = std::min(found, text.find(separator));
  if (found == text.npos) return {};
  return Status::Validation("must not hold \"" + std::string(1, text[found]) +
                            "\", which ends a part of its key");
}

Status RenderPart(const EntitySpec& entity, const KeyTemplate& key, const KeySegment& segment,
                  const AttributeValue& value, std::string* text) {
  const Status appended = AppendValue(key, segment, value, text);
  if (appended.ok()) return {};
  const auto position = static_cast<std::size_t>(segment.attribute);
  return InvalidAttribute(entity, entity.attributes[position].name, appended.message());
}

Result<std::size_t> RenderKey(const EntitySpec& entity, const KeyTemplate& key,
                              const PartValues& parts, std::string* text) {
  for (const KeySegment& segment : key) {
    text->append(segment.literal);
    if (segment.attribute == KeySegment::kNoAttribute) continue;
    AttributeValue value;
    const Result<bool> known = parts.Get(static_cast<std::size_t>(segment.attribute), &value);
    if (!known.ok()) return known.status();
    if (!*known) return static_cast<std::size_t>(&segment - key.begin());
    DOLMEN_RETURN_IF_ERROR(RenderPart(entity, key, segment, value, text));
  }
  return key.count;
}

Status SplitKey(const KeyTemplate& key, std::string_view text, std::vector<KeyPart>* parts) {
  for (const KeySegment& segment : key) {
    if (!text.starts_with(segment.literal)) {
      return Status::Validation(
          (parts->empty() ? "does not begin with \"" : "does not continue with \"") +
          std::string(segment.literal) + "\"");
    }
    text.remove_prefix(segment.literal.size());
    if (segment.attribute == KeySegment::kNoAttribute) break;
    const KeySegment* next = &segment + 1;
    const std::size_t end = next == key.end() ? text.size() : text.find(next->literal);
    parts->push_back({.segment = &segment, .text = text.substr(0, end)});
    text.remove_prefix(parts->back().text.size());
  }
  if (text.empty()) return {};
  return Status::Validation("ends with the unexpected text \"" + std::string(text) + "\"");
}

}  // namespace dolmen::entity
