// The translation of RocksDB's statuses into Dolmen's.

#pragma once

#include <rocksdb/status.h>

#include <string_view>

#include "dolmen/result.h"

namespace dolmen::engine {

// Returns the Status for `status`. `doing` begins the message and says what failed, such as
// "writing".
// - kCorruption: a checksum is wrong, or a file that RocksDB expects does not exist.
// - kStorage: any other error.
// REQUIRES: `status` is not NotFound. The caller handles NotFound, because an absent key is not an
// error.
Status FromRocks(const rocksdb::Status& status, std::string_view doing);

}  // namespace dolmen::engine
