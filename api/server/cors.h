// Pages in a browser: which of them may ask, and what the browser wants to hear about it.
// https://fetch.spec.whatwg.org/#http-cors-protocol
//
// A browser sends what a page tells it to, before it asks whether the page may read the answer; so
// a request of a page that may not ask is not executed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/request.h"

namespace dolmen::server {

// Const methods may be called from any number of threads.
struct CorsPolicy {
  // Whose pages may ask, as browsers say it ("https://app.example"); "*": all.  Pages of this
  // machine (http or https, localhost, 127.0.0.1 or [::1], any port) always may.
  std::vector<std::string> origins = {};
  // Whether the name by which a client knows the server counts.  A page can have the name of its
  // own server lead to this machine: its requests then go here, and to the browser that is no other
  // origin.
  bool checks_host = false;

  bool AllowsOrigin(std::string_view origin) const;
  // Addresses, localhost, names below it, those that containers have for their host, and the host
  // of an origin that may ask.
  bool AllowsHost(std::string_view host) const;
  bool AllowsAll() const;
};

// What a browser says of a page there, the beginning of `url`; empty if it shows no page of such.
std::string_view OriginOf(std::string_view url);

// Why a request is refused; empty if it is not.
std::string WhyRefused(const Request& request, const CorsPolicy& policy);

bool IsPreflight(const Request& request);

// Appends the header lines that an answer to `request` has; none if it comes from no page, and none
// but Vary if from one that may not ask.
// Requests of pages on the public internet to a private network are not allowed by them.
void AppendCorsLines(const Request& request, const CorsPolicy& policy, std::string* out);

}  // namespace dolmen::server
