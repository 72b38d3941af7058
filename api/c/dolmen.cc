#include "c/dolmen.h"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "c/answer.h"
#include "c/handles.h"
#include "c/open_request.h"
#include "dolmen/testing/seed.h"
#include "dolmen/testing/simulation_json.h"
#include "engine/base/status_macros.h"
#include "wire/all_tables.h"
#include "wire/json_writer.h"
#include "wire/manual_clock.h"

namespace dolmen::c {
namespace {

// - kValidation: a pointer that the function needs is null.
Status CheckGiven(std::string_view name, const void* argument) {
  if (argument != nullptr) return {};
  return Status::Validation("The argument " + std::string(name) + " is NULL.");
}

// - kValidation: the pointer is null.
// - kStorage: this process is a child of fork(2), and the database is its parent's.
Status CheckDatabase(const dolmen_database* database) {
  DOLMEN_RETURN_IF_ERROR(CheckGiven("database", database));
  return database->IsInOwnProcess() ? Status() : internal::RefusedAfterFork();
}

// Sets `*text` to the bytes of an argument. A null pointer is allowed if the size is 0.
Status ReadBytes(std::string_view name, const char* data, std::size_t size,
                 std::string_view* text) {
  if (size > 0) DOLMEN_RETURN_IF_ERROR(CheckGiven(name, data));
  *text = size > 0 ? std::string_view(data, size) : std::string_view();
  return {};
}

// Calls `call` with the database as it is until the next reset.
template <typename Call>
int AnswerOf(const dolmen_database* database, dolmen_buffer* response, const Call& call) noexcept {
  return Answer(response, [&](EndpointResponse* answer) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckDatabase(database));
    return call(database->Current(), &answer->body);
  });
}

void WriteCopied(const CopyOutput& copied, std::string* body) {
  wire::JsonWriter json(body);
  json.BeginObject();
  json.UnsignedField("Bytes", copied.bytes);
  json.UnsignedField("CopiedBytes", copied.bytes_copied);
  json.EndObject();
}

// - kValidation: the clock of the database is not a manual clock, or the time is out of range.
Status SetClock(const Database& database, Timestamp time) {
  ManualClock* const clock = database.clock()->AsManualClock();
  if (clock == nullptr) {
    return Status::Validation(
        "The database has the clock of the system. Open it with the option {\"Clock\": "
        "\"manual\"}.");
  }
  DOLMEN_RETURN_IF_ERROR(wire::CheckClockTime(time));
  clock->Set(time);
  return {};
}

// Opens what the request names. Sets `*database`.
Status OpenInto(OpenRequest request, dolmen_database** database) {
  DOLMEN_ASSIGN_OR_RETURN(Database opened, request.directory
                                               ? Database::Open(*request.directory, request.open)
                                               : Database::InMemory(request.open));
  *database = new dolmen_database(std::move(opened), std::move(request.endpoint));
  return {};
}

}  // namespace
}  // namespace dolmen::c

using namespace dolmen;     // NOLINT(google-build-using-namespace)
using namespace dolmen::c;  // NOLINT(google-build-using-namespace)

int dolmen_abi() { return DOLMEN_ABI; }

const char* dolmen_version() { return DOLMEN_VERSION; }

int dolmen_open(const char* options, dolmen_database** database, dolmen_buffer* response) {
  if (database != nullptr) *database = nullptr;
  return Answer(response, [&](EndpointResponse*) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("database", database));
    DOLMEN_ASSIGN_OR_RETURN(OpenRequest request,
                            ParseOpenRequest(options != nullptr ? options : "{}"));
    return OpenInto(std::move(request), database);
  });
}

int dolmen_open_directory(const char* directory, const char* options, dolmen_database** database,
                          dolmen_buffer* response) {
  if (database != nullptr) *database = nullptr;
  return Answer(response, [&](EndpointResponse*) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("database", database));
    DOLMEN_ASSIGN_OR_RETURN(OpenRequest request,
                            ParseOpenRequest(options != nullptr ? options : "{}"));
    if (request.directory) {
      return Status::Validation("The option Directory is given beside the argument directory.");
    }
    if (directory != nullptr) request.directory = directory;
    if (directory != nullptr && request.directory->empty()) {
      return Status::Validation("The directory is empty. For memory, pass NULL.");
    }
    return OpenInto(std::move(request), database);
  });
}

void dolmen_close(dolmen_database* database) {
  if (database != nullptr && UnusableResponse() == nullptr) {
    internal::DeleteInOwnProcess()(database);
  }
}

int dolmen_fork(dolmen_database* database, const char* directory, dolmen_database** fork,
                dolmen_buffer* response) {
  if (fork != nullptr) *fork = nullptr;
  return AnswerOf(database, response, [&](const Database& original, std::string*) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("fork", fork));
    ForkOptions options;
    if (directory != nullptr) options.directory = directory;
    if (directory != nullptr && options.directory.empty()) {
      return Status::Validation("The directory of the fork is empty. For memory, pass NULL.");
    }
    DOLMEN_ASSIGN_OR_RETURN(Database copy, original.Fork(options));
    *fork = new dolmen_database(std::move(copy), database->options());
    return {};
  });
}

int dolmen_reset(dolmen_database* database, dolmen_buffer* response) {
  return Answer(response, [&](EndpointResponse*) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckDatabase(database));
    return database->Reset();
  });
}

int dolmen_execute(dolmen_database* database, const char* operation, const char* request,
                   size_t size, dolmen_buffer* response) {
  return Answer(response, [&](EndpointResponse* answer) -> Status {
    std::string_view json;
    DOLMEN_RETURN_IF_ERROR(CheckDatabase(database));
    DOLMEN_RETURN_IF_ERROR(CheckGiven("operation", operation));
    DOLMEN_RETURN_IF_ERROR(ReadBytes("request", request, size, &json));
    database->Execute(operation, json, answer);
    return {};
  });
}

int dolmen_load_seed(dolmen_database* database, const char* json, size_t size,
                     dolmen_buffer* response) {
  return AnswerOf(database, response, [&](const Database& current, std::string*) -> Status {
    std::string_view seed;
    DOLMEN_RETURN_IF_ERROR(ReadBytes("json", json, size, &seed));
    return LoadSeed(current, seed);
  });
}

int dolmen_expire(dolmen_database* database, dolmen_buffer* response) {
  return AnswerOf(database, response, [](const Database& current, std::string* body) -> Status {
    DOLMEN_ASSIGN_OR_RETURN(const std::uint64_t expired, wire::ExpireAllTables(current));
    wire::JsonWriter json(body);
    json.BeginObject();
    json.UnsignedField("ExpiredItems", expired);
    json.EndObject();
    return {};
  });
}

int dolmen_wait(dolmen_database* database, dolmen_buffer* response) {
  return AnswerOf(database, response, [](const Database& current, std::string*) {
    return wire::WaitForAllIndexes(current);
  });
}

int dolmen_clock(dolmen_database* database, int64_t* milliseconds, dolmen_buffer* response) {
  return AnswerOf(database, response, [&](const Database& current, std::string*) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("milliseconds", milliseconds));
    *milliseconds = current.clock()->Now().time_since_epoch().count();
    return {};
  });
}

int dolmen_set_clock(dolmen_database* database, int64_t milliseconds, dolmen_buffer* response) {
  return AnswerOf(database, response, [&](const Database& current, std::string*) {
    return SetClock(current, Timestamp(std::chrono::milliseconds(milliseconds)));
  });
}

int dolmen_backup(dolmen_database* database, const char* directory, dolmen_buffer* response) {
  return AnswerOf(database, response, [&](const Database& current, std::string* body) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("directory", directory));
    DOLMEN_ASSIGN_OR_RETURN(const CopyOutput copied, current.Backup(directory));
    WriteCopied(copied, body);
    return {};
  });
}

int dolmen_restore(const char* backup, const char* directory, const char* encryption_key,
                   dolmen_buffer* response) {
  return Answer(response, [&](EndpointResponse* answer) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("backup", backup));
    DOLMEN_RETURN_IF_ERROR(CheckGiven("directory", directory));
    RestoreOptions options;
    if (encryption_key != nullptr) {
      options.encryption_key = ParseEncryptionKey(encryption_key);
      if (!options.encryption_key)
        return Status::Validation("The encryption key must be 64 hexadecimal digits.");
    }
    DOLMEN_ASSIGN_OR_RETURN(const CopyOutput copied, Database::Restore(backup, directory, options));
    WriteCopied(copied, &answer->body);
    return {};
  });
}

int dolmen_simulate(dolmen_database* database, const char* json, size_t size,
                    dolmen_buffer* response) {
  return AnswerOf(database, response, [&](const Database& current, std::string*) -> Status {
    std::string_view text;
    DOLMEN_RETURN_IF_ERROR(ReadBytes("json", json, size, &text));
    DOLMEN_ASSIGN_OR_RETURN(SimulateOptions options,
                            ParseSimulation(text.empty() ? std::string_view("{}") : text));
    DOLMEN_ASSIGN_OR_RETURN(const Simulation simulation, Simulation::Of(current));
    return simulation.Restart(std::move(options));
  });
}

int dolmen_trace(dolmen_database* database, dolmen_buffer* response) {
  return AnswerOf(database, response, [](const Database& current, std::string* body) -> Status {
    DOLMEN_ASSIGN_OR_RETURN(const Simulation simulation, Simulation::Of(current));
    wire::JsonWriter json(body);
    json.BeginObject();
    json.Key("Trace");
    json.BeginArray();
    for (const SimulatedDecision& decision : simulation.Trace()) {
      const std::string line = ToText({decision});
      json.String(std::string_view(line).substr(0, line.size() - 1));  // without the end of line
    }
    json.EndArray();
    json.EndObject();
    return {};
  });
}

int dolmen_subscribe(dolmen_database* database, const char* table, const char* name,
                     dolmen_handler handler, void* context, dolmen_subscription** subscription,
                     dolmen_buffer* response) {
  if (subscription != nullptr) *subscription = nullptr;
  return AnswerOf(database, response, [&](const Database& current, std::string*) -> Status {
    DOLMEN_RETURN_IF_ERROR(CheckGiven("table", table));
    DOLMEN_RETURN_IF_ERROR(CheckGiven("name", name));
    DOLMEN_RETURN_IF_ERROR(CheckGiven("subscription", subscription));
    if (handler == nullptr) return Status::Validation("The argument handler is NULL.");
    DOLMEN_ASSIGN_OR_RETURN(const Table streamed, current.OpenTable(table));
    DOLMEN_ASSIGN_OR_RETURN(
        Subscription running,
        streamed.Subscribe({.name = name},
                           HandlerOf(handler, context, database->options().region)));
    *subscription = new dolmen_subscription{std::move(running)};
    return {};
  });
}

void dolmen_unsubscribe(dolmen_subscription* subscription) {
  if (UnusableResponse() == nullptr) delete subscription;
}
