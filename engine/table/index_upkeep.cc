#include "engine/table/index_upkeep.h"

#include <string>

#include "engine/key/key_codec.h"

namespace dolmen::engine {
namespace {

Status TypeMismatch(const IndexSchema& index, const KeyAttribute& attribute, AttributeType actual) {
  return Status::Validation(
      std::string("One or more parameter values were invalid: Type mismatch for Index Key ")
          .append(attribute.name)
          .append(" Expected: ")
          .append(AttributeTypeName(attribute.type))
          .append(" Actual: ")
          .append(AttributeTypeName(actual))
          .append(" IndexName: ")
          .append(index.name));
}

Status UnsupportedType() {
  return Status::Validation(
      "The update expression attempted to update the secondary index key to unsupported type");
}

Status EmptyValue(const IndexSchema& index, const KeyAttribute& attribute, IndexKeySource source) {
  std::string message = "One or more parameter values are not valid. ";
  message.append(source == IndexKeySource::kItem
                     ? "A value specified for a secondary index key is not supported."
                     : "The update expression attempted to update a secondary index key to a value "
                       "that is not supported.");
  message.append(" The AttributeValue for a key attribute cannot contain an empty ");
  message.append(attribute.type == AttributeType::kB ? "binary" : "string").append(" value.");
  if (source == IndexKeySource::kItem) {
    message.append(" IndexName: ").append(index.name).append(", IndexKey: ").append(attribute.name);
  }
  return Status::Validation(std::move(message));
}

Status TooLong(std::size_t bytes_max, IndexKeySource source) {
  std::string message = "One or more parameter values were invalid: ";
  if (source == IndexKeySource::kUpdateExpression) {
    message.append(
        "The update expression attempted to update the secondary index key beyond allowed size "
        "limits");
  } else if (bytes_max == kPartitionKeyBytesMax) {
    message.append("Size of hashkey has exceeded the maximum size limit of2048 bytes");
  } else {
    message.append("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  }
  return Status::Validation(std::move(message));
}

Status CheckBytes(const IndexSchema& index, const KeyAttribute& attribute,
                  const AttributeView& value, IndexKeySource source) {
  const bool is_partition = attribute.name == index.keys.partition.name;
  const std::size_t bytes_max = is_partition ? kPartitionKeyBytesMax : kSortKeyBytesMax;
  if (value.payload().empty()) return EmptyValue(index, attribute, source);
  return value.payload().size() > bytes_max ? TooLong(bytes_max, source) : Status();
}

// Calls `check` with each key attribute of each index until one is not ok.
template <typename Check>
Status ForEachKeyAttribute(const TableSchema& table, Check check) {
  for (const IndexSchema& index : table.indexes) {
    if (Status valid = check(index, index.keys.partition); !valid.ok()) return valid;
    if (!index.keys.sort) continue;
    if (Status valid = check(index, *index.keys.sort); !valid.ok()) return valid;
  }
  return {};
}

// The key of the index's entry for a row, or nothing if the index does not hold the row.
std::optional<EncodedKey> EntryKey(const TableSchema& table, const IndexSchema& index,
                                   const std::optional<ItemView>& item) {
  if (!item) return std::nullopt;
  const std::optional<KeyBytes> index_key = KeyOfStoredItem(index.keys, *item);
  const std::optional<KeyBytes> table_key = KeyOfStoredItem(table.keys, *item);
  if (!index_key || !table_key) return std::nullopt;
  return IndexEntryKey(index.keyspace, index.keys, *index_key, table.keys, *table_key);
}

}  // namespace

Status CheckIndexKeys(const TableSchema& table, const ItemView& item, IndexKeySource source) {
  return ForEachKeyAttribute(table, [&](const IndexSchema& index, const KeyAttribute& attribute) {
    const AttributeView value = item[attribute.name];
    if (!value) return Status();
    if (value.Is(attribute.type)) return CheckBytes(index, attribute, value, source);
    return source == IndexKeySource::kItem ? TypeMismatch(index, attribute, value.type())
                                           : UnsupportedType();
  });
}

Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update) {
  return ForEachKeyAttribute(table, [&](const IndexSchema& index, const KeyAttribute& attribute) {
    const AttributeView value = update.AssignedValue(attribute.name);
    if (!value) return Status();
    return value.Is(attribute.type)
               ? CheckBytes(index, attribute, value, IndexKeySource::kUpdateExpression)
               : TypeMismatch(index, attribute, value.type());
  });
}

void AppendIndexChanges(const TableSchema& table, const std::optional<ItemView>& before,
                        const std::optional<ItemView>& after, WriteBatch* batch) {
  const bool same_item = before && after && before->bytes() == after->bytes();
  if (same_item) return;
  for (const IndexSchema& index : table.indexes) {
    const std::optional<EncodedKey> old_key = EntryKey(table, index, before);
    const std::optional<EncodedKey> new_key = EntryKey(table, index, after);
    if (old_key && old_key != new_key) batch->Delete(*old_key);
    if (new_key) batch->Put(*new_key, after->bytes());
  }
}

}  // namespace dolmen::engine
