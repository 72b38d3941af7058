// The head of an item's binary form; FORMAT.md (engine/storage) has it byte by byte.

#pragma once

#include <cstddef>

namespace dolmen::engine {

inline constexpr char kItemFormat = 1;              // first byte; another one: a newer release's
inline constexpr std::size_t kItemSizeOffset = 1;   // DynamoDB's size, 4 bytes
inline constexpr std::size_t kItemHeaderBytes = 5;  // then the attributes, as a map's payload

// How deep readers follow nested values: above any nesting that a write accepts, and far below what
// the stack holds, which damaged bytes would otherwise exhaust.
inline constexpr int kReadDepthMax = 64;

}  // namespace dolmen::engine
