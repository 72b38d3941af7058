// Paths and queries of request targets.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dolmen::server {

// A query's parameters as they were sent, decoded, in their order.
using QueryParameters = std::vector<std::pair<std::string, std::string>>;

std::string_view PathOf(std::string_view target);
QueryParameters QueryOf(std::string_view target);

// The first of that name.
std::optional<std::string_view> Find(const QueryParameters& parameters, std::string_view name);

// Appends `text` with all but the unreserved characters of RFC 3986 as %XX; `also_kept` is left as
// it is, too.
void AppendUriEncoded(std::string_view text, std::string_view also_kept, std::string* out);

}  // namespace dolmen::server
