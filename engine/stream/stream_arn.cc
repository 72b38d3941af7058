#include "engine/stream/stream_arn.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "dolmen/clock.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kArnPrefix = "arn:aws:dynamodb:us-east-1:000000000000:table/";
constexpr std::string_view kArnStreamPart = "/stream/";

// The earliest and the latest time that a stream's label can show.
constexpr Timestamp kYear0 = std::chrono::sys_days(std::chrono::year(0) / 1 / 1);
constexpr Timestamp kYear9999 = std::chrono::sys_days(std::chrono::year(9999) / 12 / 31);

bool IsArnCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

// Removes the text up to `end`, and `end`, from `rest`. Returns that text, or nothing if the text
// is not a name or if `rest` does not contain `end`.
std::optional<std::string_view> TakeName(std::string_view end, std::string_view* rest) {
  const std::size_t size = rest->find(end);
  if (size == rest->npos || size == 0) return std::nullopt;
  const std::string_view name = rest->substr(0, size);
  rest->remove_prefix(size + end.size());
  if (!std::all_of(name.begin(), name.end(), IsArnCharacter)) return std::nullopt;
  return name;
}

}  // namespace

std::string StreamLabel(const StreamSchema& stream) {
  // Limits the time to the years that a label can show. The application's clock may return any
  // time.
  const Timestamp time = std::clamp(stream.created_at, kYear0, kYear9999);
  const Timestamp second = std::chrono::floor<std::chrono::seconds>(time);
  std::string label = ToIso8601(second);
  label.pop_back();  // the Z
  char decimals[16];
  std::snprintf(decimals, sizeof decimals, ".%03d", static_cast<int>((time - second).count()));
  return label + decimals;
}

std::string StreamArn(std::string_view table, std::string_view label) {
  return std::string(kArnPrefix).append(table).append(kArnStreamPart).append(label);
}

std::optional<StreamName> ParseStreamArn(std::string_view arn) {
  const bool is_arn = TakeName(":", &arn) == "arn";
  const bool has_partition = TakeName(":", &arn).has_value();
  const bool of_dynamodb = TakeName(":", &arn) == "dynamodb";
  const bool has_region = TakeName(":", &arn).has_value();
  const bool has_account = TakeName(":", &arn).has_value();
  const bool of_a_table = TakeName("/", &arn) == "table";
  if (!is_arn || !has_partition || !of_dynamodb || !has_region || !has_account || !of_a_table) {
    return std::nullopt;
  }
  const auto table = TakeName(kArnStreamPart, &arn);
  if (!table || arn.empty()) return std::nullopt;
  return StreamName{*table, arn};
}

std::string ShardId(const StreamSchema& stream) {
  const auto time = std::max<std::int64_t>(stream.created_at.time_since_epoch().count(), 0);
  char id[64];
  std::snprintf(id, sizeof id, "shardId-%020lld-%08x", static_cast<long long>(time),
                static_cast<unsigned>(stream.keyspace));
  return id;
}

}  // namespace dolmen::engine
