#include "remote/table_json.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/create_table_request.h"
#include "wire/enum_names.h"
#include "wire/extensions.h"
#include "wire/key_schema.h"
#include "wire/table_description.h"
#include "wire/table_settings.h"
#include "wire/tags.h"

namespace dolmen::remote {
namespace {

using wire::Json;
using wire::JsonObject;

// Returns the description of the table that the request creates, which the writers of indexes take.
TableDescription DescriptionOf(const CreateTableInput& input) {
  TableDescription table{
      .name = input.name, .partition_key = input.partition_key, .sort_key = input.sort_key};
  for (const GlobalSecondaryIndex& index : input.global_secondary_indexes) {
    table.global_secondary_indexes.push_back({.index = index});
  }
  for (const LocalSecondaryIndex& index : input.local_secondary_indexes) {
    table.local_secondary_indexes.push_back({.index = index});
  }
  return table;
}

void WriteStream(const std::optional<StreamSpecification>& stream, wire::JsonWriter* json) {
  if (!stream) return;
  json->Key("StreamSpecification");
  json->BeginObject();
  json->BooleanField("StreamEnabled", stream->enabled);
  if (stream->view_type) {
    json->StringField("StreamViewType", wire::kNames<StreamViewType>.NameOf(*stream->view_type));
  }
  json->EndObject();
  wire::WriteTableExtensions(stream, std::nullopt, json);
}

ContentSize ReadContent(const JsonObject& json, std::string_view bytes) {
  const auto number = [&](std::string_view name) {
    return static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, wire::IntegerMember(json, name).value_or(0)));
  };
  return {.item_count = number("ItemCount"), .size_bytes = number(bytes)};
}

Status ReadGlobalIndexes(const JsonObject& json, const wire::AttributeDefinitions& definitions,
                         TableDescription* table) {
  const auto indexes = wire::Member(json, "GlobalSecondaryIndexes");
  if (!indexes) return {};
  for (const Json one : wire::ArrayOf(*indexes)) {
    const JsonObject object = wire::ObjectOf(one);
    const std::string_view status = wire::StringMember(object, "IndexStatus");
    if (status == "DELETING") continue;
    GlobalSecondaryIndexDescription described;
    DOLMEN_RETURN_IF_ERROR(wire::ReadGlobalIndex(object, definitions, &described.index));
    described.content = ReadContent(object, "IndexSizeBytes");
    if (status == "CREATING") {
      described.status = IndexStatus::kCreating;
      described.backfill.emplace();
    }
    table->global_secondary_indexes.push_back(std::move(described));
  }
  return {};
}

Status ReadLocalIndexes(const JsonObject& json, const wire::AttributeDefinitions& definitions,
                        TableDescription* table) {
  const auto indexes = wire::Member(json, "LocalSecondaryIndexes");
  if (!indexes) return {};
  const CreateTableInput keys{.partition_key = table->partition_key, .sort_key = table->sort_key};
  for (const Json one : wire::ArrayOf(*indexes)) {
    LocalSecondaryIndexDescription described;
    DOLMEN_RETURN_IF_ERROR(
        wire::ReadLocalIndex(wire::ObjectOf(one), definitions, keys, &described.index));
    described.content = ReadContent(wire::ObjectOf(one), "IndexSizeBytes");
    table->local_secondary_indexes.push_back(std::move(described));
  }
  return {};
}

Status ReadKeysAndIndexes(const JsonObject& json, TableDescription* table) {
  const wire::AttributeDefinitions definitions(json);
  wire::Keys keys;
  DOLMEN_RETURN_IF_ERROR(
      wire::ReadKeySchema(json, definitions, wire::KeySchemaOf::kTableOrLocalIndex, &keys));
  if (keys.partition.empty()) return Status::Validation("the table has no partition key");
  table->partition_key = keys.partition[0];
  if (!keys.sort.empty()) table->sort_key = keys.sort[0];
  DOLMEN_RETURN_IF_ERROR(ReadLocalIndexes(json, definitions, table));
  return ReadGlobalIndexes(json, definitions, table);
}

}  // namespace

void WriteGlobalIndexes(std::string_view member, const std::vector<GlobalSecondaryIndex>& indexes,
                        wire::JsonWriter* json) {
  if (indexes.empty()) return;
  json->Key(member);
  json->BeginArray();
  for (const GlobalSecondaryIndex& index : indexes) {
    json->BeginObject();
    wire::WriteIndex(index, json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteLocalIndexes(std::string_view member, const KeyAttribute& partition_key,
                       const std::vector<LocalSecondaryIndex>& indexes, wire::JsonWriter* json) {
  if (indexes.empty()) return;
  TableDescription table;
  table.partition_key = partition_key;
  json->Key(member);
  json->BeginArray();
  for (const LocalSecondaryIndex& index : indexes) {
    json->BeginObject();
    wire::WriteIndex(table, index, json);
    json->EndObject();
  }
  json->EndArray();
}

void WriteCreateTable(const CreateTableInput& input, wire::JsonWriter* json) {
  json->StringField("TableName", input.name);
  wire::WriteAttributeDefinitions(wire::KeysOf(DescriptionOf(input)), json);
  wire::WriteKeySchema(input.partition_key, input.sort_key, json);
  json->StringField("BillingMode", "PAY_PER_REQUEST");
  WriteGlobalIndexes("GlobalSecondaryIndexes", input.global_secondary_indexes, json);
  WriteLocalIndexes("LocalSecondaryIndexes", input.partition_key, input.local_secondary_indexes,
                    json);
  WriteStream(input.stream_specification, json);
  if (input.deletion_protection) json->BooleanField("DeletionProtectionEnabled", true);
  const Map settings = wire::SettingsOf({.annotations = input.annotations});
  if (!wire::MapIn(settings, "Tags").empty()) wire::WriteTags(settings, json);
}

void WriteUpdateTable(const UpdateTableInput& input, wire::JsonWriter* json) {
  json->StringField("TableName", input.name);
  WriteStream(input.stream_specification, json);
  if (input.deletion_protection) {
    json->BooleanField("DeletionProtectionEnabled", *input.deletion_protection);
  }
  if (!input.create_index && input.delete_index.empty()) return;
  if (input.create_index) {
    std::vector<KeyAttribute> keys = input.create_index->partition_key;
    const std::vector<KeyAttribute>& sort = input.create_index->sort_key;
    keys.insert(keys.end(), sort.begin(), sort.end());
    wire::WriteAttributeDefinitions(keys, json);
  }
  json->Key("GlobalSecondaryIndexUpdates");
  json->BeginArray();
  if (input.create_index) {
    json->BeginObject();
    json->Key("Create");
    json->BeginObject();
    wire::WriteIndex(*input.create_index, json);
    json->EndObject();
    json->EndObject();
  }
  if (!input.delete_index.empty()) {
    json->BeginObject();
    json->Key("Delete");
    json->BeginObject();
    json->StringField("IndexName", input.delete_index);
    json->EndObject();
    json->EndObject();
  }
  json->EndArray();
}

Result<TableDescription> ReadTableDescription(const JsonObject& json, std::string* arn) {
  TableDescription table;
  table.name = wire::StringMember(json, "TableName");
  table.status = wire::kNames<TableStatus>.ValueOf(wire::StringMember(json, "TableStatus"),
                                                 TableStatus::kActive);
  *arn = wire::StringMember(json, "TableArn");
  // The description of a table that is being deleted lacks the keys.
  if (table.status != TableStatus::kDeleting) {
    const Status read = ReadKeysAndIndexes(json, &table);
    if (!read.ok()) {
      return Status::InternalServerError().WithMessage(
          "The service has described a table that Dolmen does not understand: " + read.message());
    }
  }
  const auto stream = wire::ReadStreamSpecification(json);
  if (stream && stream->enabled) table.stream_specification = stream;
  table.latest_stream_arn = wire::StringMember(json, "LatestStreamArn");
  table.latest_stream_label = wire::StringMember(json, "LatestStreamLabel");
  table.deletion_protection = wire::BooleanMember(json, "DeletionProtectionEnabled");
  if (const auto created = wire::TimeMember(json, "CreationDateTime")) table.created_at = *created;
  table.content = ReadContent(json, "TableSizeBytes");
  return table;
}

}  // namespace dolmen::remote
