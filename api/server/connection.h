// The connection to one client. It reads requests one after the other, and answers each before it
// reads the next.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/budget.h"
#include "server/connections.h"
#include "server/growing_buffer.h"
#include "server/request_parser.h"
#include "server/worker.h"

namespace dolmen::server {

// An idle connection has a small buffer, which holds most requests. If a read fills it, the worker receives
// the bytes that have arrived behind it into one large buffer, which all its connections share. It answers
// complete requests from these buffers, and copies only an incomplete one.
//
// Runs in its worker's thread. The pending asynchronous operation owns the connection. The
// connection closes when no operation is pending.
class Connection : private Deadline {
 public:
  // Serves the client until the client closes the connection or the server stops. Then releases
  // `place`, so that the server can accept one more connection.
  static void Serve(Socket socket, Share place, Worker* worker);

  ~Connection();

 private:
  using Self = std::unique_ptr<Connection>;
  using ErrorCode = boost::system::error_code;

  // The next action of the connection.
  enum class Step : std::uint8_t {
    kTake,      // take the next request from the received bytes
    kRead,      // read more bytes
    kYield,     // take the next request after the other connections of the worker had their turn
    kWrite,     // write the rest of the response
    kHandOver,  // hand large_ over to a thread for large requests or long operations
    kDrain,     // discard input until the client closes
    kClose,
  };

  // A request that owns its bytes. `request` refers to `head` and `body`.
  struct OwnedRequest {
    GrowingBuffer head;  // and the body, if the body does not arrive in chunks
    GrowingBuffer body;  // the body that arrives in chunks
    Request request;
    RequestParser parser;
    OwnedRequest(GrowingBuffer head_bytes, const RequestLimits& limits)
        : head(std::move(head_bytes)), parser(limits, &request) {}
  };

  // The state of a request that is not complete.
  struct Incoming {
    std::size_t searched = 0;                    // bytes known not to contain the end of the head
    std::size_t needed = 0;                      // the request's size in bytes; 0: not known
    bool timed = false;                          // the deadline for this request is set
    std::unique_ptr<OwnedRequest> chunked = {};  // a request whose body arrives in chunks
  };

  Connection(Socket socket, Share place, Worker* worker);

  static void WaitToRead(Self self);
  static void WaitToWrite(Self self);
  // Waits for a turn before it receives more bytes of a large body. Otherwise receives at once.
  static void OnRead(Self self, std::size_t count);
  static void Receive(Self self, std::size_t count);
  static void OnWritable(Self self);
  static void Continue(Self self, Step step);
  static void Yield(Self self);
  static void HandOver(Self self);
  // Answers large_. Runs in a thread for large requests or for long operations, while no other thread
  // uses the connection.
  static void AnswerLarge(Self self);

  // Returns true while the next bytes belong to a body that is large or whose length is not known, or to a request
  // that is refused.
  bool IsInLargeBody() const;
  // Returns the first `count` bytes of first_. If they fill it, also returns what has arrived behind them.
  std::string_view Arrived(std::size_t count);
  // Takes complete requests from pending_ and `arrived`, up to kRequestsPerTurn, and keeps the rest in pending_.
  Step Process(std::string_view arrived);
  // Takes one request from the beginning of `bytes`, and sets `taken` to its size.
  Step Take(std::string_view bytes, std::size_t* taken);
  Step TakeHead(std::string_view bytes, std::size_t head_bytes, std::size_t* taken);
  Step TakeChunks(std::string_view bytes, std::size_t* taken);
  Step TakeChunkedHead(const Request& request, std::string_view head, bool more);
  Step AwaitBody(const Request& request, std::size_t bytes);

  // Answers the request. Returns kHandOver for a large or long request, which is not answered.
  Step Answer(const Request& request);
  // Keeps the bytes of a large request with a known length. They end at `end` in pending_, or in
  // `arrived` if pending_ is empty. Removes them from pending_.
  void KeepLarge(std::string_view arrived, std::size_t begin, std::size_t end);
  Step Refuse(ReadOutcome outcome);
  Step RefuseForMemory();
  Step SendResponse(Responder* responder);
  // Sends `first` and `second`. Returns `then` if all bytes are sent. If the socket accepts no more
  // bytes for now, keeps the remaining bytes in unsent_ and returns kWrite.
  Step Send(std::string_view first, std::string_view second, Step then);
  Step SendRest();
  // Returns the number of bytes that the connection's buffers take from the shared budget.
  // `more_bytes` and `more_memory` are added to the data and to the memory of the buffers.
  std::size_t BufferedBytes(std::size_t more_bytes = 0, std::size_t more_memory = 0) const;
  // Makes room for `more` bytes in a buffer of an incomplete request that grows to at most
  // `bytes_max`. Reserves the memory from the shared budget before it allocates. Returns false if
  // the budget is exhausted.
  bool MakeRoom(std::size_t more, std::size_t bytes_max, GrowingBuffer* buffer);
  void ForgetRequest();
  void SetReadDeadline();
  // Closes the sending direction only, so that the client can read the last response before the
  // connection is closed.
  void Drain();

  Share place_;  // released after the socket is closed
  Socket socket_;
  Worker& worker_;
  bool added_ = false;  // registered with worker_.connections

  // The first bytes of a read. To wait until the socket is readable, and then to read, costs one system call
  // (epoll_ctl) more than to read into this buffer.
  std::array<char, 2048> first_;
  GrowingBuffer pending_;  // received bytes of an incomplete request
  Incoming incoming_;
  std::unique_ptr<OwnedRequest> large_;  // the request that another thread answers
  Share buffered_;

  std::string unsent_;
  std::size_t sent_ = 0;  // bytes of unsent_ that are sent
  Step after_sending_ = Step::kTake;
  bool draining_ = false;
};

}  // namespace dolmen::server
