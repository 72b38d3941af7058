// RocksDB's outcomes as ours.

#pragma once

#include <rocksdb/status.h>

#include <string_view>

#include "dolmen/status.h"

namespace dolmen::engine {

// `doing` says what failed: "writing".  Absence is an answer, which the caller has handled already.
Status FromRocks(const rocksdb::Status& status, std::string_view doing);

}  // namespace dolmen::engine
