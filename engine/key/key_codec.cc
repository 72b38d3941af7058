#include "engine/key/key_codec.h"

namespace dolmen::engine {
namespace {

using Operator = SortKeyCondition::Operator;

void AppendRow(const KeyBytes& key, EncodedKey* to) {
  to->AppendTerminated(key[0]);
  if (key.size() > 1) to->AppendRaw(key[1]);
}

// Returns the smallest key that starts with `prefix` and has the sort key `sort` or a greater sort
// key.
EncodedKey LeastKeyFrom(EncodedKey prefix, std::string_view sort, SortKeyForm form) {
  form == SortKeyForm::kRaw ? prefix.AppendRaw(sort) : prefix.AppendTerminated(sort);
  return prefix;
}

// Returns a key that is greater than all keys with sort key `sort` and less than all keys with a
// greater sort key.
EncodedKey LeastKeyAfter(EncodedKey prefix, std::string_view sort, SortKeyForm form) {
  EncodedKey key = LeastKeyFrom(std::move(prefix), sort, form);
  form == SortKeyForm::kRaw ? key.AdvancePast() : key.AdvancePastPrefix();
  return key;
}

}  // namespace

EncodedKey RowKey(KeyspaceId table, const KeyBytes& key) {
  EncodedKey row(table);
  AppendRow(key, &row);
  return row;
}

EncodedKey IndexEntryKey(KeyspaceId index, const KeyBytes& index_key, const KeyBytes& table_key) {
  EncodedKey entry = KeyPrefix(index, {index_key.data(), index_key.size()});
  AppendRow(table_key, &entry);
  return entry;
}

EncodedKey IndexEntryKey(KeyspaceId index, const KeyBytes& index_key, const EncodedKey& row) {
  EncodedKey entry = KeyPrefix(index, {index_key.data(), index_key.size()});
  entry.AppendRaw(row.bytes().substr(kKeyspaceBytes));
  return entry;
}

EncodedKey KeyPrefix(KeyspaceId keyspace, std::span<const std::string_view> attributes) {
  EncodedKey key(keyspace);
  for (const std::string_view attribute : attributes) key.AppendTerminated(attribute);
  return key;
}

KeyRange SortKeyRange(const EncodedKey& prefix, const SortKeyBounds& bounds, SortKeyForm form) {
  switch (bounds.op) {
    case Operator::kEqual:
      return {LeastKeyFrom(prefix, bounds.value, form), LeastKeyAfter(prefix, bounds.value, form)};
    case Operator::kLess:
      return {prefix, LeastKeyFrom(prefix, bounds.value, form)};
    case Operator::kLessOrEqual:
      return {prefix, LeastKeyAfter(prefix, bounds.value, form)};
    case Operator::kGreater:
      return {LeastKeyAfter(prefix, bounds.value, form), PrefixRange(prefix).upper};
    case Operator::kGreaterOrEqual:
      return {LeastKeyFrom(prefix, bounds.value, form), PrefixRange(prefix).upper};
    case Operator::kBetween:
      return {LeastKeyFrom(prefix, bounds.value, form), LeastKeyAfter(prefix, bounds.upper, form)};
    case Operator::kBeginsWith: {
      EncodedKey start = prefix;
      form == SortKeyForm::kRaw ? start.AppendRaw(bounds.value) : start.AppendEscaped(bounds.value);
      return PrefixRange(start);
    }
  }
  return PrefixRange(prefix);
}

}  // namespace dolmen::engine
