#include "wire/errors.h"

#include "wire/json_writer.h"

namespace dolmen::wire {
namespace {

constexpr std::string_view kService = "com.amazonaws.dynamodb.v20120810#";
constexpr std::string_view kValidate = "com.amazon.coral.validate#";
constexpr std::string_view kCoral = "com.amazon.coral.service#";

// Returns the name of the member that holds the message: "message", or "Message" for some
// exceptions.
std::string_view MessageKey(StatusCode code) {
  switch (code) {
    case StatusCode::kTransactionCanceled:
    case StatusCode::kTransactionInProgress:
    case StatusCode::kIdempotentParameterMismatch:
      return "Message";
    default:
      return "message";
  }
}

bool IsServerFault(StatusCode code) {
  return code == StatusCode::kStorage || code == StatusCode::kCorruption ||
         code == StatusCode::kUnsupportedFormat || code == StatusCode::kInternalServerError;
}

int HttpStatus(StatusCode code) {
  if (code == StatusCode::kServiceUnavailable) return 503;
  return IsServerFault(code) ? 500 : 400;
}

void BeginError(std::string_view space, std::string_view name, JsonWriter* json) {
  json->BeginObject();
  json->StringField("__type", std::string(space).append(name));
}

void WriteReasons(const Status& status, JsonWriter* json) {
  json->Key("CancellationReasons");
  json->BeginArray();
  for (const Status& reason : status.reasons()) {
    json->BeginObject();
    json->StringField("Code", CancellationCode(reason));
    if (!reason.ok()) json->StringField("Message", reason.message());
    if (reason.item() != nullptr) {
      json->Key("Item");
      json->Attributes(reason.item()->view());
    }
    json->EndObject();
  }
  json->EndArray();
}

void WriteThrottlingReasons(const Status& status, const Place& place, JsonWriter* json) {
  if (status.throttling_reasons().empty()) return;
  // The names of the members differ in DynamoDB's model, too.
  json->Key(status.code() == StatusCode::kThrottling ? "throttlingReasons" : "ThrottlingReasons");
  json->BeginArray();
  for (const auto& [reason, table, index] : status.throttling_reasons()) {
    json->BeginObject();
    json->StringField("reason", reason);
    json->StringField("resource",
                      index.empty() ? TableArn(place, table) : IndexArn(place, table, index));
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace

Status InvalidParameter(std::string_view what) {
  return Status::Validation(std::string(kInvalidParameter).append(what));
}

void SetError(const Status& status, EndpointResponse* response, std::string_view not_found,
              const Place& place) {
  const StatusCode code = status.code();
  response->status = HttpStatus(code);
  response->body.clear();
  JsonWriter json(&response->body);
  if (IsServerFault(code)) {
    BeginError(kService, "InternalServerError", &json);
  } else if (code == StatusCode::kResourceNotFound) {
    BeginError(kService, not_found, &json);
  } else {
    BeginError(code == StatusCode::kValidation ? kValidate : kService, StatusCodeName(code), &json);
  }
  json.StringField(MessageKey(code), status.message());
  if (status.item() != nullptr) {
    json.Key("Item");
    json.Attributes(status.item()->view());
  }
  if (code == StatusCode::kTransactionCanceled) WriteReasons(status, &json);
  WriteThrottlingReasons(status, place, &json);
  json.EndObject();
}

void SetException(std::string_view name, std::string_view message, EndpointResponse* response) {
  response->status = 400;
  response->body.clear();
  JsonWriter json(&response->body);
  BeginError(kService, name, &json);
  json.StringField("message", message);
  json.EndObject();
}

void SetSerializationError(std::string_view message, EndpointResponse* response) {
  response->status = 400;
  response->body.clear();
  JsonWriter json(&response->body);
  BeginError(kCoral, "SerializationException", &json);
  if (!message.empty()) json.StringField("Message", message);
  json.EndObject();
}

void SetUnknownOperation(std::string_view operation, EndpointResponse* response) {
  response->status = 400;
  response->body.clear();
  JsonWriter json(&response->body);
  BeginError(kCoral, "UnknownOperationException", &json);
  // Quotes only a name, because the bytes of a header may be invalid in JSON.
  json.StringField("message", IsName(operation) ? "Dolmen does not implement the operation " +
                                                      std::string(operation) + "."
                                                : "The request names no operation of DynamoDB.");
  json.EndObject();
}

}  // namespace dolmen::wire
