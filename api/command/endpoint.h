// A service with DynamoDB's HTTP protocol on which a command works in place of a directory.

#pragma once

#include <string>

#include "command/command.h"
#include "dolmen/database.h"

namespace dolmen::command {

// A service, in the words of AWS's command line. Empty words stand for the settings of AWS's tools.
struct EndpointWords {
  std::string url = {};
  std::string region = {};
  std::string profile = {};

  bool given() const { return !url.empty() || !region.empty() || !profile.empty(); }
  // Returns a text that names the service, for messages.
  std::string name() const { return url.empty() ? "DynamoDB in " + region + profile : url; }
};

// Adds the options --endpoint-url, --region and --profile.
void AddEndpointOptions(CLI::App* command, EndpointWords* words);

// Connects to the service. Fails as Database::Connect does, and with:
// - kValidation: the program was built without dolmen::remote.
Result<Database> ConnectTo(const EndpointWords& words);

// Returns true if the tables of the database are on a service.
bool IsRemote(const Database& database);

// Executes an operation by its name and its JSON, and returns the JSON of the response. A remote
// database asks the service itself, so that the response has everything that the service knows.
// - kStorage: the embedded database has returned an error. The message has the response.
// - The errors of the service.
Result<std::string> Ask(const Database& database, const char* operation,
                        const std::string& request);

}  // namespace dolmen::command
