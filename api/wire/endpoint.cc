#include <utility>

#include "dolmen/wire.h"
#include "wire/big_numbers.h"
#include "wire/errors.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/operation.h"
#include "wire/shape.h"

namespace dolmen {
namespace {

// What a thread keeps of its largest request.
constexpr std::size_t kKeptBytesMax = 1 << 20;

// The parser of this thread.  Its memory is used again, but a huge request's is not kept.
class RequestParser {
 public:
  // Nothing if the text is no JSON object.  Lives until the next call in this thread.
  static std::optional<wire::Json> Parse(std::string_view text) {
    static thread_local simdjson::dom::parser parser;
    if (parser.capacity() > kKeptBytesMax && text.size() <= kKeptBytesMax) {
      parser = simdjson::dom::parser();
    }
    wire::Json json;
    simdjson::error_code error = parser.parse(text.data(), text.size()).get(json);
    if (error == simdjson::NUMBER_ERROR) {
      error = parser.parse(wire::WithoutBigNumbers(text)).get(json);
    }
    if (error != simdjson::SUCCESS || !json.is_object()) return std::nullopt;
    return json;
  }
};

void Run(const wire::Operation& operation, const Database& database, const wire::Json& request,
         EndpointResponse* response) {
  if (const std::string error = CheckTypes(*operation.input, request); !error.empty()) {
    return wire::SetSerializationError(error, response);
  }
  std::string broken = CheckConstraints(*operation.input, request);
  if (!broken.empty()) return wire::SetError(Status::Validation(std::move(broken)), response);
  response->status = 200;
  response->body.clear();
  wire::JsonWriter json(&response->body);
  const Status done = operation.run({database}, wire::ObjectOf(request), &json);
  if (!done.ok()) wire::SetError(done, response);
}

}  // namespace

struct Endpoint::State {
  Database database;
};

Endpoint::Endpoint(Database database)
    : state_(std::make_shared<State>(State{std::move(database)})) {}

EndpointResponse Endpoint::Execute(std::string_view operation, std::string_view json) const {
  EndpointResponse response;
  Execute(operation, json, &response);
  return response;
}

void Endpoint::Execute(std::string_view operation, std::string_view json,
                       EndpointResponse* response) const {
  const std::optional<wire::Json> request = RequestParser::Parse(json);
  if (!request) return wire::SetSerializationError({}, response);
  const wire::Operation* const known = wire::FindOperation(operation);
  if (known == nullptr) return wire::SetUnknownOperation(response);
  Run(*known, state_->database, *request, response);
}

std::optional<EndpointResponse> Endpoint::Unreadable(std::string_view operation,
                                                     std::string_view json) const {
  EndpointResponse response;
  if (!RequestParser::Parse(json)) {
    wire::SetSerializationError({}, &response);
  } else if (wire::FindOperation(operation) == nullptr) {
    wire::SetUnknownOperation(&response);
  } else {
    return std::nullopt;
  }
  return response;
}

}  // namespace dolmen
