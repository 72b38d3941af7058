// The x-amzn-RequestId of a response.

#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string_view>

namespace dolmen::server {

inline constexpr std::size_t kRequestIdLength = 52;

// Random texts of 52 characters 0-9 and A-Z.  For one thread.
class RequestIds {
 public:
  RequestIds();

  // The view lives until the next call.
  std::string_view Next();

 private:
  std::mt19937_64 random_;
  std::array<char, kRequestIdLength> id_ = {};
};

}  // namespace dolmen::server
