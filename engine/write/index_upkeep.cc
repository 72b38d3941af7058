#include "engine/write/index_upkeep.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
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

// Returns true if the update changes an attribute of the index's key.
bool TouchesKey(const IndexSchema& index, const Update& update) {
  const std::span<const KeyAttribute> keys = index.keys.attributes();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const KeyAttribute& key) { return update.Touches(key.name); });
}

// The value of a key attribute; empty if the attribute is absent. `is_new` is true if the write
// sets the value.
struct NewValue {
  AttributeView value;
  bool is_new = true;
};

// Checks each new value, and the total size of each partition or sort key that contains a new
// value. `value_of` returns the NewValue of a key attribute. It is called for the attributes in the
// order of the key.
template <typename ValueOf>
Status CheckKey(const IndexSchema& index, IndexKeySource source, ValueOf value_of) {
  KeyBytes key;
  for (const std::span<const KeyAttribute> part : {index.keys.partition(), index.keys.sort()}) {
    const std::size_t start = key.size();
    bool has_new = false;
    for (const KeyAttribute& attribute : part) {
      const NewValue found = value_of(attribute);
      if (found.value && found.is_new) {
        DOLMEN_RETURN_IF_ERROR(CheckValue(index, attribute, found.value, source));
        has_new = true;
      }
      key.push_back(found.value.Is(attribute.type) ? found.value.payload() : std::string_view());
    }
    if (!has_new) std::fill(key.begin() + static_cast<std::ptrdiff_t>(start), key.end(), "");
  }
  Status sizes = CheckKeySizes(index.keys, key);
  return sizes.ok() ? sizes : TooLong(sizes, source);
}

// Appends to `out` the stored form of the attributes that the index projects.
Status Project(const IndexSchema& index, const ItemView& item, std::string* out) {
  ItemWriter writer(out);
  // Finds the projected attributes in one pass over the item, because the item's attributes and
  // `index.projected` are both in byte order.
  auto name = index.projected.begin();
  AttributeWalk attribute(item);
  while (name != index.projected.end() && attribute.Next()) {
    while (name != index.projected.end() && *name < attribute.name()) ++name;
    if (name == index.projected.end() || *name != attribute.name()) continue;
    if (!writer.AddStored(attribute)) return Status::Corruption("a stored item is damaged");
  }
  if (attribute.damaged()) return Status::Corruption("a stored item is damaged");
  writer.Finish();
  return {};
}

// Sets the entry's bytes to a view: of the whole `item`, or of the entry's own member `projected`.
Status FillBytes(const IndexSchema& index, const ItemView& item, IndexEntry* entry) {
  if (index.kind == IndexSchema::Kind::kExpiry) return {};
  if (index.projection == ProjectionType::kAll) {
    entry->bytes = item.bytes();
    return {};
  }
  Status projected = Project(index, item, &entry->projected);
  entry->bytes = entry->projected;
  return projected;
}

// An item's entry in an index. If `key` is nothing, the item has no entry.
struct KeyedEntry {
  std::optional<KeyBytes> key = {};
  IndexEntry entry = {};  // without its key
  std::uint32_t size_bytes() const { return key ? entry.size_bytes() : 0; }
};

// Sets `keyed` to the item's entry. `first_value` is the position of the index's values in the
// item's index key values.
Status FillEntry(const IndexSchema& index, const std::optional<IndexedItem>& item,
                 std::size_t first_value, KeyedEntry* keyed) {
  if (!item) return {};
  const std::size_t count = index.keys.attributes().size();
  keyed->key = KeyOfStoredValues(index.keys, item->key_values.subspan(first_value, count));
  return keyed->key ? FillBytes(index, item->item, &keyed->entry) : Status();
}

// Writer of the changes of index entries that follow from the change of one row.
class EntryWriter {
 public:
  EntryWriter(const EncodedKey& row, const std::optional<IndexedItem>& before,
              const std::optional<IndexedItem>& after, WriteBatch* batch)
      : row_(row), before_(before), after_(after), batch_(batch) {}

  // Adds the change of the entry in one index to the batch. If `changes` is not null, also appends
  // the change to `changes`. Call this for each index, in the order of the index key values.
  Status Write(const IndexSchema& index, IndexChanges* changes) {
    KeyedEntry old;
    KeyedEntry now;
    DOLMEN_RETURN_IF_ERROR(FillEntry(index, before_, first_value_, &old));
    DOLMEN_RETURN_IF_ERROR(FillEntry(index, after_, first_value_, &now));
    first_value_ += index.keys.attributes().size();
    const bool same_key = old.key && now.key && *old.key == *now.key;
    if (same_key && old.entry.bytes == now.entry.bytes) return {};
    if (old.key && !same_key) batch_->Delete(IndexEntryKey(index.keyspace, *old.key, row_));
    if (now.key) batch_->Put(IndexEntryKey(index.keyspace, *now.key, row_), now.entry.bytes);
    if (changes != nullptr && (old.key || now.key)) {
      changes->push_back({&index, old.size_bytes(), now.size_bytes(), same_key});
    }
    return {};
  }

 private:
  const EncodedKey& row_;
  const std::optional<IndexedItem>& before_;
  const std::optional<IndexedItem>& after_;
  WriteBatch* batch_;
  std::size_t first_value_ = 0;
};

}  // namespace

IndexKeyValues FindIndexKeyValues(const TableSchema& table, const ItemView& item) {
  IndexKeyValues values;
  for (const IndexSchema& index : table.indexes) {
    for (const KeyAttribute& key : index.keys.attributes()) values.push_back(item[key.name]);
  }
  if (table.expiry) values.push_back(item[table.expiry->attribute()]);
  return values;
}

namespace {

// Returns the error of the first index, in the order of names, that `check` refuses. DynamoDB names this one.
// `check(index, value)` gets the first of the values for the key of the index.
template <typename Check>
Status FirstByName(const TableSchema& table, const IndexKeyValues& values, Check check) {
  const IndexSchema* refused = nullptr;
  Status fault;
  auto value = values.begin();
  for (const IndexSchema& index : table.indexes) {
    Status checked = check(index, value);
    value += static_cast<std::ptrdiff_t>(index.keys.attributes().size());
    if (checked.ok() || (refused != nullptr && refused->name < index.name)) continue;
    refused = &index;
    fault = std::move(checked);
  }
  return fault;
}

}  // namespace

Status CheckIndexKeyTypes(const TableSchema& table, const IndexKeyValues& values) {
  return FirstByName(table, values, [](const IndexSchema& index, auto value) {
    for (const KeyAttribute& attribute : index.keys.attributes()) {
      const AttributeView found = *value++;
      if (found && !found.Is(attribute.type)) return TypeMismatch(index, attribute, found.type());
    }
    return Status();
  });
}

Status CheckIndexKeys(const TableSchema& table, const IndexKeyValues& values) {
  return FirstByName(table, values, [](const IndexSchema& index, auto value) {
    return CheckKey(index, IndexKeySource::kItem,
                    [&](const KeyAttribute&) { return NewValue{*value++}; });
  });
}

Status CheckUpdatedIndexKeys(const TableSchema& table, const Update* update,
                             const IndexKeyValues& values) {
  auto value = values.begin();
  for (const IndexSchema& index : table.indexes) {
    if (update != nullptr && !TouchesKey(index, *update)) {
      value += static_cast<std::ptrdiff_t>(index.keys.attributes().size());
      continue;
    }
    const auto updated = [&](const KeyAttribute& attribute) {
      return NewValue{*value++, update == nullptr || update->Touches(attribute.name)};
    };
    DOLMEN_RETURN_IF_ERROR(CheckKey(index, IndexKeySource::kUpdateExpression, updated));
  }
  return {};
}

bool TouchesIndexKeys(const TableSchema& table, const Update& update) {
  const auto is_touched = [&](const IndexSchema& index) { return TouchesKey(index, update); };
  return std::any_of(table.indexes.begin(), table.indexes.end(), is_touched) ||
         (table.expiry && update.Touches(table.expiry->attribute()));
}

IndexKeyValues AssignedIndexKeyValues(const TableSchema& table, const Update& update) {
  IndexKeyValues values;
  for (const IndexSchema& index : table.indexes) {
    for (const KeyAttribute& key : index.keys.attributes()) {
      values.push_back(update.AssignedValue(key.name));
    }
  }
  return values;
}

Status CheckAssignedIndexKeys(const TableSchema& table, const Update& update) {
  for (const IndexSchema& index : table.indexes) {
    if (!TouchesKey(index, update)) continue;
    const auto assigned = [&](const KeyAttribute& attribute) {
      return NewValue{update.AssignedValue(attribute.name)};
    };
    DOLMEN_RETURN_IF_ERROR(CheckKey(index, IndexKeySource::kUpdateExpression, assigned));
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
  DOLMEN_RETURN_IF_ERROR(FillBytes(index, item, entry));
  return true;
}

Status AppendIndexChanges(const TableSchema& table, const EncodedKey& row,
                          const std::optional<ItemView>& before,
                          const std::optional<IndexedItem>& after, WriteBatch* batch,
                          IndexChanges* changes) {
  if (before && after && before->bytes() == after->item.bytes()) return {};
  IndexKeyValues old_values;
  std::optional<IndexedItem> old;
  if (before && after && after->keeps_key_values) {
    old = IndexedItem{*before, after->key_values};
  } else if (before) {
    old_values = FindIndexKeyValues(table, *before);
    old = IndexedItem{*before, {old_values.data(), old_values.size()}};
  }
  EntryWriter writer(row, old, after, batch);
  for (const IndexSchema& index : table.indexes) {
    DOLMEN_RETURN_IF_ERROR(writer.Write(index, changes));
  }
  return table.expiry ? writer.Write(table.expiry->index, nullptr) : Status();
}

}  // namespace dolmen::engine
