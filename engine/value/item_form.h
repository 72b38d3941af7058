// Constants of the binary form of an item. FORMAT.md (engine/storage) defines the binary form byte
// by byte.

#pragma once

#include <cstddef>

namespace dolmen::engine {

inline constexpr char kItemFormat = 1;              // the first byte; newer releases may differ
inline constexpr std::size_t kItemSizeOffset = 1;   // then DynamoDB's size of the item, 4 bytes
inline constexpr std::size_t kItemHeaderBytes = 5;  // after the header: the payload of a map

// The maximum nesting depth that readers accept. It is greater than kNestingLevelsMax, the limit
// for writes. It limits the stack that a reader needs for damaged bytes, which may nest deeply.
inline constexpr int kReadDepthMax = 64;

}  // namespace dolmen::engine
