// The context of a read: the parts of the engine that the read uses.

#pragma once

#include "dolmen/clock.h"
#include "dolmen/open_options.h"
#include "engine/storage/store.h"
#include "engine/write/lock_table.h"

namespace dolmen::engine {

// The parts of an engine that a read uses. Borrowed from the engine, which outlives every read.
struct ReadContext {
  const Store& store;
  const LockTable& locks;
  Clock& clock;
  OnConflict on_conflict = OnConflict::kWait;
};

}  // namespace dolmen::engine
