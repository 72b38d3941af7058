// The tags of a table, which are part of its settings.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html

#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/table_json.h"

namespace dolmen::wire {

// The tag of a table that hides expired items (TimeToLiveSpecification::hide_expired), with the value
// "true". Clients of Dolmen hide the items that the service returns for such a table.
inline constexpr std::string_view kHideExpiredTag = "dolmen:hide-expired";

// Tag values by key. Keys and values are views of a request.
using Tags = std::map<std::string_view, std::string_view>;

// Reads the request's Tags. After an error `tags` is unspecified.
// - kValidation: a key is reserved or repeated, a key or value is absent, too long or has a forbidden
//   character, or there are more tags than a table may have.
Status ReadTags(const JsonObject& request, Tags* tags);

// Adds tags, and replaces the values of existing keys. After an error the settings are unspecified.
// - kValidation: the table would have too many tags.
Status AddTags(const Tags& tags, Map* settings);

// Removes the tags whose keys are in the request's TagKeys.
void RemoveTags(const JsonObject& request, Map* settings);

// Returns true if the settings have the tag kHideExpiredTag with the value "true".
bool HasHideExpiredTag(const Map& settings);
// Sets this tag to "true", or removes it.
void SetHideExpiredTag(bool hides, Map* settings);

// Returns the tags in the settings.
std::vector<Tag> TagsOf(const Map& settings);

}  // namespace dolmen::wire
