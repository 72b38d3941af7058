// The head of a response.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dolmen::server {

struct ResponseHead {
  int status = 200;
  std::string_view content_type = {};      // empty: no Content-Type line
  std::string_view content_encoding = {};  // empty: no Content-Encoding line
  std::size_t content_length = 0;
  std::uint32_t crc32 = 0;  // of the body's bytes as they are sent
  std::string_view request_id = {};
  std::string_view date = {};
  bool close = false;
};

// Appends the lines of an HTTP response's head, without the empty line at the end.
void AppendHead(const ResponseHead& head, std::string* out);

}  // namespace dolmen::server
