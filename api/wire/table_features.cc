#include "wire/table_features.h"

#include <string>

#include "wire/table_settings.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kClass = "TableClassSummary";
constexpr std::string_view kEncryption = "SSEDescription";

constexpr std::string_view kKey = "KMSMasterKeyArn";

// Returns the ARN of the encryption key that a client has named by its ARN, its ID or its alias.
std::string KeyArn(const Place& place, std::string_view id) {
  if (id.starts_with("arn:")) return std::string(id);
  std::string arn = std::string("arn:aws:kms:")
                        .append(place.region)
                        .append(":")
                        .append(place.account)
                        .append(":");
  if (id.empty()) return arn.append("alias/aws/dynamodb");
  return arn.append(id.starts_with("alias/") ? "" : "key/").append(id);
}

// Stores the encryption settings of the request. If the request disables KMS encryption, removes
// the settings, because DescribeTable does not report DynamoDB's default encryption.
void ReadEncryption(const JsonObject& specification, Map* settings) {
  if (!BooleanMember(specification, "Enabled")) {
    Remove(kEncryption, settings);
    return;
  }
  const std::string_view type = StringMember(specification, "SSEType");
  Map& encryption = MapToChange(settings, kEncryption);
  Set("Status", "ENABLED", &encryption);
  Set("SSEType", type.empty() ? "KMS" : type, &encryption);
  // The ARN is completed when it is written, because its region is the client's.
  Set(kKey, StringMember(specification, "KMSMasterKeyId"), &encryption);
}

}  // namespace

void ReadTableFeatures(const JsonObject& request, Map* settings) {
  const std::string_view table_class = StringMember(request, "TableClass");
  if (!table_class.empty()) Set("TableClass", table_class, &MapToChange(settings, kClass));
  if (const auto specification = Member(request, "SSESpecification")) {
    ReadEncryption(ObjectOf(*specification), settings);
  }
}

void ChangeTableFeatures(const JsonObject& request, Timestamp now, Map* settings) {
  ReadTableFeatures(request, settings);
  if (Member(request, "TableClass")) {
    SetTime("LastUpdateDateTime", now, &MapToChange(settings, kClass));
  }
}

void OverrideEncryption(const JsonObject& restore, Map* settings) {
  if (const auto specification = Member(restore, "SSESpecificationOverride")) {
    ReadEncryption(ObjectOf(*specification), settings);
  }
}

void WriteEncryption(const Map& settings, const Place& place, JsonWriter* json) {
  Map encryption = MapIn(settings, kEncryption);
  if (encryption.empty()) return;
  Set(kKey, KeyArn(place, TextIn(encryption, kKey)), &encryption);
  json->Key(kEncryption);
  WritePlain(encryption, json);
}

void WriteTableFeatures(const Map& settings, const Place& place, JsonWriter* json) {
  WriteEncryption(settings, place, json);
  const Map& table_class = MapIn(settings, kClass);
  if (table_class.empty()) return;
  json->Key(kClass);
  WritePlain(table_class, json);
}

}  // namespace dolmen::wire
