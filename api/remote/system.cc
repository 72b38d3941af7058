#include "remote/system.h"

#include <cstdlib>
#include <random>
#include <thread>

namespace dolmen::remote {

System System::Real() {
  return {.variable =
              [](const char* name) {
                const char* const value = std::getenv(name);
                return std::string(value == nullptr ? "" : value);
              },
          .sleep = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); },
          .random =
              [] {
                static thread_local std::mt19937_64 engine{std::random_device{}()};
                return std::generate_canonical<double, 53>(engine);
              },
          .steady_now = [] { return std::chrono::steady_clock::now(); }};
}

}  // namespace dolmen::remote
