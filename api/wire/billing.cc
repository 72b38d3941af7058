#include "wire/billing.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/internal/status_macros.h"
#include "wire/errors.h"
#include "wire/table_settings.h"
#include "wire/table_shapes.h"

namespace dolmen::wire {
namespace {

constexpr std::int64_t kCapacityUnitsMax = 1'000'000'000'000;
constexpr std::string_view kThroughput = "ProvisionedThroughput";
constexpr std::string_view kMode = "BillingMode";
constexpr std::string_view kModeSummary = "BillingModeSummary";
constexpr std::string_view kRead = "ReadCapacityUnits";
constexpr std::string_view kWrite = "WriteCapacityUnits";
constexpr std::string_view kDecreases = "NumberOfDecreasesToday";
constexpr std::string_view kLastDecrease = "LastDecreaseDateTime";

Status NoUnitsOnDemand() {
  return InvalidParameter(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
      "PAY_PER_REQUEST");
}

Status NoIndexUnitsOnDemand(std::string_view index) {
  return InvalidParameter(std::string("ProvisionedThroughput should not be specified for index: ")
                              .append(index)
                              .append(" when BillingMode is PAY_PER_REQUEST"));
}

Status UnitsRequiredFor(const std::string& indexes) {
  return InvalidParameter("ProvisionedThroughput must be specified for index: " + indexes);
}

Status CheckBounds(const JsonObject& throughput) {
  for (const std::string_view name : {kRead, kWrite}) {
    const std::int64_t units = IntegerMember(throughput, name).value_or(0);
    if (units <= kCapacityUnitsMax) continue;
    return Status::Validation("Given value " + std::to_string(units) + " for " + std::string(name) +
                              " is out of bounds");
  }
  return {};
}

void ReadUnits(const JsonObject& throughput, Map* settings) {
  Map& units = MapToChange(settings, kThroughput);
  Set(kDecreases, 0, &units);
  SetIntegers(throughput, kProvisionedThroughputShape, &units);
}

// Copies the members OnDemandThroughput and WarmThroughput of `structure` to the settings.
void ReadOtherThroughput(const JsonObject& structure, Map* settings) {
  if (const auto on_demand = Member(structure, "OnDemandThroughput")) {
    SetIntegers(ObjectOf(*on_demand), kOnDemandThroughputShape,
                &MapToChange(settings, "OnDemandThroughput"));
  }
  if (const auto warm = Member(structure, "WarmThroughput")) {
    Map& throughput = MapToChange(settings, "WarmThroughput");
    SetIntegers(ObjectOf(*warm), kWarmThroughputShape, &throughput);
    Set("Status", "ACTIVE", &throughput);
  }
}

// Returns the error for a change of throughput to the current values. `index` is empty for the
// table itself.
Status UnchangedThroughput(std::string_view index, const Map& current, const JsonObject& wanted) {
  const bool is_table = index.empty();
  const std::string again = is_table ? "the table" : "index " + std::string(index);
  const std::string subject = is_table ? again : "the " + again;
  const auto units = [&](std::string_view name) {
    return std::string("Current ")
        .append(name)
        .append(" provisioned for ")
        .append(again)
        .append(": ")
        .append(std::to_string(IntegerIn(current, name)))
        .append(". Requested ")
        .append(name)
        .append(": ")
        .append(std::to_string(IntegerMember(wanted, name).value_or(0)))
        .append(". ");
  };
  return Status::Validation(
      "The provisioned throughput for " + subject +
      " will not change. The requested value equals the current value. " + units(kRead) +
      units(kWrite) +
      "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher "
      "limits.");
}

// Returns how often the throughput was decreased since midnight, UTC.
std::int64_t DecreasesToday(const Map& throughput, Timestamp now) {
  const auto last = std::chrono::seconds(IntegerIn(throughput, kLastDecrease));
  const auto today = std::chrono::floor<std::chrono::days>(now);
  const auto day = std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(last));
  return day == today ? IntegerIn(throughput, kDecreases) : 0;
}

// Changes the provisioned throughput of the index, or of the table if `index` is empty.
// - kValidation: the new throughput equals the current throughput.
Status ChangeUnits(std::string_view index, const JsonObject& wanted, Timestamp now, Map* settings) {
  Map& current = MapToChange(settings, kThroughput);
  bool more = false;
  bool less = false;
  for (const std::string_view name : {kRead, kWrite}) {
    const std::int64_t units = IntegerMember(wanted, name).value_or(0);
    more |= units > IntegerIn(current, name);
    less |= units < IntegerIn(current, name);
  }
  if (!more && !less) return UnchangedThroughput(index, current, wanted);
  const std::int64_t decreases = DecreasesToday(current, now) + (less ? 1 : 0);
  ReadUnits(wanted, settings);
  Set(kDecreases, decreases, &current);
  // The times are stored in whole seconds, because DecreasesToday reads the stored time as an
  // integer.
  const Timestamp second = std::chrono::floor<std::chrono::seconds>(now);
  if (more) SetTime("LastIncreaseDateTime", second, &current);
  if (less) SetTime(kLastDecrease, second, &current);
  return {};
}

// Returns the names of the global indexes for which the request neither provisions throughput nor
// asks for deletion: "i3,i4".
std::string IndexesWithoutUnits(const JsonObject& update_table, const TableDescription& table) {
  std::vector<std::string_view> provisioned;
  if (const auto updates = Member(update_table, "GlobalSecondaryIndexUpdates")) {
    for (const Json element : ArrayOf(*updates)) {
      const std::optional<Json> update = Member(ObjectOf(element), "Update");
      const std::optional<Json> remove = Member(ObjectOf(element), "Delete");
      if (remove) provisioned.push_back(StringMember(ObjectOf(*remove), "IndexName"));
      if (!update || !Member(ObjectOf(*update), kThroughput)) continue;
      provisioned.push_back(StringMember(ObjectOf(*update), "IndexName"));
    }
  }
  std::string names;
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    const std::string& name = described.index.name;
    if (std::find(provisioned.begin(), provisioned.end(), name) != provisioned.end()) continue;
    names.append(names.empty() ? "" : ",").append(name);
  }
  return names;
}

// Changes the settings from PAY_PER_REQUEST to PROVISIONED.
// - kValidation: a global index of the table has no throughput in the request.
//
// REQUIRES: CheckBillingChange(update_table) is ok
Status ChangeToProvisioned(const JsonObject& update_table, const TableDescription& table,
                           Map* settings) {
  const std::string without = IndexesWithoutUnits(update_table, table);
  if (!without.empty()) return UnitsRequiredFor(without);
  Set(kMode, "PROVISIONED", &MapToChange(settings, kModeSummary));
  ReadUnits(ObjectOf(*Member(update_table, kThroughput)), settings);
  return {};
}

void ChangeToPayPerRequest(Timestamp now, Map* settings) {
  Map& summary = MapToChange(settings, kModeSummary);
  Set(kMode, "PAY_PER_REQUEST", &summary);
  SetTime("LastUpdateToPayPerRequestDateTime", now, &summary);
  Remove(kThroughput, settings);
  for (auto& [name, index] : MapToChange(settings, "Indexes")) {
    if (Map* of_index = index.get_if<Map>(); of_index != nullptr) Remove(kThroughput, of_index);
  }
}

void WriteIfAny(const Map& settings, std::string_view name, JsonWriter* json) {
  const Map& value = MapIn(settings, name);
  if (value.empty()) return;
  json->Key(name);
  WritePlain(value, json);
}

}  // namespace

Status ReadBilling(const JsonObject& create_table, Map* settings) {
  const std::optional<Json> throughput = Member(create_table, kThroughput);
  if (StringMember(create_table, kMode) == "PAY_PER_REQUEST") {
    if (throughput) return NoUnitsOnDemand();
    Set(kMode, "PAY_PER_REQUEST", &MapToChange(settings, kModeSummary));
  } else {
    if (!throughput) {
      return InvalidParameter(
          "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
          "PROVISIONED");
    }
    ReadUnits(ObjectOf(*throughput), settings);
  }
  ReadOtherThroughput(create_table, settings);
  return throughput ? CheckBounds(ObjectOf(*throughput)) : Status();
}

Status ReadIndexBilling(bool provisioned, const JsonObject& index, Map* settings) {
  const std::string_view name = StringMember(index, "IndexName");
  const std::optional<Json> throughput = Member(index, kThroughput);
  if (throughput && !provisioned) return NoIndexUnitsOnDemand(name);
  if (!throughput && provisioned) return UnitsRequiredFor(std::string(name));
  if (throughput) ReadUnits(ObjectOf(*throughput), settings);
  ReadOtherThroughput(index, settings);
  return throughput ? CheckBounds(ObjectOf(*throughput)) : Status();
}

Status CheckBillingChange(const JsonObject& update_table) {
  const std::optional<Json> throughput = Member(update_table, kThroughput);
  const std::string_view mode = StringMember(update_table, kMode);
  if (!throughput) {
    return mode == "PROVISIONED"
               ? InvalidParameter(
                     "ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
               : Status();
  }
  if (mode == "PAY_PER_REQUEST") return NoUnitsOnDemand();
  return CheckBounds(ObjectOf(*throughput));
}

Status ChangeBilling(const JsonObject& update_table, const TableDescription& table, Timestamp now,
                     Map* settings) {
  const bool provisioned = IsProvisioned(*settings);
  const std::string_view mode = StringMember(update_table, kMode);
  const std::optional<Json> throughput = Member(update_table, kThroughput);
  ReadOtherThroughput(update_table, settings);
  if (mode == "PROVISIONED" && !provisioned) {
    return ChangeToProvisioned(update_table, table, settings);
  }
  if (mode == "PAY_PER_REQUEST" && provisioned) ChangeToPayPerRequest(now, settings);
  if (!throughput) return {};
  if (!provisioned) return NoUnitsOnDemand();
  return ChangeUnits({}, ObjectOf(*throughput), now, settings);
}

Status ChangeIndexBilling(bool provisioned, const JsonObject& update, Timestamp now,
                          Map* settings) {
  ReadOtherThroughput(update, settings);
  const std::optional<Json> throughput = Member(update, kThroughput);
  if (!throughput) return {};
  if (!provisioned) return NoIndexUnitsOnDemand(StringMember(update, "IndexName"));
  DOLMEN_RETURN_IF_ERROR(CheckBounds(ObjectOf(*throughput)));
  return ChangeUnits(StringMember(update, "IndexName"), ObjectOf(*throughput), now, settings);
}

void WriteThroughput(const Map& settings, Timestamp now, JsonWriter* json) {
  Map throughput = MapIn(settings, kThroughput);
  Set(kDecreases, DecreasesToday(throughput, now), &throughput);
  for (const std::string_view units : {kRead, kWrite}) throughput.emplace(units, 0);
  json->Key(kThroughput);
  WritePlain(throughput, json);
  WriteIfAny(settings, "OnDemandThroughput", json);
  WriteIfAny(settings, "WarmThroughput", json);
}

void WriteBillingMode(const Map& settings, JsonWriter* json) {
  if (!MapIn(settings, kModeSummary).empty()) return WriteIfAny(settings, kModeSummary, json);
  if (IsProvisioned(settings)) return;
  json->Key(kModeSummary);
  json->BeginObject();
  json->StringField(kMode, "PAY_PER_REQUEST");
  json->EndObject();
}

}  // namespace dolmen::wire
