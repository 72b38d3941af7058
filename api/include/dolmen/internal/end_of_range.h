// The type of end() for ranges whose iterator knows by itself that the range has ended. The public
// headers use this type instead of std::default_sentinel_t, because <iterator> would add 2,500
// lines.

#pragma once

namespace dolmen::internal {

struct EndOfRange {};

}  // namespace dolmen::internal
