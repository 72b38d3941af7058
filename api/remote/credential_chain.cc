#include "remote/credential_chain.h"

#include <array>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "http/header_text.h"

namespace dolmen::remote {
namespace {

// The access key for a service on this machine that needs none, such as DynamoDB Local or `dolmen
// serve`. These services require a signature and accept every one. DynamoDB Local keeps the data of
// each access key apart, and accepts only letters and digits.
constexpr const char* kLocalKey = "local";

CredentialSource Fixed(Credentials credentials) {
  return [credentials = std::move(credentials)]() -> Result<Credentials> { return credentials; };
}

// Returns a source of an access key, or an error if a part of the key is missing. `where` names the
// place of both parts.
Result<CredentialSource> FixedKey(Credentials credentials, std::string_view where) {
  if (!credentials.access_key_id.empty() && !credentials.secret_access_key.empty()) {
    return Fixed(std::move(credentials));
  }
  return Status::Validation(std::string("Credentials are incomplete. Set both ").append(where) +
                            ".");
}

bool HasKey(const Credentials& credentials) {
  return !credentials.access_key_id.empty() || !credentials.secret_access_key.empty();
}

CredentialSource WebIdentitySource(WebIdentity identity, const Target& target, const System& system,
                                   std::shared_ptr<HttpPool> pool) {
  return [identity = std::move(identity), region = target.region, system, pool = std::move(pool)] {
    return WebIdentityCredentials(identity, region, system, pool.get());
  };
}

// The functions below return an empty function if the place has no credentials.

Result<CredentialSource> FromEnvironment(const Target& target, const System& system,
                                         const std::shared_ptr<HttpPool>& pool) {
  Credentials credentials{.access_key_id = system.variable("AWS_ACCESS_KEY_ID"),
                          .secret_access_key = system.variable("AWS_SECRET_ACCESS_KEY"),
                          .session_token = system.variable("AWS_SESSION_TOKEN")};
  if (HasKey(credentials)) {
    return FixedKey(std::move(credentials), "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  WebIdentity identity{.role_arn = system.variable("AWS_ROLE_ARN"),
                       .token_file = system.variable("AWS_WEB_IDENTITY_TOKEN_FILE"),
                       .session_name = system.variable("AWS_ROLE_SESSION_NAME")};
  if (identity.role_arn.empty() || identity.token_file.empty()) return CredentialSource();
  return WebIdentitySource(std::move(identity), target, system, pool);
}

// Refuses a profile that needs a way to credentials that Dolmen does not support.
Status CheckSupported(const Profile& profile) {
  constexpr auto kUnsupported =
      std::to_array<std::string_view>({"source_profile", "credential_source", "sso_session",
                                       "sso_start_url", "credential_process"});
  for (const std::string_view name : kUnsupported) {
    if (SettingOf(profile, name).empty()) continue;
    return Status::Validation(
        std::string("The profile in ~/.aws/config has the setting ").append(name) +
        ", which Dolmen does not support. Let AWS's command line export the credentials: "
        "eval \"$(aws configure export-credentials --format env)\".");
  }
  return {};
}

Result<CredentialSource> FromProfile(const Profile& profile, const Target& target,
                                     const System& system, const std::shared_ptr<HttpPool>& pool) {
  Credentials credentials{.access_key_id = SettingOf(profile, "aws_access_key_id"),
                          .secret_access_key = SettingOf(profile, "aws_secret_access_key"),
                          .session_token = SettingOf(profile, "aws_session_token")};
  const std::string role = SettingOf(profile, "role_arn");
  const std::string token_file = SettingOf(profile, "web_identity_token_file");
  if (!role.empty() && !token_file.empty()) {
    WebIdentity identity{.role_arn = role,
                         .token_file = token_file,
                         .session_name = SettingOf(profile, "role_session_name")};
    return WebIdentitySource(std::move(identity), target, system, pool);
  }
  if (HasKey(credentials) && role.empty()) {
    return FixedKey(std::move(credentials),
                    "aws_access_key_id and aws_secret_access_key of the profile");
  }
  DOLMEN_RETURN_IF_ERROR(CheckSupported(profile));
  return CredentialSource();
}

CredentialSource FromContainer(const System& system, const std::shared_ptr<HttpPool>& pool) {
  const std::string relative = system.variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string full = system.variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (relative.empty() && full.empty()) return {};
  std::string url = relative.empty() ? full : system.container_host + relative;
  return [url = std::move(url), system, pool] {
    return ContainerCredentials(url, system, pool.get());
  };
}

Status NoCredentials(std::string_view reason) {
  return Status::Validation(
      std::string("There are no credentials. Set ConnectOptions::access_key_id and "
                  "secret_access_key, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile in "
                  "~/.aws/credentials. ")
          .append(reason));
}

CredentialSource FromInstance(const System& system, std::shared_ptr<HttpPool> pool) {
  return [system, pool = std::move(pool)]() -> Result<Credentials> {
    if (IsMetadataDisabled(system)) {
      return NoCredentials("AWS_EC2_METADATA_DISABLED forbids to ask the instance.");
    }
    auto credentials = InstanceCredentials(system, pool.get());
    return credentials.ok() ? credentials : NoCredentials(credentials.status().message());
  };
}

}  // namespace

bool IsMetadataDisabled(const System& system) {
  return http::IsSameName(system.variable("AWS_EC2_METADATA_DISABLED"), "true");
}

Result<CredentialSource> FindCredentials(const ConnectOptions& options, const Profile& profile,
                                         const Target& target, const System& system,
                                         std::shared_ptr<HttpPool> pool) {
  Credentials given{options.access_key_id, options.secret_access_key, options.session_token};
  if (HasKey(given)) {
    return FixedKey(std::move(given), "ConnectOptions::access_key_id and secret_access_key");
  }
  if (options.profile.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(CredentialSource found, FromEnvironment(target, system, pool));
    if (found) return found;
  }
  DOLMEN_ASSIGN_OR_RETURN(CredentialSource in_profile, FromProfile(profile, target, system, pool));
  if (in_profile) return in_profile;
  if (CredentialSource container = FromContainer(system, pool)) return container;
  if (target.is_local) {
    return Fixed({.access_key_id = kLocalKey, .secret_access_key = kLocalKey});
  }
  return FromInstance(system, std::move(pool));
}

}  // namespace dolmen::remote
