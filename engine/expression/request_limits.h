// What the names and values of a request's expressions may be, however they come into it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dolmen::engine {

// Of all values of a request together.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kValuesBytesMax = std::size_t{2} << 20;

// What is wrong with an attribute's name, without a prefix; empty if nothing is.
std::string AttributeNameFault(std::string_view name);

}  // namespace dolmen::engine
