// The requests by which a test controls its database: POST /_dolmen/reset and others (CONTROL.md).

#pragma once

#include <string>
#include <string_view>

#include "dolmen/wire.h"
#include "server/databases/databases.h"
#include "server/request.h"

namespace dolmen::server {

// The beginning of the paths of control requests.
inline constexpr std::string_view kControlPath = "/_dolmen/";
// The path of the report on the most accessed keys. Every server answers it, because the report changes
// nothing.
inline constexpr std::string_view kInsightsPath = "/_dolmen/contributor-insights";

// A response, whose body is JSON: the answer, or {"Error": "..."}.
struct ControlResponse {
  int status = 200;
  std::string body = {};
};

// Returns the answer to a request for kInsightsPath whose database is that of `endpoint`.
ControlResponse ReportInsights(const Request& request, const Endpoint& endpoint);

// Executes a control request on the database of the access key that the header X-Dolmen-Access-Key
// names, or that signs the request. Without an access key, uses the original. May take as long as a
// backfill. Thread-safe.
// REQUIRES: the path of the request begins with kControlPath.
ControlResponse Control(const Request& request, Databases* databases);

}  // namespace dolmen::server
