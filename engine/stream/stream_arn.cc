#include "engine/stream/stream_arn.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "dolmen/clock.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kArnPrefix = "arn:aws:dynamodb:ddblocal:000000000000:table/";
constexpr std::string_view kArnStreamPart = "/stream/";

// The earliest and the latest time that a stream's label can show.
constexpr Timestamp kYear0 = std::chrono::sys_days(std::chrono::year(0) / 1 / 1);
constexpr Timestamp kYear9999 = std::chrono::sys_days(std::chrono::year(9999) / 12 / 31);

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
  if (!arn.starts_with(kArnPrefix)) return std::nullopt;
  arn.remove_prefix(kArnPrefix.size());
  const std::size_t end = arn.find(kArnStreamPart);
  if (end == arn.npos) return std::nullopt;
  return StreamName{arn.substr(0, end), arn.substr(end + kArnStreamPart.size())};
}

std::string ShardId(const StreamSchema& stream) {
  const auto time = std::max<std::int64_t>(stream.created_at.time_since_epoch().count(), 0);
  char id[64];
  std::snprintf(id, sizeof id, "shardId-%020lld-%08x", static_cast<long long>(time),
                static_cast<unsigned>(stream.keyspace));
  return id;
}

}  // namespace dolmen::engine
