// The keyspaces of the first table of a database and of that table's first index.

#pragma once

#include "engine/key/key_codec.h"

namespace dolmen::engine {

inline constexpr auto kTable = static_cast<KeyspaceId>(16);
inline constexpr auto kIndex = static_cast<KeyspaceId>(17);

}  // namespace dolmen::engine
