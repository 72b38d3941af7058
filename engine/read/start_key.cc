#include "engine/read/start_key.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <string>
#include <utility>

#include "dolmen/internal/status_macros.h"
#include "engine/key/key_codec.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

// The key attributes of a table and of the index that is read. An attribute that belongs to both
// keys occurs only once.
using KeyAttributes =
    boost::container::static_vector<const KeyAttribute*, 2 + 2 * kKeyAttributesMax>;

void AddMissing(const KeySchema& keys, KeyAttributes* attributes) {
  for (const KeyAttribute& attribute : keys.attributes()) {
    const bool known = std::any_of(attributes->begin(), attributes->end(), [&](const auto* other) {
      return other->name == attribute.name;
    });
    if (!known) attributes->push_back(&attribute);
  }
}

KeyAttributes KeyAttributesToRead(const ReadPlan& plan) {
  KeyAttributes attributes;
  AddMissing(plan.table->keys, &attributes);
  if (plan.index != nullptr) AddMissing(plan.index->keys, &attributes);
  return attributes;
}

Status InvalidStart(const std::string& why = {}) {
  const std::string message = "The provided starting key is invalid";
  return Status::Validation(why.empty() ? message : message + ": " + why);
}

constexpr const char* kSchemaMismatch = "The provided key element does not match the schema";

Status CheckAttributes(const ReadPlan& plan, const Item& start) {
  // DynamoDB's message names wrong attributes as the reason only for a Scan of a table. For a
  // Query, or a Scan of an index, the message gives no reason.
  const bool is_table_scan = plan.index == nullptr && plan.is_scan;
  const auto wrong_names = [&] { return InvalidStart(is_table_scan ? kSchemaMismatch : ""); };
  const KeyAttributes attributes = KeyAttributesToRead(plan);
  if (start.size() != attributes.size()) return wrong_names();
  for (const KeyAttribute* attribute : attributes) {
    const auto found = start.find(attribute->name);
    if (found == start.end()) return wrong_names();
    if (found->second.type() == attribute->type) {
      if (!SortableBytes(found->second).empty()) continue;
      return InvalidStart(EmptyKeyValue(*attribute).message());
    }
    const bool is_table_key = plan.table->keys.HasAttribute(attribute->name);
    return is_table_key ? InvalidStart(kSchemaMismatch) : Status::Validation(kSchemaMismatch);
  }
  return {};
}

// Returns the encoded values of the attributes in the start key that belong to `keys`. REQUIRES:
// CheckAttributes has returned ok.
KeyBytes KeyBytesIn(const KeySchema& keys, const Item& start) {
  KeyBytes bytes;
  for (const KeyAttribute& attribute : keys.attributes()) {
    bytes.push_back(SortableBytes(start.find(attribute.name)->second));
  }
  return bytes;
}

EncodedKey StartPosition(const ReadPlan& plan, const Item& start) {
  const KeyBytes row = KeyBytesIn(plan.table->keys, start);
  if (plan.index == nullptr) return RowKey(plan.table->keyspace, row);
  return IndexEntryKey(plan.index->keyspace, KeyBytesIn(plan.index->keys, start), row);
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

std::size_t CountKeyAttributes(const ReadPlan& plan) {
  std::size_t count = plan.table->keys.attributes().size();
  if (plan.index == nullptr) return count;
  for (const KeyAttribute& attribute : plan.index->keys.attributes()) {
    if (!plan.table->keys.HasAttribute(attribute.name)) ++count;
  }
  return count;
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

}  // namespace

Status CheckStartKey(const Item& start) {
  const Status valid = CheckItem(start);
  return valid.ok() ? valid : InvalidStart(valid.message());
}

Status ApplyStartKey(const Item& start, ReadPlan* plan) {
  if (start.empty()) return {};
  DOLMEN_RETURN_IF_ERROR(CheckAttributes(*plan, start));
  if (plan->reads_one_item()) {  // the order of this check among the others is unverified
    return Status::Validation("The provided exclusive start key is invalid");
  }
  const EncodedKey position = StartPosition(*plan, start);
  return plan->is_scan ? CutOffScan(position, plan) : CutOffQuery(position, plan);
}

Status SetEvaluatedKey(const ReadPlan& plan, const ItemView& item, const StoredKey& stored,
                       Item* key) {
  KeyBytes row;
  KeyBytes entry;
  DOLMEN_RETURN_IF_ERROR(SetAttributes(plan.table->keys, item, key, &row));
  if (plan.index != nullptr) {
    DOLMEN_RETURN_IF_ERROR(SetAttributes(plan.index->keys, item, key, &entry));
  }
  if (key->size() != CountKeyAttributes(plan)) {  // `*key` had other attributes
    key->clear();
    return SetEvaluatedKey(plan, item, stored, key);
  }
  const EncodedKey position = plan.index == nullptr
                                  ? RowKey(plan.table->keyspace, row)
                                  : IndexEntryKey(plan.index->keyspace, entry, row);
  if (!stored.Is(position.bytes())) {
    return Status::Corruption("an item or an index entry is stored under a different key");
  }
  return {};
}

}  // namespace dolmen::engine
