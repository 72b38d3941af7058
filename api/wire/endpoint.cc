#include <algorithm>
#include <utility>

#include "dolmen/wire.h"
#include "engine/backend.h"
#include "wire/constraints.h"
#include "wire/errors.h"
#include "wire/foreign_arns.h"
#include "wire/json.h"
#include "wire/json_text.h"
#include "wire/json_writer.h"
#include "wire/managed_table.h"
#include "wire/operation.h"

namespace dolmen {
namespace {

// The largest request, in bytes of JSON, whose memory a thread keeps for its next request.
constexpr std::size_t kKeptBytesMax = 1 << 20;

// A parsed request. A small one uses the parser of its thread, whose memory is reused from request to request. A thread
// may have one ParsedRequest at a time.
class ParsedRequest {
 public:
  explicit ParsedRequest(std::string_view text) {
    if (text.size() <= kKeptBytesMax) {
      static thread_local simdjson::dom::parser parser;
      static thread_local simdjson::dom::document document;
      Parse(text, &parser, &document);
    } else {
      // Keeps only the document. The parser has a copy of the text, and an index of up to four times its size.
      simdjson::dom::parser parser;
      Parse(text, &parser, &large_);
    }
  }
  ParsedRequest(const ParsedRequest&) = delete;
  ParsedRequest& operator=(const ParsedRequest&) = delete;

  // The request as JSON, or nothing if the text is not a JSON object.
  const std::optional<wire::Json>& json() const { return json_; }
  // The message of the SerializationException, or "" as in DynamoDB.
  const std::string& fault() const { return fault_; }

 private:
  void Parse(std::string_view text, simdjson::dom::parser* parser,
             simdjson::dom::document* document) {
    wire::Json json;
    simdjson::error_code error =
        parser->parse_into_document(*document, text.data(), text.size()).get(json);
    if (wire::IsNumberError(error)) {
      error = parser->parse_into_document(*document, wire::ReplaceBigNumbers(text)).get(json);
    }
    if (error == simdjson::SUCCESS && json.is_object()) json_ = json;
    if (error != simdjson::STRING_ERROR) return;
    const auto half = wire::FindHalfSurrogate(text);
    if (half) fault_ = "The request is not JSON: " + wire::Describe(*half);
  }

  simdjson::dom::document large_;  // empty for a small request
  std::string fault_;
  std::optional<wire::Json> json_;
};

// Checks the request's types and constraints, then runs the operation. Writes the response or the
// error to `response`.
void Run(const wire::Operation& operation, const wire::Context& context, const wire::Json& request,
         EndpointResponse* response) {
  wire::Faults faults = Check(*operation.input, request, operation.older_input);
  if (!faults.type.empty()) return wire::SetSerializationError(faults.type, response);
  if (!faults.constraints.empty()) {
    const Status name = wire::CheckManagedTableArn(*operation.input, wire::ObjectOf(request));
    return wire::SetError(name.ok() ? Status::Validation(std::move(faults.constraints)) : name,
                          response);
  }
  response->status = 200;
  response->body.clear();
  wire::JsonWriter json(&response->body);
  Status done = wire::CheckPlaces(context, operation, wire::ObjectOf(request));
  if (done.ok()) done = operation.run(context, wire::ObjectOf(request), &json);
  if (context.insights->may_count()) {
    context.insights->Count(context.database, wire::ObjectOf(request), done, response->body);
  }
  if (done.ok()) return;
  if (!context.exception->empty()) {
    return wire::SetException(*context.exception, done.message(), response);
  }
  wire::SetError(done, response, operation.missing_table, context.place);
}

}  // namespace

struct Endpoint::State {
  // Returns the operation with the given name, or null if the endpoint does not have it.
  const wire::Operation* Find(std::string_view name) const {
    if (std::ranges::find(options.without, name) != options.without.end()) return nullptr;
    return wire::FindOperation(name);
  }

  Database database;
  EndpointOptions options;
  std::shared_ptr<wire::RestoreFailures> restore_failures =
      std::make_shared<wire::RestoreFailures>();
  std::shared_ptr<wire::ContributorInsights> insights =
      std::make_shared<wire::ContributorInsights>();
};

Endpoint::Endpoint(Database database, const EndpointOptions& options)
    : state_(std::make_shared<State>(State{std::move(database), options})) {
  std::shared_ptr<wire::Jobs>& jobs = state_->options.jobs;
  if (jobs == nullptr) jobs = std::make_shared<wire::Jobs>(wire::Jobs::Place::kInRequest);
}

EndpointResponse Endpoint::Execute(std::string_view operation, std::string_view json,
                                   std::string_view region) const {
  EndpointResponse response;
  Execute(operation, json, &response, region);
  return response;
}

void Endpoint::Execute(std::string_view operation, std::string_view json,
                       EndpointResponse* response, std::string_view region) const {
  if (!state_->database.backend()->IsInOwnProcess()) {
    return wire::SetError(internal::RefusedAfterFork(), response);
  }
  const ParsedRequest request(json);
  if (!request.json()) return wire::SetSerializationError(request.fault(), response);
  const wire::Operation* const known = state_->Find(operation);
  if (known == nullptr) return wire::SetUnknownOperation(response);
  const EndpointOptions& options = state_->options;
  std::string_view exception;
  const wire::Context context = {
      .database = state_->database,
      .place = {options.region.empty() ? region : options.region, options.account},
      .buckets = options.buckets,
      .jobs = *options.jobs,
      .restore_failures = state_->restore_failures,
      .insights = state_->insights,
      .statement_additions = options.statement_additions,
      .exception = &exception};
  Run(*known, context, *request.json(), response);
}

std::string Endpoint::ContributorInsights() const {
  return state_->insights->Report(state_->database);
}

std::optional<EndpointResponse> Endpoint::Unreadable(std::string_view operation,
                                                     std::string_view json) const {
  EndpointResponse response;
  if (const ParsedRequest request(json); !request.json()) {
    wire::SetSerializationError(request.fault(), &response);
  } else if (state_->Find(operation) == nullptr) {
    wire::SetUnknownOperation(&response);
  } else {
    return std::nullopt;
  }
  return response;
}

}  // namespace dolmen
