#include "engine/read/start_key.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

Status InvalidStart(const std::string& why = {}) {
  const std::string message = "The provided starting key is invalid";
  return Status::Validation(why.empty() ? message : message + ": " + why);
}

constexpr const char* kSchemaMismatch = "The provided key element does not match the schema";

// Returns the number of different key attributes of the table and of the index that is read.
std::size_t CountKeyAttributes(const ReadPlan& plan) {
  std::size_t count = plan.table->keys.attributes().size();
  if (plan.index == nullptr) return count;
  for (const KeyAttribute& attribute : plan.index->keys.attributes()) {
    if (!plan.table->keys.HasAttribute(attribute.name)) ++count;
  }
  return count;
}

// The values of an item's key attributes, encoded.
struct KeyPair {
  KeyBytes row;    // those of the table
  KeyBytes entry;  // those of the index, if one is read
};

EncodedKey StoredKeyOf(const ReadPlan& plan, const KeyPair& key) {
  return plan.index == nullptr ? RowKey(plan.table->keyspace, key.row)
                               : IndexEntryKey(plan.index->keyspace, key.entry, key.row);
}

// DynamoDB's message names wrong attributes as the reason only for a Scan of a table. For a Query,
// or a Scan of an index, the message gives no reason.
Status WrongNames(const ReadPlan& plan) {
  return InvalidStart(plan.index == nullptr && plan.is_scan ? kSchemaMismatch : "");
}

// Appends the encoded values of those attributes of the start key that belong to `keys`.
Status AppendKey(const ReadPlan& plan, const KeySchema& keys, const Item& start, KeyBytes* bytes) {
  for (const KeyAttribute& attribute : keys.attributes()) {
    const auto found = start.find(attribute.name);
    if (found == start.end()) return WrongNames(plan);
    if (found->second.type() != attribute.type) {
      const bool is_table_key = plan.table->keys.HasAttribute(attribute.name);
      return is_table_key ? InvalidStart(kSchemaMismatch) : Status::Validation(kSchemaMismatch);
    }
    bytes->push_back(SortableBytes(found->second));
    if (bytes->back().empty()) return InvalidStart(EmptyKeyValue(attribute).message());
  }
  return {};
}

Result<KeyPair> KeyOfStart(const ReadPlan& plan, const Item& start) {
  if (start.size() != CountKeyAttributes(plan)) return WrongNames(plan);
  KeyPair key;
  DOLMEN_RETURN_IF_ERROR(AppendKey(plan, plan.table->keys, start, &key.row));
  if (plan.index != nullptr) {
    DOLMEN_RETURN_IF_ERROR(AppendKey(plan, plan.index->keys, start, &key.entry));
  }
  return key;
}

// Returns the prefix that all keys of the range share: the keyspace and the partition key.
// REQUIRES: the range belongs to a Query.
std::string_view PartitionPrefix(const ReadPlan& plan, const KeyRange& range) {
  const std::string_view lower = range.lower.bytes();
  return lower.substr(0, PrefixBytes(lower, plan.keys().partition().size()));
}

// Removes from the range all keys that come before the position in the direction of the read.
// Unless `inclusive` is true, removes the position itself too.
void CutOff(EncodedKey position, bool forward, bool inclusive, KeyRange* range) {
  if (forward != inclusive) position.AdvancePast();
  if (forward) {
    range->lower = std::max(range->lower, position);
  } else {
    range->upper = std::min(range->upper, position);
  }
}

// Removes from each range of a Query the position and all keys that MergingCursor reads before the
// position. MergingCursor orders keys by the bytes after the partition key, and equal bytes by
// partition. The position lies in `partition`.
void CutOffAll(std::string_view partition, const EncodedKey& position, ReadPlan* plan) {
  const std::string_view rest = position.bytes().substr(partition.size());
  for (KeyRange& range : plan->ranges) {
    const std::string_view other = PartitionPrefix(*plan, range);
    EncodedKey same_position = EncodedKey::FromBytes(other);
    same_position.AppendRaw(rest);
    const bool inclusive = plan->forward ? other > partition : other < partition;
    CutOff(std::move(same_position), plan->forward, inclusive, &range);
  }
}

Status CutOffQuery(const EncodedKey& position, ReadPlan* plan) {
  const std::size_t size = PrefixBytes(position.bytes(), plan->keys().partition().size());
  const std::string_view partition = position.bytes().substr(0, size);
  const auto range = std::find_if(plan->ranges.begin(), plan->ranges.end(), [&](const KeyRange& r) {
    return r.lower.bytes().starts_with(partition);  // `partition` ends with its terminator
  });
  if (range == plan->ranges.end()) {
    return Status::Validation(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  if (!range->Contains(position.bytes())) {
    return Status::Validation("The provided starting key does not match the range key predicate");
  }
  if (plan->ranges.size() == 1) {
    CutOff(position, plan->forward, false, &*range);
  } else {
    CutOffAll(partition, position, plan);
  }
  return {};
}

Status CutOffScan(const EncodedKey& position, ReadPlan* plan) {
  const std::size_t size = PrefixBytes(position.bytes(), plan->keys().partition().size());
  if (plan->segment && !plan->segment->Contains(position.bytes().substr(0, size))) {
    return InvalidStart(
        "Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. "
        "TotalSegments: " +
        std::to_string(plan->segment->total) +
        " Segment: " + std::to_string(plan->segment->number));
  }
  CutOff(position, true, false, &plan->ranges.front());
  return {};
}

// Sets those attributes of `*key` that belong to `keys` to their values in a stored item, and
// appends their bytes to `*bytes`. Reuses the memory of the texts in `*key`.
Status SetAttributes(const KeySchema& keys, const ItemView& item, Item* key, KeyBytes* bytes) {
  for (const KeyAttribute& attribute : keys.attributes()) {
    const AttributeView value = item[attribute.name];
    if (!value.Is(attribute.type))
      return Status::Corruption("a stored item lacks its key attribute " + attribute.name);
    bytes->push_back(value.payload());
    AttributeValue& copy = (*key)[attribute.name];
    if (std::string* const text = copy.get_if<std::string>(); text != nullptr && value.AsString()) {
      text->assign(value.payload());
    } else {
      DOLMEN_ASSIGN_OR_RETURN(copy, value.Copy());
    }
  }
  return {};
}

// Returns a key in the form in which DynamoDB's messages show it: "{isbn=AttributeValue: {S:i7}}".
std::string PrintedKey(const Item& key) {
  std::string text = "{";
  for (const auto& [name, value] : key) {
    text.append(text.size() > 1 ? ", " : "").append(name).append("=AttributeValue: {");
    text.append(AttributeTypeName(value.type())).append(":");
    const auto* const content = value.get_if<std::string>();
    std::string payload;
    if (content == nullptr) EncodeValue(value, &payload).IgnoreError();  // the key is valid
    text.append(content != nullptr ? *content : AttributeView(value.type(), payload).ToString());
    text.append("}");
  }
  return text.append("}");
}

}  // namespace

Status CheckStartKey(const Item& start) {
  const Status valid = CheckItem(start);
  return valid.ok() ? valid : InvalidStart(valid.message());
}

Status ApplyStartKey(const Item& start, ReadPlan* plan) {
  if (start.empty()) return {};
  const Result<KeyPair> key = KeyOfStart(*plan, start);
  if (!key.ok()) return key.status();
  if (plan->reads_one_item()) {  // the order of this check among the others is unverified
    return Status::Validation("The provided exclusive start key is invalid: ExclusiveStartKey: " +
                              PrintedKey(start));
  }
  const EncodedKey position = StoredKeyOf(*plan, *key);
  return plan->is_scan ? CutOffScan(position, plan) : CutOffQuery(position, plan);
}

EncodedKey StoredKeyOfStart(const Item& start, const ReadPlan& plan) {
  return StoredKeyOf(plan, *KeyOfStart(plan, start));
}

Status SetEvaluatedKey(const ReadPlan& plan, const ItemView& item, const StoredKey& stored,
                       Item* key) {
  KeyPair bytes;
  DOLMEN_RETURN_IF_ERROR(SetAttributes(plan.table->keys, item, key, &bytes.row));
  if (plan.index != nullptr) {
    DOLMEN_RETURN_IF_ERROR(SetAttributes(plan.index->keys, item, key, &bytes.entry));
  }
  if (key->size() != CountKeyAttributes(plan)) {  // `*key` had other attributes
    key->clear();
    return SetEvaluatedKey(plan, item, stored, key);
  }
  if (!stored.Is(StoredKeyOf(plan, bytes).bytes())) {
    return Status::Corruption("an item or an index entry is stored under a different key");
  }
  return {};
}

}  // namespace dolmen::engine
