// A table's stream as the engine knows it.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "dolmen/clock.h"
#include "dolmen/create_table.h"
#include "engine/key/encoded_key.h"

namespace dolmen::engine {

// What numbers the records of all streams of a database; later ones are greater.
using SequenceNumber = std::uint64_t;

struct StreamSchema {
  KeyspaceId keyspace;  // of its records
  StreamViewType view_type = StreamViewType::kKeysOnly;
  std::chrono::milliseconds retention = {};
  Timestamp created_at = {};  // another one than that of any other stream of the table
  SequenceNumber first = 0;   // its records have numbers from this one on
  std::optional<Timestamp> disabled_at = {};  // no record is later

  // Whether what was done at that time is still to be read.
  bool Retains(Timestamp time, Timestamp now) const { return now - time < retention; }
  // Whether it can be read.
  bool IsReadable(Timestamp now) const { return !disabled_at || Retains(*disabled_at, now); }
};

}  // namespace dolmen::engine
