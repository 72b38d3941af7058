// A table's tags, which are among its settings.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Tagging.html

#pragma once

#include "dolmen/attribute_value.h"
#include "dolmen/status.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// Adds the request's Tags; those with keys that are there already are replaced.  kValidation: a key
// is reserved, or there are too many.  Then the settings are unspecified.
Status ReadTags(const JsonObject& request, Map* settings);

// Takes those away whose keys are the request's TagKeys.
void RemoveTags(const JsonObject& request, Map* settings);

// As the member Tags.
void WriteTags(const Map& settings, JsonWriter* json);

}  // namespace dolmen::wire
