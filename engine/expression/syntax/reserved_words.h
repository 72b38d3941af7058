// Reserved words of DynamoDB. In an expression an attribute whose name is a reserved word needs a
// name placeholder.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html

#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::engine {

inline constexpr std::size_t kReservedWordCount = 573;

// Returns true if `name` is a reserved word, in any mix of upper and lower case. Thread-safe.
bool IsReservedWord(std::string_view name);

}  // namespace dolmen::engine
