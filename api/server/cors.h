// What a browser wants to hear before it lets a page of another origin talk to the endpoint.
// https://fetch.spec.whatwg.org/#http-cors-protocol

#pragma once

#include <string>

#include "server/request.h"

namespace dolmen::server {

bool IsPreflight(const Request& request);

// Appends the header lines that an answer to `request` has; none if it comes from no page.
// Requests of pages on the public internet to a private network are not allowed by them.
void AppendCorsLines(const Request& request, std::string* out);

}  // namespace dolmen::server
