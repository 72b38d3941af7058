// The words of PartiQL statements, for programs that read, complete and print statements. Only the
// database parses a statement.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dolmen::command {

// A word of a statement.
struct StatementToken {
  enum class Kind {
    kWord,    // a keyword, a bare name or a number
    kName,    // a name in double quotes
    kString,  // a text in single quotes
    kMark,    // one other character, such as a comma
  };
  Kind kind = Kind::kWord;
  std::string text = {};  // without the quotes around it; a doubled quote inside is one quote
  std::size_t begin = 0;  // the position of the first character, which may be a quote
  bool is_closed = true;  // false if the text ends before the closing quote
};

// Returns the tokens of a text, without its white space and its comments.
std::vector<StatementToken> TokensOf(std::string_view text);

// Returns the length of the first statement of a text, with its semicolon. Returns npos if the text
// has no semicolon outside of quotes and comments.
std::size_t StatementLength(std::string_view text);

// Returns true if the text has only white space, comments and semicolons.
bool IsEmptyStatement(std::string_view text);

// Returns true if the token is this keyword. Upper and lower case are equal. `keyword` is upper case.
bool IsKeyword(const StatementToken& token, std::string_view keyword);

// Returns true if the token is this mark.
bool IsMark(const StatementToken& token, char mark);

// The table and the index that a statement reads or writes. Both are empty if the statement names no
// table.
struct StatementTarget {
  std::string table = {};
  std::string index = {};
};
StatementTarget TargetOf(const std::vector<StatementToken>& tokens);

}  // namespace dolmen::command
