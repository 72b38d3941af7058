// Statements among the words of a text, for programs that read, complete and print statements.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "database/statement/statement_text.h"

namespace dolmen::command {

using internal::StatementWord;
using internal::StatementWords;

// Returns the length of the first statement of a text, with its semicolon. Returns npos if the text
// has no semicolon outside of quotes and comments.
std::size_t StatementLength(std::string_view text);

// Returns true if the text has only white space, comments and semicolons.
bool IsEmptyStatement(std::string_view text);

// Returns true if the word is this keyword. Upper and lower case are equal. `keyword` is upper case.
bool IsKeyword(const StatementWord& word, std::string_view keyword);

// Returns true if the word is this mark.
bool IsMark(const StatementWord& word, std::string_view mark);

// The table and the index that a statement reads or writes. Both are empty if the statement names no
// table.
struct StatementTarget {
  std::string table = {};
  std::string index = {};
};
StatementTarget TargetOf(const std::vector<StatementWord>& words);

}  // namespace dolmen::command
