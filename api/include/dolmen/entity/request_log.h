// A log of the requests that an EntityTable sends, with their costs. Use it in tests that check
// the cost of an access pattern, and in tools that show the cost.
//
//   RequestLog log;
//   auto table = EntityTable::Open(*database, {.name = "app", .observer = log.observer()});
//   table->Query<Room>().With<&Room::hotel_id>("h1").All();
//   for (const RequestTrace& trace : log.Take()) std::cout << trace.operation << trace.request;

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/consumed_capacity.h"

namespace dolmen {

// One request that was sent, successful or not. A value type that owns its texts.
struct RequestTrace {
  // DynamoDB's name of the operation: "Query", "PutItem", "TransactWriteItems".
  std::string operation = {};

  // A description of the request for people, not meant to be parsed:
  // `GSI1PK = "USER#u_01", begins_with(GSI1SK, "CONVO#")`
  std::string request = {};

  // The rest of the request for people, one line for each part, in DynamoDB's notation with values
  // in place of placeholders. Empty for a read without filter and projection. In a transaction the
  // lines of each write follow its operation and key, and begin with two spaces.
  //
  //   SET body = "On Thursday!" ADD edits 1
  //   ConditionExpression = attribute_exists(PK) AND body = "Sounds good!"
  std::vector<std::string> details = {};

  // The consumed capacity of each table, with the share of each index. Empty if the request
  // failed.
  std::vector<ConsumedCapacity> consumed_capacity = {};

  // The items that a read request has read, before its filter and its projection, and DynamoDB's size
  // of these items in bytes. 0 for a write, and if the request failed.
  std::uint64_t items_read = 0;
  std::uint64_t bytes_read = 0;

  // The ranges of keys in which a request looks for items: 1 for a Scan, and for a Query the number of
  // its partitions. 0 for all other requests.
  std::uint64_t ranges = 0;

  // Returns the sum of the consumed capacity over all tables.
  Capacity total() const;
};

// A function that an EntityTable calls after each request, on the thread that sent it.
//
// The observer must not throw. It must be thread-safe: every thread that uses the table may call
// it. The trace is valid only during the call. With an observer, the EntityTable requests the
// consumed capacity of every request. Without an observer, Dolmen does not compute the capacity.
using RequestObserver = std::function<void(const RequestTrace&)>;

// A log of requests in memory. It grows without limit until Take is called.
//
// A handle: copies refer to the same log. Thread-safe.
class RequestLog {
 public:
  RequestLog();

  // Returns an observer that appends each request to the log. The observer keeps the log alive.
  RequestObserver observer() const;

  // Returns the requests since the last Take, in the order in which they ended, and empties the
  // log.
  std::vector<RequestTrace> Take() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
