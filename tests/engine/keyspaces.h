// The ids of two keyspaces: of the first table in a database, and of the first index of this table.

#pragma once

#include "engine/key/key_codec.h"

namespace dolmen::engine {

inline constexpr auto kTable = static_cast<KeyspaceId>(16);
inline constexpr auto kFirstIndex = static_cast<KeyspaceId>(17);

}  // namespace dolmen::engine
