// The limit of the values in the expressions of a request. It applies both to texts and to builders.

#pragma once

#include <cstddef>

namespace dolmen::engine {

// The most bytes that all encoded values of a request may have together.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kValuesBytesMax = std::size_t{2} << 20;

}  // namespace dolmen::engine
