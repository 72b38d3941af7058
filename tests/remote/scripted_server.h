// A server that answers each request with the bytes that a test gives.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace dolmen::test {

struct ReceivedRequest {
  std::string line = {};                           // "POST / HTTP/1.1"
  std::map<std::string, std::string> fields = {};  // names in lower case
  std::string body = {};
};

// Returns the bytes of a response. `more` has lines of the header, each with "\r\n" at its end.
std::string ResponseText(int status, const std::string& body, const std::string& more = {});

// A handler returns it to leave a request unanswered and the connection open.
inline constexpr const char* kNoResponse = "no response";

class ScriptedServer {
 public:
  // Returns the bytes to send. Afterwards the server closes the connection if the bytes are not a
  // response with a length. Is called by one thread at a time.
  using Handler = std::function<std::string(const ReceivedRequest&)>;

  explicit ScriptedServer(Handler handler);
  // Answers with the responses in their order, and then with the last one.
  explicit ScriptedServer(std::vector<std::string> responses);
  ~ScriptedServer();

  // Refuses further connections. A handler may call it.
  void StopListening() const;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<ReceivedRequest> requests() const;
  std::size_t connections() const;

 private:
  void Listen();
  void Serve(int socket);

  Handler handler_;
  std::uint16_t port_ = 0;  // set with listener_
  int listener_ = -1;
  mutable std::mutex mutex_;
  std::vector<ReceivedRequest> requests_;
  std::vector<int> sockets_;
  std::vector<std::thread> serving_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace dolmen::test
