#include "dolmen/entity/table.h"

#include <algorithm>

namespace dolmen {
namespace {

Status CheckIndexes(const TableDescription& table, const EntityTableInput& input) {
  for (const std::string& index : input.indexes) {
    const bool is_there =
        std::ranges::any_of(table.global_secondary_indexes,
                            [&](const auto& there) { return there.index.name == index; });
    if (is_there) continue;
    return Status::Validation("The table " + input.name + " is there already, but has no index " +
                              index);
  }
  return {};
}

Status CheckStream(const TableDescription& table, const EntityTableInput& input) {
  const auto there = table.stream_specification->view_type;
  if (there == input.stream_specification->view_type || there == StreamViewType::kNewAndOldImages) {
    return {};
  }
  return Status::Validation("The table " + input.name +
                            " has a stream already, which lacks the images that are asked for");
}

// Gives the table the stream, unless it has one that shows as much.
Status KeepStream(const Database& database, const TableDescription& table,
                  const EntityTableInput& input) {
  if (!input.stream_specification) return {};
  if (table.stream_specification) return CheckStream(table, input);
  UpdateTableInput update;
  update.name = input.name;
  update.stream_specification = input.stream_specification;
  const Status updated = database.UpdateTable(update).status();
  if (updated.ok()) return updated;
  // Another one that opens the table may just have done it.
  const Result<TableDescription> again = database.DescribeTable(input.name, ContentSizes::kOmit);
  if (!again.ok() || !again->stream_specification) return updated;
  return CheckStream(*again, input);
}

Status CheckTable(const Database& database, const EntityTableInput& input) {
  const Result<TableDescription> table = database.DescribeTable(input.name, ContentSizes::kOmit);
  if (!table.ok()) return table.status();
  if (Status status = CheckIndexes(*table, input); !status.ok()) return status;
  return KeepStream(database, *table, input);
}

Result<Table> MakeOrOpen(const Database& database, const EntityTableInput& input) {
  CreateTableInput create;
  create.name = input.name;
  for (const std::string& index : input.indexes) {
    create.global_secondary_indexes.push_back(GlobalSecondaryIndex::Overloaded(index));
  }
  create.stream_specification = input.stream_specification;
  Result<Table> made = database.CreateTable(create);
  if (made.status().code() != StatusCode::kResourceInUse) return made;
  if (Status status = CheckTable(database, input); !status.ok()) return status;
  return database.OpenTable(input.name);
}

bool HidesExpired(const Database& database, const EntityTableInput& input) {
  const Result<TimeToLiveDescription> found = database.DescribeTimeToLive(input.name);
  return found.ok() && found->attribute_name == input.time_to_live && found->hide_expired;
}

Status HideExpired(const Database& database, const EntityTableInput& input) {
  if (HidesExpired(database, input)) return {};
  UpdateTimeToLiveInput update = {.table_name = input.name};
  update.specification = {.attribute_name = input.time_to_live, .hide_expired = true};
  const Status updated = database.UpdateTimeToLive(update).status();
  // Another one that opens the table may just have done it.
  return updated.ok() || HidesExpired(database, input) ? Status() : updated;
}

}  // namespace

EntityTable::EntityTable(Database database, Table table, RequestObserver observer)
    : requests_(std::move(database), std::move(table), std::move(observer)) {}

Result<EntityTable> EntityTable::Open(const Database& database, const EntityTableInput& input) {
  Result<Table> table = MakeOrOpen(database, input);
  if (!table.ok()) return table.status();
  if (!input.time_to_live.empty()) {
    if (Status status = HideExpired(database, input); !status.ok()) return status;
  }
  return EntityTable(database, *std::move(table), input.observer);
}

Status EntityTable::NotFound(const entity::EntitySpec& entity, const void* key) {
  const Result<Item> item_key = entity::PrimaryKeyOf(entity, key);
  if (!item_key.ok()) return item_key.status();
  return Status::ResourceNotFound("there is no " + entity::DescribeKey(entity, *item_key));
}

Status EntityTable::Do(Result<entity::Write> write) const {
  if (!write.ok()) return write.status();
  return requests_.Do(*std::move(write)).status();
}

Result<StoredItem> EntityTable::Updated(Result<entity::Write> write) const {
  if (!write.ok()) return write.status();
  Result<std::optional<StoredItem>> item = requests_.Do(*std::move(write));
  if (!item.ok()) return item.status();
  return **std::move(item);
}

Status EntityTable::AddPut(const entity::EntitySpec& entity, void* value,
                           std::vector<WriteRequest>* requests) const {
  if (entity.version() != nullptr) {
    return Status::Validation(std::string(entity.name) + " has a version, which no batch checks");
  }
  entity::Fill(entity, requests_.context(), value);
  Result<Item> item = entity::ToItem(entity, value);
  if (!item.ok()) return item.status();
  requests->push_back(PutRequest{*std::move(item)});
  return {};
}

}  // namespace dolmen
