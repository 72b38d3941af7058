#include "remote/target.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dolmen/wire.h"
#include "engine/base/status_macros.h"

namespace dolmen::remote {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";
constexpr std::string_view kDynamoDb = "dynamodb.";
constexpr std::array<std::string_view, 2> kAmazons = {".amazonaws.com", ".amazonaws.com.cn"};

// Returns the first text that is not empty.
template <typename... Texts>
std::string FirstOf(Texts... texts) {
  std::string first;
  ((first.empty() ? void(first = std::move(texts)) : void()), ...);
  return first;
}

Status Wrong(std::string_view endpoint, std::string_view what) {
  return Status::Validation(std::string("The endpoint \"")
                                .append(endpoint)
                                .append("\" ")
                                .append(what)
                                .append(" Give a URL such as "
                                        "https://dynamodb.eu-central-1.amazonaws.com or "
                                        "http://127.0.0.1:8000."));
}

std::string_view WithoutScheme(std::string_view url) {
  url.remove_prefix(std::min(url.size(), url.starts_with(kHttps) ? kHttps.size() : kHttp.size()));
  return url;
}

// Returns true if the text has only characters of hosts and ports. Other characters, such as '@' and
// '#', can let another part of the URL look like its host.
bool IsPlain(std::string_view host) {
  return std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._:[]").find(c) != std::string_view::npos;
  });
}

Status CheckUrl(std::string_view url) {
  if (!url.starts_with(kHttp) && !url.starts_with(kHttps)) {
    return Wrong(url, "does not begin with http:// or https://.");
  }
  const std::string_view host = WithoutScheme(url);
  if (host.empty() || host.starts_with(':')) return Wrong(url, "has no host.");
  return IsPlain(host) ? Status() : Wrong(url, "has more than a scheme, a host and a port.");
}

bool IsRegion(std::string_view text) {
  return !text.empty() && text.size() <= 40 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// Returns the region in "dynamodb.REGION.amazonaws.com", or nothing for another host.
std::optional<std::string> AmazonRegion(std::string_view host) {
  for (const std::string_view amazon : kAmazons) {
    if (!host.starts_with(kDynamoDb) || !host.ends_with(amazon)) continue;
    if (host.size() <= kDynamoDb.size() + amazon.size()) continue;
    const std::string_view region =
        host.substr(kDynamoDb.size(), host.size() - kDynamoDb.size() - amazon.size());
    if (IsRegion(region)) return std::string(region);
  }
  return std::nullopt;
}

std::string AmazonUrl(std::string_view region) {
  return std::string(kHttps).append(kDynamoDb).append(region).append(
      kAmazons[region.starts_with("cn-") ? 1 : 0]);
}

}  // namespace

std::string_view HostOf(std::string_view url) {
  const std::string_view port = url.starts_with(kHttps) ? ":443" : ":80";
  std::string_view host = WithoutScheme(url);
  host = host.substr(0, host.find('/'));
  if (host.ends_with(port)) host.remove_suffix(port.size());
  return host;
}

bool IsLocal(std::string_view url) {
  std::string_view host = HostOf(url);
  if (!IsPlain(host)) return false;
  if (host.starts_with("[::1]")) return true;
  host = host.substr(0, host.find(':'));
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  return host.starts_with("127.") &&
         std::ranges::all_of(host, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

Result<Target> FindTarget(const ConnectOptions& options, const Profile& profile,
                          const System& system,
                          const std::function<std::string()>& instance_region) {
  Target target;
  target.url = FirstOf(options.endpoint, system.variable("AWS_ENDPOINT_URL_DYNAMODB"),
                       system.variable("AWS_ENDPOINT_URL"), SettingOf(profile, "endpoint_url"));
  if (target.url.ends_with('/') && !target.url.ends_with("//")) target.url.pop_back();
  const std::optional<std::string> amazon = AmazonRegion(HostOf(target.url));
  target.region = FirstOf(options.region, amazon.value_or(""), system.variable("AWS_REGION"),
                          system.variable("AWS_DEFAULT_REGION"), SettingOf(profile, "region"));
  if (target.region.empty()) {
    target.region = target.url.empty() ? instance_region() : std::string(kDefaultRegion);
  }
  if (target.region.empty()) {
    return Status::Validation(
        "No endpoint and no region are given. Set ConnectOptions::endpoint or region, AWS_REGION, "
        "or "
        "the region of the profile in ~/.aws/config.");
  }
  if (!IsRegion(target.region)) {
    return Status::Validation("The region \"" + target.region +
                              "\" is not valid. Give a name such as eu-central-1.");
  }
  if (target.url.empty()) target.url = AmazonUrl(target.region);
  DOLMEN_RETURN_IF_ERROR(CheckUrl(target.url));
  target.is_local = IsLocal(target.url);
  target.streams_url = target.url;
  if (AmazonRegion(HostOf(target.url))) {
    target.streams_url.insert(target.url.find(kDynamoDb), "streams.");
  }
  return target;
}

}  // namespace dolmen::remote
