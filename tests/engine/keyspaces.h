// The keyspaces of a table and of its index, as the first table of a database has them.

#pragma once

#include "engine/key/key_codec.h"

namespace dolmen::engine {

inline constexpr auto kTable = static_cast<KeyspaceId>(16);
inline constexpr auto kIndex = static_cast<KeyspaceId>(17);

}  // namespace dolmen::engine
