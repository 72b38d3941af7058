#include "engine/value/utf8.h"

#include <boost/locale/utf.hpp>
#include <cstdint>
#include <cstring>

namespace dolmen::engine {

bool IsUtf8(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  const char* position = text.data();
  const char* const end = position + text.size();
  while (position != end) {
    std::uint64_t word = 0;
    while (end - position >= static_cast<std::ptrdiff_t>(sizeof(word))) {  // most text is ASCII
      std::memcpy(&word, position, sizeof(word));
      if ((word & 0x8080808080808080) != 0) break;
      position += sizeof(word);
    }
    if (position == end) break;
    const boost::locale::utf::code_point c = Utf8::decode(position, end);
    if (c == boost::locale::utf::illegal || c == boost::locale::utf::incomplete) return false;
  }
  return true;
}

}  // namespace dolmen::engine
