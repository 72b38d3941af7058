// A proxy between a client and a server that treats some requests as bad networks and overloaded
// services do.

#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/random.h"

namespace dolmen::test {

// The ways in which the proxy treats a request.
enum class NetworkFault : std::uint8_t {
  kNone,
  // The server does not execute the request:
  kCutUnread,     // the connection ends before the request was read
  kCutBefore,     // the connection ends after the request was read
  kCutInRequest,  // the server gets a part of the request
  kThrottled,     // the proxy answers with an error that says so
  kRefused,       // the proxy answers with an error of the status 500 or 503
  // The server executes the request:
  kCutAfter,         // the connection ends without a response
  kCutInResponse,    // the client gets a part of the response
  kAnsweredByError,  // the client gets an error of the status 500 or 503 in place of the response
  kDuplicated,  // the server gets the request twice; the client gets one response, rather a success
  kHeld,        // a part of the response waits for responses of other connections
  kClosed,      // the connection ends after the response
  // Only after Stall():
  kUnanswered,  // the request is neither executed nor answered
};
inline constexpr std::size_t kNetworkFaults = 13;

// Forwards each request and each response as a whole, on one connection to the server for each
// connection of the client. No request is under way at the server when the client learns of a fault.
class BadProxy {
 public:
  // Returns true if a request, with its header, may reach the server twice.
  using Filter = std::function<bool(std::string_view request)>;

  BadProxy(std::uint16_t server_port, std::uint64_t seed, Filter may_duplicate);
  ~BadProxy();

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  // From now on requests meet faults; before, all are forwarded.
  void Begin();
  // From now on requests are neither executed nor answered.
  void Stall();

  // Waits until the client has closed all its connections.
  void WaitUntilClosed();

  // Returns the largest number of connections that the client, which is in this process, has had open at
  // once.
  std::size_t connections_max() const;
  // Returns the number of requests by the way in which they were treated.
  std::array<std::size_t, kNetworkFaults> counts() const;

 private:
  enum class Mode : std::uint8_t { kPlain, kBad, kStalled };

  struct Connection {
    int client = -1;
    int server = -1;
    std::string from_client = {};  // bytes that were read too early
    std::string from_server = {};
    std::thread thread = {};
  };
  using Connections = std::list<Connection>;

  void Listen();
  void Serve(Connections::iterator connection);
  // Forwards the next request. Returns false if the connection must end.
  bool ServeOne(Connection* connection);
  bool Treat(NetworkFault fault, const std::string& request, Connection* connection);
  bool TreatExecuted(NetworkFault fault, const std::string& request, Connection* connection);
  // Returns the server's response; empty: the server has closed the connection.
  std::string Forward(const std::string& request, Connection* connection);
  void Hold();
  NetworkFault Choose();
  std::size_t Below(std::size_t bound);
  std::string ErrorResponse(NetworkFault fault);

  const std::uint16_t server_port_;
  const Filter may_duplicate_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Random random_;
  Mode mode_ = Mode::kPlain;
  bool ending_ = false;
  std::size_t passed_ = 0;  // the number of whole responses so far
  std::size_t connections_max_ = 0;
  std::array<std::size_t, kNetworkFaults> counts_ = {};
  Connections open_;
  Connections ended_;  // their threads are not joined yet
  std::thread thread_;
};

}  // namespace dolmen::test
