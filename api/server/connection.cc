#include "server/connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>
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

// The number of requests that a connection takes from the received bytes before it lets the other connections of its
// worker continue. A client may send thousands of requests before it reads a response.
constexpr int kRequestsPerTurn = 8;

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
  const auto buffer = asio::buffer(self->first_);
  socket.async_read_some(
      buffer, [self = std::move(self)](const ErrorCode& error, std::size_t count) mutable {
        if (!error) OnRead(std::move(self), count);
      });
}

void Connection::WaitToWrite(Self self) {
  self->Set(self->worker_.connections.DeadlineAfter(self->worker_.connections.timeouts().response));
  Socket& socket = self->socket_;
  socket.async_wait(Socket::wait_write, [self = std::move(self)](const ErrorCode& error) mutable {
    if (!error) OnWritable(std::move(self));
  });
}

void Connection::OnRead(Self self, std::size_t count) {
  if (count < self->first_.size() || !self->IsInLargeBody()) return Receive(std::move(self), count);
  Turns& turns = self->worker_.turns;
  turns.Add([self = std::move(self), count]() mutable { Receive(std::move(self), count); });
}

void Connection::Receive(Self self, std::size_t count) {
  const std::string_view arrived = self->Arrived(count);
  if (self->draining_) return WaitToRead(std::move(self));
  const Step step = self->Process(arrived);
  Continue(std::move(self), step);
}

std::string_view Connection::Arrived(std::size_t count) {
  if (count < first_.size()) return {first_.data(), count};
  auto& input = worker_.input;
  std::ranges::copy(first_, input.begin());
  ErrorCode ignored;  // the next read finds it again
  const std::size_t more = socket_.read_some(asio::buffer(input) + count, ignored);
  return {input.data(), count + more};
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
    case Step::kYield:
      return Yield(std::move(self));
    case Step::kWrite:
      return WaitToWrite(std::move(self));
    case Step::kHandOver:
      return HandOver(std::move(self));
    case Step::kDrain:
      self->Drain();
      return WaitToRead(std::move(self));
    case Step::kClose:
      return;
  }
}

void Connection::Yield(Self self) {
  Turns& turns = self->worker_.turns;
  turns.Add([self = std::move(self)]() mutable {
    const Step step = self->Process({});
    Continue(std::move(self), step);
  });
}

void Connection::HandOver(Self self) {
  Shared& shared = self->worker_.shared;
  asio::thread_pool& threads =
      IsLong(self->large_->request) ? shared.long_operations : shared.large_requests;
  asio::post(threads, [self = std::move(self)]() mutable {
    // If memory is exhausted, the connection is closed, as in the event loop of a worker.
    try {
      AnswerLarge(std::move(self));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "dolmen: a connection was closed: %s\n", error.what());
    }
  });
}

void Connection::AnswerLarge(Self self) {
  Worker& worker = self->worker_;
  // The Responder and its buffers exist only for this request, so that the thread keeps no memory.
  auto responder = std::make_unique<Responder>(worker.shared.service, &worker.buffered_bytes);
  const bool last = worker.connections.stopping();
  if (!responder->Answer(self->large_->request, last)) return;
  self->large_.reset();
  asio::post(worker.context, [self = std::move(self), responder = std::move(responder)]() mutable {
    Step step = self->SendResponse(responder.get());
    responder.reset();
    if (step == Step::kTake) {
      step = self->Process({});
    } else if (!self->buffered_.Resize(self->BufferedBytes())) {  // counts the unsent response
      step = Step::kClose;
    }
    Continue(std::move(self), step);
  });
}

bool Connection::IsInLargeBody() const {
  return draining_ || incoming_.needed > kFreeBytes || incoming_.chunked != nullptr;
}

Connection::Step Connection::Process(std::string_view arrived) {
  const bool had_some = !pending_.empty();
  if (had_some) {
    const std::size_t bytes_max =
        std::max<std::size_t>(incoming_.needed, worker_.limits.head_bytes_max);
    if (!MakeRoom(arrived.size(), bytes_max, &pending_)) return RefuseForMemory();
    pending_.Append(arrived);
  }
  const std::string_view bytes = had_some ? pending_.view() : arrived;
  std::size_t done = 0;
  std::size_t taken = 0;
  Step step = Step::kTake;
  for (int requests = 0; step == Step::kTake && done < bytes.size(); ++requests, done += taken) {
    taken = 0;
    step = requests < kRequestsPerTurn ? Take(bytes.substr(done), &taken) : Step::kYield;
  }
  if (step == Step::kHandOver && large_ == nullptr) {
    KeepLarge(arrived, done - taken, done);
  } else if (had_some) {
    // Copies the unprocessed bytes to a new buffer, so that the memory of the processed bytes is freed.
    if (done != 0) pending_ = GrowingBuffer(bytes.substr(done));
  } else if (done < bytes.size()) {
    pending_ = GrowingBuffer(bytes.substr(done));
  }
  if (buffered_.Resize(BufferedBytes())) return step;
  const bool may_answer = step == Step::kRead || step == Step::kHandOver || step == Step::kYield;
  return may_answer ? RefuseForMemory() : Step::kClose;
}

void Connection::KeepLarge(std::string_view arrived, std::size_t begin, std::size_t end) {
  if (pending_.empty()) pending_ = GrowingBuffer(arrived);
  GrowingBuffer rest(pending_.view().substr(end));
  pending_.Truncate(end);
  pending_.RemovePrefix(begin);
  large_ = std::make_unique<OwnedRequest>(std::move(pending_), worker_.limits);
  pending_ = std::move(rest);
  const std::string_view bytes = large_->head.view();
  const std::size_t head_bytes = FindHeadEnd(bytes, 0);
  large_->parser.ReadHead(bytes.substr(0, head_bytes));  // succeeds, as it did in TakeHead
  large_->request.body = bytes.substr(head_bytes);
}

Connection::Step Connection::RefuseForMemory() {
  ForgetRequest();
  return Refuse(ReadOutcome::kNoRoom);
}

bool Connection::MakeRoom(std::size_t more, std::size_t bytes_max, GrowingBuffer* buffer) {
  const std::size_t bytes = buffer->size() + more;
  if (bytes <= buffer->capacity()) return true;
  // Doubles the memory, but allocates the last half of the largest size at once.
  const std::size_t doubled = 2 * buffer->capacity();
  const std::size_t capacity = std::max(bytes, 2 * doubled < bytes_max ? doubled : bytes_max);
  if (!buffered_.Resize(BufferedBytes(more, capacity - buffer->capacity()))) return false;
  buffer->Reserve(capacity);
  return true;
}

// Returns 0 if the buffers hold at most kFreeBytes bytes of data. Unused memory in the buffers does
// not count for this comparison, because a client knows only how much data it has sent. For more
// data, returns the buffers' allocated memory minus kFreeBytes, because a growing buffer may
// allocate twice the size of its data.
std::size_t Connection::BufferedBytes(std::size_t more_bytes, std::size_t more_memory) const {
  std::size_t bytes = more_bytes;
  std::size_t memory = more_memory;
  const auto add = [&](const auto& buffer) {
    bytes += buffer.size();
    memory += buffer.capacity();
  };
  add(pending_);
  add(unsent_);
  for (const OwnedRequest* request : {incoming_.chunked.get(), large_.get()}) {
    if (request == nullptr) continue;
    add(request->head);
    add(request->body);
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
    return Refuse(ReadOutcome::kBad);
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
  if (worker_.responder.RefuseByHead(request)) return SendResponse(&worker_.responder);
  // Copies the head. The members of the request are views of the head, and the request is used
  // until the last chunk of its body arrives.
  auto chunked = std::make_unique<OwnedRequest>(GrowingBuffer(head), worker_.limits);
  if (chunked->parser.ReadHead(chunked->head.view()) != ReadOutcome::kDone) return Step::kClose;
  incoming_.chunked = std::move(chunked);
  if (more) return Step::kTake;
  return request.expects_continue ? Send(kContinue, {}, Step::kRead) : Step::kRead;
}

Connection::Step Connection::AwaitBody(const Request& request, std::size_t bytes) {
  incoming_.needed = bytes;
  if (bytes > kFreeBytes && worker_.responder.RefuseByHead(request))
    return SendResponse(&worker_.responder);
  return request.expects_continue ? Send(kContinue, {}, Step::kRead) : Step::kRead;
}

Connection::Step Connection::TakeChunks(std::string_view bytes, std::size_t* taken) {
  OwnedRequest& incoming = *incoming_.chunked;
  if (!MakeRoom(bytes.size(), worker_.limits.body_bytes_max, &incoming.body)) {
    return RefuseForMemory();
  }
  const ReadOutcome outcome = incoming.parser.ReadChunks(bytes, &incoming.body, taken);
  if (outcome == ReadOutcome::kIncomplete) {
    // The bytes after `*taken` are an incomplete line: the size of a chunk, or a trailer.
    const bool endless = bytes.size() - *taken > worker_.limits.head_bytes_max;
    return endless ? Refuse(ReadOutcome::kBad) : Step::kRead;
  }
  if (outcome != ReadOutcome::kDone) return Refuse(outcome);
  std::unique_ptr<OwnedRequest> chunked = std::move(incoming_.chunked);
  chunked->request.body = chunked->body.view();
  const Step step = Answer(chunked->request);
  if (step == Step::kHandOver) large_ = std::move(chunked);
  return step;
}

Connection::Step Connection::Answer(const Request& request) {
  Clear();
  incoming_ = {};
  const bool last = worker_.connections.stopping();
  if (!worker_.responder.Answer(request, last)) return Step::kHandOver;
  return SendResponse(&worker_.responder);
}

Connection::Step Connection::Refuse(ReadOutcome outcome) {
  worker_.responder.Refuse(outcome);
  return SendResponse(&worker_.responder);
}

Connection::Step Connection::SendResponse(Responder* responder) {
  // Releases the budget before the client receives the response, because the client's next request
  // may need the budget.
  buffered_.Resize(0);
  const Step step =
      Send(responder->head(), responder->body(), responder->closes() ? Step::kDrain : Step::kTake);
  responder->Forget();
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
  pending_ = {};
  large_.reset();
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
