// The paths and queries of request targets.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dolmen::http {

// The decoded parameters of a query, in their order.
using QueryParameters = std::vector<std::pair<std::string, std::string>>;

// PathOf returns the path of a request target, without decoding it. The target may be a whole URL,
// as clients send it to a proxy. QueryOf returns the decoded parameters of the target's query.
std::string_view PathOf(std::string_view target);
QueryParameters QueryOf(std::string_view target);

// Returns the value of the first parameter with the given name, or nothing.
std::optional<std::string_view> Find(const QueryParameters& parameters, std::string_view name);

// Appends `text` with percent-encoding. Unreserved characters of RFC 3986 and the characters of
// `also_kept` are not encoded.
void AppendUriEncoded(std::string_view text, std::string_view also_kept, std::string* out);

}  // namespace dolmen::http
