#include "remote/tables.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "wire/enum_names.h"
#include "wire/extensions.h"
#include "wire/table_json.h"
#include "wire/table_requests.h"
#include "wire/tags.h"

namespace dolmen::remote {
namespace {

using wire::Json;
using wire::JsonObject;

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

// Reads a TableDescription. Sets `*arn` to TableArn.
// - kInternalServerError: the description lacks the keys, or contradicts itself.
Result<TableDescription> ReadTableDescription(const JsonObject& json, std::string* arn) {
  TableDescription table;
  table.name = wire::StringMember(json, "TableName");
  table.table_id = wire::StringMember(json, "TableId");
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

std::string NameBody(std::string_view name) {
  return wire::ToJson(wire::TableRequest{.table_name = std::string(name)});
}

bool IsReady(const TableDescription& table) {
  const auto is_built = [](const GlobalSecondaryIndexDescription& described) {
    return described.status == IndexStatus::kActive;
  };
  return table.status == TableStatus::kActive &&
         std::ranges::all_of(table.global_secondary_indexes, is_built);
}

Status CheckAnnotations(bool given) {
  if (!given) return {};
  return Status::Validation(
      "A remote table has no annotations. Store the data in an item of the table.");
}

// Returns true if the caller has set annotations. Dolmen's own annotations hold what a CreateTable
// request says about tags and billing (wire/table_settings.h).
bool HasAnnotations(const CreateTableInput& input) {
  return std::any_of(
      input.annotations.begin(), input.annotations.end(),
      [](const auto& annotation) { return !annotation.first.starts_with("dolmen:"); });
}

bool IsHideTag(const wire::Tag& tag) {
  return tag.key == wire::kHideExpiredTag && tag.value == "true";
}

}  // namespace

Result<TableDescription> Tables::Read(std::string_view name, std::string* arn) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("DescribeTable", NameBody(name), Repeat::kSafe));
  const auto table = wire::Member(response.object(), "Table");
  return ReadTableDescription(table ? wire::ObjectOf(*table) : response.object(), arn);
}

Result<bool> Tables::HasHideTag(const std::string& arn) {
  wire::ListTagsInput input{.resource_arn = arn};
  do {
    const auto response = service_.Send("ListTagsOfResource", wire::ToJson(input), Repeat::kSafe);
    if (response.status().code() == StatusCode::kUnknownOperation) {
      const MutexLock lock(mutex_);
      return hidden_without_tag_.contains(arn);
    }
    if (!response.ok()) return response.status();
    wire::ListTagsOutput page;
    DOLMEN_RETURN_IF_ERROR(wire::Decode(response->object(), &page));
    if (std::ranges::any_of(page.tags, IsHideTag)) return true;
    input.next_token = page.next_token;
  } while (!input.next_token.empty());
  return false;
}

Status Tables::SetHideTag(const std::string& arn, bool hides) {
  const wire::TagResourceInput input{
      .resource_arn = arn,
      .tags = {{std::string(wire::kHideExpiredTag), hides ? "true" : "false"}}};
  const Status sent = service_.Send("TagResource", wire::ToJson(input), Repeat::kSafe).status();
  if (sent.code() != StatusCode::kUnknownOperation) return sent;
  const MutexLock lock(mutex_);
  if (hides) {
    hidden_without_tag_.insert(arn);
  } else {
    hidden_without_tag_.erase(arn);
  }
  return {};
}

Result<TimeToLiveDescription> Tables::ReadTimeToLive(std::string_view name,
                                                     const std::string& arn) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("DescribeTimeToLive", NameBody(name), Repeat::kSafe));
  TimeToLiveDescription described;
  const auto json = wire::Member(response.object(), "TimeToLiveDescription");
  if (!json) return described;
  DOLMEN_RETURN_IF_ERROR(wire::Decode(wire::ObjectOf(*json), &described));
  if (described.status == TimeToLiveStatus::kDisabled) return TimeToLiveDescription();
  DOLMEN_ASSIGN_OR_RETURN(described.hide_expired, HasHideTag(arn));
  return described;
}

Result<std::shared_ptr<const TableDefinition>> Tables::ReadDefinition(std::string_view name) {
  auto definition = std::make_shared<TableDefinition>();
  definition->read_number = next_read_++;
  DOLMEN_ASSIGN_OR_RETURN(definition->table, Read(name, &definition->arn));
  if (definition->table.status == TableStatus::kDeleting) {
    return Status::ResourceNotFound("Requested resource not found: Table: " + std::string(name) +
                                    " not found");
  }
  // A table without a known time to live can be read and written as any other.
  auto time_to_live = ReadTimeToLive(name, definition->arn);
  if (time_to_live.status().code() == StatusCode::kUnknownOperation) {
    time_to_live = TimeToLiveDescription();
  }
  DOLMEN_ASSIGN_OR_RETURN(definition->time_to_live, std::move(time_to_live));
  return std::shared_ptr<const TableDefinition>(std::move(definition));
}

Result<std::shared_ptr<RemoteTable>> Tables::Open(std::string_view name) {
  Result<std::shared_ptr<const TableDefinition>> read = ReadDefinition(name);
  if (read.status().code() == StatusCode::kResourceNotFound) {
    // Operations on items have this message, too.
    return Status::ResourceNotFound("Requested resource not found");
  }
  DOLMEN_ASSIGN_OR_RETURN(auto definition, std::move(read));
  const MutexLock lock(mutex_);
  std::shared_ptr<RemoteTable>& table = open_[std::string(name)];
  if (table == nullptr) {
    table = std::make_shared<RemoteTable>(std::string(name), std::move(definition));
  } else {
    table->Replace(std::move(definition));
  }
  return table;
}

Status Tables::Refresh(std::string_view name) {
  std::shared_ptr<RemoteTable> table;
  {
    const MutexLock lock(mutex_);
    if (const auto found = open_.find(name); found != open_.end()) table = found->second;
  }
  if (table == nullptr) return {};
  DOLMEN_ASSIGN_OR_RETURN(auto definition, ReadDefinition(name));
  table->Replace(std::move(definition));
  return {};
}

Result<std::shared_ptr<RemoteTable>> Tables::Create(const CreateTableInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckAnnotations(HasAnnotations(input)));
  DOLMEN_RETURN_IF_ERROR(
      service_.Send("CreateTable", wire::CreateTableJson(input), Repeat::kUnsafe).status());
  DOLMEN_RETURN_IF_ERROR(WaitForNewTable(input.name));
  Result<std::shared_ptr<RemoteTable>> table = Open(input.name);
  if (!table.ok()) return AfterExecuted(table.status());
  return table;
}

Status Tables::WaitForNewTable(std::string_view name) {
  int attempts_left = 20;
  return service_.WaitUntil("Creating the table", [&]() -> Result<bool> {
    std::string arn;
    const Result<TableDescription> table = Read(name, &arn);
    const bool is_missing = table.status().code() == StatusCode::kResourceNotFound;
    if (is_missing && attempts_left-- > 0) return false;
    if (!table.ok()) return AfterExecuted(table.status());
    return IsReady(*table);
  });
}

Status Tables::WaitUntilReady(std::string_view name) {
  DOLMEN_RETURN_IF_ERROR(
      service_.WaitUntil("Building the table or its indexes", [&]() -> Result<bool> {
        std::string arn;
        DOLMEN_ASSIGN_OR_RETURN(const TableDescription& table, Read(name, &arn));
        return IsReady(table);
      }));
  return Refresh(name);
}

Result<TableDescription> Tables::Describe(std::string_view name) {
  std::string arn;
  return Read(name, &arn);
}

Result<TableIdentity> Tables::Identify(std::string_view name) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("DescribeTable", NameBody(name), Repeat::kSafe));
  const auto table = wire::Member(response.object(), "Table");
  const wire::JsonObject& object = table ? wire::ObjectOf(*table) : response.object();
  TableIdentity identity{
      .id = std::string(wire::StringMember(object, "TableId")),
      .stream_arn = std::string(wire::StringMember(object, "LatestStreamArn")),
      .stream_retention = wire::ExtensionsOf<wire::TableExtensions>(object).retention()};
  if (const auto created = wire::TimeMember(object, "CreationDateTime")) {
    identity.created_at = *created;
  }
  return identity;
}

Result<ListTablesOutput> Tables::List(const ListTablesInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("ListTables", wire::ToJson(input), Repeat::kSafe));
  ListTablesOutput output;
  DOLMEN_RETURN_IF_ERROR(wire::Decode(response.object(), &output));
  return output;
}

Result<TableDescription> Tables::Update(const UpdateTableInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckAnnotations(input.annotations.has_value()));
  DOLMEN_ASSIGN_OR_RETURN(
      const Response& response,
      service_.Send("UpdateTable", wire::UpdateTableJson(input), Repeat::kUnsafe));
  DOLMEN_RETURN_IF_ERROR(AfterExecuted(Refresh(input.name)));
  const auto table = wire::Member(response.object(), "TableDescription");
  std::string arn;
  return ReadTableDescription(table ? wire::ObjectOf(*table) : response.object(), &arn);
}

Status Tables::Delete(std::string_view name) {
  DOLMEN_RETURN_IF_ERROR(service_.Send("DeleteTable", NameBody(name), Repeat::kUnsafe).status());
  {
    const MutexLock lock(mutex_);
    if (const auto found = open_.find(name); found != open_.end()) open_.erase(found);
  }
  return service_.WaitUntil("Deleting the table", [&]() -> Result<bool> {
    std::string arn;
    const auto table = Read(name, &arn);
    if (table.status().code() == StatusCode::kResourceNotFound) return true;
    if (!table.ok()) return AfterExecuted(table.status());
    // Another program may have created a table of the name again.
    return table->status != TableStatus::kDeleting;
  });
}

Result<TimeToLiveDescription> Tables::DescribeTimeToLive(std::string_view name) {
  std::string arn;
  DOLMEN_RETURN_IF_ERROR(Read(name, &arn).status());
  return ReadTimeToLive(name, arn);
}

Result<TimeToLiveSpecification> Tables::UpdateTimeToLive(const UpdateTimeToLiveInput& input) {
  const TimeToLiveSpecification& wanted = input.specification;
  std::string arn;
  DOLMEN_RETURN_IF_ERROR(Read(input.table_name, &arn).status());
  DOLMEN_ASSIGN_OR_RETURN(const TimeToLiveDescription before,
                          ReadTimeToLive(input.table_name, arn));
  const bool changes_tag = wanted.enabled && before.hide_expired != wanted.hide_expired;
  const bool is_enabled = wanted.enabled && before.attribute_name == wanted.attribute_name;
  if (!is_enabled || !changes_tag) {
    DOLMEN_RETURN_IF_ERROR(
        service_.Send("UpdateTimeToLive", wire::ToJson(input), Repeat::kUnsafe).status());
  }
  // A table without the tag does not hide, unless an earlier time to live has left its tag.
  if (wanted.enabled && (changes_tag || !is_enabled)) {
    const Result<bool> has_tag = HasHideTag(arn);
    if (!has_tag.ok()) return AfterExecuted(has_tag.status());
    if (*has_tag != wanted.hide_expired) {
      DOLMEN_RETURN_IF_ERROR(AfterExecuted(SetHideTag(arn, wanted.hide_expired)));
    }
  }
  DOLMEN_RETURN_IF_ERROR(AfterExecuted(Refresh(input.table_name)));
  return wanted;
}

}  // namespace dolmen::remote
