#include "engine/recovery/backup_record.h"

#include <xxhash.h>

#include <optional>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/key/encoded_key.h"
#include "engine/schema/schema_codec.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

constexpr std::string_view kBackupName = "name";
constexpr std::string_view kMadeByService = "by_service";
constexpr std::string_view kBackupCreatedAt = "created_at";
constexpr std::string_view kExpiresAt = "expires_at";
constexpr std::string_view kSchema = "schema";
constexpr std::string_view kContent = "content";
constexpr std::string_view kWritesHash = "writes_hash";
constexpr std::size_t kHashBytes = 8;

Status Damaged() { return Status::Corruption("the description of a backup is damaged"); }

// Returns the content sizes of the table and of its indexes, in the order of the description.
std::vector<ContentSize*> ContentsOf(TableDescription* table) {
  std::vector<ContentSize*> contents = {&table->content};
  for (auto& index : table->local_secondary_indexes) contents.push_back(&index.content);
  for (auto& index : table->global_secondary_indexes) contents.push_back(&index.content);
  return contents;
}

std::string BigEndian(std::uint64_t number) {
  EncodedKey key;
  key.AppendBigEndian(number);
  return std::string(key.bytes());
}

std::optional<Timestamp> TimeIn(const AttributeView& value) {
  const std::optional<std::int64_t> count = value.AsInt64();
  if (!count) return std::nullopt;
  return Timestamp(std::chrono::milliseconds(*count));
}

bool DecodeContents(const AttributeView& list, TableDescription* table) {
  std::vector<std::uint64_t> numbers;
  for (const AttributeView number : list.AsList()) {
    numbers.push_back(static_cast<std::uint64_t>(number.AsInt64().value_or(0)));
  }
  const std::vector<ContentSize*> contents = ContentsOf(table);
  if (numbers.size() != 2 * contents.size()) return false;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    *contents[i] = {.item_count = numbers[2 * i], .size_bytes = numbers[2 * i + 1]};
  }
  return true;
}

}  // namespace

Result<std::string> EncodeBackup(const BackupRecord& record) {
  std::string schema;
  DOLMEN_RETURN_IF_ERROR(EncodeItem(EncodeTableSchema(record.schema), &schema));
  TableDescription table = record.backup.table;
  List contents;
  for (const ContentSize* content : ContentsOf(&table)) {
    contents.push_back(content->item_count);
    contents.push_back(content->size_bytes);
  }
  Item item{{std::string(kBackupName), record.backup.name},
            {std::string(kMadeByService), record.backup.by_service},
            {std::string(kBackupCreatedAt), record.backup.created_at.time_since_epoch().count()},
            {std::string(kSchema), Binary{schema}},
            {std::string(kContent), std::move(contents)}};
  if (record.backup.expires_at) {
    item.emplace(kExpiresAt, record.backup.expires_at->time_since_epoch().count());
  }
  if (record.writes_hash) item.emplace(kWritesHash, Binary{BigEndian(*record.writes_hash)});
  std::string bytes;
  DOLMEN_RETURN_IF_ERROR(EncodeItem(item, &bytes));
  return BigEndian(XXH3_64bits(bytes.data(), bytes.size())).append(bytes);
}

Result<BackupRecord> DecodeBackup(std::string_view bytes) {
  if (bytes.size() < kHashBytes) return Damaged();
  const std::string_view item_bytes = bytes.substr(kHashBytes);
  if (ReadBigEndian(bytes) != XXH3_64bits(item_bytes.data(), item_bytes.size())) return Damaged();
  DOLMEN_ASSIGN_OR_RETURN(const ItemView item, ItemView::Parse(item_bytes));
  const auto schema_bytes = item[kSchema].AsBinary();
  const auto name = item[kBackupName].AsString();
  const auto created_at = TimeIn(item[kBackupCreatedAt]);
  if (!schema_bytes || !name || !created_at) return Damaged();
  DOLMEN_ASSIGN_OR_RETURN(const ItemView schema_item, ItemView::Parse(*schema_bytes));
  DOLMEN_ASSIGN_OR_RETURN(TableSchema schema, DecodeTableSchema(schema_item));
  TableBackup backup{.name = std::string(*name),
                     .by_service = item[kMadeByService].AsBool().value_or(false),
                     .created_at = *created_at,
                     .expires_at = TimeIn(item[kExpiresAt]),
                     .table = Describe(schema)};
  backup.table.annotations = schema.annotations;
  if (schema.expiry) backup.time_to_live_attribute = schema.expiry->attribute();
  if (!DecodeContents(item[kContent], &backup.table)) return Damaged();
  BackupRecord record{std::move(backup), std::move(schema)};
  const auto hash = item[kWritesHash].AsBinary();
  if (hash && hash->size() == kHashBytes) record.writes_hash = ReadBigEndian(*hash);
  return record;
}

}  // namespace dolmen::engine
