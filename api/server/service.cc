#include "server/service.h"

#include <libdeflate.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "http/header_text.h"
#include "http/uri.h"
#include "server/auth/signature.h"
#include "server/control/control.h"
#include "server/coral_error.h"
#include "wire/endpoints.h"
#include "wire/errors.h"
#include "wire/operation.h"

namespace dolmen::server {
namespace {

// Returns an estimate of the memory that Endpoint::Execute takes for a request, in bytes: the parsed
// JSON and the values that are read from it. Reads the text once.
std::size_t WorkingBytes(std::string_view json) {
  // The parser copies the text and all strings in it. An operation copies the strings into an item,
  // and encodes the item.
  constexpr std::size_t kCopies = 4;
  // The memory for each value of the JSON: its entries in the index and on the tape of simdjson, and
  // the AttributeValue that an operation reads from it.
  constexpr std::size_t kBytesPerValue = 48;
  // Each value follows one of these characters. A text may contain them, too.
  const auto values = std::count_if(json.begin(), json.end(), [](char c) {
    return (c == ',') | (c == ':') | (c == '[') | (c == '{');
  });
  return kCopies * json.size() + kBytesPerValue * static_cast<std::size_t>(values);
}

constexpr std::string_view kUnknownPage = "<UnknownOperationException/>\n";
constexpr std::string_view kSerialization =
    R"({"__type":"com.amazon.coral.service#SerializationException"})";
constexpr std::string_view kTooLarge =
    R"({"__type":"com.amazon.coral.service#RequestEntityTooLargeException",)"
    R"("message":"The request is larger than 16777216 bytes."})";
constexpr std::string_view kNoRoom =
    R"({"__type":"com.amazon.coral.service#ServiceUnavailableException",)"
    R"("message":"The memory for large requests is used up. Try again later."})";

constexpr std::string_view kAmzJson = "application/x-amz-json-1.0";
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kText = "text/plain";

// The smallest body to compress, in bytes. A smaller body needs few packets even without
// compression.
constexpr std::size_t kCompressedBytesMin = 4096;
// The capacity of the largest buffer that is kept for the next request, in bytes.
constexpr std::size_t kKeptBytesMax = 1 << 20;

// Returns the content type in the header's value, without parameters. Returns an empty text if the
// server does not support the content type.
std::string_view KnownContentType(std::string_view header) {
  header = header.substr(0, header.find(';'));
  while (header.ends_with(' ') || header.ends_with('\t')) header.remove_suffix(1);
  if (http::IsSameName(header, kAmzJson)) return kAmzJson;
  return http::IsSameName(header, kJson) ? kJson : std::string_view();
}

// Returns "PutItem" for "DynamoDB_20120810.PutItem". If the text does not have this form, returns
// an empty text, which is not the name of an operation.
std::string_view OperationOf(std::string_view target) {
  for (const std::string_view prefix : {"DynamoDB_20120810.", "DynamoDBStreams_20120810."}) {
    if (target.starts_with(prefix)) return target.substr(prefix.size());
  }
  return {};
}

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

void FreeIfLarge(std::string* buffer) {
  if (buffer->capacity() > kKeptBytesMax) std::string().swap(*buffer);
}

}  // namespace

bool IsLong(const Request& request) { return wire::IsLong(OperationOf(request.amz_target)); }

Responder::Responder(const Service& service, Budget* budget)
    : service_(service),
      budget_(budget),
      authentication_(service.access_keys, service.requires_signed_payload) {}

bool Responder::Answer(const Request& request, bool last) {
  description_ = {.close = last || !request.keep_alive};
  fault_ = internal::ConnectionFault::kNone;
  if (RejectForeign(request)) {
    Finish(request);
    return true;
  }
  const std::string_view path = http::PathOf(request.target);
  const bool is_control =
      (service_.control && path.starts_with(kControlPath)) || path == kInsightsPath;
  if (path != "/" && !is_control) {
    Reply(404, kText, kUnknownPage);
  } else if (is_control && !IsPreflight(request)) {
    if (!AnswerControl(request)) return false;
  } else if (request.method == "POST") {
    if (!AnswerPost(request)) return false;
  } else if (IsPreflight(request)) {
    Reply(200, {}, {});
  } else if (request.method == "GET" || request.method == "HEAD") {
    AnswerHealth(request);
  } else {
    Reply(404, kText, kUnknownPage);
  }
  Finish(request);
  BreakConnection();
  return true;
}

void Responder::AnswerHealth(const Request& request) {
  response_.body = service_.health == nullptr ? "" : service_.health->Problem();
  if (!response_.body.empty()) return Reply(503, kText, response_.body);
  response_.body.assign("healthy: ").append(request.host).append(" ");
  Reply(200, kText, response_.body);
}

// Returns false without a budget, as Answer does for a large request: a control request may take
// long, so the thread for large requests executes it.
bool Responder::AnswerControl(const Request& request) {
  if (budget_ == nullptr) return false;
  const Status accepted = service_.access_keys.empty()
                              ? Status()
                              : authentication_.Check(request, service_.clock->Now());
  if (accepted.ok()) {
    ControlResponse response = service_.databases == nullptr
                                   ? ReportInsights(request, service_.endpoint)
                                   : Control(request, service_.databases.get());
    response_ = {response.status, std::move(response.body)};
  } else {
    response_ = {400, accepted.message()};
  }
  Reply(response_.status, kJson, response_.body);
  return true;
}

bool Responder::RefuseByHead(const Request& request) {
  description_ = {.close = true};
  if (!RejectForeign(request)) {
    if (service_.access_keys.empty()) return false;
    const Status accepted = authentication_.CheckHead(request, service_.clock->Now());
    if (accepted.ok()) return false;
    response_.body = accepted.message();
    Reply(400, kAmzJson, response_.body);
  }
  Finish(request);
  return true;
}

bool Responder::RejectForeign(const Request& request) {
  const std::string reason = RejectionReason(request, service_.cors);
  if (reason.empty()) return false;
  response_.body = CoralError("AccessDeniedException", reason);
  Reply(403, kAmzJson, response_.body);
  return true;
}

void Responder::Refuse(ReadOutcome outcome) {
  description_ = {.close = true};
  if (outcome == ReadOutcome::kBodyTooLarge) {
    Reply(413, kAmzJson, kTooLarge);
  } else if (outcome == ReadOutcome::kNoRoom) {
    Reply(503, kAmzJson, kNoRoom);
  } else {
    Reply(400, {}, {});
  }
  Finish({});
}

// The functions that answer a POST return false for a large request without a budget, as Answer
// does.
bool Responder::AnswerPost(const Request& request) {
  if (KnownContentType(request.content_type).empty()) {
    Reply(404, kText, kUnknownPage);
    return true;
  }
  if (const Status is_signed = CheckSigned(request); !is_signed.ok()) {
    // DynamoDB checks the name of the operation before it looks for a signature, and looks for a
    // signature before it reads the body. Passes {} as the body, because the server must not look
    // at the body yet.
    response_ = service_.endpoint.Unreadable(OperationOf(request.amz_target), "{}")
                    .value_or(EndpointResponse{400, is_signed.message()});
    Reply(response_.status, KnownContentType(request.content_type), response_.body);
    return true;
  }
  const std::optional<Coding> coding = CodingOf(request.content_encoding);
  if (!coding) {
    Reply(400, kAmzJson, kSerialization);
    return true;
  }
  if (*coding != Coding::kIdentity) return AnswerCompressed(request, *coding);
  Share working(budget_);
  return AnswerPlain(request, request.body, &working);
}

bool Responder::AnswerCompressed(const Request& request, Coding coding) {
  const std::size_t body_bytes_max = service_.limits.body_bytes_max;
  const bool is_limited = budget_ == nullptr && body_bytes_max > kSmallBodyBytes;
  if (is_limited && request.body.size() > kSmallBodyBytes) return false;
  const std::size_t plain_bytes_max = is_limited ? kSmallBodyBytes : body_bytes_max;
  Share working(budget_);
  if (budget_ != nullptr) {
    // Reserves the memory of the largest body before the decompression, so that the buffer never
    // has to move while it grows. The system provides only the part that is used.
    if (!working.Resize(plain_bytes_max)) {
      Reply(503, kAmzJson, kNoRoom);
      return true;
    }
    plain_request_.reserve(plain_bytes_max);
  }
  switch (codec_.Decompress(coding, request.body, plain_bytes_max, &plain_request_)) {
    case DecompressOutcome::kDone:
      return AnswerPlain(request, plain_request_, &working);
    case DecompressOutcome::kTooLarge:
      if (is_limited) return false;
      Reply(413, kAmzJson, kTooLarge);
      return true;
    case DecompressOutcome::kBad:
      Reply(400, kAmzJson, kSerialization);
      return true;
  }
  return true;
}

// Executes the request after it has added the memory for the execution to `working`.
bool Responder::AnswerPlain(const Request& request, std::string_view json, Share* working) {
  if (budget_ == nullptr && IsLong(request)) return false;
  if (json.size() > kSmallBodyBytes) {
    if (budget_ == nullptr) return false;
    const std::size_t plain_bytes = json.data() == plain_request_.data() ? json.size() : 0;
    // The limit lets even the most expensive request run while few others are buffered. Such a request takes about 30 MiB
    // more than the limit: a part of the 64 MiB that the server may take in addition to the budget.
    const std::size_t others = std::min(request.body.size(), budget_->max());
    const std::size_t bytes =
        std::min(plain_bytes + WorkingBytes(json), (budget_->max() - others) / 4 * 3);
    if (!working->Resize(bytes)) {
      Reply(503, kAmzJson, kNoRoom);
      return true;
    }
  }
  Execute(request, json);
  return true;
}

void Responder::Execute(const Request& request, std::string_view json) {
  const std::string_view operation = OperationOf(request.amz_target);
  const std::string_view content_type = KnownContentType(request.content_type);
  // Like DynamoDB, does not check the signature of a request that names no operation.
  const Status accepted =
      operation.empty() ? Status() : authentication_.Check(request, service_.clock->Now());
  if (!accepted.ok()) {
    // DynamoDB checks the JSON and the name of the operation before it checks the signature. If
    // both checks fail, DynamoDB reports only the error of the JSON or of the name.
    response_ = service_.endpoint.Unreadable(operation, json)
                    .value_or(EndpointResponse{400, accepted.message()});
  } else if (service_.databases != nullptr) {
    ExecuteOnDatabaseOfKey(request, operation, json);
  } else {
    service_.endpoint.Execute(operation, json, &response_, authentication_.region());
    const bool is_server_fault = response_.status == 500;
    if (is_server_fault && service_.health != nullptr) service_.health->Check();
  }
  const auto is_of_host = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-:[]").find(c) != std::string_view::npos;
  };
  // Any other byte of the header might be invalid in JSON.
  if (operation == "DescribeEndpoints" && response_.status == 200 && !request.host.empty() &&
      std::ranges::all_of(request.host, is_of_host)) {
    response_.body.clear();
    wire::JsonWriter json_writer(&response_.body);
    wire::WriteEndpoints(request.host, &json_writer);
  }
  Reply(response_.status, content_type, response_.body);
  if (body_.size() >= kCompressedBytesMin) CompressBody(PreferredCoding(request.accept_encoding));
}

void Responder::ExecuteOnDatabaseOfKey(const Request& request, std::string_view operation,
                                       std::string_view json) {
  const auto database = service_.databases->Find(AccessKeyOf(request));
  if (!database.ok()) return wire::SetError(database.status(), &response_);
  fault_ = (*database)->Execute(operation, json, authentication_.region(), &response_);
}

void Responder::Reply(int status, std::string_view content_type, std::string_view body) {
  description_.status = status;
  description_.content_type = content_type;
  body_ = body;
}

void Responder::CompressBody(Coding coding) {
  if (coding == Coding::kIdentity) return;
  if (!codec_.Compress(coding, body_, &compressed_response_)) return;
  body_ = compressed_response_;
  description_.content_encoding = NameOf(coding);
}

void Responder::Finish(const Request& request) {
  description_.content_length = body_.size();
  description_.crc32 = Crc32(body_);
  description_.request_id = ids_.Next();
  description_.date = date_.At(service_.clock->Now());
  head_.clear();
  AppendHead(description_, &head_);
  AppendCorsLines(request, service_.cors, &head_);
  head_.append("\r\n");
  if (request.method == "HEAD") body_ = {};
}

void Responder::BreakConnection() {
  if (fault_ == internal::ConnectionFault::kNone) return;
  description_.close = true;
  if (fault_ == internal::ConnectionFault::kDropped) {
    head_.clear();
    body_ = {};
  } else {
    body_ = body_.substr(0, body_.size() / 2);
  }
}

void Responder::Forget() {
  body_ = {};
  FreeIfLarge(&response_.body);
  FreeIfLarge(&plain_request_);
  FreeIfLarge(&compressed_response_);
}

}  // namespace dolmen::server
