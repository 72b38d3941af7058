// Names and ARNs of tables and indexes.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/wire.h"

namespace dolmen::wire {

// The pattern that IsName checks, in the form that messages print.
inline constexpr std::string_view kNamePattern = "[a-zA-Z0-9_.-]+";

// Returns true if the text is not empty and has only the characters that names may have. Does not
// check the length.
bool IsName(std::string_view text);

// The region and the account of the resources that ARNs name.
struct Place {
  std::string_view region = kDefaultRegion;
  std::string_view account = kDefaultAccount;
};

// Return the ARN of a table, an index or a stream: "arn:aws:dynamodb:us-east-1:000000000000:table/app".
std::string TableArn(const Place& place, std::string_view name);
std::string IndexArn(const Place& place, std::string_view table, std::string_view index);
std::string StreamArn(const Place& place, std::string_view table, std::string_view label);

// Returns the ARN of a backup with the id `id` (TableBackup).
std::string BackupArn(const Place& place, std::string_view table, std::string_view id);

// Returns the id in the ARN of a backup of any region and account: a view of `text`. Returns nothing
// if `text` is not the ARN of a backup.
std::optional<std::string_view> BackupOfArn(std::string_view text);

// Returns the name in the ARN of a table of any region and account: a view of `text`. Returns
// nothing if `text` is not the ARN of a table, or if the name is invalid for a table.
std::optional<std::string_view> TableOfArn(std::string_view text);

// Returns the region and the account in the ARN of any resource of DynamoDB: views of `text`. Returns
// nothing if `text` is not such an ARN.
std::optional<Place> PlaceOfArn(std::string_view text);

// Returns the table's name from a parameter that holds a name or an ARN: the name in the ARN, or
// the whole text if the text is not the ARN of a table.
inline std::string_view TableNameOf(std::string_view name_or_arn) {
  return TableOfArn(name_or_arn).value_or(name_or_arn);
}

}  // namespace dolmen::wire
