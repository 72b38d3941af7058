// The description of a table as JSON, from which `dolmen import` can create the table again.

#pragma once

#include <string>

#include "dolmen/database.h"

namespace dolmen::command {

// The file in an export's directory that holds the text of TableJson.
inline constexpr const char* kTableManifest = "manifest-table.json";

// Returns one line of JSON: the value of the member "Table" in the response of DescribeTable, with
// these members in addition:
// - TimeToLiveDescription and Tags, as in the responses of DescribeTimeToLive and
//   ListTagsOfResource.
// - Dolmen: HideExpired, and StreamRetentionMilliseconds as in the response of DescribeTable
//   (wire/extensions.h).
// Fails as Database::DescribeTable and Database::DescribeTimeToLive do.
Result<std::string> TableJson(const Database& database, const std::string& name);

}  // namespace dolmen::command
