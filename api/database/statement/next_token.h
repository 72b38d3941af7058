// The tokens with which a SELECT continues.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "database/statement/parameters.h"
#include "database/statement/syntax/statement.h"
#include "dolmen/attribute_value.h"
#include "dolmen/result.h"

namespace dolmen::database {

// A place in the results of a SELECT.
struct NextPlace {
  std::size_t range = 0;  // the number of the Query that continues (ReadShape)
  Item key = {};          // the last key that this Query has read; empty: it has read nothing
};

// Returns the token of a place. The token is text of ASCII, and it is bound to the table, the
// index, the condition and the parameters of the statement.
Result<std::string> MakeNextToken(const Statement& statement, const Parameters& parameters,
                                  const NextPlace& place);

// Returns the place of a token. An empty token is the beginning.
// - kValidation: the token is not one that MakeNextToken has returned.
// - kValidation: the token belongs to another statement or to other parameters.
Result<NextPlace> ReadNextToken(const Statement& statement, const Parameters& parameters,
                                std::string_view token);

}  // namespace dolmen::database
