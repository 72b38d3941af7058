#include "engine/schema/table_schema.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/create_table.h"
#include "dolmen/result.h"
#include "engine/base/status_macros.h"
#include "engine/key/key_schema.h"
#include "engine/stream/stream_arn.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"
#include "engine/value/violation.h"

namespace dolmen {

KeyAttribute internal::DefaultPartitionKey() { return {.name = "PK"}; }

GlobalSecondaryIndex GlobalSecondaryIndex::Overloaded(const std::string& name) {
  return {
      .name = name, .partition_key = {{.name = name + "PK"}}, .sort_key = {{.name = name + "SK"}}};
}

}  // namespace dolmen

namespace dolmen::engine {
namespace {

constexpr std::size_t kKeyNameBytesMax = 255;

Status CheckKeyAttribute(const KeyAttribute& attribute) {
  if (attribute.name.empty() || attribute.name.size() > kKeyNameBytesMax) {
    return InvalidParameter("The name of a key attribute must have 1 to 255 bytes: " +
                            attribute.name);
  }
  if (attribute.type != AttributeType::kS && attribute.type != AttributeType::kN &&
      attribute.type != AttributeType::kB) {
    return InvalidParameter(
        "Member must satisfy enum value set: [B, N, S]: type of key attribute " + attribute.name);
  }
  return {};
}

// Returns the attribute and its type, for a message: "PK: S".
std::string NameAndType(const KeyAttribute& attribute) {
  return attribute.name + ": " + std::string(AttributeTypeName(attribute.type));
}

// The key attributes of a new table and its indexes.
class KeyDefinitions {
 public:
  // Adds the attributes of a key.
  // - kValidation: an attribute is invalid, is twice in the key, or has another type in a key that
  //   was added before.
  Status Add(const KeySchema& keys);

 private:
  Status Add(const KeyAttribute& attribute);

  std::vector<KeyAttribute> attributes_;
};

Status KeyDefinitions::Add(const KeySchema& keys) {
  std::set<std::string_view> names;
  for (const KeyAttribute& attribute : keys.attributes()) {
    if (!names.insert(attribute.name).second) {
      return InvalidParameter(
          "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    }
  }
  for (const KeyAttribute& attribute : keys.attributes()) {
    DOLMEN_RETURN_IF_ERROR(Add(attribute));
  }
  return {};
}

Status KeyDefinitions::Add(const KeyAttribute& attribute) {
  DOLMEN_RETURN_IF_ERROR(CheckKeyAttribute(attribute));
  for (const KeyAttribute& other : attributes_) {
    if (other.name == attribute.name && other.type != attribute.type) {
      return InvalidParameter("Duplicate AttributeName in AttributeDefinitions: " + attribute.name);
    }
  }
  attributes_.push_back(attribute);
  return {};
}

// Checks that each attribute that both keys have has the same type in both. `existing` is a key of
// a table or an index, `added` is the key of an index to create.
// - kValidation: an attribute has different types.
Status CheckNotRedefined(const KeySchema& existing, const KeySchema& added) {
  for (const KeyAttribute& attribute : added.attributes()) {
    for (const KeyAttribute& other : existing.attributes()) {
      if (other.name != attribute.name || other.type == attribute.type) continue;
      return InvalidParameter(
          "Attributes cannot be redefined. Please check that your attribute has the same type as "
          "previously defined. Existing schema: [" +
          NameAndType(other) + "]; new schema: [" + NameAndType(attribute) + "]");
    }
  }
  return {};
}

constexpr std::size_t kGlobalIndexesMax = 20;
constexpr std::size_t kLocalIndexesMax = 5;
constexpr std::size_t kNameBytesMin = 3;
constexpr std::size_t kNameBytesMax = 255;
constexpr std::uint32_t kRecoveryDaysMax = 35;
constexpr std::size_t kNonKeyAttributesMax = 20;          // of one index
constexpr std::size_t kNonKeyAttributesOfTableMax = 100;  // of all indexes together

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

Status CheckKeys(const IndexSchema& index) {
  if (index.keys.partition().empty()) {
    return InvalidParameter("The partition key of an index has 1 to 4 attributes: " + index.name);
  }
  const char* const excess = index.keys.partition().size() > kKeyAttributesMax ? "HASH"
                             : index.keys.sort().size() > kKeyAttributesMax    ? "RANGE"
                                                                               : nullptr;
  if (excess == nullptr) return {};
  return InvalidParameter(std::string("The KeySchema exceeds the maximum allowed number of ")
                              .append(excess)
                              .append(" key attributes"));
}

Status CheckProjection(const IndexSchema& index) {
  const std::size_t count = index.non_key_attributes.size();
  if (index.projection != ProjectionType::kInclude) {
    if (count == 0) return {};
    return InvalidParameter(index.projection == ProjectionType::kAll
                                ? "ProjectionType is ALL, but NonKeyAttributes is specified"
                                : "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified");
  }
  if (count == 0) {
    return InvalidParameter("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  if (count > kNonKeyAttributesMax) {
    return InvalidParameter("An index has at most 20 NonKeyAttributes: " + index.name);
  }
  std::set<std::string_view> names;
  for (const std::string& name : index.non_key_attributes) {
    if (!names.insert(name).second) {
      return InvalidParameter("Duplicate attribute in NonKeyAttributes: " + name);
    }
    if (name.empty() || name.size() > kNameBytesMax) {
      return InvalidParameter("The name of a non-key attribute must have 1 to 255 bytes: " + name);
    }
  }
  return {};
}

Status CheckNonKeyAttributes(const TableSchema& table) {
  std::size_t count = 0;
  for (const IndexSchema& index : table.indexes) count += index.non_key_attributes.size();
  if (count <= kNonKeyAttributesOfTableMax) return {};
  return InvalidParameter("The indexes of a table have at most 100 NonKeyAttributes together");
}

IndexSchema ToSchema(const GlobalSecondaryIndex& index, KeyspaceId keyspace) {
  return {index.name,
          keyspace,
          {index.partition_key, index.sort_key},
          IndexSchema::Kind::kGlobal,
          index.projection,
          index.non_key_attributes};
}

IndexSchema ToSchema(const KeySchema& table_keys, const LocalSecondaryIndex& index,
                     KeyspaceId keyspace) {
  return {index.name,
          keyspace,
          {table_keys.partition()[0], index.sort_key},
          IndexSchema::Kind::kLocal,
          index.projection,
          index.non_key_attributes};
}

// Adds the index to the table.
// - kValidation: the index breaks a rule of MakeTableSchema.
Status AddIndex(IndexSchema index, KeyDefinitions* definitions, TableSchema* table) {
  DOLMEN_RETURN_IF_ERROR(CheckName(index.name, "IndexName"));
  if (table->FindIndex(index.name) != nullptr)
    return InvalidParameter("Duplicate index name: " + index.name);
  DOLMEN_RETURN_IF_ERROR(CheckKeys(index));
  DOLMEN_RETURN_IF_ERROR(definitions->Add(index.keys));
  DOLMEN_RETURN_IF_ERROR(CheckProjection(index));
  FillProjected(table->keys, &index);
  table->indexes.push_back(std::move(index));
  return CheckNonKeyAttributes(*table);
}

KeyspaceId Advance(KeyspaceId id, std::size_t by) {
  return static_cast<KeyspaceId>(static_cast<std::uint32_t>(id) + by);
}

Status CheckCounts(const CreateTableInput& input) {
  if (input.local_secondary_indexes.size() > kLocalIndexesMax) {
    return InvalidParameter("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  }
  if (!input.local_secondary_indexes.empty() && !input.sort_key) {
    return InvalidParameter(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  if (input.global_secondary_indexes.size() > kGlobalIndexesMax) {
    return InvalidParameter("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  return {};
}

}  // namespace

Status CheckName(const std::string& name, std::string_view parameter) {
  if (name.size() < kNameBytesMin || name.size() > kNameBytesMax) {
    return Status::Validation(std::string(parameter).append(
        " must be at least 3 characters long and at most 255 characters long"));
  }
  if (!std::all_of(name.begin(), name.end(), IsNameCharacter)) {
    std::string place(parameter);  // begins with a small letter: tableName
    place.front() = static_cast<char>(place.front() + ('a' - 'A'));
    return DetectedOne(Violation(name, place, MustMatch("[a-zA-Z0-9_.-]+")));
  }
  return {};
}

Status OneIndexAtATime() {
  return Status::LimitExceeded(
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
      "table");
}

bool IndexSchema::Projects(std::string_view attribute) const {
  return projection == ProjectionType::kAll ||
         std::binary_search(projected.begin(), projected.end(), attribute, std::less<>());
}

const IndexSchema* TableSchema::FindIndex(std::string_view index) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const IndexSchema& i) { return i.name == index; });
  return found == indexes.end() ? nullptr : &*found;
}

const IndexSchema* TableSchema::FindIndex(KeyspaceId id) const {
  if (expiry && expiry->index.keyspace == id) return &expiry->index;
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const IndexSchema& i) { return i.keyspace == id; });
  return found == indexes.end() ? nullptr : &*found;
}

const IndexSchema* TableSchema::FindBackfilling() const {
  if (expiry && expiry->index.backfilling) return &expiry->index;
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [](const IndexSchema& i) { return i.backfilling; });
  return found == indexes.end() ? nullptr : &*found;
}

std::vector<KeyspaceId> TableSchema::Keyspaces() const {
  std::vector<KeyspaceId> all;
  if (!is_deleted) all.push_back(keyspace);
  for (const IndexSchema& index : indexes) all.push_back(index.keyspace);
  for (const StreamSchema* stream : AllStreams()) all.push_back(stream->keyspace);
  if (expiry) all.push_back(expiry->index.keyspace);
  return all;
}

std::vector<const StreamSchema*> TableSchema::AllStreams() const {
  std::vector<const StreamSchema*> all;
  for (const StreamSchema& stream : streams) all.push_back(&stream);
  if (recovery_log) all.push_back(&*recovery_log);
  return all;
}

namespace {

// Returns true if the request describes a stream. A specification with StreamEnabled = false and a
// view type counts as a stream, so that WithStream rejects it.
bool HasStream(const CreateTableInput& input) {
  return input.stream_specification &&
         (input.stream_specification->enabled || input.stream_specification->view_type);
}

}  // namespace

std::size_t KeyspacesNeeded(const CreateTableInput& input) {
  return 1 + input.global_secondary_indexes.size() + input.local_secondary_indexes.size() +
         (HasStream(input) ? 1 : 0);
}

Result<TableSchema> MakeTableSchema(const CreateTableInput& input, KeyspaceId first,
                                    Timestamp created_at, SequenceNumber next_number) {
  DOLMEN_RETURN_IF_ERROR(CheckName(input.name, "TableName"));
  TableSchema table{input.name, first, {input.partition_key, input.sort_key}};
  table.deletion_protection = input.deletion_protection;
  table.annotations = input.annotations;
  table.created_at = created_at;
  KeyDefinitions definitions;
  DOLMEN_RETURN_IF_ERROR(definitions.Add(table.keys));
  DOLMEN_RETURN_IF_ERROR(CheckCounts(input));
  DOLMEN_RETURN_IF_ERROR(CheckAnnotations(input.annotations));
  const auto next = [&] { return Advance(first, 1 + table.indexes.size()); };
  for (const LocalSecondaryIndex& index : input.local_secondary_indexes) {
    DOLMEN_RETURN_IF_ERROR(AddIndex(ToSchema(table.keys, index, next()), &definitions, &table));
  }
  for (const GlobalSecondaryIndex& index : input.global_secondary_indexes) {
    DOLMEN_RETURN_IF_ERROR(AddIndex(ToSchema(index, next()), &definitions, &table));
  }
  if (!HasStream(input)) return table;
  if (!input.stream_specification->enabled) {
    return InvalidParameter(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  if (!input.stream_specification->view_type) {
    return InvalidParameter(
        "Table is being created with a stream enabled, UpdateViewType is required");
  }
  return WithStream(table, *input.stream_specification,
                    {.keyspace = next(), .created_at = created_at, .first = next_number});
}

Result<TableSchema> WithIndex(const TableSchema& table, const GlobalSecondaryIndex& index,
                              KeyspaceId keyspace) {
  if (table.FindIndex(index.name) != nullptr) {
    return Status::Validation("Attempting to create an index which already exists");
  }
  TableSchema changed = table;
  IndexSchema schema = ToSchema(index, keyspace);
  schema.backfilling = true;
  DOLMEN_RETURN_IF_ERROR(CheckNotRedefined(table.keys, schema.keys));
  for (const IndexSchema& other : table.indexes) {
    DOLMEN_RETURN_IF_ERROR(CheckNotRedefined(other.keys, schema.keys));
  }
  KeyDefinitions definitions;
  DOLMEN_RETURN_IF_ERROR(AddIndex(std::move(schema), &definitions, &changed));
  const auto global = std::count_if(changed.indexes.begin(), changed.indexes.end(),
                                    [](const IndexSchema& i) { return !i.is_local(); });
  if (static_cast<std::size_t>(global) > kGlobalIndexesMax) {
    return Status::LimitExceeded("GlobalSecondaryIndex count exceeds the per-table limit of 20");
  }
  return changed;
}

Result<TableSchema> WithExpiry(const TableSchema& table, const TimeToLiveSpecification& input,
                               KeyspaceId keyspace) {
  if (input.attribute_name.empty() || input.attribute_name.size() > kNameBytesMax) {
    return DetectedOne(Violation(
        input.attribute_name, "timeToLiveSpecification.attributeName",
        input.attribute_name.empty() ? AtLeast("length", 1) : AtMost("length", kNameBytesMax)));
  }
  IndexSchema index{.name = {},
                    .keyspace = keyspace,
                    .keys = {KeyAttribute{input.attribute_name, AttributeType::kN}, std::nullopt}};
  index.kind = IndexSchema::Kind::kExpiry;
  index.backfilling = true;
  TableSchema changed = table;
  changed.expiry = ExpirySchema{std::move(index), input.hide_expired};
  return changed;
}

Result<TableSchema> WithStream(const TableSchema& table, const StreamSpecification& input,
                               StreamSchema stream) {
  if (!input.enabled || !input.view_type) {
    return InvalidParameter(
        input.enabled ? "If stream is being enabled then UpdateViewType is required"
                      : "If stream is being disabled, then UpdateViewType must not be specified");
  }
  if (input.retention <= std::chrono::milliseconds(0)) {
    return InvalidParameter("The retention of a stream must be longer than 0 milliseconds");
  }
  if (table.enabled_stream() != nullptr) {
    return Status::Validation("Table already has an enabled stream: TableName: " + table.name);
  }
  stream.view_type = *input.view_type;
  stream.retention = input.retention;
  TableSchema changed = table;
  changed.streams.push_back(stream);
  return changed;
}

Result<TableSchema> WithoutStream(const TableSchema& table, const StreamSpecification& input,
                                  Timestamp now) {
  if (input.view_type) {
    return InvalidParameter(
        "If stream is being disabled, then UpdateViewType must not be specified");
  }
  if (table.enabled_stream() == nullptr) {
    return Status::Validation("Table has no stream to disable: TableName: " + table.name);
  }
  TableSchema changed = table;
  changed.streams.back().disabled_at = now;
  return changed;
}

TableSchema DeletedTable(const TableSchema& table, Timestamp now) {
  TableSchema deleted{.name = table.name, .keyspace = table.keyspace, .keys = table.keys};
  deleted.streams = table.streams;
  if (table.enabled_stream() != nullptr) deleted.streams.back().disabled_at = now;
  deleted.is_deleted = true;
  deleted.created_at = table.created_at;
  return deleted;
}

Result<TableSchema> WithRecoveryLog(TableSchema table, const UpdateContinuousBackupsInput& input,
                                    StreamSchema log) {
  if (!input.enabled) {
    if (input.period_days) {
      return Status::Validation(
          "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time "
          "recovery.");
    }
    table.recovery_log.reset();
    return table;
  }
  if (input.period_days.value_or(1) < 1 || input.period_days.value_or(1) > kRecoveryDaysMax) {
    return InvalidParameter("RecoveryPeriodInDays must be between 1 and 35");
  }
  log.view_type = StreamViewType::kOldImage;
  log.retention = std::chrono::days(input.period_days.value_or(kRecoveryDaysMax));
  if (table.recovery_log && !input.period_days) return table;
  if (table.recovery_log) {
    // The changes before the former period are trimmed, so that a longer period does not contain
    // them.
    const StreamSchema& before = *table.recovery_log;
    const Timestamp now = log.created_at;
    log.created_at = std::max(before.created_at, now - before.retention);
    log.keyspace = before.keyspace;
    log.first = before.first;
  }
  table.recovery_log = log;
  return table;
}

Map MergeAnnotations(const Map& old, const Map& given) {
  const auto is_own = [](const std::string& name) { return name.starts_with("dolmen:"); };
  Map all;
  for (const auto& [name, value] : given) {
    if (!is_own(name) || value.type() != AttributeType::kNull) all.emplace(name, value);
  }
  for (const auto& [name, value] : old) {
    if (is_own(name) && !given.contains(name)) all.emplace(name, value);
  }
  return all;
}

Status CheckAnnotations(const Map& annotations) {
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(EncodeItem(annotations, &bytes));
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(bytes));
  if (item.size_bytes() <= kItemBytesMax) return {};
  return InvalidParameter("The annotations of a table have at most 400 KB");
}

namespace {

// Returns the ID of a table. No two tables of a database ever have the same keyspace, whatever their
// names and the clock are.
std::string TableIdOf(const TableSchema& table) {
  EncodedKey identity(table.keyspace);
  identity.AppendRaw(table.name);
  const std::string_view bytes = identity.bytes();
  const auto created_at = table.created_at.time_since_epoch().count();
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(bytes.data(), bytes.size(), static_cast<XXH64_hash_t>(created_at));
  const std::uint64_t high = (hash.high64 & ~std::uint64_t{0xF000}) | 0x4000;
  const std::uint64_t low = (hash.low64 & ~(std::uint64_t{3} << 62)) | std::uint64_t{1} << 63;
  char id[40];
  std::snprintf(id, sizeof id, "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xFFFF), static_cast<unsigned>(high & 0xFFFF),
                static_cast<unsigned>(low >> 48),
                static_cast<unsigned long long>(low & 0xFFFFFFFFFFFF));
  return id;
}

}  // namespace

TableDescription Describe(const TableSchema& schema) {
  const std::span<const KeyAttribute> keys = schema.keys.attributes();
  TableDescription description{
      .name = schema.name, .table_id = TableIdOf(schema), .partition_key = keys[0]};
  if (keys.size() > 1) description.sort_key = keys[1];
  description.deletion_protection = schema.deletion_protection;
  description.created_at = schema.created_at;
  if (const StreamSchema* stream = schema.enabled_stream(); stream != nullptr) {
    description.stream_specification =
        StreamSpecification{true, stream->view_type, stream->retention};
  }
  if (!schema.streams.empty()) {
    description.latest_stream_label = StreamLabel(schema.streams.back());
    description.latest_stream_arn = StreamArn(schema.name, description.latest_stream_label);
  }
  for (const IndexSchema& index : schema.indexes) {
    const auto partition = index.keys.partition();
    const auto sort = index.keys.sort();
    if (index.is_local()) {
      description.local_secondary_indexes.push_back(
          {{index.name, sort[0], index.projection, index.non_key_attributes}});
      continue;
    }
    GlobalSecondaryIndexDescription& described =
        description.global_secondary_indexes.emplace_back();
    described.index = {index.name,
                       {partition.begin(), partition.end()},
                       {sort.begin(), sort.end()},
                       index.projection,
                       index.non_key_attributes};
    if (index.backfilling) described.status = IndexStatus::kCreating;
  }
  return description;
}

void FillProjected(const KeySchema& table_keys, IndexSchema* index) {
  index->projected.clear();
  if (index->projection == ProjectionType::kAll) return;
  std::set<std::string> names(index->non_key_attributes.begin(), index->non_key_attributes.end());
  for (const KeyAttribute& attribute : table_keys.attributes()) names.insert(attribute.name);
  for (const KeyAttribute& attribute : index->keys.attributes()) names.insert(attribute.name);
  index->projected.assign(names.begin(), names.end());
}

}  // namespace dolmen::engine
