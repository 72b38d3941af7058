// How tables and indexes are paid for.  Dolmen takes no notice of it, but checks and remembers it:
// tools that set a table up read it back and compare.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BillingModeSummary.html

#pragma once

#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/status.h"
#include "dolmen/tables.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// Settings (table_settings.h) of the table that the request makes, its indexes apart.
Status ReadBilling(const JsonObject& create_table, Map* settings);

// Those of a global index, as a request has it that makes one.
Status ReadIndexBilling(bool provisioned, const JsonObject& index, Map* settings);

// What is wrong with a request to change a table's billing, whatever the table's is.
Status CheckBillingChange(const JsonObject& update_table);

// Changes the settings of the table as the request says; again, its indexes apart, but for those
// that have to be changed with it.  REQUIRES: CheckBillingChange(update_table) is ok
Status ChangeBilling(const JsonObject& update_table, const TableDescription& table, Timestamp now,
                     Map* settings);

// The same for the index that the request updates.
Status ChangeIndexBilling(bool provisioned, const JsonObject& update, Timestamp now, Map* settings);

// ProvisionedThroughput, which is always there, and what else of its kind a table's or an index's
// settings have, as members of an object.
void WriteThroughput(const Map& settings, Timestamp now, JsonWriter* json);
// BillingModeSummary, if there is one.
void WriteBillingMode(const Map& settings, JsonWriter* json);

}  // namespace dolmen::wire
