// The search for credentials, in the order of AWS's tools.

#pragma once

#include <memory>

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

}  // namespace dolmen::remote
