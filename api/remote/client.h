// A client of DynamoDB's HTTP API: connections, signatures, credentials and retries. The backend of
// Database::Connect writes the JSON of requests and reads the JSON of responses.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dolmen/connect_options.h"
#include "dolmen/result.h"

namespace dolmen::remote {

struct System;

// Says if a request may be executed twice.
enum class Repeat : std::uint8_t {
  // Twice has the same effect and the same response as once: a read, a write without a condition that
  // sets the same values, a transaction with a token.
  kSafe,
  // Twice may have another effect or another response: ADD, a condition, ALL_OLD.
  kUnsafe,
};

class Client {
 public:
  // Finds the endpoint and the region. Sends nothing to the endpoint. The second function takes the
  // environment, the pauses and random numbers from `system`; the first function uses the real ones.
  // - kValidation: the endpoint, the region or the profile is missing or not valid.
  static Result<std::unique_ptr<Client>> Create(const ConnectOptions& options);
  static Result<std::unique_ptr<Client>> Create(const ConnectOptions& options,
                                                const System& system);

  // REQUIRES: no thread is in Call.
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends a request with the JSON `body`, waits, and returns the JSON of the response. `operation` is
  // its name: "GetItem", or "DynamoDBStreams.GetRecords" for an operation of DynamoDB Streams.
  // Thread-safe. Returns at most about ConnectOptions::total_timeout later.
  //
  // Sends a request again after a failure that may pass, after pauses. A request with Repeat::kUnsafe
  // is sent again only if it was surely not executed. The SDKs of AWS send every request again; an ADD
  // may then count twice.
  // - The error that the service has returned, as an embedded database would return it. An error
  //   without a StatusCode of its own is kValidation, and its message begins with its name.
  // - kServiceUnavailable: the service cannot be reached. The message says that the request was not
  //   executed. If the service itself has returned this error, the request may have been executed.
  // - kInternalServerError: the connection or the time has ended after the request was sent. The
  //   message says that the request may have been executed. If the service itself has returned this
  //   error, with a message of its own, the request may have been executed, too.
  // - kUnknownOperation: the service does not have the operation. The message says what to do instead.
  // - kValidation: there are no credentials, or the response is larger than 128 MiB.
  Result<std::string> Call(std::string_view operation, std::string_view body, Repeat repeat);

  // Returns false if each request is sent once (ConnectOptions::attempts_max).
  bool retries() const;

  // Return the region, and the URL without a slash at its end. Valid as long as this object.
  const std::string& region() const;
  const std::string& endpoint() const;

 private:
  struct State;
  explicit Client(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace dolmen::remote
