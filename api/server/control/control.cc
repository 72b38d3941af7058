#include "server/control/control.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "dolmen/testing/simulation_json.h"
#include "engine/base/status_macros.h"
#include "http/header_text.h"
#include "http/uri.h"
#include "server/auth/signature.h"
#include "wire/json_writer.h"
#include "wire/manual_clock.h"

namespace dolmen::server {
namespace {

using wire::JsonWriter;

constexpr std::string_view kAccessKeyHeader = "X-Dolmen-Access-Key";

// A control request: the database that it is about, and its parameters.
struct Call {
  Databases& databases;
  std::string access_key;
  ServedDatabase& database;
  http::QueryParameters parameters;
  std::string_view body;

  std::string_view Parameter(std::string_view name) const {
    return http::Find(parameters, name).value_or(std::string_view());
  }
};

Status Reset(const Call& call, JsonWriter*) { return call.database.Reset(); }

Status Snapshot(const Call& call, JsonWriter*) {
  return call.database.Snapshot(std::string(call.Parameter("name")));
}

Status Restore(const Call& call, JsonWriter*) {
  return call.database.Restore(std::string(call.Parameter("name")));
}

Status Fork(const Call& call, JsonWriter*) {
  return call.databases.Fork(call.access_key, call.Parameter("name"));
}

Status Drop(const Call& call, JsonWriter*) { return call.databases.Drop(call.access_key); }

Status ReadClock(const Call& call, JsonWriter* json) {
  json->StringField("Now", ToIso8601(call.database.Now()));
  return {};
}

// Parses a number of seconds, such as 90 or -0.5. Rounds it to milliseconds.
// - kValidation: the text is not a number, or is longer than all times of a clock together.
Result<std::chrono::milliseconds> ParseSeconds(std::string_view text) {
  constexpr std::chrono::duration<double> kLongest = wire::kClockEnd - wire::kClockBegin;
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || !(seconds >= -kLongest.count() && seconds <= kLongest.count())) {
    return Status::Validation("advance is not a number of seconds, such as 90 or 0.5");
  }
  return std::chrono::round<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

// Returns the time to which the request moves a clock that shows the time `now`.
Result<Timestamp> TimeToSet(const Call& call, Timestamp now) {
  const std::string_view set = call.Parameter("set");
  const std::string_view advance = call.Parameter("advance");
  if (set.empty() == advance.empty()) {
    return Status::Validation(
        "give one of two parameters: set=2026-04-15T10:30:00Z or advance=SECONDS");
  }
  if (!set.empty()) return ParseIso8601(set);
  DOLMEN_ASSIGN_OR_RETURN(const std::chrono::milliseconds by, ParseSeconds(advance));
  return now + by;
}

Status MoveClock(const Call& call, JsonWriter* json) {
  ManualClock* const clock = call.database.clock();
  if (clock == nullptr) {
    return Status::Validation(
        "the database has the clock of the system: start the server with --clock manual");
  }
  DOLMEN_ASSIGN_OR_RETURN(const Timestamp time, TimeToSet(call, clock->Now()));
  DOLMEN_RETURN_IF_ERROR(wire::CheckClockTime(time));
  clock->Set(time);
  return ReadClock(call, json);
}

Status Expire(const Call& call, JsonWriter* json) {
  DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t expired, call.database.ExpireNow());
  json->UnsignedField("ExpiredItems", expired);
  return {};
}

Status Wait(const Call& call, JsonWriter*) { return call.database.WaitForIndexes(); }

Status Requests(const Call& call, JsonWriter* json) {
  json->Key("Requests");
  json->Raw(call.database.log().Json());
  return {};
}

void WriteInsights(std::string_view report, JsonWriter* json) {
  json->Key("ContributorInsights");
  json->Raw(report);
}

Status ReadInsights(const Call& call, JsonWriter* json) {
  WriteInsights(call.database.ContributorInsights(), json);
  return {};
}

Status Simulate(const Call& call, JsonWriter* json) {
  SimulateOptions options;
  if (!call.body.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(options, ParseSimulation(call.body));
  }
  const std::uint64_t seed = options.seed;
  DOLMEN_RETURN_IF_ERROR(call.database.Simulate(std::move(options)));
  json->UnsignedField("Seed", seed);
  return {};
}

Status ReadTrace(const Call& call, JsonWriter* json) {
  DOLMEN_ASSIGN_OR_RETURN(const SimulatedTrace& trace, call.database.Trace());
  json->Key("Trace");
  json->BeginArray();
  for (const SimulatedDecision& decision : trace) {
    const std::string line = ToText({decision});
    json->String(std::string_view(line).substr(0, line.size() - 1));  // without the end of line
  }
  json->EndArray();
  return {};
}

// A control request: its name in the path, its parameters, and the function that executes it.
struct Action {
  std::string_view method;
  std::string_view name;
  std::array<std::string_view, 2> parameters;  // unused elements are empty
  Status (*run)(const Call& call, JsonWriter* json);
};

constexpr std::array<Action, 13> kActions = {{
    {"POST", "reset", {}, Reset},
    {"POST", "snapshot", {"name"}, Snapshot},
    {"POST", "restore", {"name"}, Restore},
    {"POST", "fork", {"name"}, Fork},
    {"POST", "drop", {}, Drop},
    {"GET", "clock", {}, ReadClock},
    {"POST", "clock", {"set", "advance"}, MoveClock},
    {"POST", "expire", {}, Expire},
    {"POST", "wait", {}, Wait},
    {"GET", "requests", {}, Requests},
    {"GET", "contributor-insights", {}, ReadInsights},
    {"GET", "simulate", {}, ReadTrace},
    {"POST", "simulate", {}, Simulate},
}};

std::string AccessKeyFor(const Request& request) {
  for (const http::HeaderField& field : request.fields) {
    if (http::IsSameName(field.name, kAccessKeyHeader)) return std::string(field.value);
  }
  return AccessKeyOf(request);
}

ControlResponse Error(int status, std::string_view message) {
  ControlResponse response{.status = status};
  JsonWriter json(&response.body);
  json.BeginObject();
  json.StringField("Error", message);
  json.EndObject();
  return response;
}

ControlResponse ErrorOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kResourceNotFound:
      return Error(404, status.message());
    case StatusCode::kValidation:
      return Error(400, status.message());
    default:
      return Error(500, status.message());
  }
}

ControlResponse UnknownAction() {
  std::string message = "the control requests are";
  for (const Action& action : kActions) {
    message.append(&action == kActions.data() ? " " : ", ").append(action.method).append(" ");
    message.append(kControlPath).append(action.name);
  }
  return Error(404, message);
}

// Ignores the parameters of a presigned request.
// - kValidation: the action has no parameter of a given name.
Status CheckParameters(const Action& action, const http::QueryParameters& parameters) {
  const bool all_known = std::ranges::all_of(parameters, [&](const auto& parameter) {
    return parameter.first.starts_with("X-Amz-") ||
           std::ranges::count(action.parameters, parameter.first) > 0;
  });
  if (all_known) return {};
  std::string message = std::string(action.name) + " has no parameter";
  for (const std::string_view name : action.parameters) {
    if (!name.empty()) message.append(" but ").append(name);
  }
  return Status::Validation(message);
}

ControlResponse Run(const Action& action, const Request& request, Databases* databases) {
  http::QueryParameters parameters = http::QueryOf(request.target);
  if (Status known = CheckParameters(action, parameters); !known.ok()) return ErrorOf(known);
  std::string access_key = AccessKeyFor(request);
  const Result<std::shared_ptr<ServedDatabase>> database = databases->Find(access_key);
  if (!database.ok()) return ErrorOf(database.status());
  const Call call{*databases, std::move(access_key), **database, std::move(parameters),
                  request.body};
  ControlResponse response;
  JsonWriter json(&response.body);
  json.BeginObject();
  const Status done = action.run(call, &json);
  json.EndObject();
  return done.ok() ? response : ErrorOf(done);
}

}  // namespace

ControlResponse ReportInsights(const Request& request, const Endpoint& endpoint) {
  if (request.method != "GET")
    return Error(405, "contributor-insights is a request with the method GET");
  ControlResponse response;
  JsonWriter json(&response.body);
  json.BeginObject();
  WriteInsights(endpoint.ContributorInsights(), &json);
  json.EndObject();
  return response;
}

ControlResponse Control(const Request& request, Databases* databases) {
  const std::string_view name = http::PathOf(request.target).substr(kControlPath.size());
  const auto has_name = [&](const Action& action) { return action.name == name; };
  const auto fits = [&](const Action& action) {
    return has_name(action) && action.method == request.method;
  };
  const auto action = std::ranges::find_if(kActions, fits);
  if (action != kActions.end()) return Run(*action, request, databases);
  const auto other = std::ranges::find_if(kActions, has_name);
  if (other == kActions.end()) return UnknownAction();
  return Error(405,
               std::string(name) + " is a request with the method " + std::string(other->method));
}

}  // namespace dolmen::server
