#include "engine/schema/schema_codec.h"

#include <algorithm>
#include <array>
#include <chrono>
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
constexpr std::string_view kTimeToLive = "time_to_live";
constexpr std::string_view kAttribute = "attribute";
constexpr std::string_view kHideExpired = "hide_expired";
constexpr std::string_view kStreams = "streams";
constexpr std::string_view kViewType = "view_type";
constexpr std::string_view kRetention = "retention";
constexpr std::string_view kFirst = "first";
constexpr std::string_view kDisabledAt = "disabled_at";
constexpr std::string_view kRecoveryLog = "recovery_log";
constexpr std::string_view kLastOfGoneStreams = "last_of_gone_streams";
constexpr std::string_view kAnnotations = "annotations";

// DynamoDB's names of the ProjectionType values, in the order of the enumeration.
constexpr std::array<std::string_view, 3> kProjectionNames = {"ALL", "KEYS_ONLY", "INCLUDE"};

// DynamoDB's names of the StreamViewType values, in the order of the enumeration.
constexpr std::array<std::string_view, 4> kViewTypeNames = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE",
                                                            "NEW_AND_OLD_IMAGES"};

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

Map EncodeExpiry(const ExpirySchema& expiry) {
  return {{std::string(kAttribute), expiry.attribute()},
          {std::string(kKeyspace), ToInteger(expiry.index.keyspace)},
          {std::string(kBackfilling), expiry.index.backfilling},
          {std::string(kHideExpired), expiry.hide_expired}};
}

Number ToNumber(Timestamp time) { return time.time_since_epoch().count(); }

Map EncodeStream(const StreamSchema& stream) {
  Map map{{std::string(kKeyspace), ToInteger(stream.keyspace)},
          {std::string(kViewType), kViewTypeNames.at(static_cast<std::size_t>(stream.view_type))},
          {std::string(kRetention), stream.retention.count()},
          {std::string(kCreatedAt), ToNumber(stream.created_at)},
          {std::string(kFirst), stream.first}};
  if (stream.disabled_at) map.emplace(kDisabledAt, ToNumber(*stream.disabled_at));
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

// Returns the key schema whose first `count` attributes are the partition key. Returns nothing if
// the list is damaged or too short.
std::optional<KeySchema> DecodeKeys(const AttributeView& list, std::int64_t count) {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
  for (const AttributeView entry : list.AsList()) {
    std::optional<KeyAttribute> key = DecodeKey(entry);
    if (!key) return std::nullopt;
    const bool is_partition_key = static_cast<std::int64_t>(partition.size()) < count;
    (is_partition_key ? partition : sort).push_back(*std::move(key));
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

// Decodes the name, the keyspace and the keys, which both tables and indexes have. The partition
// key has `partition_count` attributes. Returns nothing if one of the parts is damaged.
template <typename Schema, typename View>
std::optional<Schema> DecodeCommon(const View& entry, std::int64_t partition_count) {
  const auto name = entry[kName].AsString();
  const auto keyspace = DecodeKeyspace(entry[kKeyspace]);
  const auto keys = DecodeKeys(entry[kKeys], partition_count);
  if (!name || !keyspace || !keys) return std::nullopt;
  return Schema{std::string(*name), *keyspace, *keys};
}

bool DecodeProjection(const AttributeView& entry, IndexSchema* index) {
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
  const std::int64_t partition_count = entry[kPartitionCount].AsInt64().value_or(0);
  std::optional<IndexSchema> index = DecodeCommon<IndexSchema>(entry, partition_count);
  const std::optional<bool> local = entry[kLocal].AsBool();
  const std::optional<bool> backfilling = entry[kBackfilling].AsBool();
  if (!index || !local || !backfilling || !DecodeProjection(entry, &*index)) return std::nullopt;
  if (*local) {
    index->kind = IndexSchema::Kind::kLocal;
    const auto partition = index->keys.partition();
    if (partition.size() != 1 || partition[0] != table_keys.partition()[0] ||
        index->keys.sort().size() != 1) {
      return std::nullopt;
    }
  }
  index->backfilling = *backfilling;
  FillProjected(table_keys, &*index);
  return index;
}

bool DecodeExpiry(const AttributeView& entry, TableSchema* table) {
  if (!entry) return true;
  const auto attribute = entry[kAttribute].AsString();
  const auto keyspace = DecodeKeyspace(entry[kKeyspace]);
  const std::optional<bool> hide_expired = entry[kHideExpired].AsBool();
  const std::optional<bool> backfilling = entry[kBackfilling].AsBool();
  if (!attribute || !keyspace || !hide_expired || !backfilling) return false;
  TimeToLiveSpecification specification;
  specification.attribute_name = *attribute;
  specification.hide_expired = *hide_expired;
  Result<TableSchema> with = WithExpiry(*table, specification, *keyspace);
  if (!with.ok()) return false;
  *table = *std::move(with);
  table->expiry->index.backfilling = *backfilling;
  return true;
}

std::optional<Timestamp> DecodeTime(const AttributeView& value) {
  const std::optional<std::int64_t> count = value.AsInt64();
  if (!count) return std::nullopt;
  return Timestamp(std::chrono::milliseconds(*count));
}

std::optional<StreamSchema> DecodeStream(const AttributeView& entry) {
  const auto keyspace = DecodeKeyspace(entry[kKeyspace]);
  const auto view_type =
      std::find(kViewTypeNames.begin(), kViewTypeNames.end(), entry[kViewType].AsString());
  const std::optional<std::int64_t> retention = entry[kRetention].AsInt64();
  const std::optional<std::int64_t> first = entry[kFirst].AsInt64();
  const std::optional<Timestamp> created_at = DecodeTime(entry[kCreatedAt]);
  if (!keyspace || view_type == kViewTypeNames.end() || !created_at || retention.value_or(0) < 1 ||
      first.value_or(0) < 1) {
    return std::nullopt;
  }
  return StreamSchema{.keyspace = *keyspace,
                      .view_type = static_cast<StreamViewType>(view_type - kViewTypeNames.begin()),
                      .retention = std::chrono::milliseconds(*retention),
                      .created_at = *created_at,
                      .first = static_cast<SequenceNumber>(*first),
                      .disabled_at = DecodeTime(entry[kDisabledAt])};
}

bool DecodeStreams(const ItemView& entry, TableSchema* table) {
  for (const AttributeView view : entry[kStreams].AsList()) {
    const std::optional<StreamSchema> stream = DecodeStream(view);
    if (!stream) return false;
    table->streams.push_back(*stream);
  }
  if (const AttributeView log = entry[kRecoveryLog]) {
    table->recovery_log = DecodeStream(log);
    if (!table->recovery_log) return false;
  }
  table->last_of_gone_streams =
      static_cast<SequenceNumber>(entry[kLastOfGoneStreams].AsInt64().value_or(0));
  return true;
}

bool DecodeAnnotations(const AttributeView& view, TableSchema* table) {
  if (!view) return true;
  const Result<AttributeValue> copy = view.Copy();
  const Map* const map = copy.ok() ? copy->get_if<Map>() : nullptr;
  if (map != nullptr) table->annotations = *map;
  return map != nullptr;
}

}  // namespace

Item EncodeTableSchema(const TableSchema& schema) {
  List indexes;
  for (const IndexSchema& index : schema.indexes) indexes.push_back(EncodeIndex(index));
  Item item{{std::string(kName), schema.name},
            {std::string(kKeyspace), ToInteger(schema.keyspace)},
            {std::string(kKeys), EncodeKeys(schema.keys)},
            {std::string(kIndexes), std::move(indexes)},
            {std::string(kDeletionProtection), schema.deletion_protection},
            {std::string(kCreatedAt), ToNumber(schema.created_at)}};
  if (schema.expiry) item.emplace(kTimeToLive, EncodeExpiry(*schema.expiry));
  List streams;
  for (const StreamSchema& stream : schema.streams) streams.push_back(EncodeStream(stream));
  if (!streams.empty()) item.emplace(kStreams, std::move(streams));
  if (schema.recovery_log) item.emplace(kRecoveryLog, EncodeStream(*schema.recovery_log));
  if (schema.last_of_gone_streams != 0) {
    item.emplace(kLastOfGoneStreams, schema.last_of_gone_streams);
  }
  if (!schema.annotations.empty()) item.emplace(kAnnotations, schema.annotations);
  return item;
}

Result<TableSchema> DecodeTableSchema(const ItemView& entry) {
  const Status corrupt = Status::Corruption("a table's entry in the catalog is damaged");
  if (!entry.Check().ok()) return corrupt;
  auto table = DecodeCommon<TableSchema>(entry, 1);
  const std::optional<bool> deletion_protection = entry[kDeletionProtection].AsBool();
  const std::optional<Timestamp> created_at = DecodeTime(entry[kCreatedAt]);
  if (!table || table->keys.sort().size() > 1 || !entry[kIndexes].Is(AttributeType::kL) ||
      !deletion_protection || !created_at) {
    return corrupt;
  }
  table->deletion_protection = *deletion_protection;
  table->created_at = *created_at;
  for (const AttributeView view : entry[kIndexes].AsList()) {
    auto index = DecodeIndex(view, table->keys);
    if (!index) return corrupt;
    table->indexes.push_back(*std::move(index));
  }
  if (!DecodeExpiry(entry[kTimeToLive], &*table) || !DecodeStreams(entry, &*table) ||
      !DecodeAnnotations(entry[kAnnotations], &*table)) {
    return corrupt;
  }
  return *std::move(table);
}

}  // namespace dolmen::engine
