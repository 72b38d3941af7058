#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

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
constexpr std::string_view kLastOnDemand = "LastUpdateToPayPerRequestDateTime";
constexpr std::string_view kOnDemand = "OnDemandThroughput";
constexpr std::string_view kWarm = "WarmThroughput";
constexpr std::string_view kWarmRead = "ReadUnitsPerSecond";
constexpr std::string_view kWarmWrite = "WriteUnitsPerSecond";

// The units per second that every on-demand table and index serves at once.
constexpr std::int64_t kOnDemandReads = 12'000;
constexpr std::int64_t kOnDemandWrites = 4'000;

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

// Returns the error for units in an update of an index. That for a new index has other words.
Status NoUnitsInUpdateOnDemand(std::string_view index) {
  return InvalidParameter(
      std::string("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: ")
          .append(index)
          .append(" when BillingMode is PAY_PER_REQUEST"));
}

// Returns the owner of a throughput in messages: "table", or "index by_day". `name` is empty for the
// table itself.
std::string OwnerOf(std::string_view name) {
  return name.empty() ? "table" : std::string("index ").append(name);
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

// Returns the warm throughput of a table or an index: the stored one, but at least the throughput
// of the current billing mode.
Map WarmOf(const Map& settings, bool provisioned) {
  Map warm = MapIn(settings, kWarm);
  const Map& units = MapIn(settings, kThroughput);
  const auto raise = [&](std::string_view name, std::int64_t least) {
    Set(name, std::max(IntegerIn(warm, name), least), &warm);
  };
  raise(kWarmRead, provisioned ? IntegerIn(units, kRead) : kOnDemandReads);
  raise(kWarmWrite, provisioned ? IntegerIn(units, kWrite) : kOnDemandWrites);
  Set("Status", "ACTIVE", &warm);
  return warm;
}

// Stores the warm throughput before a change of the billing, because the change never lowers it.
void KeepWarm(bool provisioned, Map* settings) {
  Set(kWarm, WarmOf(*settings, provisioned), settings);
}

// Changes the maxima that `maxima` has. The maximum -1 removes the stored one, so only a change allows
// it. `out_of_range(member)` is the error for a maximum outside its range.
template <typename OutOfRange>
Status ReadMaxima(const JsonObject& maxima, bool is_change, const OutOfRange& out_of_range,
                  Map* settings) {
  Map& stored = MapToChange(settings, kOnDemand);
  for (const MemberShape& member : kOnDemandThroughputShape.members) {
    const std::optional<std::int64_t> units = IntegerMember(maxima, member.name);
    if (!units) continue;
    if (*units == -1 && is_change) {
      Remove(member.name, &stored);
    } else if (*units < 1) {
      return out_of_range(member.name);
    } else {
      Set(member.name, *units, &stored);
    }
  }
  if (stored.empty()) Remove(kOnDemand, settings);
  return {};
}

// A member of a CreateTable or UpdateTable request that sets the throughput of the table or of an index.
struct ThroughputRequest {
  const JsonObject& json;
  std::string_view index;  // empty: the table
  bool provisioned;        // true if the billing mode after the request is PROVISIONED
  bool is_change;          // false if the request creates the table or the index
};

// Reads OnDemandThroughput.
// - kValidation: the billing mode is PROVISIONED, or a maximum is outside its range.
Status ReadOnDemandThroughput(const ThroughputRequest& request, Map* settings) {
  const std::optional<Json> maxima = Member(request.json, kOnDemand);
  if (!maxima) return {};
  const bool of_table = request.index.empty();
  if (request.provisioned) {
    for (const MemberShape& member : kOnDemandThroughputShape.members) {
      if (!IntegerMember(ObjectOf(*maxima), member.name)) continue;
      return InvalidParameter(std::string(member.name)
                                  .append(" for OnDemandThroughput ")
                                  .append(of_table ? "" : "for index: ")
                                  .append(request.index)
                                  .append(of_table ? "" : " ")
                                  .append("cannot be specified when ")
                                  .append(request.is_change ? "the table BillingMode is PROVISIONED"
                                                            : "table BillingMode is PROVISIONED."));
    }
    return {};
  }
  const auto out_of_range = [&](std::string_view name) {
    return InvalidParameter(std::string("Requested ")
                                .append(name)
                                .append(" for OnDemandThroughput for ")
                                .append(of_table ? "table" : "index : ")
                                .append(request.index)
                                .append(" is outside of valid range"));
  };
  return ReadMaxima(ObjectOf(*maxima), request.is_change, out_of_range, settings);
}

// Returns the error for a WarmThroughput that is too low.
Status TooCold(const ThroughputRequest& request, std::string_view name) {
  std::string text = std::string("Requested ")
                         .append(name)
                         .append(" for WarmThroughput for ")
                         .append(OwnerOf(request.index))
                         .append(" is lower than ");
  if (request.is_change) {
    text.append("current WarmThroughput, decreasing WarmThroughput is not supported");
  } else if (request.provisioned) {
    text.append(name == kWarmRead ? kRead : kWrite).append(" of ProvisionedThroughput");
  } else {
    text.append(
        "initial throughput for OnDemand. See: "
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
        "on-demand-capacity-mode.html#on-demand-capacity-mode-initial");
  }
  return InvalidParameter(text);
}

// Reads WarmThroughput.
// - kValidation: the throughput is lower than the present one, or than the least of the billing mode.
Status ReadWarmThroughput(const ThroughputRequest& request, Map* settings) {
  const std::optional<Json> wanted = Member(request.json, kWarm);
  if (!wanted) return {};
  const Map least = WarmOf(*settings, request.provisioned);
  for (const std::string_view name : {kWarmRead, kWarmWrite}) {
    const auto units = IntegerMember(ObjectOf(*wanted), name);
    if (units && *units < IntegerIn(least, name)) return TooCold(request, name);
  }
  Map& throughput = MapToChange(settings, kWarm);
  SetIntegers(ObjectOf(*wanted), kWarmThroughputShape, &throughput);
  Set("Status", "ACTIVE", &throughput);
  return {};
}

// Reads the members OnDemandThroughput and WarmThroughput.
Status ReadOtherThroughput(const ThroughputRequest& request, Map* settings) {
  DOLMEN_RETURN_IF_ERROR(ReadOnDemandThroughput(request, settings));
  return ReadWarmThroughput(request, settings);
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

// Returns the names of the global indexes for which the request provisions no throughput: "i3,i4". No
// request both changes the billing mode and deletes an index.
std::string IndexesWithoutUnits(const JsonObject& update_table, const TableDescription& table) {
  std::vector<std::string_view> provisioned;
  if (const auto updates = Member(update_table, "GlobalSecondaryIndexUpdates")) {
    for (const Json element : ArrayOf(*updates)) {
      const std::optional<Json> update = Member(ObjectOf(element), "Update");
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

// Stores the warm throughput of the table and its indexes before a change of the billing mode.
void KeepAllWarm(const TableDescription& table, bool provisioned, Map* settings) {
  KeepWarm(provisioned, settings);
  for (const GlobalSecondaryIndexDescription& described : table.global_secondary_indexes) {
    Map& indexes = MapToChange(settings, "Indexes");
    KeepWarm(provisioned, &MapToChange(&indexes, described.index.name));
  }
}

// Removes a member of the settings of the table and of all its indexes.
void RemoveFromAll(std::string_view name, Map* settings) {
  Remove(name, settings);
  for (auto& [index, value] : MapToChange(settings, "Indexes")) {
    if (Map* of_index = value.get_if<Map>(); of_index != nullptr) Remove(name, of_index);
  }
}

void ChangeToPayPerRequest(Timestamp now, Map* settings) {
  Map& summary = MapToChange(settings, kModeSummary);
  Set(kMode, "PAY_PER_REQUEST", &summary);
  SetTime(kLastOnDemand, now, &summary);
  RemoveFromAll(kThroughput, settings);
}

void WriteIfAny(const Map& value, std::string_view name, JsonWriter* json) {
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
  DOLMEN_RETURN_IF_ERROR(ReadOtherThroughput({.json = create_table,
                                              .index = {},
                                              .provisioned = throughput.has_value(),
                                              .is_change = false},
                                             settings));
  return throughput ? CheckBounds(ObjectOf(*throughput)) : Status();
}

Status ReadIndexBilling(bool provisioned, const JsonObject& index, Map* settings) {
  const std::string_view name = StringMember(index, "IndexName");
  const std::optional<Json> throughput = Member(index, kThroughput);
  if (throughput && !provisioned) return NoIndexUnitsOnDemand(name);
  if (!throughput && provisioned) return UnitsRequiredFor(std::string(name));
  if (throughput) ReadUnits(ObjectOf(*throughput), settings);
  DOLMEN_RETURN_IF_ERROR(ReadOtherThroughput(
      {.json = index, .index = name, .provisioned = provisioned, .is_change = false}, settings));
  return throughput ? CheckBounds(ObjectOf(*throughput)) : Status();
}

Status OverrideBilling(const JsonObject& restore, Timestamp now, Map* settings) {
  const std::string_view mode = StringMember(restore, "BillingModeOverride");
  const std::optional<Json> throughput = Member(restore, "ProvisionedThroughputOverride");
  const bool provisioned = mode.empty() ? IsProvisioned(*settings) : mode == "PROVISIONED";
  if (throughput && !provisioned) {
    return Status::Validation(
        "Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
  }
  if (mode == "PROVISIONED" && !throughput) {
    return Status::Validation(
        "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  }
  if (mode == "PAY_PER_REQUEST") ChangeToPayPerRequest(now, settings);
  if (mode == "PROVISIONED") Remove(kModeSummary, settings);
  if (throughput) {
    ReadUnits(ObjectOf(*throughput), settings);
    DOLMEN_RETURN_IF_ERROR(CheckBounds(ObjectOf(*throughput)));
  }
  const std::optional<Json> maxima = Member(restore, "OnDemandThroughputOverride");
  if (!maxima) return {};
  const auto out_of_range = [](std::string_view name) {
    return Status::Validation(std::string("Invalid Request: Requested ")
                                  .append(name)
                                  .append(" for OnDemandThroughput is outside of valid range"));
  };
  return ReadMaxima(ObjectOf(*maxima), /*is_change=*/false, out_of_range, settings);
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
  const bool switches = !mode.empty() && (mode == "PROVISIONED") != provisioned;
  if (switches) {
    KeepAllWarm(table, provisioned, settings);
    RemoveFromAll(kOnDemand, settings);
    if (provisioned) ChangeToPayPerRequest(now, settings);
  }
  DOLMEN_RETURN_IF_ERROR(ReadOtherThroughput({.json = update_table,
                                              .index = {},
                                              .provisioned = provisioned != switches,
                                              .is_change = true},
                                             settings));
  if (switches && !provisioned) return ChangeToProvisioned(update_table, table, settings);
  if (!throughput) return {};
  if (!provisioned) return NoUnitsOnDemand();
  KeepWarm(provisioned, settings);
  return ChangeUnits({}, ObjectOf(*throughput), now, settings);
}

Status ChangeIndexBilling(bool provisioned, const JsonObject& update, Timestamp now,
                          Map* settings) {
  const std::string_view name = StringMember(update, "IndexName");
  const std::optional<Json> throughput = Member(update, kThroughput);
  if (throughput && !provisioned) return NoUnitsInUpdateOnDemand(name);
  if (!provisioned && !Member(update, kOnDemand) && !Member(update, kWarm)) {
    return InvalidParameter(std::string("The only Updates for index: ")
                                .append(name)
                                .append(" when TableThroughputMode is PAY_PER_REQUEST can be to "
                                        "OnDemandThroughput, WarmThroughput"));
  }
  DOLMEN_RETURN_IF_ERROR(ReadOtherThroughput(
      {.json = update, .index = name, .provisioned = provisioned, .is_change = true}, settings));
  if (!throughput) return {};
  DOLMEN_RETURN_IF_ERROR(CheckBounds(ObjectOf(*throughput)));
  KeepWarm(provisioned, settings);
  return ChangeUnits(name, ObjectOf(*throughput), now, settings);
}

void WriteThroughput(const Map& settings, bool provisioned, Timestamp now, WarmThroughput warm,
                     JsonWriter* json) {
  Map throughput = MapIn(settings, kThroughput);
  Set(kDecreases, DecreasesToday(throughput, now), &throughput);
  for (const std::string_view units : {kRead, kWrite}) throughput.emplace(units, 0);
  json->Key(kThroughput);
  WritePlain(throughput, json);
  WriteIfAny(MapIn(settings, kOnDemand), kOnDemand, json);
  if (warm == WarmThroughput::kAlways) WriteIfAny(WarmOf(settings, provisioned), kWarm, json);
  if (warm != WarmThroughput::kIfSet) return;
  Map set = MapIn(settings, kWarm);
  if (!set.empty()) Set("Status", "UPDATING", &set);
  WriteIfAny(set, kWarm, json);
}

void WriteBillingMode(const Map& settings, std::optional<Timestamp> created_at, JsonWriter* json) {
  Map summary = MapIn(settings, kModeSummary);
  if (summary.empty()) {
    if (IsProvisioned(settings)) return;
    Set(kMode, "PAY_PER_REQUEST", &summary);
  }
  if (created_at && !summary.contains(kLastOnDemand)) {
    SetTime(kLastOnDemand, *created_at, &summary);
  }
  WriteIfAny(summary, kModeSummary, json);
}

}  // namespace dolmen::wire
