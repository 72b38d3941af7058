#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "http/header_text.h"
#include "http/uri.h"
#include "remote/credential_chain.h"
#include "remote/profile.h"
#include "remote/target.h"
#include "wire/json.h"

namespace dolmen::remote {
namespace {

constexpr int kAsksMax = 3;
constexpr std::size_t kResponseBytes = 1 << 20;
constexpr std::chrono::milliseconds kPause(100);

// Sends the request until it gets a response without a server's error.
// - kServiceUnavailable: there was no response, or only errors of the server.
// - kValidation: the response is an error of the request. Both messages name `service`.
Result<std::string> Ask(const HttpRequest& request, std::string_view service, const System& system,
                        HttpPool* pool) {
  std::string failure;
  bool is_refused = false;
  for (int attempt = 1; attempt <= kAsksMax; ++attempt) {
    if (attempt > 1) system.sleep(kPause * attempt);
    HttpResponse response = pool->Send(request);
    const bool has_response = response.outcome == HttpOutcome::kResponse;
    if (has_response && response.status == 200) return std::move(response.body);
    failure = has_response ? "it has returned the HTTP status " + std::to_string(response.status)
                           : response.error;
    is_refused = has_response && response.status < 500;
    if (is_refused) break;
    // No service answers at the address of the metadata outside Amazon's machines.
    if (response.outcome == HttpOutcome::kNotSent) break;
    if (response.outcome == HttpOutcome::kNotTrusted) break;
  }
  std::string message =
      std::string(service).append(" at ").append(request.url).append(" gives no credentials: ") +
      failure + ".";
  if (is_refused) return Status::Validation(std::move(message));
  return Status::ServiceUnavailable().WithMessage(std::move(message));
}

HttpRequest MetadataRequest(const char* method, std::string url, std::vector<std::string> fields,
                            const System& system) {
  return {.method = method,
          .url = std::move(url),
          .fields = std::move(fields),
          .connect_timeout = system.service_timeout,
          .timeout = system.service_timeout,
          .proxy = false,
          .response_bytes_max = kResponseBytes};
}

Status Incomplete(std::string_view service) {
  return Status::Validation(
      std::string("The response of ").append(service).append(" has no complete credentials."));
}

// Checks credentials and sets the time at which they expire.
Result<Credentials> Complete(Credentials credentials, std::string_view expires,
                             std::string_view service) {
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty()) {
    return Incomplete(service);
  }
  if (!expires.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(credentials.expires, ParseIso8601(expires));
  }
  return credentials;
}

// Reads the JSON of the container's and of the instance's service.
Result<Credentials> ReadJson(std::string_view body, std::string_view service) {
  simdjson::dom::parser parser;
  const Result<wire::Json> json = wire::ParseJson(body, service, &parser);
  if (!json.ok()) return Incomplete(service);
  const wire::JsonObject object = wire::ObjectOf(*json);
  const auto text = [&](std::string_view name) {
    return std::string(wire::StringMember(object, name));
  };
  return Complete({.access_key_id = text("AccessKeyId"),
                   .secret_access_key = text("SecretAccessKey"),
                   .session_token = text("Token")},
                  text("Expiration"), service);
}

// Returns the text of the first element with this name. STS's values have no references to characters.
std::string ElementOf(std::string_view xml, const std::string& name) {
  const std::string begin = "<" + name + ">";
  const std::size_t at = xml.find(begin);
  if (at == xml.npos) return {};
  xml.remove_prefix(at + begin.size());
  return std::string(xml.substr(0, xml.find("</" + name)));
}

std::string MetadataHost(const System& system) {
  std::string host = system.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  if (host.empty()) host = "http://169.254.169.254";
  if (host.ends_with('/')) host.pop_back();
  return host;
}

constexpr std::string_view kInstance = "the instance metadata service";

// Returns the line of the header with a token for the metadata.
Result<std::string> MetadataToken(const std::string& host, const System& system, HttpPool* pool) {
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& token,
      Ask(MetadataRequest("PUT", host + "/latest/api/token",
                          {"X-aws-ec2-metadata-token-ttl-seconds: 21600", "Content-Type:"}, system),
          kInstance, system, pool));
  return "X-aws-ec2-metadata-token: " + token;
}

// Returns the line of the header that authorizes the request; empty if none is configured.
std::string ContainerAuthorization(const System& system) {
  std::string token = system.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  if (const std::string file = system.variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
      !file.empty()) {
    token = ReadSharedFile(file, system);
  }
  while (token.ends_with('\n') || token.ends_with('\r')) token.pop_back();
  const bool is_line = token.find_first_of("\r\n") == token.npos;
  return token.empty() || !is_line ? std::string() : "Authorization: " + token;
}

bool IsTrusted(std::string_view url) {
  constexpr auto kHosts =
      std::to_array<std::string_view>({"169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"});
  return url.starts_with("https://") || IsLocal(url) ||
         std::ranges::find(kHosts, HostOf(url)) != kHosts.end();
}

}  // namespace

Result<Credentials> ContainerCredentials(const std::string& url, const System& system,
                                         HttpPool* pool) {
  constexpr std::string_view kContainer = "the container's service";
  if (!IsTrusted(url)) {
    return Status::Validation("AWS_CONTAINER_CREDENTIALS_FULL_URI has the URL " + url +
                              ". Use https, or a host of this machine.");
  }
  std::vector<std::string> fields;
  if (std::string line = ContainerAuthorization(system); !line.empty()) {
    fields.push_back(std::move(line));
  }
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& body,
      Ask(MetadataRequest("GET", url, std::move(fields), system), kContainer, system, pool));
  return ReadJson(body, kContainer);
}

Result<Credentials> InstanceCredentials(const System& system, HttpPool* pool) {
  const std::string host = MetadataHost(system);
  const std::string roles = host + "/latest/meta-data/iam/security-credentials/";
  DOLMEN_ASSIGN_OR_RETURN(const std::string& token, MetadataToken(host, system, pool));
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& role,
      Ask(MetadataRequest("GET", roles, {token}, system), kInstance, system, pool));
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& body,
      Ask(MetadataRequest("GET", roles + role.substr(0, role.find('\n')), {token}, system),
          kInstance, system, pool));
  return ReadJson(body, kInstance);
}

Result<std::string> InstanceRegion(const System& system, HttpPool* pool) {
  const std::string host = MetadataHost(system);
  DOLMEN_ASSIGN_OR_RETURN(const std::string& token, MetadataToken(host, system, pool));
  return Ask(MetadataRequest("GET", host + "/latest/meta-data/placement/region", {token}, system),
             kInstance, system, pool);
}

Result<Credentials> WebIdentityCredentials(const WebIdentity& identity, const std::string& region,
                                           const System& system, HttpPool* pool) {
  constexpr std::string_view kSts = "AWS's Security Token Service";
  const std::string file = ReadSharedFile(identity.token_file, system);
  const std::string_view token = http::Trimmed(std::string_view(file).substr(0, file.find('\n')));
  if (token.empty()) {
    return Status::Validation("The file " + identity.token_file +
                              " (AWS_WEB_IDENTITY_TOKEN_FILE) has no token or cannot be read.");
  }
  std::string url = system.variable("AWS_ENDPOINT_URL_STS");
  if (url.empty()) {
    url = "https://sts." + region +
          (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
  }
  std::string body = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=";
  http::AppendUriEncoded(identity.role_arn, {}, &body);
  body.append("&RoleSessionName=");
  http::AppendUriEncoded(identity.session_name.empty() ? "dolmen" : identity.session_name, {},
                         &body);
  body.append("&WebIdentityToken=");
  http::AppendUriEncoded(token, {}, &body);
  DOLMEN_ASSIGN_OR_RETURN(
      const std::string& xml,
      Ask({.url = url + "/",
           .fields = {"Content-Type: application/x-www-form-urlencoded", "Accept: text/xml"},
           .body = body,
           .connect_timeout = 5 * system.service_timeout,
           .timeout = 5 * system.service_timeout,
           .proxy = !IsLocal(url),
           .response_bytes_max = kResponseBytes},
          kSts, system, pool));
  return Complete({.access_key_id = ElementOf(xml, "AccessKeyId"),
                   .secret_access_key = ElementOf(xml, "SecretAccessKey"),
                   .session_token = ElementOf(xml, "SessionToken")},
                  ElementOf(xml, "Expiration"), kSts);
}

}  // namespace dolmen::remote
