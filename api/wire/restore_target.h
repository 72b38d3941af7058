// The table that a restore creates: its name, and the overrides of the request.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableFromBackup.html

#pragma once

#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "dolmen/table_backup.h"
#include "wire/json.h"
#include "wire/operation.h"

namespace dolmen::wire {

// The state of the source that a restore copies.
struct RestoredState {
  std::string_view backup_arn = {};  // empty: a point in time
  Timestamp time = {};
};

// Reads the target of a restore of `source`. The target keeps the billing and the encryption of the
// source, and its annotations that are not Dolmen's. It does not keep tags and the table class. Its
// description has a RestoreSummary with `restored` while the table is CREATING.
// - kValidation: an index override or a billing override is invalid.
Result<RestoreTarget> ReadTarget(const Context& context, const JsonObject& request,
                                 const TableDescription& source, const RestoredState& restored);

}  // namespace dolmen::wire
