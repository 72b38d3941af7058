// The end of a range that knows its own end. The public headers use it instead of
// std::default_sentinel_t, because <iterator> would add 2,500 lines to them.

#pragma once

namespace dolmen::internal {

struct EndOfRange {};

}  // namespace dolmen::internal
