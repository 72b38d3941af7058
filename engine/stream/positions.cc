#include "engine/stream/positions.h"

#include "engine/base/status_macros.h"

namespace dolmen::engine {
namespace {

// The greatest valid position of a subscription. It is greater than every number that is computed
// from a clock's time, and less than the greatest number that the catalog can hold.
constexpr SequenceNumber kPositionMax = (SequenceNumber{1} << 62) + (SequenceNumber{1} << 61);

EncodedKey PositionKey(KeyspaceId table, std::string_view name) {
  EncodedKey key(KeyspaceId::kPositions);
  key.AppendRaw(EncodedKey(table).bytes());
  key.AppendRaw(name);
  return key;
}

}  // namespace

Result<SequenceNumber> DecodePosition(std::string_view value) {
  if (value.size() == sizeof(SequenceNumber) && ReadBigEndian(value) <= kPositionMax) {
    return ReadBigEndian(value);
  }
  return Status::Corruption("the position of a subscription is damaged");
}

Result<std::optional<SequenceNumber>> ReadPosition(const Store& store, KeyspaceId table,
                                                   std::string_view name) {
  PinnedValue value;
  DOLMEN_ASSIGN_OR_RETURN(const bool found, store.Get(PositionKey(table, name), &value));
  if (!found) return std::optional<SequenceNumber>();
  DOLMEN_ASSIGN_OR_RETURN(const SequenceNumber position,
                          DecodePosition({value.data(), value.size()}));
  return std::optional(position);
}

void PutPosition(KeyspaceId table, std::string_view name, SequenceNumber position,
                 WriteBatch* batch) {
  EncodedKey value;
  value.AppendBigEndian(position);
  batch->Put(PositionKey(table, name), value.bytes());
}

void DeletePosition(KeyspaceId table, std::string_view name, WriteBatch* batch) {
  batch->Delete(PositionKey(table, name));
}

KeyRange PositionRange(KeyspaceId table) { return PrefixRange(PositionKey(table, {})); }

}  // namespace dolmen::engine
