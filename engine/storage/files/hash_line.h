// The last line of a text file, by which Dolmen notices that the file is damaged.

#pragma once

#include <xxhash.h>

#include <string>
#include <string_view>

namespace dolmen::engine {

// Returns the last line of a text file. It holds the hash of all lines before it, which are `text`.
inline std::string HashLine(std::string_view text) {
  return "hash " + std::to_string(XXH3_64bits(text.data(), text.size())) + "\n";
}

}  // namespace dolmen::engine
