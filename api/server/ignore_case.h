// Comparison of HTTP's names of fields, codings, media types and hosts.

#pragma once

#include <boost/beast/core/string.hpp>
#include <string_view>

namespace dolmen::server {

// Returns true if the names are equal without regard to case.
inline bool IsSameName(std::string_view a, std::string_view b) {
  return boost::beast::iequals({a.data(), a.size()}, {b.data(), b.size()});
}

}  // namespace dolmen::server
