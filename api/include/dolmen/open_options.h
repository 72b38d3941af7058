// The options with which a database is opened, forked or connected to. The defaults of OpenOptions are
// durable and suit most programs.
//
//   auto db = Database::Open("app.dolmen", {.durability = Durability::kBuffered,
//                                           .cache_bytes = std::size_t{256} << 20});

#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "dolmen/clock.h"
#include "dolmen/internal/shared.h"

namespace dolmen {

struct SimulateOptions;

// The kinds of crash that a write survives once its call has returned.
enum class Durability : std::uint8_t {
  kSync,      // crashes of the process, and power cuts: the write is on the disk
  kBuffered,  // only crashes of the process: the operating system has the write; faster
};

// The behaviour of a write to an item that a running transaction has locked.
enum class OnConflict : std::uint8_t {
  // The write waits until the transaction has ended. A transaction takes about as long as one
  // write.
  kWait,
  // The write fails with kTransactionConflict, as in DynamoDB. For tests of a program's retries.
  kFail,
};

// A key that encrypts the files of a database. Generate it from a source of random bytes.
using EncryptionKey = std::array<std::byte, 32>;

struct OpenOptions {
  // --- behaviour ---

  // The kind of crash that acknowledged writes survive. With kBuffered a power cut may lose the
  // newest writes, but never a write that is older than a write that survives. Closing the database
  // brings all writes to the disk. This option has no effect on a database in memory.
  Durability durability = Durability::kSync;

  // True: create the database if the directory is missing or empty. False: fail with kValidation.
  bool create_if_missing = true;

  // True: open without changing anything on disk. Open fails with kValidation if the database is
  // missing.
  // - Reads see every acknowledged write. Open loads the writes that are only in the log into
  //   memory.
  // - Every call that would write or change a table fails with kValidation.
  // - Table::WaitForIndexes fails with kValidation while an index is not built.
  // - No work happens in the background: no backfill, no expiry.
  bool read_only = false;

  // The clock for expiry, streams and tokens. Null: the clock of the operating system.
  SharedClock clock = Clock::System();

  OnConflict on_conflict = OnConflict::kWait;

  // The pause between two sweeps of the thread that deletes expired items; 1 ms to 365 days, other
  // values are clamped. An expired item is deleted after at most this time, unless too many items
  // expire at once. The pause is measured by the operating system's clock, not by `clock`. The
  // thread starts once a table has a time to live. Nothing: the thread never starts, and only
  // Table::ExpireNow deletes expired items.
  std::optional<std::chrono::milliseconds> expiry_lag = std::chrono::minutes(1);

  // The key that encrypts every file of the database. Nothing: the files are not encrypted. A
  // database gets its key when it is created, and keeps it. Open fails with kValidation and changes
  // nothing if the key is wrong, if it is missing, or if the database is not encrypted. The key
  // protects the files against readers, not against changes. The files of a database in memory are
  // not encrypted, but its backups are.
  std::optional<EncryptionKey> encryption_key = std::nullopt;

  // The failures that the database produces, for tests (testing/simulate.h): Simulate({...}). Null: none.
  // Then the simulation costs nothing.
  // - kValidation of Open: a rule has a chance outside 0 to 1, or an amount of 0.
  internal::Shared<const SimulateOptions> simulate = nullptr;

  // --- tuning ---

  // The size of the read cache in bytes. It limits the memory for reads, including the index and
  // filter blocks of table files.
  std::size_t cache_bytes = std::size_t{64} << 20;

  // The size of the row cache in bytes; 0 turns it off. It holds rows, and ranges of rows, that
  // were read more than once. Query, GetItem and writes then find them without reading the files or
  // the read cache. Every read sees the latest acknowledged write, with the row cache or without
  // it.
  std::size_t row_cache_bytes = std::size_t{32} << 20;

  // The size of one write buffer in bytes. Recent writes stay in memory until a buffer is full and
  // is written to a table file. At most two buffers exist at a time.
  //
  // On disk, a buffer takes at most a sixteenth of the space that the database can have: its files
  // and the free space when it is opened. A reserve of free space ensures that buffers can be
  // written to table files:
  // - A write fails with kStorage if it would leave less free space than two buffers and 2 MB.
  // - A write that only deletes items, DeleteTable and the deletion of expired items fail only if
  //   they would leave less than one buffer and 1 MB. They need some space of their own. The space
  //   of deleted data becomes free when RocksDB compacts the data.
  std::size_t write_buffer_bytes = std::size_t{32} << 20;
};

// The options of Database::Fork.
struct ForkOptions {
  // The directory of the fork, which is absent or empty. Empty: the fork is in memory.
  std::string directory = {};

  // The clock of the fork. Null: the clock that Clock::Fork returns, so a ManualClock of the
  // original is copied, and any other clock is shared.
  SharedClock clock = nullptr;
};

// The options of Database::Connect. Empty texts stand for the settings of AWS's tools: environment
// variables, the profile in ~/.aws, and the services of the machine. api/remote/README.md lists them
// in their order.
struct ConnectOptions {
  // The URL of the service: "https://dynamodb.eu-central-1.amazonaws.com" or "http://127.0.0.1:8000".
  // It has no path. Empty: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, or DynamoDB in the region.
  std::string endpoint = {};

  // The region, for example "eu-central-1". Empty: the region in the host of an endpoint of Amazon,
  // AWS_REGION, AWS_DEFAULT_REGION, or the profile's region. Other hosts then get "us-east-1".
  std::string region = {};

  // The access key. Empty: as AWS's tools find it. Then a service on this machine that needs no key
  // gets the key "local". The session token is only used with the access key.
  std::string access_key_id = {};
  std::string secret_access_key = {};
  std::string session_token = {};

  // The profile in the shared files. If it is set, access keys in the environment are ignored. Empty:
  // AWS_PROFILE, or "default".
  std::string profile = {};

  // The number of times that a request is sent at most. With 1, nothing is sent again: BatchGetItem and
  // BatchWriteItem return what the service leaves unprocessed after one request. EntityTable sends that
  // again all the same. The default is that of AWS's SDKs for DynamoDB.
  int attempts_max = 4;

  // The time to connect, the time of one attempt, and the time of a call with all its attempts and
  // pauses. Each is at least 1 ms; other values are clamped.
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(3);
  std::chrono::milliseconds attempt_timeout = std::chrono::seconds(30);
  std::chrono::milliseconds total_timeout = std::chrono::minutes(2);

  // The number of connections at most, at least 1. A connection carries one request at a time, so
  // further requests wait.
  std::size_t connections_max = 64;

  // The table of the service that holds the positions of subscriptions (Table::Subscribe). Its keys are
  // the texts PK and SK, as CreateTable makes them by default. The first subscription creates it. It may
  // hold other items, too. A table cannot hold the positions of subscriptions to itself.
  std::string subscriptions_table = "dolmen-subscriptions";

  // The time between two requests of a subscription in the background for the records of one shard; at
  // least 1 ms. Nothing: 200 ms, because DynamoDB allows 5 requests a second for each shard, or 50 ms if
  // the service is on this machine.
  std::optional<std::chrono::milliseconds> poll_pause = {};

  // The clock for the times of signatures and for Database::clock(). Null: the clock of the operating
  // system.
  SharedClock clock = Clock::System();
};

}  // namespace dolmen
