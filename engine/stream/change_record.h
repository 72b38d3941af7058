// The stored form of a stream's records. FORMAT.md (engine/storage) defines the bytes.

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

// A change of a row. At least one of `before` and `after` is present.
struct Change {
  std::optional<ItemView> before;  // nothing: the row was new; borrowed
  std::optional<ItemView> after;   // nothing: the row was deleted; borrowed
  bool by_service = false;         // true if the database deleted an expired item
};

// Appends the record of a change to `*out`.
// - kCorruption: an item lacks its key.
Status EncodeChange(const Change& change, const KeySchema& keys, StreamViewType view_type,
                    Timestamp time, std::string* out);

// Returns the time of a stored record.
// - kCorruption: the bytes are not a record.
// - kUnsupportedFormat: a newer release wrote the record.
Result<Timestamp> DecodeRecordTime(std::string_view bytes);

// Returns the record that `bytes` hold. The record owns its items.
// - kCorruption: the bytes are not a record.
// - kUnsupportedFormat: a newer release wrote the record.
Result<StreamRecord> DecodeRecord(const StreamSchema& stream, const KeySchema& keys,
                                  SequenceNumber number, std::string_view bytes);

// Returns the number in the form that the API uses: the digit 1, then the number with 20 digits.
std::string ToText(SequenceNumber number);
// Returns the number for which ToText() returns `text`. Returns nothing if `text` is not the text
// of a number.
std::optional<SequenceNumber> ParseSequenceNumber(std::string_view text);

}  // namespace dolmen::engine
