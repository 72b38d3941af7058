// The responses to requests, independent of the network.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/wire.h"
#include "server/auth/authentication.h"
#include "server/budget.h"
#include "server/compression.h"
#include "server/cors.h"
#include "server/databases/databases.h"
#include "server/health.h"
#include "server/http_date.h"
#include "server/request.h"
#include "server/request_id.h"
#include "server/request_parser.h"
#include "server/response_head.h"

namespace dolmen::server {

// The state that all responders share. Thread-safe, because its members are immutable or
// thread-safe.
struct Service {
  Endpoint endpoint;  // executes the requests, unless `databases` is set
  // The databases of the access keys. Null: all requests are for the database of `endpoint`.
  std::shared_ptr<Databases> databases = nullptr;
  // True: executes all control requests (control/control.h); needs `databases`. False: only the report on
  // kInsightsPath.
  bool control = false;
  SharedClock clock;
  AccessKeys access_keys = {};           // empty: every signature is accepted
  bool requires_signed_payload = false;  // with access keys: refuse UNSIGNED-PAYLOAD
  CorsPolicy cors = {};
  std::shared_ptr<Health> health = nullptr;  // null: always healthy
  RequestLimits limits = {};
};

// The largest body of a small request, in bytes after decompression. The execution of a small
// request takes a few milliseconds and a few megabytes. The most expensive bytes, those of PartiQL, take 0.2
// microseconds each (bench/http/parsers.py), so that no small request keeps a worker for 50 ms.
inline constexpr std::size_t kSmallBodyBytes = 128 * 1024;

// Returns true if the request's operation may take seconds (wire/operation.h).
bool IsLong(const Request& request);

// A producer of responses. It answers one request after the other, in buffers that it keeps. Not
// thread-safe.
class Responder {
 public:
  // A Responder with a budget answers large requests and long ones. It reserves the memory for the decompressed
  // body and for the execution of each large request from the budget, and answers with 503 if the
  // budget is exhausted.
  // REQUIRES: `service` and `budget` outlive the Responder.
  explicit Responder(const Service& service, Budget* budget = nullptr);

  // Answer, Refuse and RefuseByHead set head(), body() and closes() for a new response.

  // Answers the request. `last` is true if the server wants no more requests on the connection.
  // Returns false if the request is large or long, and the Responder has no budget. There is then no
  // response, and nothing was executed.
  [[nodiscard]] bool Answer(const Request& request, bool last);
  // Sets an error response to input that is not an acceptable request. `outcome` is the reason.
  void Refuse(ReadOutcome outcome);
  // Checks a request before its body is read. Returns false if the head allows the request.
  // Otherwise sets an error response and returns true. The response ends the connection.
  bool RefuseByHead(const Request& request);

  // Return the head and the body of the response. Both are empty if a simulation has dropped the
  // connection. The views are valid until the next response or
  // the next call of Forget.
  std::string_view head() const { return head_; }
  std::string_view body() const { return body_; }
  // Returns true if the connection must be closed after the response. The head of the response
  // announces that to the client, unless a simulation breaks the connection.
  bool closes() const { return description_.close; }

  // Frees large buffers, so that a thread does not keep the memory of one large scan.
  void Forget();

 private:
  bool RejectForeign(const Request& request);
  void AnswerHealth(const Request& request);
  bool AnswerControl(const Request& request);
  bool AnswerPost(const Request& request);
  bool AnswerCompressed(const Request& request, Coding coding);
  bool AnswerPlain(const Request& request, std::string_view json, Share* working);
  void Execute(const Request& request, std::string_view json);
  void ExecuteOnDatabaseOfKey(const Request& request, std::string_view operation,
                              std::string_view json);
  void Reply(int status, std::string_view content_type, std::string_view body);
  void CompressBody(Coding coding);
  void Finish(const Request& request);
  // Leaves the part of the response that the client receives.
  void BreakConnection();

  const Service& service_;
  Budget* const budget_;  // null: answers only small requests that are not long
  Authentication authentication_;
  RequestIds ids_;
  HttpDate date_;
  Codec codec_;

  EndpointResponse response_;
  std::string plain_request_;
  std::string compressed_response_;
  internal::ConnectionFault fault_ = internal::ConnectionFault::kNone;
  ResponseHead description_;
  std::string head_;
  std::string_view body_;
};

}  // namespace dolmen::server
