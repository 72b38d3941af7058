// The words of PartiQL statements, for programs that read, complete or write statements. Only
// Database::ExecuteStatement parses a statement. This header is not installed.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/internal/lifetime.h"

namespace dolmen::internal {

// A word of a statement. Borrows the text of the statement.
struct StatementWord {
  enum class Kind : std::uint8_t {
    kWord,    // a keyword, a name without quotes or a number
    kName,    // a name in double quotes
    kString,  // a text in single quotes
    kMark,    // an operator, a bracket, a `?`, or characters that no statement has
  };
  Kind kind = Kind::kWord;
  std::string_view text;  // with its quotes
  bool is_closed = true;  // false if the statement ends inside the quotes or the comment

  // Returns the name or the text: without the quotes, and with one quote for each doubled quote.
  std::string Content() const;
};

// Returns the words of a text, without its white space and its comments. The text may be any bytes.
// Thread-safe.
std::vector<StatementWord> StatementWords(std::string_view text DOLMEN_LIFETIME_BOUND);

// Returns the name of a table, an index or an attribute as a statement contains it: in double quotes
// if the name is a reserved word or has other characters than letters, digits and _.
// Thread-safe.
std::string StatementName(std::string_view name);
// Returns the name in double quotes, which every name may have. Thread-safe.
std::string QuotedStatementName(std::string_view name);

}  // namespace dolmen::internal
