#include "engine/repair/losses.h"

#include <string_view>

#include "engine/key/encoded_key.h"
#include "engine/stream/change_record.h"
#include "engine/stream/stream_arn.h"
#include "engine/verify/key_text.h"

namespace dolmen::engine {
namespace {

// Returns true if keys of the keyspace may lie in the gap.
bool Touches(const FileGap& gap, KeyspaceId keyspace) {
  const KeyRange range = PrefixRange(EncodedKey(keyspace));
  return gap.first < range.upper.bytes() && (!gap.last || *gap.last >= range.lower.bytes());
}

// Returns the range of a gap in a keyspace, such as "items from {PK: "a"} to {PK: "b"}".
template <typename TextOf>
std::string LostRange(std::string what, const FileGap& gap, KeyspaceId keyspace, TextOf text_of) {
  const KeyRange range = PrefixRange(EncodedKey(keyspace));
  const bool has_first = range.Contains(gap.first);
  const bool has_last = gap.last && range.Contains(*gap.last);
  if (has_first) what.append(" from ").append(text_of(gap.first));
  if (has_last) what.append(has_first ? " to " : " up to ").append(text_of(*gap.last));
  if (!has_first && !has_last) what.insert(0, "all ");
  return what.append(" may be lost or out of date: ").append(gap.reason);
}

std::string RecordText(std::string_view key) {
  const std::string_view number = key.substr(kKeyspaceBytes);
  return number.size() == sizeof(SequenceNumber) ? ToText(ReadBigEndian(number))
                                                 : "an unknown record";
}

// The records of the database that belong to no table, and their texts.
struct InternalRecords {
  KeyspaceId keyspace;
  const char* text;
};
constexpr InternalRecords kInternalRecords[] = {
    {KeyspaceId::kMeta, "internal records, such as the positions up to which streams are trimmed,"},
    {KeyspaceId::kCatalog, "descriptions of tables, and thereby whole tables"},
    {KeyspaceId::kTokens, "client request tokens"},
    {KeyspaceId::kPositions, "positions of subscriptions"},
};

void DescribeLoss(const FileGap& gap, std::span<const TableSchema> tables,
                  std::vector<RepairLoss>* losses) {
  if (gap.first.empty() && !gap.last) {
    losses->push_back({.message = "anything may be lost or out of date: " + gap.reason});
    return;
  }
  for (const InternalRecords& records : kInternalRecords) {
    if (!Touches(gap, records.keyspace)) continue;
    losses->push_back(
        {.message = std::string(records.text) + " may be lost or out of date: " + gap.reason});
  }
  for (const TableSchema& table : tables) {
    const auto text_of = [&](std::string_view key) { return KeyText(table.keys, key); };
    if (Touches(gap, table.keyspace)) {
      losses->push_back({table.name, LostRange("items", gap, table.keyspace, text_of)});
    }
    for (const StreamSchema* stream : table.AllStreams()) {
      if (!Touches(gap, stream->keyspace)) continue;
      const std::string records = stream == table.change_logs()[1]
                                      ? "changes for the restore of points in time"
                                      : "records of the stream " + StreamLabel(*stream);
      losses->push_back({table.name, LostRange(records, gap, stream->keyspace, RecordText)});
    }
  }
}

}  // namespace

std::vector<RepairLoss> DescribeLosses(std::span<const FileGap> gaps,
                                       std::span<const TableSchema> tables) {
  std::vector<RepairLoss> losses;
  for (const FileGap& gap : gaps) DescribeLoss(gap, tables, &losses);
  return losses;
}

}  // namespace dolmen::engine
