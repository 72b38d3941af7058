#include "server/response_head.h"

#include <array>
#include <charconv>

namespace dolmen::server {
namespace {

std::string_view StatusLine(int status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\n";
    case 403:
      return "HTTP/1.1 403 Forbidden\r\n";
    case 404:
      return "HTTP/1.1 404 Not Found\r\n";
    case 405:
      return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 413:
      return "HTTP/1.1 413 Payload Too Large\r\n";
    case 503:
      return "HTTP/1.1 503 Service Unavailable\r\n";
    default:
      return "HTTP/1.1 500 Internal Server Error\r\n";
  }
}

void AppendNumber(std::uint64_t number, std::string* out) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out->append(digits.data(), end);
}

}  // namespace

void AppendHead(const ResponseHead& head, std::string* out) {
  out->append(StatusLine(head.status));
  out->append("Server: Dolmen\r\nDate: ").append(head.date);
  if (!head.content_type.empty()) out->append("\r\nContent-Type: ").append(head.content_type);
  out->append("\r\nContent-Length: ");
  AppendNumber(head.content_length, out);
  out->append("\r\nx-amzn-RequestId: ").append(head.request_id);
  out->append("\r\nx-amz-crc32: ");
  AppendNumber(head.crc32, out);
  if (!head.content_encoding.empty()) {
    out->append("\r\nContent-Encoding: ").append(head.content_encoding);
  }
  out->append(head.close ? "\r\nConnection: close\r\n" : "\r\nConnection: keep-alive\r\n");
}

}  // namespace dolmen::server
