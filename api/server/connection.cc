#include "server/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

namespace dolmen::server {
namespace {

namespace asio = boost::asio;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// The number of bytes of incomplete requests and unsent responses that a connection may keep
// without a reservation from the shared budget. Further bytes count against the budget.
// A server with access keys checks the head of a request that is larger than kFreeBytes before it
// reads the body. It reads the body only if the head has a known access key, a valid time and a
// valid scope. The value of the signature may depend on the body, so the server checks it later.
constexpr std::size_t kFreeBytes = 64 * 1024;

// Returns true if a request may begin with `c`. The check rejects input such as TLS at its first
// byte, without waiting for a timeout.
bool MayBeginRequest(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

void Connection::Serve(Socket socket, Share place, Worker* worker) {
  ErrorCode error;
  socket.non_blocking(true, error);
  if (!error) socket.set_option(asio::ip::tcp::no_delay(true), error);
  if (error) return;
  Self self(new Connection(std::move(socket), std::move(place), worker));
  if (self->added_) WaitToRead(std::move(self));
}

Connection::Connection(Socket socket, Share place, Worker* worker)
    : Deadline(socket.native_handle()),
      place_(std::move(place)),
      socket_(std::move(socket)),
      worker_(*worker),
      buffered_(&worker->buffered_bytes) {
  Set(worker_.connections.DeadlineAfter(worker_.connections.timeouts().idle));
  added_ = worker_.connections.Add(this);
}

Connection::~Connection() {
  if (added_) worker_.connections.Remove(this);
}

void Connection::WaitToRead(Self self) {
  Socket& socket = self->socket_;
  socket.async_wait(Socket::wait_read, [self = std::move(self)](const ErrorCode& error) mutable {
    if (!error) OnReadable(std::move(self));
  });
}

void Connection::WaitToWrite(Self self) {
  self->Set(self->worker_.connections.DeadlineAfter(self->worker_.connections.timeouts().response));
  Socket& socket = self->socket_;
  socket.async_wait(Socket::wait_write, [self = std::move(self)](const ErrorCode& error) mutable {
    if (!error) OnWritable(std::move(self));
  });
}

void Connection::OnReadable(Self self) {
  ErrorCode error;
  auto& input = self->worker_.input;
  const std::size_t count = self->socket_.read_some(asio::buffer(input), error);
  if (error == asio::error::would_block) return WaitToRead(std::move(self));
  if (error) return;
  if (self->draining_) return WaitToRead(std::move(self));
  const Step step = self->Process({input.data(), count});
  Continue(std::move(self), step);
}

void Connection::OnWritable(Self self) {
  Step step = self->SendRest();
  if (step == Step::kTake) step = self->Process({});
  Continue(std::move(self), step);
}

void Connection::Continue(Self self, Step step) {
  switch (step) {
    case Step::kTake:
    case Step::kRead:
      if (self->worker_.connections.stopping()) return;
      self->SetReadDeadline();
      return WaitToRead(std::move(self));
    case Step::kWrite:
      return WaitToWrite(std::move(self));
    case Step::kDrain:
      self->Drain();
      return WaitToRead(std::move(self));
    case Step::kClose:
      return;
  }
}

Connection::Step Connection::Process(std::string_view arrived) {
  const bool had_some = !pending_.empty();
  if (had_some) pending_.append(arrived);
  const std::string_view bytes = had_some ? std::string_view(pending_) : arrived;
  std::size_t done = 0;
  Step step = Step::kTake;
  while (step == Step::kTake && done < bytes.size()) {
    std::size_t taken = 0;
    step = Take(bytes.substr(done), &taken);
    done += taken;
  }
  if (had_some) {
    // Copies the unprocessed bytes to a new string, because erase() or an assignment would keep the
    // memory of the processed bytes.
    if (done != 0) std::string(pending_, done).swap(pending_);
  } else if (done < bytes.size()) {
    pending_ = bytes.substr(done);
  }
  if (buffered_.Resize(BufferedBytes())) return step;
  if (step != Step::kRead) return Step::kClose;
  ForgetRequest();
  return Refuse(ReadOutcome::kNoRoom);
}

// Returns 0 if the buffers hold at most kFreeBytes bytes of data. Unused memory in the buffers does
// not count for this comparison, because a client knows only how much data it has sent. For more
// data, returns the buffers' allocated memory minus kFreeBytes, because a growing buffer may
// allocate twice the size of its data.
std::size_t Connection::BufferedBytes() const {
  std::size_t bytes = 0;
  std::size_t memory = 0;
  const auto add = [&](const std::string& buffer) {
    bytes += buffer.size();
    memory += buffer.capacity();
  };
  add(pending_);
  add(unsent_);
  if (const ChunkedRequest* chunked = incoming_.chunked.get(); chunked != nullptr) {
    add(chunked->head);
    add(chunked->body);
  }
  return bytes <= kFreeBytes ? 0 : memory - kFreeBytes;
}

Connection::Step Connection::Take(std::string_view bytes, std::size_t* taken) {
  if (incoming_.chunked != nullptr) return TakeChunks(bytes, taken);
  if (bytes.size() < incoming_.needed) return Step::kRead;
  // Skips an empty line before a request, because some clients send an empty line after a body.
  if (bytes.starts_with("\r\n")) {
    *taken = 2;
    return Step::kTake;
  }
  if (bytes == "\r") return Step::kRead;
  if (!MayBeginRequest(bytes.front())) return Refuse(ReadOutcome::kBad);
  const std::size_t head_bytes = FindHeadEnd(bytes, incoming_.searched);
  if (std::min(head_bytes, bytes.size()) > worker_.limits.head_bytes_max) {
    return Refuse(ReadOutcome::kHeadTooLarge);
  }
  if (head_bytes != bytes.npos) return TakeHead(bytes, head_bytes, taken);
  incoming_.searched = bytes.size();
  return Step::kRead;
}

Connection::Step Connection::TakeHead(std::string_view bytes, std::size_t head_bytes,
                                      std::size_t* taken) {
  const std::string_view head = bytes.substr(0, head_bytes);
  Request request;
  RequestParser parser(worker_.limits, &request);
  const ReadOutcome outcome = parser.ReadHead(head);
  if (outcome != ReadOutcome::kDone) return Refuse(outcome);
  if (request.chunked) {
    *taken = head_bytes;
    return TakeChunkedHead(request, head, bytes.size() > head_bytes);
  }
  const std::size_t request_bytes = head_bytes + request.content_length;
  if (bytes.size() < request_bytes) return AwaitBody(request, request_bytes);
  request.body = bytes.substr(head_bytes, request.content_length);
  *taken = request_bytes;
  return Answer(request);
}

Connection::Step Connection::TakeChunkedHead(const Request& request, std::string_view head,
                                             bool more) {
  if (worker_.responder.RefuseByHead(request)) return SendResponse();
  // Copies the head. The members of the request are views of the head, and the request is used
  // until the last chunk of its body arrives.
  auto chunked = std::make_unique<ChunkedRequest>(head, worker_.limits);
  if (chunked->parser.ReadHead(chunked->head) != ReadOutcome::kDone) return Step::kClose;
  incoming_.chunked = std::move(chunked);
  if (more) return Step::kTake;
  return request.expects_continue ? Send(kContinue, {}, Step::kRead) : Step::kRead;
}

Connection::Step Connection::AwaitBody(const Request& request, std::size_t bytes) {
  incoming_.needed = bytes;
  if (bytes > kFreeBytes && worker_.responder.RefuseByHead(request)) return SendResponse();
  return request.expects_continue ? Send(kContinue, {}, Step::kRead) : Step::kRead;
}

Connection::Step Connection::TakeChunks(std::string_view bytes, std::size_t* taken) {
  ChunkedRequest& incoming = *incoming_.chunked;
  const ReadOutcome outcome = incoming.parser.ReadChunks(bytes, &incoming.body, taken);
  if (outcome == ReadOutcome::kIncomplete) {
    // The bytes after `*taken` are an incomplete line: the size of a chunk, or a trailer.
    const bool endless = bytes.size() - *taken > worker_.limits.head_bytes_max;
    return endless ? Refuse(ReadOutcome::kHeadTooLarge) : Step::kRead;
  }
  if (outcome != ReadOutcome::kDone) return Refuse(outcome);
  const std::unique_ptr<ChunkedRequest> chunked = std::move(incoming_.chunked);
  chunked->request.body = chunked->body;
  return Answer(chunked->request);
}

Connection::Step Connection::Answer(const Request& request) {
  Clear();
  incoming_ = {};
  worker_.responder.Answer(request, worker_.connections.stopping());
  return SendResponse();
}

Connection::Step Connection::Refuse(ReadOutcome outcome) {
  worker_.responder.Refuse(outcome);
  return SendResponse();
}

Connection::Step Connection::SendResponse() {
  Responder& responder = worker_.responder;
  // Releases the budget before the client receives the response, because the client's next request
  // may need the budget.
  buffered_.Resize(0);
  const Step step =
      Send(responder.head(), responder.body(), responder.closes() ? Step::kDrain : Step::kTake);
  responder.Forget();
  return step;
}

Connection::Step Connection::Send(std::string_view first, std::string_view second, Step then) {
  while (!first.empty() || !second.empty()) {
    ErrorCode error;
    const std::array<asio::const_buffer, 2> buffers = {
        asio::const_buffer(first.data(), first.size()),
        asio::const_buffer(second.data(), second.size())};
    const std::size_t count = socket_.write_some(buffers, error);
    if (error == asio::error::would_block) {
      unsent_.reserve(first.size() + second.size());
      unsent_.append(first).append(second);
      after_sending_ = then;
      return Step::kWrite;
    }
    if (error) return Step::kClose;
    const std::size_t of_first = std::min(count, first.size());
    first.remove_prefix(of_first);
    second.remove_prefix(count - of_first);
  }
  return then;
}

Connection::Step Connection::SendRest() {
  while (sent_ < unsent_.size()) {
    const std::string_view rest = std::string_view(unsent_).substr(sent_);
    ErrorCode error;
    const std::size_t count =
        socket_.write_some(asio::const_buffer(rest.data(), rest.size()), error);
    if (error == asio::error::would_block) return Step::kWrite;
    if (error) return Step::kClose;
    sent_ += count;
  }
  std::string().swap(unsent_);
  sent_ = 0;
  return after_sending_;
}

void Connection::SetReadDeadline() {
  const Timeouts& timeouts = worker_.connections.timeouts();
  const bool in_request = !pending_.empty() || incoming_.chunked != nullptr;
  if (!in_request) {
    Set(worker_.connections.DeadlineAfter(timeouts.idle));
  } else if (!incoming_.timed) {
    Set(worker_.connections.DeadlineAfter(timeouts.request));
  }
  incoming_.timed = in_request;
}

void Connection::ForgetRequest() {
  std::string().swap(pending_);
  incoming_ = {};
  buffered_.Resize(0);
}

void Connection::Drain() {
  draining_ = true;
  ForgetRequest();
  ErrorCode ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  Set(worker_.connections.DeadlineAfter(worker_.connections.timeouts().linger));
}

}  // namespace dolmen::server
