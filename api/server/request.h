// An HTTP request, as views of the received bytes.

#pragma once

#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/header_text.h"

namespace dolmen::server {

inline constexpr std::size_t kHeaderFieldsMax = 100;

// The views refer to the bytes that were parsed, except for the body of a chunked request. Absent
// fields are empty.
struct Request {
  std::string_view method = {};
  std::string_view target = {};  // path and query, not decoded
  boost::container::static_vector<http::HeaderField, kHeaderFieldsMax> fields = {};

  std::string_view host = {};
  std::string_view authorization = {};
  std::string_view content_type = {};
  std::string_view content_encoding = {};
  std::string_view accept_encoding = {};
  std::string_view date = {};
  std::string_view amz_date = {};
  std::string_view amz_target = {};
  std::string_view amz_content_sha256 = {};
  std::string_view origin = {};
  std::string_view cors_method = {};   // Access-Control-Request-Method
  std::string_view cors_headers = {};  // Access-Control-Request-Headers

  bool is_http10 = false;
  std::uint64_t content_length = 0;
  bool chunked = false;
  bool keep_alive = false;
  bool expects_continue = false;

  std::string_view body = {};
};

}  // namespace dolmen::server
