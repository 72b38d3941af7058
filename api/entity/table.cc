#include "dolmen/entity/table.h"

#include <algorithm>

#include "engine/base/status_macros.h"

namespace dolmen {
namespace {

bool HasIndex(const TableDescription& table, const std::string& index) {
  return std::ranges::any_of(table.global_secondary_indexes,
                             [&](const auto& found) { return found.index.name == index; });
}

// Adds an index to the table and waits for its backfill. Succeeds if another thread has added it in
// the meantime.
Status AddIndex(const Database& database, const Table& table, const std::string& index) {
  UpdateTableInput update;
  update.name = table.name();
  update.create_index = GlobalSecondaryIndex::Overloaded(index);
  for (;;) {
    const Status updated = database.UpdateTable(update).status();
    DOLMEN_ASSIGN_OR_RETURN(const TableDescription now,
                            database.DescribeTable(table.name(), ContentSizes::kOmit));
    const bool is_building = std::ranges::any_of(
        now.global_secondary_indexes,
        [](const auto& other) { return other.status == IndexStatus::kCreating; });
    const bool has_index = HasIndex(now, index);
    if (!has_index && !is_building) return updated;
    // A table builds one index at a time.
    DOLMEN_RETURN_IF_ERROR(table.WaitForIndexes());
    if (has_index) return {};
  }
}

// Checks that the table has all indexes of the input, or adds those that it lacks.
Status EnsureIndexes(const Database& database, const TableDescription& table,
                     const EntityTableInput& input) {
  for (const std::string& index : input.local_indexes) {
    const bool has_index =
        std::ranges::any_of(table.local_secondary_indexes,
                            [&](const auto& found) { return found.index.name == index; });
    if (has_index) continue;
    return Status::Validation("The table " + input.name + " already exists without the index " +
                              index + ". A local index can only be created with its table");
  }
  for (const std::string& index : input.indexes) {
    if (HasIndex(table, index)) continue;
    if (!input.add_missing_indexes) {
      return Status::Validation("The table " + input.name + " already exists without the index " +
                                index + ". To add it, set add_missing_indexes");
    }
    DOLMEN_ASSIGN_OR_RETURN(const Table opened, database.OpenTable(input.name));
    DOLMEN_RETURN_IF_ERROR(AddIndex(database, opened, index));
  }
  return {};
}

Status CheckStream(const TableDescription& table, const EntityTableInput& input) {
  const auto found = table.stream_specification->view_type;
  if (found == input.stream_specification->view_type || found == StreamViewType::kNewAndOldImages) {
    return {};
  }
  return Status::Validation("The table " + input.name +
                            " already has a stream without the requested images");
}

// Enables the stream, unless the table has one that contains the same images.
Status EnsureStream(const Database& database, const TableDescription& table,
                    const EntityTableInput& input) {
  if (!input.stream_specification) return {};
  if (table.stream_specification) return CheckStream(table, input);
  UpdateTableInput update;
  update.name = input.name;
  update.stream_specification = input.stream_specification;
  const Status updated = database.UpdateTable(update).status();
  if (updated.ok()) return updated;
  // Reads the description again after the update has failed, because another thread may have
  // enabled the stream in the meantime. A stream with the requested images is a success.
  const Result<TableDescription> again = database.DescribeTable(input.name, ContentSizes::kOmit);
  if (!again.ok() || !again->stream_specification) return updated;
  return CheckStream(*again, input);
}

// Checks that the existing table fits the input. Adds its indexes and enables its stream.
Status CheckTable(const Database& database, const EntityTableInput& input) {
  const Result<TableDescription> table = database.DescribeTable(input.name, ContentSizes::kOmit);
  if (!table.ok()) return table.status();
  DOLMEN_RETURN_IF_ERROR(EnsureIndexes(database, *table, input));
  return EnsureStream(database, *table, input);
}

Result<Table> CreateOrOpen(const Database& database, const EntityTableInput& input) {
  CreateTableInput create;
  create.name = input.name;
  for (const std::string& index : input.indexes) {
    create.global_secondary_indexes.push_back(GlobalSecondaryIndex::Overloaded(index));
  }
  for (const std::string& index : input.local_indexes) {
    create.local_secondary_indexes.push_back({.name = index, .sort_key = {index + "SK"}});
  }
  create.stream_specification = input.stream_specification;
  Result<Table> created = database.CreateTable(create);
  if (created.status().code() != StatusCode::kResourceInUse) return created;
  DOLMEN_RETURN_IF_ERROR(CheckTable(database, input));
  return database.OpenTable(input.name);
}

bool HidesExpired(const Database& database, const EntityTableInput& input) {
  const Result<TimeToLiveDescription> found = database.DescribeTimeToLive(input.name);
  return found.ok() && found->attribute_name == input.time_to_live && found->hide_expired;
}

// Enables the time to live with hide_expired. Does nothing if the table has both already.
Status EnsureExpiredAreHidden(const Database& database, const EntityTableInput& input) {
  if (HidesExpired(database, input)) return {};
  UpdateTimeToLiveInput update = {.table_name = input.name};
  update.specification = {.attribute_name = input.time_to_live, .hide_expired = true};
  const Status updated = database.UpdateTimeToLive(update).status();
  // Repeats the check after the update has failed, because another thread may have enabled the time
  // to live in the meantime. Succeeds if the second check passes.
  return updated.ok() || HidesExpired(database, input) ? Status() : updated;
}

}  // namespace

EntityTable::EntityTable(Database database, Table table, RequestObserver observer)
    : sender_(std::move(database), std::move(table), std::move(observer)) {}

Result<EntityTable> EntityTable::Open(const Database& database, const EntityTableInput& input) {
  DOLMEN_ASSIGN_OR_RETURN(Table table, CreateOrOpen(database, input));
  if (!input.time_to_live.empty()) {
    DOLMEN_RETURN_IF_ERROR(EnsureExpiredAreHidden(database, input));
  }
  return EntityTable(database, std::move(table), input.observer);
}

Status EntityTable::NotFoundError(const entity::EntitySpec& entity, const void* key) {
  DOLMEN_ASSIGN_OR_RETURN(const Item& item_key, entity::PrimaryKeyOf(entity, key));
  return Status::ResourceNotFound("there is no " + entity::DescribeKeyParts(entity, item_key));
}

Status EntityTable::CheckImages() const {
  DOLMEN_ASSIGN_OR_RETURN(const TableDescription description,
                          database().DescribeTable(table().name(), ContentSizes::kOmit));
  const auto& stream = description.stream_specification;
  if (!stream || stream->view_type != StreamViewType::kKeysOnly) return {};
  return Status::Validation("The stream of the table " + table().name() +
                            " has only keys, but changes of entities need old or new images");
}

Status EntityTable::AppendPut(const entity::EntitySpec& entity, void* value,
                              std::vector<WriteRequest>* requests) const {
  if (entity.version() != nullptr) {
    return Status::Validation(std::string(entity.name) +
                              " has a version, which a batch cannot check: use Put");
  }
  entity::FillAttributes(entity, sender_.context(), value);
  DOLMEN_ASSIGN_OR_RETURN(Item item, entity::ToItem(entity, value));
  requests->push_back(PutRequest{std::move(item)});
  return {};
}

}  // namespace dolmen
