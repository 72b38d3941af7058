// Responses for errors, in DynamoDB's format: SetError writes them for a server, ReadError reads them for
// a client.

#pragma once

#include <string>
#include <string_view>

#include "dolmen/result.h"
#include "dolmen/wire.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/names.h"

namespace dolmen::wire {

inline constexpr std::string_view kInvalidParameter = "One or more parameter values were invalid: ";
// Returns kValidation with the message kInvalidParameter followed by `what`.
Status InvalidParameter(std::string_view what);

// Each function below replaces the content of `response`.

// Writes the exception for the status. `not_found` is the name of the exception for
// kResourceNotFound. `place` is that of the ARNs in the reasons for throttling. Writes InternalServerError for kStorage, kCorruption and kUnsupportedFormat,
// which the request has not caused. The HTTP status is 500 for InternalServerError, 503 for
// ServiceUnavailable, and 400 for all other exceptions.
// REQUIRES: !status.ok()
void SetError(const Status& status, EndpointResponse* response,
              std::string_view not_found = "ResourceNotFoundException", const Place& place = {});

// Writes the exception of DynamoDB with the name `name`, and HTTP status 400.
void SetException(std::string_view name, std::string_view message, EndpointResponse* response);

// Writes a SerializationException, for a body that is not JSON or has a member of a wrong type. An
// empty message is left out.
void SetSerializationError(std::string_view message, EndpointResponse* response);

// Writes an UnknownOperationException, which has no message.
void SetUnknownOperation(EndpointResponse* response);

// Write and read the error of one action of a transaction or one statement of a batch: its code, its
// message and its item. A code that no Status has becomes kValidation, and its message begins with the
// code.
void WriteReason(const Status& reason, JsonWriter* json);
Status ReadReason(const JsonObject& json);

// An error that a service has returned.
struct ServiceError {
  std::string name = {};  // the exception, for example "ValidationException"; empty if it has none
  Status status = {};
};

// Reads the response for an error, the inverse of SetError. Every exception whose name ends with
// NotFoundException becomes kResourceNotFound. An exception without a StatusCode becomes
// kServiceUnavailable with the HTTP status 503, kInternalServerError with another status from 500, and
// otherwise kValidation with a message that begins with the exception's name. Bodies that are not in
// DynamoDB's format are no errors of this function; the message then names the HTTP status.
ServiceError ReadError(int http_status, std::string_view body);

}  // namespace dolmen::wire
