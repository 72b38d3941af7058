// An HTTP client that can send any bytes, even bytes that violate HTTP, and can close its side at
// any time.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dolmen::test {

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> fields = {};  // names in lower case
  std::string body = {};

  std::string Field(const std::string& name) const {
    const auto field = fields.find(name);
    return field == fields.end() ? "" : field->second;
  }
};

// The parts of a request other than its body.
struct RequestParts {
  std::string method = "POST";
  std::string target = "/";
  std::string host = "localhost:8000";
  std::string operation = "DynamoDB_20120810.ListTables";
  std::string content_type = "application/x-amz-json-1.0";
  std::string authorization =
      "AWS4-HMAC-SHA256 Credential=key/20260101/eu-north-1/dynamodb/aws4_request, "
      "SignedHeaders=host, Signature=00";
  std::string date = "20260101T000000Z";
  std::string more = {};  // header lines
};

// Returns the bytes of a request. Empty parts are left out.
std::string RequestText(std::string_view body, const RequestParts& parts = {});

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);
  ~HttpClient();
  HttpClient(HttpClient&& other) noexcept;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Sends the bytes. Returns false if the server has closed the connection.
  bool Send(std::string_view bytes) const;
  void EndSending() const;

  // Reads the next response. Returns nullopt if the server closes the connection first. Pass
  // `head_only` for a response to HEAD, which has no body.
  std::optional<HttpResponse> Read(bool head_only = false);

  // Sends the bytes and reads the next response.
  std::optional<HttpResponse> Ask(std::string_view bytes);

  // Waits until the server closes the connection, and returns the bytes received before.
  std::string ReadToEnd();

 private:
  bool Receive();

  int socket_;
  std::string received_;
};

}  // namespace dolmen::test
