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

// What a thread keeps for its next request has room for so long a text.
constexpr std::size_t kKeptBytesMax = 1 << 20;

simdjson::dom::parser& ParserOfThread() {
  static thread_local simdjson::dom::parser parser;
  return parser;
}

// A request that has been read.  Its parser is its thread's, whose memory is used again; what a
// huge request has needed is given back at its end.  One at a time in a thread.
class ParsedRequest {
 public:
  explicit ParsedRequest(std::string_view text) {
    simdjson::dom::parser& parser = ParserOfThread();
    wire::Json json;
    simdjson::error_code error = parser.parse(text.data(), text.size()).get(json);
    if (error == simdjson::NUMBER_ERROR) {
      error = parser.parse(wire::WithoutBigNumbers(text)).get(json);
    }
    if (error == simdjson::SUCCESS && json.is_object()) json_ = json;
  }
  ParsedRequest(const ParsedRequest&) = delete;
  ParsedRequest& operator=(const ParsedRequest&) = delete;
  ~ParsedRequest() {
    simdjson::dom::parser& parser = ParserOfThread();
    if (parser.capacity() > kKeptBytesMax) parser = simdjson::dom::parser();
  }

  // Nothing if the text is no JSON object.
  const std::optional<wire::Json>& json() const { return json_; }

 private:
  std::optional<wire::Json> json_;
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
  const ParsedRequest request(json);
  if (!request.json()) return wire::SetSerializationError({}, response);
  const wire::Operation* const known = wire::FindOperation(operation);
  if (known == nullptr) return wire::SetUnknownOperation(response);
  Run(*known, state_->database, *request.json(), response);
}

std::optional<EndpointResponse> Endpoint::Unreadable(std::string_view operation,
                                                     std::string_view json) const {
  EndpointResponse response;
  if (!ParsedRequest(json).json()) {
    wire::SetSerializationError({}, &response);
  } else if (wire::FindOperation(operation) == nullptr) {
    wire::SetUnknownOperation(&response);
  } else {
    return std::nullopt;
  }
  return response;
}

}  // namespace dolmen
