#include "engine/table/schema_codec.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dolmen::engine {
namespace {

constexpr std::string_view kName = "name";
constexpr std::string_view kKeyspace = "keyspace";
constexpr std::string_view kKeys = "keys";
constexpr std::string_view kIndexes = "indexes";
constexpr std::string_view kType = "type";
constexpr std::string_view kPartitionCount = "partition_attributes";
constexpr std::string_view kLocal = "local";
constexpr std::string_view kProjection = "projection";
constexpr std::string_view kNonKeyAttributes = "non_key_attributes";
constexpr std::string_view kBackfilling = "backfilling";
constexpr std::string_view kDeletionProtection = "deletion_protection";
constexpr std::string_view kCreatedAt = "created_at";

// DynamoDB's names, in the order of ProjectionType.
constexpr std::array<std::string_view, 3> kProjectionNames = {"ALL", "KEYS_ONLY", "INCLUDE"};

List EncodeKeys(const KeySchema& keys) {
  List list;
  for (const KeyAttribute& attribute : keys.attributes()) {
    list.push_back(Map{{std::string(kName), attribute.name},
                       {std::string(kType), AttributeTypeName(attribute.type)}});
  }
  return list;
}

std::int64_t ToInteger(KeyspaceId id) { return static_cast<std::int64_t>(id); }

Map EncodeIndex(const IndexSchema& index) {
  Map map{
      {std::string(kName), index.name},
      {std::string(kKeyspace), ToInteger(index.keyspace)},
      {std::string(kKeys), EncodeKeys(index.keys)},
      {std::string(kPartitionCount), index.keys.partition().size()},
      {std::string(kLocal), index.is_local()},
      {std::string(kBackfilling), index.backfilling},
      {std::string(kProjection), kProjectionNames.at(static_cast<std::size_t>(index.projection))}};
  List names(index.non_key_attributes.begin(), index.non_key_attributes.end());
  if (!names.empty()) map.emplace(kNonKeyAttributes, std::move(names));
  return map;
}

std::optional<KeyAttribute> DecodeKey(const AttributeView& entry) {
  const auto name = entry[kName].AsString();
  const auto type = entry[kType].AsString();
  if (!name || !type) return std::nullopt;
  for (const AttributeType t : {AttributeType::kS, AttributeType::kN, AttributeType::kB}) {
    if (*type == AttributeTypeName(t)) return KeyAttribute{std::string(*name), t};
  }
  return std::nullopt;
}

// `partition_count` is absent in what format 1 wrote, and of tables: then there is one attribute.
std::optional<KeySchema> DecodeKeys(const AttributeView& list,
                                    const AttributeView& partition_count) {
  const std::int64_t count = partition_count ? partition_count.AsInt64().value_or(0) : 1;
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  for (const AttributeView entry : list.AsList()) {
    std::optional<KeyAttribute> key = DecodeKey(entry);
    if (!key) return std::nullopt;
    const bool of_partition = static_cast<std::int64_t>(partition.size()) < count;
    (of_partition ? partition : sort).push_back(*std::move(key));
  }
  if (count < 1 || static_cast<std::int64_t>(partition.size()) != count) return std::nullopt;
  if (partition.size() > kKeyAttributesMax || sort.size() > kKeyAttributesMax) return std::nullopt;
  return KeySchema(std::move(partition), std::move(sort));
}

std::optional<KeyspaceId> DecodeKeyspace(const AttributeView& value) {
  const std::optional<std::int64_t> id = value.AsInt64();
  if (!id || *id < ToInteger(KeyspaceId::kFirst) || *id >= 0xFFFFFFFF) return std::nullopt;
  return static_cast<KeyspaceId>(*id);
}

// What tables and indexes have in common.
template <typename Schema, typename View>
std::optional<Schema> DecodeCommon(const View& entry) {
  const auto name = entry[kName].AsString();
  const auto keyspace = DecodeKeyspace(entry[kKeyspace]);
  const auto keys = DecodeKeys(entry[kKeys], entry[kPartitionCount]);
  if (!name || !keyspace || !keys) return std::nullopt;
  return Schema{std::string(*name), *keyspace, *keys};
}

bool DecodeProjection(const AttributeView& entry, IndexSchema* index) {
  if (!entry[kProjection]) return true;  // format 1 knew ALL only
  const auto name = entry[kProjection].AsString();
  const auto found = std::find(kProjectionNames.begin(), kProjectionNames.end(), name);
  if (found == kProjectionNames.end()) return false;
  index->projection = static_cast<ProjectionType>(found - kProjectionNames.begin());
  for (const AttributeView attribute : entry[kNonKeyAttributes].AsList()) {
    const auto text = attribute.AsString();
    if (!text) return false;
    index->non_key_attributes.emplace_back(*text);
  }
  return true;
}

std::optional<IndexSchema> DecodeIndex(const AttributeView& entry, const KeySchema& table_keys) {
  std::optional<IndexSchema> index = DecodeCommon<IndexSchema>(entry);
  if (!index || !DecodeProjection(entry, &*index)) return std::nullopt;
  if (entry[kLocal].AsBool().value_or(false)) {
    index->kind = IndexSchema::Kind::kLocal;
    const auto partition = index->keys.partition();
    if (partition.size() != 1 || partition[0] != table_keys.partition()[0] ||
        index->keys.sort().size() != 1) {
      return std::nullopt;
    }
  }
  index->backfilling = entry[kBackfilling].AsBool().value_or(false);
  FillProjected(table_keys, &*index);
  return index;
}

}  // namespace

Item EncodeTableSchema(const TableSchema& schema) {
  List indexes;
  for (const IndexSchema& index : schema.indexes) indexes.push_back(EncodeIndex(index));
  return Item{{std::string(kName), schema.name},
              {std::string(kKeyspace), ToInteger(schema.keyspace)},
              {std::string(kKeys), EncodeKeys(schema.keys)},
              {std::string(kIndexes), std::move(indexes)},
              {std::string(kDeletionProtection), schema.deletion_protection},
              {std::string(kCreatedAt), schema.created_at.time_since_epoch().count()}};
}

Result<TableSchema> DecodeTableSchema(const ItemView& entry) {
  const Status corrupt = Status::Corruption("a table's entry in the catalog is damaged");
  if (!entry.Check().ok()) return corrupt;
  auto table = DecodeCommon<TableSchema>(entry);
  if (!table || table->keys.partition().size() > 1 || table->keys.sort().size() > 1 ||
      !entry[kIndexes].Is(AttributeType::kL)) {
    return corrupt;
  }
  for (const AttributeView view : entry[kIndexes].AsList()) {
    auto index = DecodeIndex(view, table->keys);
    if (!index) return corrupt;
    table->indexes.push_back(*std::move(index));
  }
  table->deletion_protection = entry[kDeletionProtection].AsBool().value_or(false);
  table->created_at = Timestamp(std::chrono::milliseconds(entry[kCreatedAt].AsInt64().value_or(0)));
  return *std::move(table);
}

}  // namespace dolmen::engine
