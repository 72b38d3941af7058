// Integers and blocks of bytes in the binary forms of items and values (FORMAT.md, engine/storage).
//
// A varint holds 7 bits of the integer per byte, the least significant bits first. The high bit is
// set in all bytes except the last. A block is a varint that holds a number of bytes, then these
// bytes.
//
// All functions are pure except for their out-parameters, so any thread may call them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace dolmen::engine {

inline constexpr std::size_t kVarintBytesMax = 5;

// Returns the number of bytes that the varint of the integer has.
inline std::size_t VarintBytes(std::uint32_t value) {
  std::size_t count = 1;
  for (; value >= 0x80; value >>= 7) ++count;
  return count;
}

// Writes the integer as a varint to `out` and returns the position after the varint.
// REQUIRES: `out` has room for VarintBytes(value) bytes.
inline char* WriteVarint(std::uint32_t value, char* out) {
  while (value >= 0x80) {
    *out++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<char>(value);
  return out;
}

// Appends the integer as a varint to `*out`.
inline void AppendVarint(std::uint32_t value, std::string* out) {
  if (value < 0x80) return out->push_back(static_cast<char>(value));  // most numbers are small
  std::array<char, kVarintBytesMax> bytes;
  out->append(bytes.data(), WriteVarint(value, bytes.data()));
}

// Reads the varint at `*position` into `*value` and moves `*position` past the varint. If the
// bytes before `end` do not begin with a valid varint, returns false and changes nothing. A valid
// varint has at most 32 bits and the shortest form.
inline bool ReadVarint(const char** position, const char* end, std::uint32_t* value) {
  const char* p = *position;
  if (p == end) return false;
  std::uint32_t result = static_cast<unsigned char>(*p++);
  if (result >= 0x80) {
    result &= 0x7F;
    for (int shift = 7;; shift += 7) {
      if (p == end || shift > 28) return false;
      const std::uint32_t byte = static_cast<unsigned char>(*p++);
      if (shift == 28 && byte > 0x0F) return false;
      result |= (byte & 0x7F) << shift;
      if (byte < 0x80) {
        if (byte == 0) return false;  // a shorter form exists
        break;
      }
    }
  }
  *value = result;
  *position = p;
  return true;
}

// Reads the block at `*position` and moves `*position` past the block. `*block` borrows the bytes
// of the block. If the varint is invalid or the block would end after `end`, returns false and
// changes nothing.
inline bool ReadBlock(const char** position, const char* end, std::string_view* block) {
  const char* p = *position;
  std::uint32_t size = 0;
  if (!ReadVarint(&p, end, &size) || size > static_cast<std::uint64_t>(end - p)) return false;
  *block = {p, size};
  *position = p + size;
  return true;
}

// Returns the number of bytes that a block with these bytes has.
inline std::size_t BlockBytes(std::string_view block) {
  return VarintBytes(static_cast<std::uint32_t>(block.size())) + block.size();
}

// Writes a block with these bytes to `out` and returns the position after the block.
// REQUIRES: `out` has room for BlockBytes(block) bytes.
inline char* WriteBlock(std::string_view block, char* out) {
  out = WriteVarint(static_cast<std::uint32_t>(block.size()), out);
  return out + block.copy(out, block.size());
}

// Appends a block with these bytes to `*out`.
inline void AppendBlock(std::string_view block, std::string* out) {
  AppendVarint(static_cast<std::uint32_t>(block.size()), out);
  out->append(block);
}

// Returns true if the texts are equal. Faster than memcmp for texts of a few bytes, as names are.
inline bool AreSame(std::string_view a, std::string_view b) {
  const auto has_same = [&]<typename Word>(std::size_t at, Word x) {
    Word y;
    std::memcpy(&x, a.data() + at, sizeof(Word));
    std::memcpy(&y, b.data() + at, sizeof(Word));
    return x == y;
  };
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  // The last bytes are compared in one piece, which may overlap the bytes before.
  if (size >= 8) {
    for (std::size_t at = 0; at < size - 8; at += 8) {
      if (!has_same(at, std::uint64_t{})) return false;
    }
    return has_same(size - 8, std::uint64_t{});
  }
  if (size >= 4) return has_same(0, std::uint32_t{}) && has_same(size - 4, std::uint32_t{});
  for (std::size_t at = 0; at < size; ++at) {
    if (a[at] != b[at]) return false;
  }
  return true;
}

// Returns the first byte of the name; 0 if the name is empty.
inline unsigned char FirstByte(std::string_view name) {
  return name.empty() ? 0 : static_cast<unsigned char>(name[0]);
}

// Returns the same order as std::string_view::compare. Before it calls that function, it compares
// the first bytes, in which most different names differ, and then all bytes of equal names.
inline int CompareNames(std::string_view a, std::string_view b) {
  if (FirstByte(a) != FirstByte(b)) return FirstByte(a) - FirstByte(b);
  return AreSame(a, b) ? 0 : a.compare(b);
}

// Read and write an integer in the little-endian form that values use. In keys integers are
// big-endian (encoded_key.h).
// REQUIRES: `bytes` has 4 bytes.
inline std::uint32_t ReadLittleEndian32(const char* bytes) {
  const auto byte = [&](int i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
}

inline void WriteLittleEndian32(std::uint32_t value, char* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
}

}  // namespace dolmen::engine
