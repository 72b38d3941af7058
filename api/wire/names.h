// Names of tables and indexes, and the ARNs that stand for them.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dolmen::wire {

// What IsName asks for, as messages have it.
inline constexpr std::string_view kNamePattern = "[a-zA-Z0-9_.-]+";

// Whether it has no other characters than names may have, and at least one; of any length.
bool IsName(std::string_view text);

// "arn:aws:dynamodb:ddblocal:000000000000:table/app": region and account are those of the streams'
// ARNs, of nowhere.
std::string TableArn(std::string_view name);
std::string IndexArn(std::string_view table, std::string_view index);

// The name in the ARN of a table, of whatever region and account: a view of `text`.  Nothing if it
// is no ARN, or one of something else, or if no table can have the name.
std::optional<std::string_view> TableOfArn(std::string_view text);

// The name of the table that a TableName stands for: itself, or what the ARN of a table has.
inline std::string_view TableNameOf(std::string_view name_or_arn) {
  return TableOfArn(name_or_arn).value_or(name_or_arn);
}

}  // namespace dolmen::wire
