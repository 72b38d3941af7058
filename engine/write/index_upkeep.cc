#include "engine/write/index_upkeep.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "engine/key/key_codec.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"

namespace dolmen::engine {
namespace {

Status TypeMismatch(const IndexSchema& index, const KeyAttribute& attribute, AttributeType actual) {
  return InvalidParameter(std::string("Type mismatch for Index Key ")
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

// The origin of a new index key. The origin determines the error message if the key is invalid.
enum class IndexKeySource : std::uint8_t { kItem, kUpdateExpression };

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

Status TooLong(const Status& item_error, IndexKeySource source) {
  if (source == IndexKeySource::kItem) return item_error;
  return InvalidParameter(
      "The update expression attempted to update the secondary index key beyond allowed size "
      "limits");
}

// Checks a key attribute that is present: it must have the type that the index requires, and its
// value must not be empty.
Status CheckValue(const IndexSchema& index, const KeyAttribute& attribute,
                  const AttributeView& value, IndexKeySource source) {
  if (!value.Is(attribute.type)) {
    return source == IndexKeySource::kItem ? TypeMismatch(index, attribute, value.type())
                                           : UnsupportedType();
  }
  return value.payload().empty() ? EmptyValue(index, attribute, source) : Status();
}

// The value of a key attribute; empty if the attribute is absent. `is_new` is true if the write
// sets the value.
struct NewValue {
  AttributeView value;
  bool is_new = true;
};

// Checks each new value, and the total size of each partition or sort key that contains a new
// value. `value_of` returns the NewValue of a key attribute.
template <typename ValueOf>
Status CheckKey(const IndexSchema& index, IndexKeySource source, ValueOf value_of) {
  KeyBytes key;
  for (const std::span<const KeyAttribute> part : {index.keys.partition(), index.keys.sort()}) {
    const std::size_t start = key.size();
    bool has_new = false;
    for (const KeyAttribute& attribute : part) {
      const NewValue found = value_of(attribute);
      if (found.value && found.is_new) {
        Status valid = CheckValue(index, attribute, found.value, source);
        if (!valid.ok()) return valid;
        has_new = true;
      }
      key.push_back(found.value.Is(attribute.type) ? found.value.payload() : std::string_view());
    }
    if (!has_new) std::fill(key.begin() + static_cast<std::ptrdiff_t>(start), key.end(), "");
  }
  Status sizes = CheckKeySizes(index.keys, key);
  return sizes.ok() ? sizes : TooLong(sizes, source);
}

std::optional<std::string_view> ItemBytes(const std::optional<ItemView>& item) {
  return item ? std::optional(item->bytes()) : std::nullopt;
}

// Appends to `out` the stored form of the attributes that the index projects.
Status Project(const IndexSchema& index, const ItemView& item, std::string* out) {
  boost::container::small_vector<std::pair<std::string_view, AttributeView>, 16> found;
  // A single pass is enough, because the item's attributes and `index.projected` are both in byte
  // order.
  auto name = index.projected.begin();
  ElementCursor attribute = item.attributes().cursor();
  while (attribute.Next()) {
    while (name != index.projected.end() && *name < attribute.name()) ++name;
    if (name == index.projected.end()) break;
    if (*name == attribute.name()) found.emplace_back(attribute.name(), attribute.value());
  }
  if (attribute.damaged()) return Status::Corruption("a stored item is damaged");
  ItemWriter writer(found.size(), out);
  for (const auto& [key, value] : found) writer.AddStored(key, value);
  writer.Finish();
  return {};
}

// Adds to `batch` the change of the item's entry in one index. If `changes` is not null, also
// appends the change to `changes`.
Status AppendIndexChange(const TableSchema& table, const IndexSchema& index,
                         const std::optional<ItemView>& before,
                         const std::optional<ItemView>& after, WriteBatch* batch,
                         IndexChanges* changes) {
  IndexEntry old_entry;
  IndexEntry new_entry;
  const Result<bool> had = before ? MakeEntry(table, index, *before, &old_entry) : Result(false);
  if (!had.ok()) return had.status();
  const Result<bool> has = after ? MakeEntry(table, index, *after, &new_entry) : Result(false);
  if (!has.ok()) return has.status();
  const bool same_key = *had && *has && old_entry.key == new_entry.key;
  if (same_key && old_entry.bytes == new_entry.bytes) return {};
  if (*had && !same_key) batch->Delete(old_entry.key);
  if (*has) batch->Put(new_entry.key, new_entry.bytes);
  if (changes != nullptr && (*had || *has)) {
    changes->push_back(
        {&index, *had ? old_entry.size_bytes() : 0, *has ? new_entry.size_bytes() : 0, same_key});
  }
  return {};
}

}  // namespace

Status CheckIndexKeys(const TableSchema& table, const ItemView& item) {
  for (const IndexSchema& index : table.indexes) {
    Status valid = CheckKey(index, IndexKeySource::kItem, [&](const KeyAttribute& attribute) {
      return NewValue{item[attribute.name]};
    });
    if (!valid.ok()) return valid;
  }
  return {};
}

Status CheckUpdatedIndexKeys(const TableSchema& table, const Update* update, const ItemView& item) {
  for (const IndexSchema& index : table.indexes) {
    const auto updated = [&](const KeyAttribute& attribute) {
      return NewValue{item[attribute.name], update == nullptr || update->Touches(attribute.name)};
    };
    Status valid = CheckKey(index, IndexKeySource::kUpdateExpression, updated);
    if (!valid.ok()) return valid;
  }
  return {};
}

Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update) {
  for (const IndexSchema& index : table.indexes) {
    for (const KeyAttribute& attribute : index.keys.attributes()) {
      const AttributeView value = update.AssignedValue(attribute.name);
      if (value && !value.Is(attribute.type)) return TypeMismatch(index, attribute, value.type());
    }
    const auto assigned = [&](const KeyAttribute& attribute) {
      return NewValue{update.AssignedValue(attribute.name)};
    };
    Status valid = CheckKey(index, IndexKeySource::kUpdateExpression, assigned);
    if (!valid.ok()) return valid;
  }
  return {};
}

std::uint32_t IndexEntry::size_bytes() const {
  const Result<ItemView> item = ItemView::Parse(bytes);
  return item.ok() ? item->size_bytes() : 0;
}

Result<bool> MakeEntry(const TableSchema& table, const IndexSchema& index, const ItemView& item,
                       IndexEntry* entry) {
  const std::optional<KeyBytes> index_key = KeyOfStoredItem(index.keys, item);
  if (!index_key) return false;
  const std::optional<KeyBytes> table_key = KeyOfStoredItem(table.keys, item);
  if (!table_key) return Status::Corruption("a stored item lacks its key");
  entry->key = IndexEntryKey(index.keyspace, *index_key, *table_key);
  if (index.kind == IndexSchema::Kind::kExpiry) return true;
  if (index.projection == ProjectionType::kAll) {
    entry->bytes = item.bytes();
    return true;
  }
  if (Status projected = Project(index, item, &entry->projected); !projected.ok()) return projected;
  entry->bytes = entry->projected;
  return true;
}

Status AppendIndexChanges(const TableSchema& table, const std::optional<ItemView>& before,
                          const std::optional<ItemView>& after, WriteBatch* batch,
                          IndexChanges* changes) {
  if (ItemBytes(before) == ItemBytes(after)) return {};
  for (const IndexSchema& index : table.indexes) {
    Status appended = AppendIndexChange(table, index, before, after, batch, changes);
    if (!appended.ok()) return appended;
  }
  if (!table.expiry) return {};
  return AppendIndexChange(table, table.expiry->index, before, after, batch, nullptr);
}

}  // namespace dolmen::engine
