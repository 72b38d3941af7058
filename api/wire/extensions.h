// The member "Dolmen" of requests and responses, which DynamoDB's API does not have. Dolmen's client
// sends it and Dolmen's server answers it. Other services ignore it. README.md describes its members.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dolmen/create_table.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/members.h"
#include "wire/shape.h"

namespace dolmen::wire {

inline constexpr std::string_view kExtensions = "Dolmen";

// --- CreateTable, UpdateTable and descriptions of tables ---

extern const Shape kTableExtensionsShape;

// Returns the retention in the member Dolmen of a structure. It is 24 hours if the member does not say it.
std::chrono::milliseconds ReadRetention(const JsonObject& extensions);
// Returns the retention of the structure's stream. It is 24 hours if the structure does not say it.
std::chrono::milliseconds ReadStreamRetention(const JsonObject& structure);
bool ReadHideExpired(const JsonObject& structure);
// Writes HideExpired if it is given, and the retention of an enabled stream if it is not 24 hours. Writes
// nothing if it has neither to write.
void WriteTableExtensions(const std::optional<StreamSpecification>& stream,
                          std::optional<bool> hide_expired, JsonWriter* json);

// The member Dolmen of a request with the field `stream_specification`, which stands after that field.
template <typename Input>
inline constexpr Field<Input> kTableExtensionsMember = {
    {kExtensions, &kTableExtensionsShape},
    [](const Json& json, Input* input) {
      const auto& stream = input->stream_specification;
      if (stream) input->stream_specification->retention = ReadRetention(ObjectOf(json));
      return Status();
    },
    [](std::string_view, const Input& input, JsonWriter* json) {
      WriteTableExtensions(input.stream_specification, std::nullopt, json);
    }};

// --- Query and Scan ---

extern const Shape kReadExtensionsShape;

// Write and read ReturnScannedBytes: the request asks for the size of all items that the page reads, before
// the filter and the projection. Such a request also asks for the consumed capacity.
void WriteReturnScannedBytes(JsonWriter* request);
bool ReadReturnScannedBytes(const JsonObject& request);
// Write and read these sizes. ReadScannedBytes returns nothing if the service has not told them.
void WriteScannedBytes(std::uint64_t bytes, JsonWriter* response);
std::optional<std::uint64_t> ReadScannedBytes(const JsonObject& response);

}  // namespace dolmen::wire
