// CORS, the protocol for requests of web pages: which pages may send requests, and the headers that
// a browser needs.
// https://fetch.spec.whatwg.org/#http-cors-protocol
//
// A browser may send a page's request before it asks whether the page may read the response. So a
// request of a page that is not allowed is not executed.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/request.h"

namespace dolmen::server {

// The rules for requests of web pages. Const methods are thread-safe.
struct CorsPolicy {
  // The origins whose pages may send requests, in the form of browsers ("https://app.example"), or
  // "*" for all. Pages of this machine are always allowed: http or https, localhost, 127.0.0.1 or
  // [::1], any port.
  std::vector<std::string> origins = {};
  // If true, requests whose Host header has a foreign name are rejected. This stops an attack: the
  // owner of a web page makes the name of the page's server resolve to the address of this machine.
  // The browser then sends the requests of the page to this machine, and treats them as requests to
  // the page's own server.
  bool checks_host = false;

  bool AllowsOrigin(std::string_view origin) const;
  // Returns true if checks_host is false. Otherwise returns true for IP addresses, for localhost and
  // its subdomains, for the hosts of `origins`, and for names such as host.docker.internal, by which
  // a container reaches the machine that runs it.
  bool AllowsHost(std::string_view host) const;
  bool AllowsAll() const;
};

// Returns the origin that a browser sends for a page whose URL is `url`: the beginning of `url`.
// Returns an empty text if a browser does not show pages of the URL's scheme.
std::string_view OriginOf(std::string_view url);

// Returns the reason why the request is rejected, or an empty text if it is allowed.
std::string RejectionReason(const Request& request, const CorsPolicy& policy);

bool IsPreflight(const Request& request);

// Appends the CORS header lines of the response. Appends no line if the request does not come from
// a page. Appends only Vary if the page is not allowed. Never appends the line that permits a page
// on the public internet to send requests into a private network.
void AppendCorsLines(const Request& request, const CorsPolicy& policy, std::string* out);

}  // namespace dolmen::server
