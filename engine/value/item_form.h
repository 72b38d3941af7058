// Constants of an item's binary form.  FORMAT.md (engine/storage) defines it byte by byte.

#pragma once

#include <cstddef>

namespace dolmen::engine {

inline constexpr char kItemFormat = 1;              // first byte; newer releases may write others
inline constexpr std::size_t kItemSizeOffset = 1;   // then DynamoDB's size, 4 bytes
inline constexpr std::size_t kItemHeaderBytes = 5;  // then the attributes, as the payload of a map

// The depth to which readers follow nested values.  It is above kNestingLevelsMax, which writes
// enforce.  It protects the stack from damaged bytes that nest without limit.
inline constexpr int kReadDepthMax = 64;

}  // namespace dolmen::engine
