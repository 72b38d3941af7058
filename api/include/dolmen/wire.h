// DynamoDB's wire protocol without a network. It takes the JSON of a request and returns the JSON
// of the response, in the form that every AWS SDK uses. The server in api/server adds HTTP.
//
//   const dolmen::Endpoint endpoint(db);
//   const std::string_view get = R"({"TableName": "app", "Key": {"PK": {"S": "USER#1"}}})";
//   const dolmen::EndpointResponse response = endpoint.Execute("GetItem", get);
//   if (response.status == 200) std::cout << response.body;  // {"Item":{...}}
//
// It is a library of its own: link dolmen::wire.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/database.h"

namespace dolmen {

// A response to send.
struct EndpointResponse {
  // The HTTP status: 200 for success, 400 for an error in the request, 500 for an error of the
  // database.
  int status = 200;

  // DynamoDB's JSON. An error is {"__type": "...#ValidationException", "message": "..."}. Empty
  // for the few operations whose success has no body.
  std::string body = {};
};

// The region in the ARNs of responses if the client does not sign for a region.
inline constexpr std::string_view kDefaultRegion = "us-east-1";
// The account in the ARNs of responses, unless EndpointOptions::account is set. It is fictitious.
inline constexpr std::string_view kDefaultAccount = "000000000000";

namespace wire {
class Buckets;
class Jobs;
}  // namespace wire

// The options of an endpoint.
struct EndpointOptions {
  // The region in the ARNs and the stream records of responses. Empty: the region that the client
  // signs for.
  std::string region = {};

  // The account in the ARNs of responses: 12 digits.
  std::string account = std::string(kDefaultAccount);

  // The names of operations that the endpoint leaves out, for tests of programs whose service lacks
  // them. A request for one of them gets UnknownOperationException.
  std::vector<std::string> without = {};

  // ExecuteStatementInput::additions of each ExecuteStatement.
  bool statement_additions = false;

  // The buckets of exports, imports and bulk operations. Null: these operations are refused. Only
  // `dolmen serve` sets it.
  std::shared_ptr<wire::Buckets> buckets = nullptr;

  // The runner of exports, imports, bulk operations and restores. Null: Execute returns when they
  // have ended. Only `dolmen serve` sets it, to run them in the background.
  std::shared_ptr<wire::Jobs> jobs = nullptr;
};

// The operations of DynamoDB on a database, by name: tables, items, queries, batches, transactions,
// tags, time to live and streams.
//
// A request is checked in DynamoDB's order: JSON, types, limits, expressions, then the table.
// Nothing is read or written before the checks pass. Any body is safe to pass in: a malformed body
// gets an error response.
//
// A handle that keeps the database open; copies refer to the same endpoint. Every method is
// thread-safe. A thread keeps up to 1 MB of parsing memory for its next request.
class Endpoint {
 public:
  explicit Endpoint(Database database, const EndpointOptions& options = {});

  // Executes a request and returns the response. `operation` is the name of the operation without
  // the prefix that the header X-Amz-Target has: "PutItem", or "GetRecords" of DynamoDB Streams.
  // For a name that is unknown or left out the response is UnknownOperationException. The ARNs in the
  // response have the region `region`, unless EndpointOptions::region is set, and the account of the
  // options. The ARNs in the request must have the same region and account, because no other resources
  // exist: the response for other ARNs is ValidationException or AccessDeniedException.
  EndpointResponse Execute(std::string_view operation, std::string_view json,
                           std::string_view region = kDefaultRegion) const;

  // Executes a request and writes the response to `*response`, reusing its buffer.
  void Execute(std::string_view operation, std::string_view json, EndpointResponse* response,
               std::string_view region = kDefaultRegion) const;

  // Returns the keys with the most accesses and the most throttled accesses, of all tables and indexes whose
  // contributor insights are enabled (UpdateContributorInsights). The text is a JSON array,
  // which api/wire/README.md describes. Counts the requests to this endpoint.
  std::string ContributorInsights() const;

  // Returns the error that DynamoDB reports before it authenticates the caller: the body is not a
  // JSON object, or the operation is unknown. Returns nothing if the body and the operation are
  // valid. Does not execute the request.
  std::optional<EndpointResponse> Unreadable(std::string_view operation,
                                             std::string_view json) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
