#include "engine/value/utf8.h"

#include <algorithm>
#include <boost/algorithm/hex.hpp>
#include <boost/locale/utf.hpp>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace dolmen::engine {

using Utf8 = boost::locale::utf::utf_traits<char>;

bool IsUtf8(std::string_view text) {
  constexpr std::ptrdiff_t kWord = sizeof(std::uint64_t);
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position != end) {
    // Most text is ASCII: passes over eight bytes at once. The last eight bytes may overlap bytes
    // that are checked already.
    if (text.size() >= kWord) {
      const char* const start = std::min(position, end - kWord);
      std::uint64_t word = 0;
      std::memcpy(&word, start, sizeof(word));
      if ((word & 0x8080808080808080) == 0) {
        position = start + kWord;
        continue;
      }
    }
    if (static_cast<unsigned char>(*position) < 0x80) {
      ++position;
      continue;
    }
    const boost::locale::utf::code_point c = Utf8::decode(position, end);
    if (c == boost::locale::utf::illegal || c == boost::locale::utf::incomplete) return false;
  }
  return true;
}

std::string ToUtf8(std::string text) {
  if (IsUtf8(text)) return text;
  std::string utf8;
  const char* const end = text.data() + text.size();
  for (const char* position = text.data(); position != end;) {
    const char* const begin = position;
    const boost::locale::utf::code_point c = Utf8::decode(position, end);
    if (c != boost::locale::utf::illegal && c != boost::locale::utf::incomplete) {
      utf8.append(begin, position);
      continue;
    }
    utf8 += "\\x";
    boost::algorithm::hex_lower(begin, begin + 1, std::back_inserter(utf8));
    position = begin + 1;
  }
  return utf8;
}

std::size_t Utf16Units(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr unsigned char kFirstOfFour = 0xF0;  // first byte of a character above U+FFFF
    units += static_cast<std::size_t>((byte & 0xC0U) != 0x80U) +
             static_cast<std::size_t>(byte >= kFirstOfFour);
  }
  return units;
}

}  // namespace dolmen::engine
