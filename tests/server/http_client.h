// A client that can do all that one may do on a socket, also what no decent client does.

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

// What a request has beside its body.
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

// The bytes of a request; a part that is empty is left out.
std::string RequestText(std::string_view body, const RequestParts& parts = {});

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);
  ~HttpClient();
  HttpClient(HttpClient&& other) noexcept;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // False once the server has closed.
  bool Send(std::string_view bytes) const;
  void EndSending() const;

  // The next response; nothing if the server closes instead.  `head_only` for those to HEAD.
  std::optional<HttpResponse> Read(bool head_only = false);

  // Sends and reads.
  std::optional<HttpResponse> Ask(std::string_view bytes);

  // Waits until the server closes, and returns what it said before.
  std::string ReadToEnd();

 private:
  bool Receive();

  int socket_;
  std::string received_;
};

}  // namespace dolmen::test
