#include "engine/key/key_codec.h"

namespace dolmen::engine {
namespace {

using Operator = SortKeyCondition::Operator;

EncodedKey PartitionPrefix(KeyspaceId keyspace, std::string_view partition) {
  EncodedKey key(keyspace);
  key.AppendTerminated(partition);
  return key;
}

// The least key whose sort key is `sort` or above.
EncodedKey From(EncodedKey prefix, std::string_view sort, SortKeyForm form) {
  form == SortKeyForm::kRaw ? prefix.AppendRaw(sort) : prefix.AppendTerminated(sort);
  return prefix;
}

// The least key whose sort key is above `sort`.
EncodedKey Past(EncodedKey prefix, std::string_view sort, SortKeyForm form) {
  EncodedKey key = From(std::move(prefix), sort, form);
  form == SortKeyForm::kRaw ? key.AdvancePast() : key.AdvancePastPrefix();
  return key;
}

}  // namespace

EncodedKey RowKey(KeyspaceId table, const KeySchema& schema, const KeyBytes& key) {
  EncodedKey row = PartitionPrefix(table, key.partition);
  if (schema.sort) row.AppendRaw(key.sort);
  return row;
}

EncodedKey IndexEntryKey(KeyspaceId index, const KeySchema& index_schema, const KeyBytes& index_key,
                         const KeySchema& table_schema, const KeyBytes& table_key) {
  EncodedKey entry = PartitionPrefix(index, index_key.partition);
  if (index_schema.sort) entry.AppendTerminated(index_key.sort);
  entry.AppendTerminated(table_key.partition);
  if (table_schema.sort) entry.AppendRaw(table_key.sort);
  return entry;
}

KeyRange PartitionRange(KeyspaceId keyspace, std::string_view partition) {
  return PrefixRange(PartitionPrefix(keyspace, partition));
}

KeyRange PartitionRange(KeyspaceId keyspace, std::string_view partition,
                        const SortKeyBounds& bounds, SortKeyForm form) {
  const EncodedKey prefix = PartitionPrefix(keyspace, partition);
  KeyRange range = PrefixRange(prefix);
  switch (bounds.op) {
    case Operator::kEqual:
      return {From(prefix, bounds.value, form), Past(prefix, bounds.value, form)};
    case Operator::kLess:
      range.upper = From(prefix, bounds.value, form);
      return range;
    case Operator::kLessOrEqual:
      range.upper = Past(prefix, bounds.value, form);
      return range;
    case Operator::kGreater:
      range.lower = Past(prefix, bounds.value, form);
      return range;
    case Operator::kGreaterOrEqual:
      range.lower = From(prefix, bounds.value, form);
      return range;
    case Operator::kBetween:
      return {From(prefix, bounds.value, form), Past(prefix, bounds.upper, form)};
    case Operator::kBeginsWith: {
      EncodedKey start = prefix;
      form == SortKeyForm::kRaw ? start.AppendRaw(bounds.value) : start.AppendEscaped(bounds.value);
      return PrefixRange(start);
    }
  }
  return range;
}

}  // namespace dolmen::engine
