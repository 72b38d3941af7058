#include "command/endpoint.h"

#include <simdjson.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <utility>

#include "dolmen/wire.h"
#include "engine/base/status_macros.h"
#include "wire/json.h"
#ifdef DOLMEN_COMMAND_REMOTE
#include "remote/backend.h"
#endif

namespace dolmen::command {
namespace {

void AddWord(CLI::App* command, const char* name, std::string* word, const char* type,
             const char* help) {
  command->add_option(name, *word, help)->type_name(type)->check([](const std::string& given) {
    return std::string(given.empty() ? "is empty" : "");
  });
}

#ifdef DOLMEN_COMMAND_REMOTE
remote::RemoteBackend* RemoteOf(const Database& database) {
  return dynamic_cast<remote::RemoteBackend*>(database.backend().get());
}
#endif

Result<std::string> AskEmbedded(const Database& database, const char* operation,
                                const std::string& request) {
  EndpointResponse response = Endpoint(database).Execute(operation, request);
  if (response.status == 200) return std::move(response.body);
  return Status::Storage(std::string(operation) + " has failed: " + response.body);
}

}  // namespace

void AddEndpointOptions(CLI::App* command, EndpointWords* words) {
  AddWord(command, "--endpoint-url", &words->url, "URL",
          "A service in place of a directory: DynamoDB, Alternator or `dolmen serve`");
  AddWord(command, "--region", &words->region, "NAME", "DynamoDB in this region");
  AddWord(command, "--profile", &words->profile, "NAME",
          "The profile in ~/.aws that has the region and the keys");
}

#ifdef DOLMEN_COMMAND_REMOTE

Result<Database> ConnectTo(const EndpointWords& words) {
  return Database::Connect(
      {.endpoint = words.url, .region = words.region, .profile = words.profile});
}

bool IsRemote(const Database& database) { return RemoteOf(database) != nullptr; }

Result<std::string> Ask(const Database& database, const char* operation,
                        const std::string& request) {
  const remote::RemoteBackend* const backend = RemoteOf(database);
  if (backend == nullptr) return AskEmbedded(database, operation, request);
  DOLMEN_ASSIGN_OR_RETURN(const remote::Response& response,
                          backend->service().Send(operation, request, remote::Repeat::kSafe));
  return simdjson::minify(response.object());
}

#else

Result<Database> ConnectTo(const EndpointWords&) {
  return Status::Validation(
      "this program was built without libcurl and can't reach a service: build it with "
      "-D DOLMEN_BUILD_REMOTE=ON, or use --path");
}

bool IsRemote(const Database&) { return false; }

Result<std::string> Ask(const Database& database, const char* operation,
                        const std::string& request) {
  return AskEmbedded(database, operation, request);
}

#endif

}  // namespace dolmen::command
