// DynamoDB's wire protocol without a network: a request's JSON in, the response's JSON out, as any
// AWS SDK sends and reads it.  api/server puts HTTP in front of it.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
//
//   const dolmen::Endpoint endpoint(db);
//   endpoint.Execute("GetItem", R"({"TableName": "app", "Key": {"PK": {"S": "USER#1"}}})").body
//
// A library of its own: link dolmen::wire.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dolmen/database.h"

namespace dolmen {

// What goes back: DynamoDB's status (200, 400 or 500) and its JSON, which for an error is
// {"__type": "...#ValidationException", "message": "..."}.
struct EndpointResponse {
  int status = 200;
  std::string body = {};
};

// DynamoDB's operations on a database, by name, for tables, items, transactions, tags and streams;
// any other name is answered with UnknownOperationException.  Nothing is done before a request has
// been found to be right in types, limits and expressions, in DynamoDB's order.  No body, however
// made, does worse than an error.
//
// A handle, which keeps the database open; copies are the same endpoint.  Every method may be
// called from any number of threads.
class Endpoint {
 public:
  explicit Endpoint(Database database);

  // `operation` is the name alone, "PutItem"; names of DynamoDB and of DynamoDB Streams alike.
  EndpointResponse Execute(std::string_view operation, std::string_view json) const;

  // The same into `response`, whose buffer is used again.
  void Execute(std::string_view operation, std::string_view json, EndpointResponse* response) const;

  // What DynamoDB would say before it asks who is calling: that the body is no JSON, or the
  // operation not known.  Nothing if neither is so.
  std::optional<EndpointResponse> Unreadable(std::string_view operation,
                                             std::string_view json) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace dolmen
