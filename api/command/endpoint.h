// A service with DynamoDB's HTTP protocol on which a command works in place of a directory.

#pragma once

#include <functional>
#include <string>

#include "command/command.h"
#include "dolmen/database.h"
#include "dolmen/item_view.h"

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

// Like Ask, for an operation that only adds details to what a command does. Returns {} if the service does
// not have the operation.
Result<std::string> AskForDetails(const Database& database, const char* operation,
                                  const std::string& request);

// Returns the table's time to live. Returns none if the service does not have the operation. Fails as
// Database::DescribeTimeToLive does.
Result<TimeToLiveDescription> TimeToLiveOf(const Database& database, const std::string& table);

// A function that gets an item that cannot be read, as far as it can be shown, and the reason. Is called by
// several threads at a time.
using OnUnreadable = std::function<void(const ItemView& item, const std::string& reason)>;
// Leaves items that are not JSON out of the pages of a service, and calls `on_unreadable` for each. A database
// in a directory has none.
// REQUIRES: no other thread uses the database yet.
void SkipUnreadable(const Database& database, OnUnreadable on_unreadable);

}  // namespace dolmen::command
