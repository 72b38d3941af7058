#include "dolmen/testing/simulation_json.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "wire/json.h"

namespace dolmen {
namespace {

using wire::Json;

constexpr std::uint64_t kMillisecondsMax = std::uint64_t{365} * 24 * 3600 * 1000;
constexpr std::array<std::string_view, 2> kMomentNames = {"Before", "After"};
constexpr std::array<std::string_view, 2> kLatencyNames = {"AdvanceClock", "Sleep"};

// A member of a JSON object: its name, and the function that stores its value in `*target`.
template <typename T>
struct MemberReader {
  std::string_view name;
  Status (*read)(const Json& value, T* target);
};

std::string JoinNames(std::string_view before, std::span<const std::string_view> names) {
  std::string text(before);
  for (const std::string_view& name : names) {
    text.append(&name == names.data() ? " " : ", ").append(name);
  }
  return text;
}

template <typename T, std::size_t kCount>
Status UnknownMember(const std::array<MemberReader<T>, kCount>& readers) {
  std::array<std::string_view, kCount> names;
  std::ranges::transform(readers, names.begin(), &MemberReader<T>::name);
  return Status::Validation(JoinNames(" is unknown; the members are", names));
}

// Puts the name of a member, or the position of an element, before the message of an error. The
// message begins with the rest of the path, or with a space.
Status AtPlace(const std::string& place, const Status& status) {
  return status.WithMessage(place + status.message());
}

// Stores the members of an object in the fields of `*target`.
template <typename T, std::size_t kCount>
Status ReadMembers(const Json& json, const std::array<MemberReader<T>, kCount>& readers,
                   T* target) {
  if (!json.is_object()) return Status::Validation(" must be an object");
  for (const auto member : wire::ObjectOf(json)) {
    const auto reader = std::ranges::find(readers, member.key, &MemberReader<T>::name);
    Status read;
    if (reader == readers.end()) {
      read = UnknownMember(readers);
    } else if (!member.value.is_null()) {
      read = reader->read(member.value, target);
    }
    if (!read.ok()) return AtPlace("." + std::string(member.key), read);
  }
  return {};
}

// The functions ReadField store a value in a field. The message of an error continues the name of
// the field.

Status ReadField(const Json& json, std::string* field) {
  std::string_view text;
  if (json.get(text) != simdjson::SUCCESS) return Status::Validation(" must be a string");
  *field = text;
  return {};
}

Status ReadField(const Json& json, bool* field) {
  if (json.get(*field) == simdjson::SUCCESS) return {};
  return Status::Validation(" must be true or false");
}

Status ReadField(const Json& json, std::uint64_t* field) {
  if (json.get(*field) == simdjson::SUCCESS) return {};
  return Status::Validation(" must be a whole number of at least 0");
}

Status ReadField(const Json& json, std::uint32_t* field) {
  std::uint64_t number = 0;
  DOLMEN_RETURN_IF_ERROR(ReadField(json, &number));
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    return Status::Validation(" must be less than 2^32");
  }
  *field = static_cast<std::uint32_t>(number);
  return {};
}

Status ReadField(const Json& json, double* field) {
  if (json.get(*field) == simdjson::SUCCESS && *field >= 0) return {};
  return Status::Validation(" must be a number of at least 0");
}

Status ReadField(const Json& json, std::chrono::milliseconds* field) {
  std::uint64_t milliseconds = 0;
  DOLMEN_RETURN_IF_ERROR(ReadField(json, &milliseconds));
  if (milliseconds > kMillisecondsMax) {
    return Status::Validation(" must be at most " + std::to_string(kMillisecondsMax));
  }
  *field = std::chrono::milliseconds(milliseconds);
  return {};
}

template <typename Enum>
Status ReadName(const Json& json, std::span<const std::string_view> names, Enum* field) {
  const auto found = std::ranges::find(names, wire::StringOf(json));
  if (found == names.end()) return Status::Validation(JoinNames(" must be one of", names));
  *field = static_cast<Enum>(found - names.begin());
  return {};
}

Status ReadField(const Json& json, std::optional<SimulatedOperation>* field) {
  return ReadName(json, SimulatedOperationNames(), &field->emplace());
}
Status ReadField(const Json& json, SimulatedFault* field) {
  return ReadName(json, SimulatedFaultNames(), field);
}
Status ReadField(const Json& json, FaultMoment* field) {
  return ReadName(json, kMomentNames, field);
}
Status ReadField(const Json& json, SimulatedLatency* field) {
  return ReadName(json, kLatencyNames, field);
}

// Calls add(element) for each element of an array.
template <typename Add>
Status ReadElements(const Json& json, Add add) {
  if (!json.is_array()) return Status::Validation(" must be a list");
  std::size_t position = 0;
  for (const Json element : wire::ArrayOf(json)) {
    const Status added = add(element);
    if (!added.ok()) return AtPlace("[" + std::to_string(position) + "]", added);
    ++position;
  }
  return {};
}

Status ReadField(const Json& json, std::optional<SimulatedTrace>* field) {
  SimulatedTrace& trace = field->emplace();
  return ReadElements(json, [&](const Json& element) -> Status {
    std::string line;
    DOLMEN_RETURN_IF_ERROR(ReadField(element, &line));
    Result<SimulatedTrace> decisions = ParseSimulatedTrace(line);
    if (!decisions.ok()) return AtPlace(": ", decisions.status());
    for (SimulatedDecision& decision : *decisions) trace.push_back(std::move(decision));
    return {};
  });
}

Status ReadField(const Json& json, std::vector<SimulateRule>* field);
Status ReadField(const Json& json, std::vector<SimulatedThroughput>* field);
Status ReadField(const Json& json, SimulatedDelays* field);

// Stores a value in the field that kField points to.
template <auto kField, typename T>
Status SetMember(const Json& json, T* target) {
  return ReadField(json, &(target->*kField));
}

constexpr std::array<MemberReader<SimulateRule>, 11> kRuleMembers = {{
    {"Table", SetMember<&SimulateRule::table>},
    {"Index", SetMember<&SimulateRule::index>},
    {"Operation", SetMember<&SimulateRule::operation>},
    {"KeyPrefix", SetMember<&SimulateRule::key_prefix>},
    {"Fault", SetMember<&SimulateRule::fault>},
    {"Moment", SetMember<&SimulateRule::moment>},
    {"Chance", SetMember<&SimulateRule::chance>},
    {"SkipCalls", SetMember<&SimulateRule::skip_calls>},
    {"CallsMax", SetMember<&SimulateRule::calls_max>},
    {"AmountMin", SetMember<&SimulateRule::amount_min>},
    {"AmountMax", SetMember<&SimulateRule::amount_max>},
}};

constexpr std::array<MemberReader<SimulatedThroughput>, 4> kThroughputMembers = {{
    {"Table", SetMember<&SimulatedThroughput::table>},
    {"Index", SetMember<&SimulatedThroughput::index>},
    {"ReadUnits", SetMember<&SimulatedThroughput::read_units>},
    {"WriteUnits", SetMember<&SimulatedThroughput::write_units>},
}};

constexpr std::array<MemberReader<SimulatedDelays>, 5> kDelayMembers = {{
    {"CreateTableMilliseconds", SetMember<&SimulatedDelays::create_table>},
    {"UpdateTableMilliseconds", SetMember<&SimulatedDelays::update_table>},
    {"DeleteTableMilliseconds", SetMember<&SimulatedDelays::delete_table>},
    {"CreateIndexMilliseconds", SetMember<&SimulatedDelays::create_index>},
    {"TimeToLiveMilliseconds", SetMember<&SimulatedDelays::time_to_live>},
}};

template <typename T, std::size_t kCount>
Status ReadObjects(const Json& json, const std::array<MemberReader<T>, kCount>& readers,
                   std::vector<T>* field) {
  field->clear();
  return ReadElements(json, [&](const Json& element) {
    return ReadMembers(element, readers, &field->emplace_back());
  });
}

Status ReadField(const Json& json, std::vector<SimulateRule>* field) {
  return ReadObjects(json, kRuleMembers, field);
}
Status ReadField(const Json& json, std::vector<SimulatedThroughput>* field) {
  return ReadObjects(json, kThroughputMembers, field);
}

Status ReadField(const Json& json, SimulatedDelays* field) {
  return ReadMembers(json, kDelayMembers, field);
}

constexpr std::array<MemberReader<SimulateOptions>, 14> kOptionMembers = {{
    {"Seed", SetMember<&SimulateOptions::seed>},
    {"Rules", SetMember<&SimulateOptions::rules>},
    {"Throughput", SetMember<&SimulateOptions::throughput>},
    {"PartitionReadUnits", SetMember<&SimulateOptions::partition_read_units>},
    {"PartitionWriteUnits", SetMember<&SimulateOptions::partition_write_units>},
    {"ReadLagMilliseconds", SetMember<&SimulateOptions::read_lag>},
    {"HashOrder", SetMember<&SimulateOptions::hash_order>},
    {"ShuffleEqualKeys", SetMember<&SimulateOptions::shuffle_equal_keys>},
    {"StreamShards", SetMember<&SimulateOptions::stream_shards>},
    {"ShardLifetimeMilliseconds", SetMember<&SimulateOptions::shard_lifetime>},
    {"ItemCollectionBytes", SetMember<&SimulateOptions::item_collection_bytes>},
    {"Delays", SetMember<&SimulateOptions::delays>},
    {"Latency", SetMember<&SimulateOptions::latency>},
    {"Replay", SetMember<&SimulateOptions::replay>},
}};

}  // namespace

Result<SimulateOptions> ParseSimulation(std::string_view json) {
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const Json document, wire::ParseJson(json, "the simulation", &parser));
  SimulateOptions options;
  const Status read = ReadMembers(document, kOptionMembers, &options);
  if (read.ok()) return options;
  const std::string& message = read.message();
  return Status::Validation(message.starts_with('.')
                                ? "the simulation is rejected: " + message.substr(1)
                                : "the simulation" + message);
}

}  // namespace dolmen
