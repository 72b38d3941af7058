// Completion of statements in `dolmen shell`.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/database.h"

namespace dolmen::command {

// The texts that can replace the word before the cursor.
struct Completion {
  std::size_t begin = 0;                     // the position of the word, which ends at the cursor
  std::vector<std::string> candidates = {};  // sorted
};

// Returns the completion of an unfinished statement. `before` is its text before the cursor, and
// `after` is its text after the cursor. The candidates are:
// - at the start of a statement: the words that begin a statement
// - after FROM, INTO and UPDATE: the tables; after a table and a point: its indexes
// - elsewhere: keywords, and the attributes of some items of the statement's table. A statement that
//   names no table yet has the attributes of all tables.
// The candidates begin with the word, apart from upper and lower case. A name has double quotes if
// statements require them, or if the word begins with one.
Completion CompleteStatement(const Database& database, std::string_view before,
                             std::string_view after);

}  // namespace dolmen::command
