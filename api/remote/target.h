// The service that a client talks to: its URL and region.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dolmen/connect_options.h"
#include "dolmen/result.h"
#include "remote/profile.h"
#include "remote/system.h"

namespace dolmen::remote {

struct Target {
  std::string url = {};          // without a slash at its end
  std::string streams_url = {};  // of DynamoDB Streams; equal to `url` outside Amazon
  std::string region = {};
  bool is_local = false;  // the host is this machine
};

// Returns the host and the port in a URL, without a port that is the scheme's own: the header Host.
std::string_view HostOf(std::string_view url);

// Returns true if the URL's host is this machine: localhost, a name below it, 127.0.0.0/8 or ::1.
bool IsLocal(std::string_view url);

// Finds the service. Calls `instance_region` if neither the options nor the environment nor the profile
// have a region or an endpoint; the function returns the region of the machine, or an empty text.
// - kValidation: the endpoint or the region is not valid, or both are missing.
Result<Target> FindTarget(const ConnectOptions& options, const Profile& profile,
                          const System& system,
                          const std::function<std::string()>& instance_region);

}  // namespace dolmen::remote
