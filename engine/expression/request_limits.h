// Limits of the names and values in the expressions of a request. They apply both to texts and to
// builders.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen::engine {

// The most bytes that all encoded values of a request may have together.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kValuesBytesMax = std::size_t{2} << 20;

// Returns the error message for an invalid attribute name, without a prefix. Returns an empty
// string if the name is valid. Thread-safe.
std::string AttributeNameFault(std::string_view name);

}  // namespace dolmen::engine
