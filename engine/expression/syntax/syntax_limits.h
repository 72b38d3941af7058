// The limits of an expression's text.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html

#pragma once

#include <cstddef>

namespace dolmen::engine {

inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kExpressionOperatorsMax = 300;
inline constexpr std::size_t kPathStepsMax = 32;  // elements of one document path

}  // namespace dolmen::engine
