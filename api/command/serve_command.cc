#include "command/serve_command.h"

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "command/backup.h"
#include "command/database_command.h"
#include "command/encryption_key.h"
#include "command/fixture.h"
#include "dolmen/database.h"
#include "dolmen/internal/status_macros.h"
#include "server/auth/access_keys.h"
#include "server/cors.h"
#include "server/descriptors.h"
#include "server/health.h"
#include "server/server.h"
#include "server/shutdown_signals.h"

namespace dolmen::command {
namespace {

using server::AccessKeys;
using server::Databases;
using server::Health;
using server::Server;

constexpr const char* kKeysVariable = "DOLMEN_ACCESS_KEYS";
// The time for which a further signal is ignored, because it is probably a repetition of the first.
constexpr std::chrono::seconds kRepeatedSignalWindow(1);

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
  unsigned table_delay_seconds = 0;
  std::string backup_to = {};
  bool database_per_access_key = false;
  std::size_t databases_max = 1000;
  unsigned database_idle_seconds = 600;
  server::ServerOptions server = {.threads = 0};
};

Result<Database> OpenServedDatabase(const ServeOptions& options) {
  if (options.memory && options.fixture.empty()) return Database::InMemory();
  OpenOptions open;
  DOLMEN_ASSIGN_OR_RETURN(open.encryption_key, ReadEncryptionKey(options.encryption_key_file));
  if (options.memory) return OpenFixture(options.fixture, open);
  open.durability = options.durability == "sync" ? Durability::kSync : Durability::kBuffered;
  return Database::Open(options.path, open);
}

// Returns the number of threads. More threads than processors help only if writers wait for the
// disk, that is with --path and --durability sync. One sync then serves all writers that wait
// together.
unsigned ThreadsFor(const ServeOptions& options) {
  constexpr unsigned kWriters = 16;
  if (options.server.threads != 0) return options.server.threads;
  const bool waits = !options.memory && options.durability == "sync";
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  return waits ? std::max(kWriters, processors) : processors;
}

Result<AccessKeys> ReadAccessKeys(const ServeOptions& options) {
  AccessKeys keys;
  if (const char* variable = std::getenv(kKeysVariable)) {
    DOLMEN_RETURN_IF_ERROR(server::AddAccessKeys(variable, kKeysVariable, &keys));
  }
  if (!options.access_key_file.empty()) {
    DOLMEN_RETURN_IF_ERROR(server::AddAccessKeysFromFile(options.access_key_file, &keys));
  }
  for (const std::string& key : options.access_keys) {
    DOLMEN_RETURN_IF_ERROR(server::AddAccessKey(key, &keys));
  }
  return keys;
}

// Returns the number of clients to accept at the same time. Each client uses a descriptor. The
// server and the database need the other descriptors: the database cannot be written if it cannot
// open its next file.
Result<std::size_t> MaxConnections(unsigned threads) {
  // Each thread uses three descriptors: an epoll, a timer and an event. The other eight are for the
  // listening sockets and for clients that are being accepted.
  const std::size_t own = 3 * std::size_t{threads} + 8;
  const std::size_t left = server::DescriptorsLeft();
  const std::size_t reserve = own + left / 4;
  if (left > reserve) return left - reserve;
  return Status::Storage(
      "Only " + std::to_string(left) + " more files can be opened, which is too few for " +
      std::to_string(threads) + " threads; raise the limit (ulimit -n), or lower --threads.");
}

void WarnIfOpenToAll(const Server& server, const AccessKeys& keys) {
  if (server.is_loopback() || !keys.empty()) return;
  std::fprintf(stderr,
               "dolmen: warning: any client that can reach %s can read and change all tables; "
               "use --access-key to require signatures.\n",
               server.url().c_str());
}

// Makes malloc return the memory of each large block to the system when the block is freed. By
// default glibc keeps freed blocks of up to 32 MB for later allocations, in each thread. The bodies
// of large requests would then take twice the memory that the server allows for them.
void ReturnLargeBlocksToTheSystem() {
#ifdef __GLIBC__
  constexpr int kLargeBytes = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kLargeBytes);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kLargeBytes);
#endif
}

// Backs up the database and reports the outcome. Ends early if the server must stop.
void BackUp(const Database& database, const std::string& directory,
            const server::ShutdownSignals& signals) {
  const auto proceed = [&](const CopyProgress&) { return !signals.IsStopPending(); };
  const auto output = database.Backup(directory, {.progress = proceed});
  if (!output.ok()) {
    std::fprintf(stderr, "dolmen: the backup failed: %s\n", output.status().message().c_str());
  } else if (!output->complete) {
    std::fprintf(stderr, "dolmen: the backup to %s ended with the server\n", directory.c_str());
  } else {
    std::printf("%s\n", BackupText(directory, *output).c_str());
    std::fflush(stdout);
  }
}

// Returns the databases of the access keys, or null if all access keys have the same database.
std::shared_ptr<Databases> DatabasesFor(const ServeOptions& options, const Database& database,
                                        const EndpointOptions& endpoint) {
  if (!options.database_per_access_key) return nullptr;
  return std::make_shared<Databases>(
      database,
      server::DatabasesOptions{.endpoint = endpoint,
                               .databases_max = options.databases_max,
                               .idle_max = std::chrono::seconds(options.database_idle_seconds)});
}

CommandResult ResultOf(const Health& health) {
  if (health.good()) return {};
  return CommandResult::Failure(
      "a write failed, and the database is read-only until the server restarts: remove the cause, "
      "and start the server again. All acknowledged writes are stored. The cause: " +
      health.cause());
}

CommandResult Serve(ServeOptions options) {
  if (options.memory && options.fixture.empty() && !options.encryption_key_file.empty()) {
    return CommandResult::Misuse("--encryption-key-file requires --path or --fixture");
  }
  server::ShutdownSignals signals;
  std::optional<Database> served;
  if (!options.backup_to.empty()) {
    signals.OnUserSignal([&] { BackUp(*served, options.backup_to, signals); });
  }
  auto keys = ReadAccessKeys(options);
  if (!keys) return CommandResult::Misuse(keys.status().message());
  if (options.require_signed_payload && keys->empty()) {
    return CommandResult::Misuse("--require-signed-payload needs access keys: give --access-key");
  }
  server::RaiseDescriptorLimit();
  ReturnLargeBlocksToTheSystem();
  auto database = OpenServedDatabase(options);
  if (!database) return CommandResult::Failure(database.status().message());
  served = *database;
  const auto health = std::make_shared<Health>(*database, [&signals] { signals.RequestStop(); });
  options.server.threads = ThreadsFor(options);
  auto connections_max = MaxConnections(options.server.threads);
  if (!connections_max) return CommandResult::Failure(connections_max.status().message());
  options.server.connections_max = *connections_max;
  const EndpointOptions endpoint = {.table_delay =
                                        std::chrono::seconds(options.table_delay_seconds)};
  auto server = Server::Start({.endpoint = Endpoint(*database, endpoint),
                               .databases = DatabasesFor(options, *database, endpoint),
                               .clock = database->clock(),
                               .access_keys = *keys,
                               .requires_signed_payload = options.require_signed_payload,
                               .cors = {.origins = options.cors_origins},
                               .health = health},
                              options.server);
  if (!server) return CommandResult::Failure(server.status().message());
  WarnIfOpenToAll(**server, *keys);
  std::printf("Dolmen serves DynamoDB at %s\n", (*server)->url().c_str());
  std::fflush(stdout);
  signals.Wait();
  signals.EndOnRepeatAfter(kRepeatedSignalWindow);
  (*server)->Stop();
  return ResultOf(*health);
}

constexpr const char* kExamples = R"(
Examples:
  dolmen serve --memory                        for tests: no tables at the start
  dolmen serve --memory --fixture seed.json    for tests: tables and items of a file
  dolmen serve --memory --fixture seed.json --database-per-access-key
                                               for tests in parallel: each one signs with an access
                                               key of its own
  dolmen serve --path app.dolmen --port 8080   tables on disk
  dolmen serve --memory --port 0               on any free port, which it prints
  dolmen serve --path app.dolmen --backup-to backup/
                                               backs up the tables at each SIGUSR1
  dolmen serve --path app.dolmen --host 0.0.0.0 --access-key-file keys.txt
                                               for clients that sign with one of the keys

Any AWS SDK or tool works, with any region and, without --access-key, any credentials:
  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000 --region us-east-1

Ctrl-C, SIGTERM or SIGHUP stops the server: it answers the requests in progress and closes the
tables. Another signal, at least a second later, ends it at once. The server ends by itself, with
exit code 1, if the tables cannot be written until it restarts.
)";

// Adds the options that give each access key a database. `memory` is the option --memory.
void AddKeyDatabaseOptions(CLI::App* command, CLI::Option* memory, ServeOptions* options) {
  auto* per_key = command->add_flag(
      "--database-per-access-key", options->database_per_access_key,
      "Give each access key that signs a request a database of its own, so that tests do not see "
      "each other's writes. It begins with the contents of the fixture");
  per_key->needs(memory);
  command
      ->add_option("--databases-max", options->databases_max,
                   "The number of access keys that can have a database at the same time")
      ->check(CLI::Range(1, 1'000'000))
      ->needs(per_key)
      ->capture_default_str();
  command
      ->add_option("--database-idle", options->database_idle_seconds,
                   "Time without a request after which the database of an access key is dropped")
      ->type_name("SECONDS")
      ->check(CLI::Range(1, 86400 * 365))
      ->needs(per_key)
      ->capture_default_str();
}

void AddTableOptions(CLI::App* command, ServeOptions* options) {
  auto* where = command->add_option_group("Tables", "Location of the tables; one of");
  auto* memory = where->add_flag("--memory", options->memory,
                                 "Keep the tables in memory until the server ends");
  auto* path = where->add_option("--path", options->path,
                                 "Keep the tables in this directory, which is created if needed");
  path->type_name("DIR");
  where->require_option(1);
  command
      ->add_option("--durability", options->durability,
                   "With sync, acknowledged writes survive a power failure; with buffered, they "
                   "survive a crash of the process")
      ->check(CLI::IsMember({"sync", "buffered"}))
      ->needs(path)
      ->capture_default_str();
  command
      ->add_option(
          "--fixture", options->fixture,
          "Begin with the tables and items of this fixture, which stays unchanged: the "
          "directory of a database, a directory that `dolmen export` wrote, or a file "
          R"({"Tables": [{..., "Items": [...]}]}, whose tables are requests of CreateTable)")
      ->type_name("DIR|FILE")
      ->needs(memory);
  AddKeyDatabaseOptions(command, memory, options);
  AddKeyFileOption(command, &options->encryption_key_file);
  command
      ->add_option("--backup-to", options->backup_to,
                   "At each SIGUSR1, back up the tables to this directory, as `dolmen backup` does")
      ->type_name("DIR");
  command
      ->add_option("--table-delay", options->table_delay_seconds,
                   "Time for which a new table is CREATING and cannot be used, as in DynamoDB; for "
                   "tests of clients that have to wait")
      ->type_name("SECONDS")
      ->check(CLI::Range(0, 3600))
      ->capture_default_str();
}

// Returns an error message for CLI11 to print if the text is not an origin. Otherwise returns an
// empty text.
std::string CheckOrigin(const std::string& text) {
  const std::string origin(server::OriginOf(text));
  if (text == "*" || text == "null" || (text == origin && !text.empty())) return {};
  return text + " is not an origin; give " +
         (origin.empty() ? "one like https://app.example" : origin);
}

void AddServerOptions(CLI::App* command, ServeOptions* options) {
  command->add_option("--port", options->server.port, "Port to listen on; 0 for any free port")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--host", options->server.host, "Address to listen on; 0.0.0.0 for all")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command
      ->add_option("--cors-origin", options->cors_origins,
                   "Origin whose web pages may send requests; * for all. Pages of localhost are "
                   "always allowed. Without access keys, clients of a server on 127.0.0.1 may "
                   "also use the origin's host as the name of the server")
      ->check(&CheckOrigin)
      ->type_name("ORIGIN")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--threads", options->server.threads,
          "Number of threads; by default one per processor, and at least 16 if writes wait "
          "for the disk")
      ->check(CLI::Range(1, 1024));
}

void AddKeyOptions(CLI::App* command, ServeOptions* options) {
  command
      ->add_option(
          "--access-key", options->access_keys,
          "Accept only requests that are signed with a given key. Users of this machine can see "
          "the command line; to hide the key, use a file or a variable")
      ->type_name("ID=SECRET")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--access-key-file", options->access_key_file,
          "File of access keys, one ID=SECRET per line. The variable DOLMEN_ACCESS_KEYS may "
          "hold the same")
      ->type_name("FILE");
  command->add_flag("--require-signed-payload", options->require_signed_payload,
                    "Refuse requests with UNSIGNED-PAYLOAD, whose signature does not cover the "
                    "body. Needs access keys");
}

}  // namespace

void AddServeCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app->add_subcommand("serve", "Serve DynamoDB requests on a port");
  AddTableOptions(command, options.get());
  AddServerOptions(command, options.get());
  AddKeyOptions(command, options.get());
  command->footer(kExamples);
  command->callback([options, result] { *result = Serve(*options); });
}

}  // namespace dolmen::command
