// The x-amzn-RequestId header of responses.

#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string_view>

namespace dolmen::server {

inline constexpr std::size_t kRequestIdLength = 52;

// A generator of random texts of 52 characters 0-9 and A-V. Not thread-safe.
class RequestIds {
 public:
  RequestIds();

  // Returns a new random text. The view is valid until the next call.
  std::string_view Next();

 private:
  std::mt19937_64 random_;
  std::array<char, kRequestIdLength> id_ = {};
};

}  // namespace dolmen::server
