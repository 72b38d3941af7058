#include "design/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "dolmen/item_view.h"
#include "engine/value/codec.h"
#include "engine/value/utf8.h"

namespace dolmen::picture {
namespace {

struct CharacterRange {
  char32_t first = 0;
  char32_t last = 0;
};

// The characters that are two columns wide. Unicode's table of East Asian widths is finer. This list
// may count a narrow character as wide, which only leaves more space.
constexpr CharacterRange kWide[] = {
    {0x1100, 0x115F}, {0x2300, 0x23FF},   {0x2600, 0x27BF},   {0x2E80, 0xA4CF},
    {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6}, {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFD},
};

// The characters without a width: combining marks, joiners, directions and variation selectors.
constexpr CharacterRange kZeroWidth[] = {
    {0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x200B, 0x200F}, {0x202A, 0x202E},
    {0x2060, 0x2069}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

template <std::size_t kCount>
bool IsIn(const CharacterRange (&ranges)[kCount], char32_t character) {
  return std::ranges::any_of(ranges, [&](const CharacterRange& range) {
    return range.first <= character && character <= range.last;
  });
}

// Returns the bytes of the first character. REQUIRES: `text` is well-formed UTF-8 and not empty.
std::size_t FirstBytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// Returns the number of the first character. REQUIRES: as for FirstBytes.
char32_t FirstCharacter(std::string_view text) {
  const std::size_t bytes = FirstBytes(text);
  auto number = static_cast<char32_t>(static_cast<unsigned char>(text.front()));
  if (bytes > 1) number &= 0x7FU >> bytes;
  for (std::size_t i = 1; i < bytes; ++i) {
    number = (number << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return number;
}

std::size_t WidthOf(char32_t character) {
  if (IsIn(kZeroWidth, character)) return 0;
  return IsIn(kWide, character) ? 2 : 1;
}

void AppendControl(char32_t character, std::string* out) {
  switch (character) {
    case U'\n':
      out->append("\\n");
      break;
    case U'\t':
      out->append("\\t");
      break;
    default: {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned>(character));
      out->append(escape.data());
    }
  }
}

// Returns the entity of a character with a meaning in XML, or "".
std::string_view EntityOf(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

// Returns true for the characters that no XML document may contain.
bool IsExcluded(char32_t character) {
  const bool is_control = character < 0x20 && character != U'\t' && character != U'\n';
  return is_control || character == 0xFFFE || character == 0xFFFF;
}

}  // namespace

std::string OneLine(std::string_view text) {
  const std::string valid = engine::ToUtf8(std::string(text));
  std::string line;
  line.reserve(valid.size());
  for (std::string_view rest = valid; !rest.empty(); rest.remove_prefix(FirstBytes(rest))) {
    const char32_t character = FirstCharacter(rest);
    if (character < 0x20 || (character >= 0x7F && character < 0xA0)) {
      AppendControl(character, &line);
    } else {
      line.append(rest.substr(0, FirstBytes(rest)));
    }
  }
  return line;
}

std::string ValueText(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return OneLine(*text);
  std::string bytes;
  if (Status encoded = engine::EncodeValue(value, &bytes); !encoded.ok()) {
    return OneLine(encoded.message());
  }
  return OneLine(AttributeView(value.type(), bytes).ToString());
}

std::size_t ColumnsOf(std::string_view text) {
  std::size_t columns = 0;
  for (; !text.empty(); text.remove_prefix(FirstBytes(text))) {
    columns += WidthOf(FirstCharacter(text));
  }
  return columns;
}

std::string Truncated(const std::string& text, std::size_t columns) {
  if (columns == 0) return {};
  if (ColumnsOf(text) <= columns) return text;
  std::string kept;
  std::size_t used = 1;  // the ellipsis
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(FirstBytes(rest))) {
    used += WidthOf(FirstCharacter(rest));
    if (used > columns) break;
    kept.append(rest.substr(0, FirstBytes(rest)));
  }
  while (kept.ends_with(' ')) kept.pop_back();
  return kept + "…";
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (; !text.empty(); text.remove_prefix(FirstBytes(text))) {
    const std::string_view entity = EntityOf(text.front());
    if (!entity.empty()) {
      escaped.append(entity);
    } else if (IsExcluded(FirstCharacter(text))) {
      escaped.append("\xEF\xBF\xBD");
    } else {
      escaped.append(text.substr(0, FirstBytes(text)));
    }
  }
  return escaped;
}

}  // namespace dolmen::picture
