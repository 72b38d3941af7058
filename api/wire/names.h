// Names and ARNs of tables and indexes.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dolmen::wire {

// The pattern that IsName checks, in the form that messages print.
inline constexpr std::string_view kNamePattern = "[a-zA-Z0-9_.-]+";

// Returns true if the text is not empty and has only the characters that names may have. Does not
// check the length.
bool IsName(std::string_view text);

// Returns the ARN of a table or an index: "arn:aws:dynamodb:ddblocal:000000000000:table/app".
// Region and account are fictitious. The ARNs of streams have the same region and account.
std::string TableArn(std::string_view name);
std::string IndexArn(std::string_view table, std::string_view index);

// Returns the name in the ARN of a table of any region and account: a view of `text`. Returns
// nothing if `text` is not the ARN of a table, or if the name is invalid for a table.
std::optional<std::string_view> TableOfArn(std::string_view text);

// Returns the table's name from a parameter that holds a name or an ARN: the name in the ARN, or
// the whole text if the text is not the ARN of a table.
inline std::string_view TableNameOf(std::string_view name_or_arn) {
  return TableOfArn(name_or_arn).value_or(name_or_arn);
}

}  // namespace dolmen::wire
