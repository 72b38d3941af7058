// The surroundings of a client: environment variables, pauses and chance. Tests replace them.

#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace dolmen::remote {

struct System {
  // Returns the value of an environment variable, or an empty text.
  std::function<std::string(const char* name)> variable;
  // Waits.
  std::function<void(std::chrono::milliseconds)> sleep;
  // Returns a random number from 0 to 1, without 1. Thread-safe.
  std::function<double()> random;
  // Returns a time that never goes back. It limits the time of a call.
  std::function<std::chrono::steady_clock::time_point()> steady_now;
  // The URL of the service that gives credentials to a container with a relative URI.
  std::string container_host = "http://169.254.170.2";

  // The time in which a service that gives credentials must answer. AWS's tools wait as long.
  std::chrono::milliseconds service_timeout{1000};

  // Returns the functions of the operating system.
  static System Real();
};

}  // namespace dolmen::remote
