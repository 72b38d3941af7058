// The requests that an EntityTable makes, told to who wants to see what an access pattern costs.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/capacity.h"

namespace dolmen {

// One request that has been made, successful or not.
struct RequestTrace {
  std::string operation = {};  // DynamoDB's name of it: "Query"
  std::string request = {};    // for people: `GSI1PK = "USER#u_01", begins_with(GSI1SK, "CONVO#")`
  std::vector<ConsumedCapacity> consumed_capacity = {};  // for each table; none if it failed

  Capacity total() const;
};

// Is told of each request after it was made, by the thread that made it: must be callable from as
// many threads as the table is, and not throw.
using RequestObserver = std::function<void(const RequestTrace&)>;

// Keeps what has been asked, for tests ("one Query means one") and for pages that show it:
//
//   RequestLog log;
//   auto table = EntityTable::Open(*database, {.name = "app", .observer = log.observer()});
//
// A handle: copies keep the same log.  Callable from any number of threads.
class RequestLog {
 public:
  RequestLog() : state_(std::make_shared<State>()) {}

  RequestObserver observer() const;
  // What was asked since the last Take.
  std::vector<RequestTrace> Take() const;

 private:
  struct State {
    std::mutex mutex;
    std::vector<RequestTrace> traces;
  };
  std::shared_ptr<State> state_;
};

}  // namespace dolmen
