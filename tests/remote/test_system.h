// The surroundings of a client in a test: environment variables in a map, pauses that only advance a
// clock, and a chance that is always 1.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "remote/system.h"

namespace dolmen::test {

class TestSystem {
 public:
  std::map<std::string, std::string> variables = {
      // No file of the user, and no service of the machine.
      {"AWS_CONFIG_FILE", "/nonexistent/config"},
      {"AWS_SHARED_CREDENTIALS_FILE", "/nonexistent/credentials"},
      {"AWS_EC2_METADATA_DISABLED", "true"}};
  double random = 1;
  std::string container_host = "http://127.0.0.1:1";

  // Returns the functions. They refer to this object, except for the variables, which are copied.
  remote::System Functions() {
    return {.variable =
                [variables = variables](const char* name) {
                  const auto variable = variables.find(name);
                  return variable == variables.end() ? std::string() : variable->second;
                },
            .sleep = [this](std::chrono::milliseconds time) { Sleep(time); },
            .random = [this] { return random; },
            .steady_now =
                [this] {
                  const std::lock_guard lock(mutex_);
                  return std::chrono::steady_clock::time_point(slept_);
                },
            .container_host = container_host,
            .service_timeout = std::chrono::minutes(1)};
  }

  // The pauses so far, in milliseconds.
  std::vector<int> pauses() const {
    const std::lock_guard lock(mutex_);
    return pauses_;
  }

 private:
  void Sleep(std::chrono::milliseconds time) {
    const std::lock_guard lock(mutex_);
    pauses_.push_back(static_cast<int>(time.count()));
    slept_ += time;
  }

  mutable std::mutex mutex_;
  std::vector<int> pauses_;
  std::chrono::milliseconds slept_{1000};
};

}  // namespace dolmen::test
