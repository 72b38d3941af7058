// The keyspaces of the first table in a database and of this table's first index.

#pragma once

#include "engine/key/key_codec.h"

namespace dolmen::engine {

inline constexpr auto kTable = static_cast<KeyspaceId>(16);
inline constexpr auto kIndex = static_cast<KeyspaceId>(17);

}  // namespace dolmen::engine
