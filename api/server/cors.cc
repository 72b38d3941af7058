#include "server/cors.h"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <utility>

#include "http/header_text.h"

namespace dolmen::server {
namespace {

constexpr std::string_view kAll = "*";
constexpr std::array<std::string_view, 3> kLoopback = {"localhost", "127.0.0.1", "[::1]"};
// The names that Docker, Podman, Testcontainers, Lima and OrbStack give the machine that a container runs on.
constexpr std::array<std::string_view, 5> kContainerHosts = {
    "host.docker.internal", "host.containers.internal", "host.testcontainers.internal",
    "host.lima.internal", "host.orb.internal"};

bool IsOneOf(std::string_view name, const auto& names) {
  return std::any_of(names.begin(), names.end(),
                     [name](std::string_view one) { return http::IsSameName(name, one); });
}

// Returns the host without its port: "app.example" for "app.example:80".
std::string_view WithoutPort(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == host.npos || host.find_first_not_of("0123456789", colon + 1) != host.npos) {
    return host;
  }
  return host.substr(0, colon);
}

// Returns the host of an origin, without the port. Returns an empty text if the scheme of the
// origin is neither http nor https.
std::string_view HostOfOrigin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return WithoutPort(origin.substr(scheme.size()));
  }
  return {};
}

bool IsAddress(std::string_view host) {
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  const std::string text(bracketed ? host.substr(1, host.size() - 2) : host);
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(text, error);
  return !error && address.is_v6() == bracketed;
}

bool IsBelowLocalhost(std::string_view host) {
  constexpr std::string_view kEnd = ".localhost";
  return host.size() > kEnd.size() &&
         http::IsSameName(host.substr(host.size() - kEnd.size()), kEnd);
}

}  // namespace

bool CorsPolicy::AllowsAll() const {
  return std::find(origins.begin(), origins.end(), kAll) != origins.end();
}

bool CorsPolicy::AllowsOrigin(std::string_view origin) const {
  return AllowsAll() || IsOneOf(origin, origins) || IsOneOf(HostOfOrigin(origin), kLoopback);
}

bool CorsPolicy::AllowsHost(std::string_view host) const {
  if (!checks_host || host.empty() || AllowsAll()) return true;
  std::string_view name = WithoutPort(host);
  if (name.ends_with('.')) name.remove_suffix(1);  // "localhost." is the same name
  return IsAddress(name) || IsOneOf(name, kLoopback) || IsBelowLocalhost(name) ||
         IsOneOf(name, kContainerHosts) ||
         std::any_of(origins.begin(), origins.end(), [name](const std::string& origin) {
           return http::IsSameName(name, HostOfOrigin(origin));
         });
}

std::string_view OriginOf(std::string_view url) {
  constexpr std::string_view kSchemeEnd = "://";
  // The schemes for which OriginOf returns an empty text. A page of the scheme "file" has the
  // origin "null", so its origin is not the beginning of its URL. Browsers show no pages of the
  // schemes ftp, ws and wss. Pages can have any other scheme: for example, a browser extension has
  // a scheme of its own.
  constexpr std::array<std::string_view, 4> kSchemesWithoutPages = {"file", "ftp", "ws", "wss"};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kUsualPorts = {
      {{"http", ":80"}, {"https", ":443"}}};
  const std::size_t scheme = url.find(kSchemeEnd);
  if (scheme == url.npos || IsOneOf(url.substr(0, scheme), kSchemesWithoutPages)) return {};
  const std::size_t host = scheme + kSchemeEnd.size();
  std::string_view origin = url.substr(0, url.find_first_of("/?#", host));
  for (const auto& [name, port] : kUsualPorts) {
    const bool is_usual = http::IsSameName(url.substr(0, scheme), name) && origin.ends_with(port);
    if (is_usual) origin.remove_suffix(port.size());
  }
  return scheme > 0 && origin.size() > host ? origin : std::string_view();
}

std::string RejectionReason(const Request& request, const CorsPolicy& policy) {
  const auto reason = [](std::string_view what, std::string_view origin) {
    return std::string(what)
        .append(
            " must not send requests to this server; to allow them, start the server with "
            "--cors-origin ")
        .append(origin)
        .append(".");
  };
  if (!request.origin.empty() && !policy.AllowsOrigin(request.origin)) {
    const std::string origin(request.origin);
    return reason("Pages of " + origin, origin);
  }
  if (policy.AllowsHost(request.host)) return {};
  const std::string host(request.host);
  return reason("Clients that use the host name " + host, "http://" + host);
}

bool IsPreflight(const Request& request) {
  return request.method == "OPTIONS" && !request.origin.empty();
}

void AppendCorsLines(const Request& request, const CorsPolicy& policy, std::string* out) {
  if (request.origin.empty()) return;
  // Tells caches that the response depends on the request's origin.
  if (!policy.AllowsAll()) out->append("Vary: Origin\r\n");
  if (!policy.AllowsOrigin(request.origin)) return;
  out->append("Access-Control-Allow-Origin: ");
  out->append(policy.AllowsAll() ? kAll : request.origin).append("\r\n");
  out->append(
      "Access-Control-Expose-Headers: x-amzn-RequestId, x-amz-crc32, Content-Encoding, "
      "Content-Length, Date, Server\r\n");
  if (!IsPreflight(request)) return;
  out->append("Access-Control-Max-Age: 172800\r\n");
  if (!request.cors_headers.empty()) {
    out->append("Access-Control-Allow-Headers: ").append(request.cors_headers).append("\r\n");
  }
  if (!request.cors_method.empty()) {
    out->append("Access-Control-Allow-Methods: ").append(request.cors_method).append("\r\n");
  }
}

}  // namespace dolmen::server
