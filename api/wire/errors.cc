#include "wire/errors.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "engine/value/stored_form.h"
#include "engine/value/utf8.h"
#include "wire/attribute_json.h"
#include "wire/json.h"
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

// Writes an exception with HTTP status 400. Leaves out an empty message.
void SetRefusal(std::string_view space, std::string_view name, std::string_view message_key,
                std::string_view message, EndpointResponse* response) {
  response->status = 400;
  response->body.clear();
  JsonWriter json(&response->body);
  BeginError(space, name, &json);
  if (!message.empty()) json.StringField(message_key, message);
  json.EndObject();
}

void WriteReasons(const Status& status, JsonWriter* json) {
  json->Key("CancellationReasons");
  json->BeginArray();
  for (const Status& reason : status.reasons()) WriteReason(reason, json);
  json->EndArray();
}

// Returns the code of a reason. A batch of statements has codes for two more errors.
std::string_view ReasonCode(const Status& reason) {
  if (reason.code() == StatusCode::kResourceNotFound) return "ResourceNotFound";
  if (reason.code() == StatusCode::kInternalServerError) return "InternalServerError";
  return CancellationCode(reason);
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

// Returns the errors whose exceptions a service returns, with any messages.
const std::vector<Status>& KnownErrors() {
  static const std::vector<Status> kErrors = {Status::Validation({}),
                                              Status::ConditionalCheckFailed(),
                                              Status::TransactionConflict(),
                                              Status::TransactionInProgress(),
                                              Status::IdempotentParameterMismatch(),
                                              Status::LimitExceeded({}),
                                              Status::ResourceNotFound({}),
                                              Status::ResourceInUse({}),
                                              Status::TrimmedDataAccess({}),
                                              Status::ExpiredIterator({}),
                                              Status::ProvisionedThroughputExceeded(),
                                              Status::Throttling(),
                                              Status::RequestLimitExceeded(),
                                              Status::InternalServerError(),
                                              Status::ServiceUnavailable(),
                                              Status::ItemCollectionSizeLimitExceeded(),
                                              Status::DuplicateItem(),
                                              Status::TableAlreadyExists({}),
                                              Status::BackupInUse({}),
                                              Status::PointInTimeRecoveryUnavailable({}),
                                              Status::InvalidRestoreTime({}),
                                              Status::UnknownOperation({})};
  return kErrors;
}

// The exceptions that other services and AWS's front end return in place of DynamoDB's.
std::string_view UsualName(std::string_view name) {
  using Names = std::array<std::string_view, 2>;
  constexpr auto kNames = std::to_array<Names>({
      {"InternalFailure", "InternalServerError"},
      {"InternalServerErrorException", "InternalServerError"},
      {"InternalServerException", "InternalServerError"},
      {"InvalidAction", "UnknownOperationException"},
      {"NotImplementedException", "UnknownOperationException"},
      {"ReplicatedWriteConflictException", "TransactionConflictException"},
      {"RequestThrottled", "ThrottlingException"},
      {"RequestThrottledException", "ThrottlingException"},
      {"ServiceUnavailableException", "ServiceUnavailable"},
      {"SlowDown", "ThrottlingException"},
      {"TableInUseException", "ResourceInUseException"},
      {"Throttling", "ThrottlingException"},
      {"ThrottledException", "ThrottlingException"},
      {"TooManyRequestsException", "ThrottlingException"},
      {"UnknownOperation", "UnknownOperationException"},
      {"UnsupportedOperationException", "UnknownOperationException"},
  });
  if (name.ends_with("NotFoundException")) return "ResourceNotFoundException";
  for (const auto& [given, usual] : kNames) {
    if (given == name) return usual;
  }
  return name;
}

std::string MessageOf(const JsonObject& json) {
  const std::string_view lower = StringMember(json, "message");
  return std::string(lower.empty() ? StringMember(json, "Message") : lower);
}

// Returns kConditionalCheckFailed with the item in the structure, if the item is present and valid.
Status ConditionalCheckFailed(const JsonObject& json) {
  const std::optional<Json> attributes = Member(json, "Item");
  if (!attributes) return Status::ConditionalCheckFailed();
  const auto item = ReadItem(*attributes).and_then(internal::ToStored);
  if (!item.ok()) return Status::ConditionalCheckFailed();
  return Status::ConditionalCheckFailed(std::make_shared<const StoredItem>(*item));
}

Status TransactionCanceled(const JsonObject& json) {
  std::vector<Status> reasons;
  if (const std::optional<Json> list = Member(json, "CancellationReasons")) {
    for (const Json reason : ArrayOf(*list)) reasons.push_back(ReadReason(ObjectOf(reason)));
  }
  return Status::TransactionCanceled(std::move(reasons));
}

// Reads an ARN of a table or of an index.
ThrottlingReason ReadThrottlingReason(const JsonObject& json) {
  constexpr std::string_view kIndex = "/index/";
  const std::string_view arn = StringMember(json, "resource");
  const std::size_t index = arn.find(kIndex);
  return {.reason = std::string(StringMember(json, "reason")),
          .table = std::string(TableOfArn(arn.substr(0, index)).value_or(arn)),
          .index = std::string(index == arn.npos ? "" : arn.substr(index + kIndex.size()))};
}

std::vector<ThrottlingReason> ReadThrottlingReasons(const JsonObject& json) {
  std::vector<ThrottlingReason> reasons;
  for (const std::string_view name : {"throttlingReasons", "ThrottlingReasons"}) {
    const std::optional<Json> list = Member(json, name);
    if (!list) continue;
    for (const Json reason : ArrayOf(*list)) {
      reasons.push_back(ReadThrottlingReason(ObjectOf(reason)));
    }
  }
  return reasons;
}

// The status of HTTP for an operation that the service does not have, with any exception.
constexpr int kNotImplemented = 501;

// Returns the error for an exception that has no StatusCode.
Status UnknownError(int http_status, std::string_view name, const std::string& message) {
  std::string text = name.empty() ? "The service has returned the HTTP status " +
                                        std::to_string(http_status) + " without DynamoDB's error"
                                  : std::string(name);
  if (!message.empty()) text.append(": ").append(message);
  if (http_status == kNotImplemented) return Status::UnknownOperation(std::move(text));
  if (http_status == 503) return Status::ServiceUnavailable().WithMessage(std::move(text));
  if (http_status >= 500) return Status::InternalServerError().WithMessage(std::move(text));
  return Status::Validation(std::move(text));
}

Status KnownOrUnknownError(int http_status, std::string_view name, const JsonObject& json) {
  std::string message = MessageOf(json);
  const std::string_view usual = UsualName(name);
  if (usual == StatusCodeName(StatusCode::kTransactionCanceled)) {
    const Status canceled = TransactionCanceled(json);
    return message.empty() ? canceled : canceled.WithMessage(std::move(message));
  }
  if (usual == StatusCodeName(StatusCode::kConditionalCheckFailed)) {
    return ConditionalCheckFailed(json).WithMessage(std::move(message));
  }
  const auto& errors = KnownErrors();
  const auto known = std::ranges::find_if(
      errors, [usual](const Status& error) { return StatusCodeName(error.code()) == usual; });
  if (known == errors.end() || http_status == kNotImplemented)
    return UnknownError(http_status, name, message);
  return known->WithMessage(std::move(message)).WithThrottlingReasons(ReadThrottlingReasons(json));
}

}  // namespace

Status InvalidParameter(std::string_view what) {
  return Status::Validation(std::string(kInvalidParameter).append(what));
}

void WriteReason(const Status& reason, JsonWriter* json) {
  json->BeginObject();
  json->StringField("Code", ReasonCode(reason));
  if (!reason.ok()) json->StringField("Message", reason.message());
  if (reason.item() != nullptr) {
    json->Key("Item");
    json->Attributes(reason.item()->view());
  }
  json->EndObject();
}

Status ReadReason(const JsonObject& json) {
  const std::string_view code = StringMember(json, "Code");
  if (code.empty() || code == ReasonCode(Status())) return {};
  const std::string message = MessageOf(json);
  for (const Status& error : KnownErrors()) {
    if (ReasonCode(error) != code) continue;
    if (error.code() != StatusCode::kConditionalCheckFailed) return error.WithMessage(message);
    return ConditionalCheckFailed(json).WithMessage(message);
  }
  return Status::Validation(std::string(code).append(": ").append(message));
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
  const bool has_item = status.item() != nullptr;
  // A message can have a path of the file system, whose bytes need not be UTF-8.
  json.StringField(has_item ? "Message" : MessageKey(code),
                   engine::ToUtf8(std::string(status.message())));
  if (has_item) {
    json.Key("Item");
    json.Attributes(status.item()->view());
  }
  if (code == StatusCode::kTransactionCanceled) WriteReasons(status, &json);
  WriteThrottlingReasons(status, place, &json);
  json.EndObject();
}

void SetException(std::string_view name, std::string_view message, EndpointResponse* response) {
  const bool of_coral = name == "AccessDeniedException";
  SetRefusal(of_coral ? kCoral : kService, name, of_coral ? "Message" : "message", message,
             response);
}

void SetSerializationError(std::string_view message, EndpointResponse* response) {
  SetRefusal(kCoral, "SerializationException", "Message", message, response);
}

void SetUnknownOperation(EndpointResponse* response) {
  SetRefusal(kCoral, "UnknownOperationException", {}, {}, response);
}

ServiceError ReadError(int http_status, std::string_view body) {
  simdjson::dom::parser parser;
  const Result<Json> json = ParseJson(body, "the response", &parser);
  JsonObject object;
  if (!json.ok() || json->get(object) != simdjson::SUCCESS) {
    return {.status = UnknownError(http_status, {}, {})};
  }
  std::string_view name = StringMember(object, "__type");
  name.remove_prefix(name.find('#') + 1);  // the name's space; npos + 1 is 0
  name = name.substr(0, name.find(':'));
  return {.name = std::string(name), .status = KnownOrUnknownError(http_status, name, object)};
}

}  // namespace dolmen::wire
