// Limits of the names and values in a request's expressions, which apply to texts and builders
// alike.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen::engine {

// The most bytes of all encoded values of a request together.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kValuesBytesMax = std::size_t{2} << 20;

// Returns the message, without a prefix, that rejects an attribute's name.  Returns an empty string
// if the name is valid.  Thread-safe.
std::string AttributeNameFault(std::string_view name);

}  // namespace dolmen::engine
