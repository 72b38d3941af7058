// The options of `dolmen serve`.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "command/command.h"
#include "dolmen/wire.h"
#include "server/server.h"

namespace dolmen::command {

struct ServeOptions {
  bool memory = false;
  std::string fixture = {};
  std::string path = {};
  std::string encryption_key_file = {};
  std::string durability = "sync";
  std::vector<std::string> access_keys = {};
  std::string access_key_file = {};
  bool require_signed_payload = false;
  std::vector<std::string> cors_origins = {};
  std::string region = {};
  std::string account = std::string(kDefaultAccount);
  std::vector<std::string> without = {};  // names of operations
  std::string like = {};                  // the name of a service; "": no other service
  bool statement_additions = false;
  std::string backup_to = {};
  std::string buckets = {};
  bool database_per_access_key = false;
  std::size_t databases_max = 1000;
  unsigned database_idle_seconds = 600;
  bool control = false;
  std::string simulation = {};
  std::string clock = "system";
  unsigned expiry_lag_seconds = 60;
  server::ServerOptions server = {.threads = 0};
};

// Adds the options and the examples to the command. `options` gets the values when the command line is
// parsed.
// REQUIRES: `options` outlives the command.
void AddServeOptions(CLI::App* command, ServeOptions* options);

}  // namespace dolmen::command
