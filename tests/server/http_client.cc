#include "tests/server/http_client.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace dolmen::test {
namespace {

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

HttpResponse ParseHead(std::string_view head) {
  HttpResponse response;
  response.status = std::atoi(std::string(head.substr(9, 3)).c_str());
  for (std::size_t line = head.find("\r\n") + 2; line < head.size();) {
    const std::size_t end = head.find("\r\n", line);
    const std::string_view field = head.substr(line, end - line);
    const std::size_t colon = field.find(": ");
    response.fields.emplace(Lower(std::string(field.substr(0, colon))),
                            colon == field.npos ? "" : field.substr(colon + 2));
    line = end + 2;
  }
  return response;
}

}  // namespace

std::string RequestText(std::string_view body, const RequestParts& parts) {
  std::string text = parts.method + " " + parts.target + " HTTP/1.1\r\n";
  const auto add = [&text](const char* name, const std::string& value) {
    if (!value.empty()) text.append(name).append(": ").append(value).append("\r\n");
  };
  add("Host", parts.host);
  add("X-Amz-Target", parts.operation);
  add("Content-Type", parts.content_type);
  add("Authorization", parts.authorization);
  add("X-Amz-Date", parts.date);
  text.append(parts.more);
  text.append("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n");
  return text.append(body);
}

HttpClient::HttpClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    std::perror("connect");
    ::close(std::exchange(socket_, -1));
  }
}

HttpClient::~HttpClient() {
  if (socket_ >= 0) ::close(socket_);
}

HttpClient::HttpClient(HttpClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), received_(std::move(other.received_)) {}

bool HttpClient::Send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void HttpClient::EndSending() const { ::shutdown(socket_, SHUT_WR); }

bool HttpClient::Receive() {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (count <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<HttpResponse> HttpClient::Read(bool head_only) {
  std::size_t head = 0;
  while ((head = received_.find("\r\n\r\n")) == received_.npos) {
    if (!Receive()) return std::nullopt;
  }
  HttpResponse response = ParseHead(std::string_view(received_).substr(0, head + 2));
  received_.erase(0, head + 4);
  const std::size_t length =
      head_only ? 0
                : static_cast<std::size_t>(std::atoll(response.Field("content-length").c_str()));
  while (received_.size() < length) {
    if (!Receive()) return std::nullopt;
  }
  response.body = received_.substr(0, length);
  received_.erase(0, length);
  return response;
}

std::optional<HttpResponse> HttpClient::Ask(std::string_view bytes) {
  Send(bytes);
  return Read();
}

std::string HttpClient::ReadToEnd() {
  while (Receive()) {
  }
  return std::exchange(received_, {});
}

}  // namespace dolmen::test
