// The member "Dolmen" of requests and responses, which DynamoDB's API does not have. Dolmen's client
// sends it and Dolmen's server answers it. Other services ignore it. README.md describes its members.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dolmen/create_table.h"
#include "wire/members.h"
#include "wire/shape.h"

namespace dolmen::wire {

inline constexpr std::string_view kExtensions = "Dolmen";

// Returns the extensions in the member Dolmen of the structure.
template <typename Extensions>
Extensions ExtensionsOf(const JsonObject& structure) {
  Extensions extensions;
  const std::optional<Json> json = Member(structure, kExtensions);
  if (json) Decode(ObjectOf(*json), &extensions).IgnoreError();
  return extensions;
}
template <typename Extensions>
void WriteExtensions(const Extensions& extensions, JsonWriter* json) {
  json->Key(kExtensions);
  Encode(extensions, json);
}

// --- CreateTable, UpdateTable and descriptions of tables ---

struct TableExtensions {
  std::optional<bool> hide_expired = {};
  // In milliseconds. Nothing: 24 hours, or no stream is enabled.
  std::optional<std::uint64_t> stream_retention = {};

  std::chrono::milliseconds retention() const {
    return stream_retention ? std::chrono::milliseconds(*stream_retention)
                            : StreamSpecification().retention;
  }
};
inline constexpr Shape kRetentionShape = {.kind = Shape::Kind::kLong, .range = {.min = 1}};
template <>
inline constexpr Described kMembers<TableExtensions> = {{
    ClassName<TableExtensions>("TableExtensions"),
    Optional<&TableExtensions::hide_expired>("HideExpired"),
    Optional<&TableExtensions::stream_retention>("StreamRetentionMilliseconds", &kRetentionShape),
}};

// Writes HideExpired if it is given, and the retention of an enabled stream if it is not 24 hours. Writes
// nothing if it has neither to write.
inline void WriteTableExtensions(const std::optional<StreamSpecification>& stream,
                                 std::optional<bool> hide_expired, JsonWriter* json) {
  TableExtensions extensions{.hide_expired = hide_expired};
  if (stream && stream->enabled && stream->retention != StreamSpecification().retention) {
    // A server rejects 0, and so each retention below it.
    extensions.stream_retention = static_cast<std::uint64_t>(
        std::max<std::chrono::milliseconds::rep>(0, stream->retention.count()));
  }
  if (hide_expired || extensions.stream_retention) WriteExtensions(extensions, json);
}

// The member Dolmen of a request with the field `stream_specification`, which stands after that field.
template <typename Input>
inline constexpr Field<Input> kTableExtensionsMember = {
    {kExtensions, &kMembers<TableExtensions>},
    [](const Json& json, Input* input) {
      TableExtensions extensions;
      DOLMEN_RETURN_IF_ERROR(Decode(ObjectOf(json), &extensions));
      const auto& stream = input->stream_specification;
      if (stream) input->stream_specification->retention = extensions.retention();
      return Status();
    },
    [](std::string_view, const Input& input, JsonWriter* json) {
      WriteTableExtensions(input.stream_specification, std::nullopt, json);
    }};

// --- Query and Scan ---

struct ReadExtensions {
  // The request asks for `scanned_bytes`. Such a request also asks for the consumed capacity.
  bool return_scanned_bytes = false;
  // The sizes of all items that the page has read, before the filter and the projection.
  std::optional<std::uint64_t> scanned_bytes = {};
};
template <>
inline constexpr Described kMembers<ReadExtensions> = {{
    ClassName<ReadExtensions>("ReadExtensions"),
    Optional<&ReadExtensions::return_scanned_bytes>("ReturnScannedBytes", &kBoolean),
    Optional<&ReadExtensions::scanned_bytes>("ScannedBytes"),
}};

}  // namespace dolmen::wire
