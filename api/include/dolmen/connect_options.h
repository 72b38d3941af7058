// The options with which a program connects to a service (Database::Connect).
//
//   auto db = Database::Connect({.endpoint = "http://127.0.0.1:8000"});

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "dolmen/clock.h"

namespace dolmen {

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

#include "dolmen/internal/show_macros.h"
