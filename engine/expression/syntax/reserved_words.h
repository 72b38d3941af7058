// The words that an expression may not use as bare names.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ReservedWords.html

#pragma once

#include <cstddef>
#include <string_view>

namespace dolmen::engine {

inline constexpr std::size_t kReservedWordCount = 573;

// Whether `name` is a reserved word, in any case.
bool IsReservedWord(std::string_view name);

}  // namespace dolmen::engine
