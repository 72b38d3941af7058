// A table's tags, which are among its settings.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html

#pragma once

#include <map>
#include <string_view>

#include "dolmen/attribute_value.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// Values by key; views of a request.
using Tags = std::map<std::string_view, std::string_view>;

// Reads the request's Tags.  kValidation: a key is reserved, or there are more than a table may
// have. Then `tags` is unspecified.
Status ReadTags(const JsonObject& request, Tags* tags);

// Adds tags; those with keys that are there already are replaced.  kValidation: then there are too
// many, and the settings are unspecified.
Status AddTags(const Tags& tags, Map* settings);

// Takes those away whose keys are the request's TagKeys.
void RemoveTags(const JsonObject& request, Map* settings);

// As the member Tags.
void WriteTags(const Map& settings, JsonWriter* json);

}  // namespace dolmen::wire
