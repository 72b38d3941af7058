#include "engine/stream/positions.h"

#include "dolmen/internal/status_macros.h"

namespace dolmen::engine {
namespace {

EncodedKey PositionKey(KeyspaceId table, std::string_view name) {
  EncodedKey key(KeyspaceId::kPositions);
  key.AppendRaw(EncodedKey(table).bytes());
  key.AppendRaw(name);
  return key;
}

}  // namespace

Result<std::optional<SequenceNumber>> ReadPosition(const Store& store, KeyspaceId table,
                                                   std::string_view name) {
  PinnedValue value;
  DOLMEN_ASSIGN_OR_RETURN(const bool found, store.Get(PositionKey(table, name), &value));
  if (!found) return std::optional<SequenceNumber>();
  if (value.size() != sizeof(SequenceNumber)) {
    return Status::Corruption("the position of a subscription is damaged");
  }
  return std::optional<SequenceNumber>(ReadBigEndian({value.data(), value.size()}));
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
