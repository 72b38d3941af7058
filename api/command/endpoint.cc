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

void SkipUnreadable(const Database& database, OnUnreadable on_unreadable) {
  remote::RemoteBackend* const backend = RemoteOf(database);
  if (backend == nullptr) return;
  backend->SkipUnreadable(
      [on_unreadable = std::move(on_unreadable)](const remote::UnreadableItem& unreadable) {
        on_unreadable(unreadable.item.view(), unreadable.reason);
      });
}

#else

Result<Database> ConnectTo(const EndpointWords&) {
  return Status::Validation(
      "this program was built without libcurl and can't reach a service: build it with "
      "-D DOLMEN_BUILD_REMOTE=ON, or use --path");
}

bool IsRemote(const Database&) { return false; }

void SkipUnreadable(const Database&, OnUnreadable) {}

Result<std::string> Ask(const Database& database, const char* operation,
                        const std::string& request) {
  return AskEmbedded(database, operation, request);
}

#endif

Result<std::string> AskForDetails(const Database& database, const char* operation,
                                  const std::string& request) {
  Result<std::string> response = Ask(database, operation, request);
  if (response.status().code() == StatusCode::kUnknownOperation) return std::string("{}");
  return response;
}

Result<TimeToLiveDescription> TimeToLiveOf(const Database& database, const std::string& table) {
  Result<TimeToLiveDescription> described = database.DescribeTimeToLive(table);
  if (described.status().code() == StatusCode::kUnknownOperation) return TimeToLiveDescription();
  return described;
}

}  // namespace dolmen::command
