// Reserved words of PartiQL statements. A name that is a reserved word needs double quotes. The
// list differs from the reserved words of expressions (expression/syntax/reserved_words.h).

#pragma once

#include <string_view>

namespace dolmen::database {

// Returns true if the word is reserved in statements, in any mix of upper and lower case.
// Thread-safe.
bool IsReservedInStatements(std::string_view word);

}  // namespace dolmen::database
