// The search for credentials, in the order of AWS's tools, and the services that give temporary credentials:
// of a container, of an EC2 instance, and AWS's Security Token Service (STS) for web identities.

#pragma once

#include <memory>
#include <string>

#include "dolmen/connect_options.h"
#include "dolmen/result.h"
#include "remote/credentials.h"
#include "remote/http_pool.h"
#include "remote/profile.h"
#include "remote/system.h"
#include "remote/target.h"

namespace dolmen::remote {

// Returns the first source that is configured: the options, the environment, a web identity, the
// profile, the container's service. Without one of them, a target on this machine gets the access key
// "local", and another target gets the source of the instance metadata service. Sends no request.
// - kValidation: a setting is incomplete, or names a way to credentials that Dolmen does not support.
Result<CredentialSource> FindCredentials(const ConnectOptions& options, const Profile& profile,
                                         const Target& target, const System& system,
                                         std::shared_ptr<HttpPool> pool);

// Returns true if AWS_EC2_METADATA_DISABLED forbids to ask the instance metadata service.
bool IsMetadataDisabled(const System& system);

// --- services (credential_services.cc) ---

// The functions below ask a service, with up to three attempts. Their errors:
// - kValidation: the service is not reached, refuses, or its response has no credentials.

// Asks the container's service at `url`.
// - kValidation: the URL has the scheme http, and its host is neither this machine nor the service of
//   ECS or EKS. The token in the request would be readable on the network.
Result<Credentials> ContainerCredentials(const std::string& url, const System& system,
                                         HttpPool* pool);

// Asks the instance metadata service, version 2, for the credentials of the instance's role.
Result<Credentials> InstanceCredentials(const System& system, HttpPool* pool);

// Asks the instance metadata service for the region.
Result<std::string> InstanceRegion(const System& system, HttpPool* pool);

// A role that a program assumes with a token of another identity provider.
struct WebIdentity {
  std::string role_arn = {};
  std::string token_file = {};
  std::string session_name = {};  // empty: "dolmen"
};

// Asks STS in the region, or at AWS_ENDPOINT_URL_STS. Reads the token's file in each call, because the
// file changes.
Result<Credentials> WebIdentityCredentials(const WebIdentity& identity, const std::string& region,
                                           const System& system, HttpPool* pool);

}  // namespace dolmen::remote
