// One client: reads its requests, one after the other, and answers each before it looks at the
// next.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/budget.h"
#include "server/connections.h"
#include "server/request_parser.h"
#include "server/worker.h"

namespace dolmen::server {

// While nothing is under way a connection has no buffer: bytes are received into its worker's, and
// answered from there.  What has come of a request whose rest is still to come is copied.
//
// Runs in its worker's thread.  Whichever operation is under way owns the connection; when there is
// none, it closes.
class Connection : private Deadline {
 public:
  // Serves the client until it, or the server, wants no more, and then leaves its place.
  static void Serve(Socket socket, Share place, Worker* worker);

  ~Connection();

 private:
  using Self = std::unique_ptr<Connection>;
  using ErrorCode = boost::system::error_code;

  // What is to happen next.
  enum class Step : std::uint8_t {
    kTake,   // the next request, of the bytes that are there
    kRead,   // more bytes
    kWrite,  // what has not been sent yet
    kDrain,  // nothing but wait until the client closes
    kClose,
  };

  // A request whose body comes in chunks.
  struct ChunkedRequest {
    std::string head;
    std::string body;
    Request request;
    RequestParser parser;
    ChunkedRequest(std::string_view head_bytes, const RequestLimits& limits)
        : head(head_bytes), parser(limits, &request) {}
  };

  // What is known of a request while it comes.
  struct Incoming {
    std::size_t searched = 0;  // of its bytes: these have no end of the head
    std::size_t needed = 0;    // so many bytes it has, if known
    bool timed = false;        // the deadline is this request's
    std::unique_ptr<ChunkedRequest> chunked = {};
  };

  Connection(Socket socket, Share place, Worker* worker);

  static void WaitToRead(Self self);
  static void WaitToWrite(Self self);
  static void OnReadable(Self self);
  static void OnWritable(Self self);
  static void Continue(Self self, Step step);

  // Takes what requests there are in `arrived`, behind what is in pending_, and keeps the rest.
  Step Process(std::string_view arrived);
  // Takes one from the beginning of `bytes` and says how many bytes it had.
  Step Take(std::string_view bytes, std::size_t* taken);
  Step TakeHead(std::string_view bytes, std::size_t head_bytes, std::size_t* taken);
  Step TakeChunks(std::string_view bytes, std::size_t* taken);
  Step TakeChunkedHead(const Request& request, std::string_view head, bool more);
  Step AwaitBody(const Request& request, std::size_t bytes);

  Step Answer(const Request& request);
  Step Refuse(ReadOutcome outcome);
  Step SendResponse();
  // Sends `first` and `second`, or keeps what can't be sent yet.
  Step Send(std::string_view first, std::string_view second, Step then);
  Step SendRest();
  // What this connection takes of the memory for all of them.
  std::size_t BufferedBytes() const;
  void ForgetRequest();
  void SetReadDeadline();
  void Drain();

  Share place_;  // until the socket is closed
  Socket socket_;
  Worker& worker_;
  bool added_ = false;  // to the connections

  std::string pending_;  // the beginning of a request
  Incoming incoming_;
  Share buffered_;

  std::string unsent_;
  std::size_t sent_ = 0;  // of unsent_
  Step after_sending_ = Step::kTake;
  bool draining_ = false;
};

}  // namespace dolmen::server
