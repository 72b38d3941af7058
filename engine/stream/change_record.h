// A record of a stream: how it is stored, and what is read of it.  FORMAT.md (engine/storage) has
// the bytes.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dolmen/item_view.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "engine/key/key_schema.h"
#include "engine/schema/stream_schema.h"

namespace dolmen::engine {

// What happened to a row; nothing means no item.  One of them is there at least.
struct Change {
  std::optional<ItemView> before;
  std::optional<ItemView> after;
  bool by_service = false;  // the item had expired
};

// Appends the record of a change to `*out`.  kCorruption: an item is damaged.
Status EncodeChange(const Change& change, const KeySchema& keys, StreamViewType view_type,
                    Timestamp time, std::string* out);

// When a stored record was made.  kCorruption: it is none.
Result<Timestamp> TimeOfRecord(std::string_view bytes);

Result<StreamRecord> DecodeRecord(const StreamSchema& stream, const KeySchema& keys,
                                  SequenceNumber number, std::string_view bytes);

// Numbers as callers see them: 21 digits.
std::string ToText(SequenceNumber number);
std::optional<SequenceNumber> ParseSequenceNumber(std::string_view text);

}  // namespace dolmen::engine
