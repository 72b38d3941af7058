// The schema of a table's stream.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// The number of a change record. All streams of a database share one sequence of numbers, and
// later records have greater numbers.
using SequenceNumber = std::uint64_t;

// A stream of a table, enabled or disabled.
struct StreamSchema {
  KeyspaceId keyspace;  // holds the records
  StreamViewType view_type = StreamViewType::kKeysOnly;
  std::chrono::milliseconds retention = {};
  Timestamp created_at = {};                  // unique among the streams of the table
  SequenceNumber first = 0;                   // no record has a lower number
  std::optional<Timestamp> disabled_at = {};  // no record is later; nothing: still enabled

  // Returns true if a record with the time `time` is still retained at the time `now`.
  bool Retains(Timestamp time, Timestamp now) const { return now - time < retention; }
  // Returns true if the stream can be read at `now`: it is enabled, or was disabled less than its
  // retention ago.
  bool IsReadable(Timestamp now) const { return !disabled_at || Retains(*disabled_at, now); }
};

}  // namespace dolmen::engine
