#include <algorithm>
#include <array>
#include <string>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/managed_table.h"
#include "wire/operation.h"
#include "wire/table_json.h"
#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

using Kind = Shape::Kind;

// The settings of a table hold the state and the precision of each destination, by the ARN of the
// Kinesis stream.
constexpr std::string_view kDestinations = "KinesisDataStreamDestinations";
constexpr std::string_view kDestinationStatus = "DestinationStatus";
constexpr std::string_view kPrecision = "ApproximateCreationDateTimePrecision";
constexpr std::string_view kEnableConfiguration = "EnableKinesisStreamingConfiguration";
constexpr std::string_view kUpdateConfiguration = "UpdateKinesisStreamingConfiguration";

constexpr Enumeration kPrecisionShape = {"MILLISECOND", "MICROSECOND"};
constexpr Structure kEnableConfigurationShape = {{
    Named(kEnableConfiguration),
    {kPrecision, &kPrecisionShape},
}};
constexpr Structure kUpdateConfigurationShape = {{
    Named(kUpdateConfiguration),
    {kPrecision, &kPrecisionShape},
}};

constexpr Shape kKinesisArnShape = {.range = {37, 1024}};
constexpr MemberShape kKinesisArn = {"StreamArn", &kKinesisArnShape, true};

constexpr Structure kEnableInput = {{
    kManagedTableName,
    kKinesisArn,
    {kEnableConfiguration, &kEnableConfigurationShape},
}};
constexpr Structure kUpdateDestinationInput = {{
    kManagedTableName,
    kKinesisArn,
    {kUpdateConfiguration, &kUpdateConfigurationShape},
}};

// DynamoDB says "to enable" for every change.
Status InvalidDestinationState(std::string_view required) {
  return Status::Validation(
      std::string("Table is not in a valid state to enable Kinesis Streaming Destination: ")
          .append(required)
          .append(" operation."));
}

Status CheckDestinationActive(const Map& destination, std::string_view operation) {
  if (TextIn(destination, kDestinationStatus) == "ACTIVE") return {};
  return InvalidDestinationState(
      std::string("KinesisStreamingDestination must be ACTIVE to perform ").append(operation));
}

// Returns the precision in the request's configuration, or "" if the request has none.
std::string_view PrecisionIn(const JsonObject& request, std::string_view configuration) {
  const std::optional<Json> given = Member(request, configuration);
  return given ? StringMember(ObjectOf(*given), kPrecision) : std::string_view();
}

// Writes the response to a change. `configuration` is the member with the precision, if
// `precision` is not empty.
Status WriteDestinationChange(const JsonObject& request, std::string_view status,
                              std::string_view configuration, std::string_view precision,
                              JsonWriter* response) {
  response->BeginObject();
  response->StringField("TableName", TableNameOf(StringMember(request, "TableName")));
  response->StringField("StreamArn", StringMember(request, "StreamArn"));
  response->StringField(kDestinationStatus, status);
  if (!precision.empty()) {
    response->Key(configuration);
    response->BeginObject();
    response->StringField(kPrecision, precision);
    response->EndObject();
  }
  response->EndObject();
  return {};
}

Status RunEnableDestination(const Context& context, const JsonObject& request,
                            JsonWriter* response) {
  const std::string_view precision = PrecisionIn(request, kEnableConfiguration);
  DOLMEN_RETURN_IF_ERROR(
      ChangeSettings(context, request, [&](const TableDescription&, Map* settings) {
        Map& destinations = MapToChange(settings, kDestinations);
        const bool is_live =
            std::any_of(destinations.begin(), destinations.end(), [&](const auto& destination) {
              return TextIn(MapIn(destinations, destination.first), kDestinationStatus) == "ACTIVE";
            });
        if (is_live) {
          return InvalidDestinationState(
              "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform "
              "ENABLE");
        }
        Map destination = {{std::string(kDestinationStatus), "ACTIVE"}};
        if (!precision.empty()) Set(kPrecision, precision, &destination);
        Set(StringMember(request, "StreamArn"), std::move(destination), &destinations);
        return Status();
      }));
  return WriteDestinationChange(request, "ENABLING", kEnableConfiguration, precision, response);
}

Status RunDisableDestination(const Context& context, const JsonObject& request,
                             JsonWriter* response) {
  if (Member(request, kEnableConfiguration)) {
    return Status::Validation(
        "EnableKinesisStreamingConfiguration cannot be specified when a Kinesis Streaming "
        "Destination is disabled");
  }
  DOLMEN_RETURN_IF_ERROR(
      ChangeSettings(context, request, [&](const TableDescription&, Map* settings) {
        Map& destinations = MapToChange(settings, kDestinations);
        const std::string_view arn = StringMember(request, "StreamArn");
        DOLMEN_RETURN_IF_ERROR(CheckDestinationActive(MapIn(destinations, arn), "DISABLE"));
        Set(kDestinationStatus, "DISABLED", &MapToChange(&destinations, arn));
        return Status();
      }));
  return WriteDestinationChange(request, "DISABLING", {}, {}, response);
}

Status RunUpdateDestination(const Context& context, const JsonObject& request,
                            JsonWriter* response) {
  const std::string_view precision = PrecisionIn(request, kUpdateConfiguration);
  if (precision.empty()) {
    return InvalidParameter(
        "UpdateKinesisStreamingConfiguration must have an ApproximateCreationDateTimePrecision");
  }
  DOLMEN_RETURN_IF_ERROR(
      ChangeSettings(context, request, [&](const TableDescription&, Map* settings) {
        Map& destinations = MapToChange(settings, kDestinations);
        const std::string_view arn = StringMember(request, "StreamArn");
        DOLMEN_RETURN_IF_ERROR(CheckDestinationActive(MapIn(destinations, arn), "UPDATE"));
        Map& destination = MapToChange(&destinations, arn);
        const std::string_view current = TextIn(destination, kPrecision);
        if (precision == (current.empty() ? kPrecisionShape.list[0] : current)) {
          return InvalidParameter(
              std::string("ApproximateCreationDateTimePrecision is already set to ")
                  .append(precision));
        }
        Set(kPrecision, precision, &destination);
        return Status();
      }));
  return WriteDestinationChange(request, "UPDATING", kUpdateConfiguration, precision, response);
}

Status RunDescribeDestination(const Context& context, const JsonObject& request,
                              JsonWriter* response) {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, DescribeManagedTable(context, request));
  response->BeginObject();
  response->StringField("TableName", table.name);
  response->Key(kDestinations);
  response->BeginArray();
  const Map settings = SettingsOf(table);
  const Map& destinations = MapIn(settings, kDestinations);
  for (const auto& [arn, value] : destinations) {
    Map destination = MapIn(destinations, arn);
    Set("StreamArn", arn, &destination);
    if (TextIn(destination, kDestinationStatus) == "ACTIVE") {
      Set("DestinationStatusDescription",
          "Dolmen stores this destination, but sends no records to it.", &destination);
    }
    WritePlain(destination, response);
  }
  response->EndArray();
  response->EndObject();
  return {};
}

}  // namespace

std::span<const Operation> KinesisOperations() {
  static constexpr Operation kOperations[] = {
      {"EnableKinesisStreamingDestination", &kEnableInput, RunEnableDestination},
      {"DisableKinesisStreamingDestination", &kEnableInput, RunDisableDestination},
      {"UpdateKinesisStreamingDestination", &kUpdateDestinationInput, RunUpdateDestination},
      {"DescribeKinesisStreamingDestination", &kMembers<TableRequest>, RunDescribeDestination},
  };
  return kOperations;
}

}  // namespace dolmen::wire
