// Names of the functions in statements.

#pragma once

#include <string>
#include <string_view>

namespace dolmen::engine {

inline constexpr std::string_view kSizeFunction = "size";
inline constexpr std::string_view kSetAdd = "set_add";
inline constexpr std::string_view kSetDelete = "set_delete";

// Returns the text with its letters of ASCII in lower case.
std::string LowerCase(std::string_view text);

// Returns true for COUNT, SUM, AVG, MIN and MAX, which DynamoDB does not support.
bool IsAggregateFunction(std::string_view lower);

// Returns true if only SET allows the function.
bool IsUpdateFunction(std::string_view lower);

}  // namespace dolmen::engine
