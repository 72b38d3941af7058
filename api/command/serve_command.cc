#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "command/backup.h"
#include "command/buckets.h"
#include "command/command.h"
#include "command/encryption_key.h"
#include "command/fixture.h"
#include "command/serve_options.h"
#include "command/text.h"
#include "command/text_file.h"
#include "dolmen/database.h"
#include "dolmen/testing/simulation_json.h"
#include "engine/base/status_macros.h"
#include "server/auth/access_keys.h"
#include "server/descriptors.h"
#include "server/health.h"
#include "server/server.h"
#include "server/shutdown_signals.h"
#include "wire/alternator.h"
#include "wire/jobs.h"

namespace dolmen::command {
namespace {

using server::AccessKeys;
using server::Databases;
using server::Health;
using server::Server;

constexpr const char* kKeysVariable = "DOLMEN_ACCESS_KEYS";
// The write buffer of the database of an access key. RocksDB reserves a part of it for a filter at
// once, and a test writes little.
constexpr std::size_t kKeyDatabaseBufferBytes = std::size_t{4} << 20;
// The time for which a further signal is ignored, because it is probably a repetition of the first.
constexpr std::chrono::seconds kRepeatedSignalWindow(1);

// Returns the clock that control requests move, or null if the database has the system's clock.
std::shared_ptr<ManualClock> ClockFor(const ServeOptions& options) {
  if (options.clock == "system") return nullptr;
  const Result<Timestamp> start = ParseIso8601(options.clock);
  return std::make_shared<ManualClock>(start.ok() ? *start : Clock::System()->Now());
}

bool HasSimulation(const ServeOptions& options) {
  return options.control || !options.simulation.empty();
}

Result<Database> OpenTables(const ServeOptions& options, const SharedClock& clock) {
  OpenOptions open;
  if (HasSimulation(options)) open.simulate = Simulate({});
  if (clock != nullptr) open.clock = clock;
  open.expiry_lag = std::chrono::seconds(options.expiry_lag_seconds);
  if (options.expiry_lag_seconds == 0) open.expiry_lag.reset();
  if (options.database_per_access_key) open.write_buffer_bytes = kKeyDatabaseBufferBytes;
  if (options.memory && options.fixture.empty()) return Database::InMemory(open);
  DOLMEN_ASSIGN_OR_RETURN(open.encryption_key, ReadEncryptionKey(options.encryption_key_file));
  if (options.memory) return OpenFixture(options.fixture, open);
  open.durability = options.durability == "sync" ? Durability::kSync : Durability::kBuffered;
  return Database::Open(options.path, open);
}

// Starts the simulation that the options describe.
Status StartSimulation(const ServeOptions& options, const Database& database) {
  SimulateOptions policy;
  if (!options.simulation.empty()) {
    DOLMEN_ASSIGN_OR_RETURN(const std::string& json,
                            ReadTextFile(options.simulation, "the simulation"));
    DOLMEN_ASSIGN_OR_RETURN(policy, ParseSimulation(json));
  }
  return Simulation::Of(database)->Restart(std::move(policy));
}

// The simulation starts after the fixture is loaded, so that the fixture has no faults.
Result<Database> OpenServedDatabase(const ServeOptions& options, const SharedClock& clock) {
  DOLMEN_ASSIGN_OR_RETURN(Database database, OpenTables(options, clock));
  if (!HasSimulation(options)) return database;
  const Status started = StartSimulation(options, database);
  if (started.ok()) return database;
  return started.WithMessage("can't start the simulation " + Printable(options.simulation) + ": " +
                             started.message());
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

void WarnIfKeysAreVisible(const ServeOptions& options) {
  if (options.access_keys.empty()) return;
  std::fprintf(
      stderr,
      "dolmen: warning: other users of this machine can see the access keys in the list of "
      "processes; use --access-key-file or the variable %s.\n",
      kKeysVariable);
}

void WarnIfOpenToAll(const Server& server, const AccessKeys& keys) {
  if (server.is_loopback() || !keys.empty()) return;
  std::fprintf(stderr,
               "dolmen: warning: any client that can reach %s can read and change all tables; "
               "use --access-key-file to require signatures.\n",
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

// Returns the databases of the access keys, or null if all access keys have one database that is
// never reset and has no simulation.
std::shared_ptr<Databases> DatabasesFor(const ServeOptions& options, const Database& database,
                                        const EndpointOptions& endpoint,
                                        std::shared_ptr<ManualClock> clock) {
  if (!options.database_per_access_key && !HasSimulation(options)) return nullptr;
  return std::make_shared<Databases>(
      database,
      server::DatabasesOptions{.served = {.endpoint = endpoint,
                                          .logs_requests = options.control,
                                          .clock = std::move(clock)},
                               .per_access_key = options.database_per_access_key,
                               .databases_max = options.databases_max,
                               .idle_max = std::chrono::seconds(options.database_idle_seconds)});
}

// Returns the names of the operations that the server leaves out.
std::vector<std::string> LeftOut(const ServeOptions& options) {
  std::vector<std::string> names = options.without;
  if (options.like == "alternator") {
    std::ranges::copy(wire::OperationsThatAlternatorLacks(), std::back_inserter(names));
  }
  return names;
}

CommandResult ResultOf(const Health* health) {
  if (health == nullptr || health->good()) return {};
  return CommandResult::Failure(
      "a write failed, and the database is read-only until the server restarts: remove the cause, "
      "and start the server again. All acknowledged writes are stored. The cause: " +
      health->cause());
}

// Prints why a job has failed.
void PrintFailure(const Status& status) {
  std::fprintf(stderr, "dolmen: %s\n", Printable(status.message()).c_str());
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
  auto keys = signals.WhileStarting([&] { return ReadAccessKeys(options); });
  if (!keys) return CommandResult::Misuse(keys.status().message());
  if (options.require_signed_payload && keys->empty()) {
    return CommandResult::Misuse("--require-signed-payload needs access keys: give --access-key");
  }
  WarnIfKeysAreVisible(options);
  server::RaiseDescriptorLimit();
  ReturnLargeBlocksToTheSystem();
  const auto clock = ClockFor(options);
  auto database = signals.WhileStarting([&] { return OpenServedDatabase(options, clock); });
  if (!database) return CommandResult::Failure(database.status().message());
  if (!options.backup_to.empty()) served = *database;
  options.server.threads = ThreadsFor(options);
  auto connections_max = MaxConnections(options.server.threads);
  if (!connections_max) return CommandResult::Failure(connections_max.status().message());
  options.server.connections_max = *connections_max;
  const auto jobs = std::make_shared<wire::Jobs>(wire::Jobs::Place::kInBackground, PrintFailure);
  EndpointOptions endpoint = {.region = options.region,
                              .account = options.account,
                              .without = LeftOut(options),
                              .statement_additions = options.statement_additions,
                              .jobs = jobs};
  if (!options.buckets.empty()) {
    auto buckets = OpenBuckets(options.buckets);
    if (!buckets) return CommandResult::Failure(buckets.status().message());
    endpoint.buckets = *buckets;
  }
  const auto databases = DatabasesFor(options, *database, endpoint, clock);
  // A database in memory has no write that fails, and a reset replaces it.
  const auto health = databases != nullptr ? nullptr
                                           : std::make_shared<Health>(
                                                 *database, [&signals] { signals.RequestStop(); });
  auto server = Server::Start({.endpoint = Endpoint(*database, endpoint),
                               .databases = databases,
                               .control = options.control,
                               .clock = Clock::System(),
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
  jobs->Stop();
  return ResultOf(health.get());
}

}  // namespace

void AddServeCommand(CLI::App* app, CommandResult* result) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* command = app->add_subcommand("serve", "Serve DynamoDB requests on a port");
  AddServeOptions(command, options.get());
  command->callback([options, result] { *result = Serve(*options); });
}

}  // namespace dolmen::command
