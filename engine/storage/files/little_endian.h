// Readers of the integers in RocksDB's files.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dolmen::engine {

// Returns the integer whose bytes are `bytes`, at most eight, the least significant byte first.
inline std::uint64_t LittleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// Removes a varint from the front of `*bytes`: seven bits a byte, the least significant bits first.
// Returns nothing if `*bytes` does not begin with one.
inline std::optional<std::uint64_t> TakeVarint(std::string_view* bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace dolmen::engine
