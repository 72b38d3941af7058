// Reserved words, which an expression may not use as attribute names without a placeholder.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html

#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::engine {

inline constexpr std::size_t kReservedWordCount = 573;

// Returns true if `name` is a reserved word, in upper or lower case.  Thread-safe.
bool IsReservedWord(std::string_view name);

}  // namespace dolmen::engine
