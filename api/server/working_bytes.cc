#include "server/working_bytes.h"

#include <algorithm>

namespace dolmen::server {

std::size_t WorkingBytes(std::string_view json) {
  // The parser copies the text and all strings in it. An operation copies the strings into an item,
  // and encodes the item.
  constexpr std::size_t kCopies = 4;
  // The memory for each value of the JSON: its entries in the index and on the tape of simdjson, and
  // the AttributeValue that an operation reads from it.
  constexpr std::size_t kBytesPerValue = 48;
  // Each value follows one of these characters. A text may contain them, too.
  const auto values = std::count_if(json.begin(), json.end(), [](char c) {
    return (c == ',') | (c == ':') | (c == '[') | (c == '{');
  });
  return kCopies * json.size() + kBytesPerValue * static_cast<std::size_t>(values);
}

}  // namespace dolmen::server
