// Limits of expressions.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html

#pragma once

#include <cstddef>

namespace dolmen::engine {

inline constexpr std::size_t kExpressionBytesMax = 4096;     // bytes of the text
inline constexpr std::size_t kExpressionOperatorsMax = 300;  // operators and functions
inline constexpr std::size_t kPathStepsMax = 32;             // steps of one document path

}  // namespace dolmen::engine
