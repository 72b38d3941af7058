#include "wire/table_settings.h"

#include <string>
#include <utility>

namespace dolmen::wire {
namespace {

constexpr std::string_view kAnnotation = "dolmen:wire";

template <typename T>
const T* FindIn(const Map& map, std::string_view name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second.get_if<T>();
}

}  // namespace

std::unique_lock<std::mutex> LockSettings() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

Map& SettingsToChange(Map* annotations) { return MapToChange(annotations, kAnnotation); }
Map SettingsOf(const TableDescription& table) { return MapIn(table.annotations, kAnnotation); }

void SetSettings(Map settings, Map* annotations) {
  Set(kAnnotation, std::move(settings), annotations);
}

Status StoreSettings(const Database& database, const TableDescription& table, Map settings) {
  UpdateTableInput input{.name = table.name, .annotations = table.annotations};
  SetSettings(std::move(settings), &*input.annotations);
  return database.UpdateTable(input).status();
}

const Map& MapIn(const Map& map, std::string_view name) {
  static const Map kNone;
  const Map* const found = FindIn<Map>(map, name);
  return found == nullptr ? kNone : *found;
}

Map& MapToChange(Map* map, std::string_view name) {
  AttributeValue& value = (*map)[std::string(name)];
  if (value.get_if<Map>() == nullptr) value = Map();
  return *value.get_if<Map>();
}

std::int64_t IntegerIn(const Map& map, std::string_view name) {
  const Number* const number = FindIn<Number>(map, name);
  return number == nullptr ? 0 : number->ToInt64().value_or(0);
}

std::string_view TextIn(const Map& map, std::string_view name) {
  const std::string* const text = FindIn<std::string>(map, name);
  return text == nullptr ? std::string_view() : *text;
}

void Set(std::string_view name, AttributeValue value, Map* map) {
  map->insert_or_assign(std::string(name), std::move(value));
}

void Remove(std::string_view name, Map* map) {
  const auto found = map->find(name);
  if (found != map->end()) map->erase(found);
}

void SetIntegers(const JsonObject& structure, const Shape& shape, Map* map) {
  for (const MemberShape& member : shape.members) {
    const auto number = IntegerMember(structure, member.name);
    if (number) Set(member.name, *number, map);
  }
}

void SetTime(std::string_view name, Timestamp time, Map* map) {
  std::string seconds;
  JsonWriter(&seconds).Time(time);
  const Result<Number> number = Number::Parse(seconds);
  if (number.ok()) Set(name, *number, map);
}

bool IsProvisioned(const Map& settings) {
  const std::string_view mode = TextIn(MapIn(settings, "BillingModeSummary"), "BillingMode");
  if (!mode.empty()) return mode == "PROVISIONED";
  return settings.contains("ProvisionedThroughput");
}

Map PlainOf(const Shape& structure, const JsonObject& json) {
  Map map;
  for (const MemberShape& member : structure.members) {
    const std::optional<Json> given = Member(json, member.name);
    if (given) Set(member.name, PlainOf(*member.shape, *given), &map);
  }
  return map;
}

AttributeValue PlainOf(const Shape& shape, const Json& json) {
  switch (shape.kind) {
    case Shape::Kind::kStructure:
      return PlainOf(shape, ObjectOf(json));
    case Shape::Kind::kList: {
      List list;
      for (const Json element : ArrayOf(json)) list.push_back(PlainOf(*shape.element, element));
      return list;
    }
    case Shape::Kind::kInteger:
    case Shape::Kind::kLong:
      return IntegerOf(json);
    case Shape::Kind::kDouble: {
      const Result<Number> number = Number::Parse(simdjson::minify(json));
      return number.ok() ? *number : Number();
    }
    case Shape::Kind::kBoolean:
      return BooleanOf(json);
    default:
      return StringOf(json);
  }
}

void WritePlain(const AttributeValue& value, JsonWriter* json) {
  if (const Map* map = value.get_if<Map>(); map != nullptr) {
    json->BeginObject();
    for (const auto& [name, member] : *map) {
      json->Key(name);
      WritePlain(member, json);
    }
    json->EndObject();
  } else if (const List* list = value.get_if<List>(); list != nullptr) {
    json->BeginArray();
    for (const AttributeValue& element : *list) WritePlain(element, json);
    json->EndArray();
  } else if (const auto* text = value.get_if<std::string>(); text != nullptr) {
    json->String(*text);
  } else if (const auto* number = value.get_if<Number>(); number != nullptr) {
    json->Raw(number->ToString());
  } else {
    const bool* const boolean = value.get_if<bool>();
    json->Boolean(boolean != nullptr && *boolean);
  }
}

std::string JsonOf(const Map& map) {
  std::string text;
  JsonWriter json(&text);
  WritePlain(map, &json);
  return text;
}

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
