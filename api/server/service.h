// What is answered to a request, apart from the network.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dolmen/clock.h"
#include "dolmen/wire.h"
#include "server/auth/authentication.h"
#include "server/cors.h"
#include "server/gzip.h"
#include "server/health.h"
#include "server/http_date.h"
#include "server/request.h"
#include "server/request_id.h"
#include "server/request_parser.h"
#include "server/response_head.h"

namespace dolmen::server {

// What all responders have in common.  Const; for any number of threads.
struct Service {
  Endpoint endpoint;
  std::shared_ptr<Clock> clock;
  AccessKeys access_keys = {};  // none: all that sign are let in
  CorsPolicy cors = {};
  std::shared_ptr<Health> health = nullptr;  // null: always well
  RequestLimits limits = {};
};

// Answers one request after the other, in buffers that it keeps.  For one thread.
class Responder {
 public:
  // REQUIRES: `service` outlives the Responder.
  explicit Responder(const Service& service);

  // Each makes head(), body() and closes() anew.  `last` says that no more requests are wanted on
  // the connection.
  void Answer(const Request& request, bool last);
  // Says that what came was no request that is read.
  void Refuse(ReadOutcome outcome);
  // Before a body is taken in: false if `request` may be let in, as far as its head tells; else the
  // answer is made, after which the connection is not to be used.
  bool RefuseByHead(const Request& request);

  // Valid until the next answer, or Forget.
  std::string_view head() const { return head_; }
  std::string_view body() const { return body_; }
  // The connection is not to be used again; the head says so.
  bool closes() const { return description_.close; }

  // Leaves no large buffer behind: a thread should not hold what one scan needed.
  void Forget();

 private:
  bool RefuseForeign(const Request& request);
  void AnswerPost(const Request& request);
  void Execute(const Request& request, std::string_view json);
  void Reply(int status, std::string_view content_type, std::string_view body);
  void CompressBody();
  void Finish(const Request& request);

  const Service& service_;
  Authentication authentication_;
  RequestIds ids_;
  HttpDate date_;
  Gzip gzip_;

  EndpointResponse response_;
  std::string plain_request_;
  std::string compressed_response_;
  ResponseHead description_;
  std::string head_;
  std::string_view body_;
};

}  // namespace dolmen::server
