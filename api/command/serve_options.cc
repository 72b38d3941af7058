#include "command/serve_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command/database_command.h"
#include "dolmen/clock.h"
#include "server/cors.h"
#include "wire/manual_clock.h"
#include "wire/operation.h"

namespace dolmen::command {
namespace {

constexpr const char* kExamples = R"(
Examples:
  dolmen serve --memory                        for tests: no tables at the start
  dolmen serve --memory --fixture seed.json    for tests: tables and items of a file
  dolmen serve --memory --fixture seed.json --database-per-access-key
                                               for tests in parallel: each one signs with an access
                                               key of its own
  dolmen serve --memory --simulate faults.json
                                               for tests of retries: with the failures that the
                                               file describes
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

// Returns an error message for CLI11 to print if the text is not a clock.
std::string CheckClock(const std::string& text) {
  if (text == "system" || text == "manual") return {};
  if (const Result<Timestamp> time = ParseIso8601(text); time.ok()) {
    return std::string(wire::CheckClockTime(*time).message());
  }
  return text + " is not a clock; give system, manual or a time like 2026-04-15T10:30:00Z";
}

// Returns an error message for CLI11 to print if the text is not a region, an account or an operation.
std::string CheckRegion(const std::string& text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  if (!text.empty() && std::ranges::all_of(text, is_allowed)) return {};
  return text + " is not a region; give one like eu-west-1";
}
std::string CheckAccount(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() == 12 && std::ranges::all_of(text, is_digit)) return {};
  return text + " is not an account; give 12 digits";
}

std::string CheckOperation(const std::string& text) {
  if (wire::FindOperation(text) != nullptr) return {};
  return text + " is not an operation; give one like TransactWriteItems";
}

// Adds the options that leave operations out or add to them.
void AddOperationOptions(CLI::App* command, ServeOptions* options) {
  command
      ->add_option(
          "--without", options->without,
          "Leave out these operations, separated by commas, to test a program for a service "
          "that lacks them: their requests get UnknownOperationException")
      ->delimiter(',')
      ->check(&CheckOperation)
      ->type_name("OPERATION")
      ->allow_extra_args(false);
  command
      ->add_option("--like", options->like,
                   "Leave out the operations that this service does not have: ScyllaDB's "
                   "Alternator has no transactions, PartiQL, backups, exports or global tables")
      ->check(CLI::IsMember({"alternator"}));
  command->add_flag("--statement-additions", options->statement_additions,
                    "Execute what Dolmen adds to PartiQL: EXPLAIN before a statement. Without this "
                    "option such a statement gets the answer of DynamoDB");
}

// Adds the options that change the ARNs in responses.
void AddArnOptions(CLI::App* command, ServeOptions* options) {
  command
      ->add_option("--region", options->region,
                   "Region in ARNs and stream records; by default the region that the client signs "
                   "for")
      ->check(&CheckRegion)
      ->type_name("REGION");
  command->add_option("--account", options->account, "Account in ARNs")
      ->check(&CheckAccount)
      ->type_name("DIGITS")
      ->capture_default_str();
}

// Adds the options by which a test controls its database and its time.
void AddControlOptions(CLI::App* command, CLI::Option* memory, ServeOptions* options) {
  auto* control = command->add_flag(
      "--control", options->control,
      "Execute the requests below /_dolmen/, by which a test resets its database, keeps snapshots, "
      "moves the clock, sets faults and lists its requests (api/server/CONTROL.md)");
  control->needs(memory);
  command
      ->add_option(
          "--simulate", options->simulation,
          "Produce failures of AWS: throttling, conflicts, server errors, latency, partial "
          "batches, short pages and dropped connections, by the rules in this file "
          "(api/server/CONTROL.md). With --control, a test can set other rules")
      ->type_name("FILE")
      ->needs(memory);
  command
      ->add_option(
          "--clock", options->clock,
          "The clock of the tables: that of the system; or a manual one, which begins with "
          "the system's time or with the given time, and which only control requests move")
      ->check(&CheckClock)
      ->type_name("system|manual|TIME")
      ->needs(memory)
      ->capture_default_str();
  command
      ->add_option("--expiry-lag", options->expiry_lag_seconds,
                   "Time after which expired items are deleted at the latest; 0 for never")
      ->type_name("SECONDS")
      ->check(CLI::Range(0, 86400 * 365))
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
  AddControlOptions(command, memory, options);
  AddKeyFileOption(command, &options->encryption_key_file);
  command
      ->add_option("--backup-to", options->backup_to,
                   "At each SIGUSR1, back up the tables to this directory, as `dolmen backup` does")
      ->type_name("DIR")
      ->excludes(command->get_option("--control"));
  command
      ->add_option("--buckets", options->buckets,
                   "Directory whose folders are the S3 buckets of exports, imports and bulk "
                   "operations; without it, these operations are refused")
      ->type_name("DIR");
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

void AddServeOptions(CLI::App* command, ServeOptions* options) {
  AddTableOptions(command, options);
  AddServerOptions(command, options);
  AddKeyOptions(command, options);
  AddArnOptions(command, options);
  AddOperationOptions(command, options);
  command->footer(kExamples);
}

}  // namespace dolmen::command
