#include "remote/tables.h"

#include <algorithm>
#include <utility>

#include "engine/base/status_macros.h"
#include "remote/request_body.h"
#include "remote/table_json.h"
#include "wire/enum_names.h"
#include "wire/extensions.h"
#include "wire/tags.h"

namespace dolmen::remote {
namespace {

std::string NameBody(std::string_view name) {
  RequestBody body;
  body.json().StringField("TableName", name);
  return body.Finish();
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

bool HoldsHideTag(const wire::JsonObject& response) {
  const auto tags = wire::Member(response, "Tags");
  if (!tags) return false;
  const wire::JsonArray list = wire::ArrayOf(*tags);
  return std::any_of(list.begin(), list.end(), [](const wire::Json& tag) {
    return wire::StringMember(wire::ObjectOf(tag), "Key") == wire::kHideExpiredTag &&
           wire::StringMember(wire::ObjectOf(tag), "Value") == "true";
  });
}

}  // namespace

Result<TableDescription> Tables::Read(std::string_view name, std::string* arn) {
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("DescribeTable", NameBody(name), Repeat::kSafe));
  const auto table = wire::Member(response.object(), "Table");
  return ReadTableDescription(table ? wire::ObjectOf(*table) : response.object(), arn);
}

Result<bool> Tables::HasHideTag(const std::string& arn) {
  std::string next;
  do {
    RequestBody body;
    body.json().StringField("ResourceArn", arn);
    WriteText("NextToken", next, &body.json());
    const auto response = service_.Send("ListTagsOfResource", body.Finish(), Repeat::kSafe);
    if (response.status().code() == StatusCode::kUnknownOperation) {
      const MutexLock lock(mutex_);
      return hidden_without_tag_.contains(arn);
    }
    if (!response.ok()) return response.status();
    if (HoldsHideTag(response->object())) return true;
    next = wire::StringMember(response->object(), "NextToken");
  } while (!next.empty());
  return false;
}

Status Tables::SetHideTag(const std::string& arn, bool hides) {
  RequestBody body;
  body.json().StringField("ResourceArn", arn);
  body.json().Key("Tags");
  body.json().BeginArray();
  body.json().BeginObject();
  body.json().StringField("Key", wire::kHideExpiredTag);
  body.json().StringField("Value", hides ? "true" : "false");
  body.json().EndObject();
  body.json().EndArray();
  const Status sent = service_.Send("TagResource", body.Finish(), Repeat::kSafe).status();
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
  const wire::JsonObject object = wire::ObjectOf(*json);
  described.status =
      wire::kNames<TimeToLiveStatus>.ValueOf(wire::StringMember(object, "TimeToLiveStatus"));
  if (described.status == TimeToLiveStatus::kDisabled) return described;
  described.attribute_name = wire::StringMember(object, "AttributeName");
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
  DOLMEN_ASSIGN_OR_RETURN(definition->time_to_live, ReadTimeToLive(name, definition->arn));
  DOLMEN_ASSIGN_OR_RETURN(definition->rules,
                          internal::TableRules::Make(definition->table, definition->time_to_live));
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
  RequestBody body;
  WriteCreateTable(input, &body.json());
  DOLMEN_RETURN_IF_ERROR(service_.Send("CreateTable", body.Finish(), Repeat::kUnsafe).status());
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
  TableIdentity identity{.id = std::string(wire::StringMember(object, "TableId")),
                         .stream_arn = std::string(wire::StringMember(object, "LatestStreamArn")),
                         .stream_retention = wire::ReadStreamRetention(object)};
  if (const auto created = wire::TimeMember(object, "CreationDateTime")) {
    identity.created_at = *created;
  }
  return identity;
}

Result<ListTablesOutput> Tables::List(const ListTablesInput& input) {
  RequestBody body;
  WriteText("ExclusiveStartTableName", input.exclusive_start_table_name, &body.json());
  body.json().UnsignedField("Limit", input.limit);
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("ListTables", body.Finish(), Repeat::kSafe));
  ListTablesOutput output;
  if (const auto names = wire::Member(response.object(), "TableNames")) {
    for (const wire::Json name : wire::ArrayOf(*names)) {
      output.table_names.emplace_back(wire::StringOf(name));
    }
  }
  output.last_evaluated_table_name =
      wire::StringMember(response.object(), "LastEvaluatedTableName");
  return output;
}

Result<TableDescription> Tables::Update(const UpdateTableInput& input) {
  DOLMEN_RETURN_IF_ERROR(CheckAnnotations(input.annotations.has_value()));
  RequestBody body;
  WriteUpdateTable(input, &body.json());
  DOLMEN_ASSIGN_OR_RETURN(const Response& response,
                          service_.Send("UpdateTable", body.Finish(), Repeat::kUnsafe));
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
    RequestBody body;
    body.json().StringField("TableName", input.table_name);
    body.json().Key("TimeToLiveSpecification");
    body.json().BeginObject();
    body.json().BooleanField("Enabled", wanted.enabled);
    body.json().StringField("AttributeName", wanted.attribute_name);
    body.json().EndObject();
    DOLMEN_RETURN_IF_ERROR(
        service_.Send("UpdateTimeToLive", body.Finish(), Repeat::kUnsafe).status());
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
