// Constants of the binary form of an item. FORMAT.md (engine/storage) defines the binary form byte
// by byte.

#pragma once

#include <cstddef>

namespace dolmen::engine {

inline constexpr char kItemFormat = 1;              // the first byte; newer releases may differ
inline constexpr std::size_t kItemSizeOffset = 1;   // then DynamoDB's size of the item, 4 bytes
inline constexpr std::size_t kItemHeaderBytes = 5;  // after the header: the payload of a map

// The nesting depth up to which readers follow values. It is greater than kNestingLevelsMax, the
// limit for writes. The limit protects the stack from damaged bytes that seem to nest without end.
inline constexpr int kReadDepthMax = 64;

}  // namespace dolmen::engine
