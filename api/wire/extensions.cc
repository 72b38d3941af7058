#include "wire/extensions.h"

#include <algorithm>

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

constexpr std::string_view kHideExpired = "HideExpired";
constexpr std::string_view kStreamRetention = "StreamRetentionMilliseconds";
constexpr std::string_view kReturnScannedBytes = "ReturnScannedBytes";
constexpr std::string_view kScannedBytes = "ScannedBytes";

constexpr Shape kRetentionShape = {.kind = Kind::kLong, .range = {.min = 1}};
constexpr Structure kTableExtensions = {{
    Named("TableExtensions"),
    {kStreamRetention, &kRetentionShape},
}};
constexpr Structure kReadExtensions = {{
    Named("ReadExtensions"),
    {kReturnScannedBytes, &kBoolean},
}};

std::optional<std::int64_t> IntegerIn(const JsonObject& structure, std::string_view name) {
  const std::optional<Json> extensions = Member(structure, kExtensions);
  return extensions ? IntegerMember(ObjectOf(*extensions), name) : std::nullopt;
}

bool BooleanIn(const JsonObject& structure, std::string_view name) {
  const std::optional<Json> extensions = Member(structure, kExtensions);
  return extensions && BooleanMember(ObjectOf(*extensions), name);
}

}  // namespace

const Shape kTableExtensionsShape = kTableExtensions;
const Shape kReadExtensionsShape = kReadExtensions;

std::chrono::milliseconds ReadRetention(const JsonObject& extensions) {
  const std::optional<std::int64_t> retention = IntegerMember(extensions, kStreamRetention);
  return retention ? std::chrono::milliseconds(*retention) : StreamSpecification().retention;
}

std::chrono::milliseconds ReadStreamRetention(const JsonObject& structure) {
  const std::optional<Json> extensions = Member(structure, kExtensions);
  return extensions ? ReadRetention(ObjectOf(*extensions)) : StreamSpecification().retention;
}

bool ReadHideExpired(const JsonObject& structure) { return BooleanIn(structure, kHideExpired); }

void WriteTableExtensions(const std::optional<StreamSpecification>& stream,
                          std::optional<bool> hide_expired, JsonWriter* json) {
  const bool has_retention =
      stream && stream->enabled && stream->retention != StreamSpecification().retention;
  if (!has_retention && !hide_expired) return;
  json->Key(kExtensions);
  json->BeginObject();
  if (hide_expired) json->BooleanField(kHideExpired, *hide_expired);
  if (has_retention) json->IntegerField(kStreamRetention, stream->retention.count());
  json->EndObject();
}

void WriteReturnScannedBytes(JsonWriter* request) {
  request->Key(kExtensions);
  request->BeginObject();
  request->BooleanField(kReturnScannedBytes, true);
  request->EndObject();
}

bool ReadReturnScannedBytes(const JsonObject& request) {
  return BooleanIn(request, kReturnScannedBytes);
}

void WriteScannedBytes(std::uint64_t bytes, JsonWriter* response) {
  response->Key(kExtensions);
  response->BeginObject();
  response->UnsignedField(kScannedBytes, bytes);
  response->EndObject();
}

std::optional<std::uint64_t> ReadScannedBytes(const JsonObject& response) {
  const std::optional<std::int64_t> bytes = IntegerIn(response, kScannedBytes);
  if (!bytes) return std::nullopt;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, *bytes));
}

}  // namespace dolmen::wire
