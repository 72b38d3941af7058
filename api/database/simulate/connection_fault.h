// The faults of connections that a simulation (testing/simulate.h) produces. A simulation does not know
// the connections. The server that executes a request breaks the connection.

#pragma once

#include <cstdint>

namespace dolmen::internal {

enum class ConnectionFault : std::uint8_t {
  kNone,
  kDropped,       // the server closes the connection without a response
  kHalfResponse,  // the server sends half of the response, and then closes the connection
};

// A receiver of the fault of the request that the current thread executes. A server creates it, then
// executes the request in the same thread, and then breaks the connection as fault() says.
class ConnectionFaultReceiver {
 public:
  ConnectionFaultReceiver();
  ~ConnectionFaultReceiver();
  ConnectionFaultReceiver(const ConnectionFaultReceiver&) = delete;
  ConnectionFaultReceiver& operator=(const ConnectionFaultReceiver&) = delete;

  ConnectionFault fault() const { return fault_; }

  // Passes a fault to the latest receiver of the current thread. Returns false if the thread has no
  // receiver, or if `fault` is kNone. The caller must then report an error instead.
  static bool Report(ConnectionFault fault);

 private:
  ConnectionFaultReceiver* const outer_;
  ConnectionFault fault_ = ConnectionFault::kNone;
};

}  // namespace dolmen::internal
