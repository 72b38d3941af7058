#include "server/cors.h"

namespace dolmen::server {

bool IsPreflight(const Request& request) {
  return request.method == "OPTIONS" && !request.origin.empty();
}

void AppendCorsLines(const Request& request, std::string* out) {
  if (request.origin.empty()) return;
  out->append("Access-Control-Allow-Origin: *\r\n");
  if (!IsPreflight(request)) {
    out->append(
        "Access-Control-Expose-Headers: x-amzn-RequestId, x-amz-crc32, Content-Encoding, "
        "Content-Length, Date, Server\r\n");
    return;
  }
  out->append("Access-Control-Max-Age: 172800\r\n");
  if (!request.cors_headers.empty()) {
    out->append("Access-Control-Allow-Headers: ").append(request.cors_headers).append("\r\n");
  }
  if (!request.cors_method.empty()) {
    out->append("Access-Control-Allow-Methods: ").append(request.cors_method).append("\r\n");
  }
}

}  // namespace dolmen::server
