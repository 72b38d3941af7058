// The billing settings of tables and indexes. Dolmen checks and stores them, because tools that
// create a table read its settings back and compare them. The settings have no other effect.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BillingModeSummary.html

#pragma once

#include <cstdint>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/describe_table.h"
#include "dolmen/result.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace dolmen::wire {

// Each function below fails only with kValidation, and with DynamoDB's message. After an error
// `settings` is unspecified.

// Reads the table's billing members of a CreateTable request and stores them in `settings`
// (table_settings.h). Does not read the billing of the indexes.
Status ReadBilling(const JsonObject& create_table, Map* settings);

// Reads the billing of a global index to create. `provisioned` is true if the table's mode is
// PROVISIONED.
Status ReadIndexBilling(bool provisioned, const JsonObject& index, Map* settings);

// Checks the parts of a billing change that do not depend on the table's current billing.
Status CheckBillingChange(const JsonObject& update_table);

// Changes the table's settings as the request says. A change of the table's mode to PAY_PER_REQUEST
// also removes the throughput of its indexes.
// REQUIRES: CheckBillingChange(update_table) is ok
Status ChangeBilling(const JsonObject& update_table, const TableDescription& table, Timestamp now,
                     Map* settings);

// Changes the settings of the global index that `update` names.
Status ChangeIndexBilling(bool provisioned, const JsonObject& update, Timestamp now, Map* settings);

// Changes the settings of a table that is restored: applies BillingModeOverride,
// ProvisionedThroughputOverride and OnDemandThroughputOverride.
Status OverrideBilling(const JsonObject& restore, Timestamp now, Map* settings);

// The responses that contain WarmThroughput.
enum class WarmThroughput : std::uint8_t {
  kNever,   // the response of DeleteTable
  kIfSet,   // the response of CreateTable, which contains it only if the request sets it
  kAlways,  // all other responses
};

// Writes the member ProvisionedThroughput, the member OnDemandThroughput if it is set, and the
// member WarmThroughput as `warm` says. `settings` are the settings of a table or of an index. `provisioned` is
// true if the table's mode is PROVISIONED.
void WriteThroughput(const Map& settings, bool provisioned, Timestamp now, WarmThroughput warm,
                     JsonWriter* json);
// Writes the member BillingModeSummary. Writes nothing if the table has always been PROVISIONED.
// `created_at` is the time at which the table was created.
void WriteBillingMode(const Map& settings, Timestamp created_at, JsonWriter* json);

}  // namespace dolmen::wire
