// The requests that an EntityTable makes, told to who wants to see what an access pattern costs.

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/entity/write.h"

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

namespace entity {

// A table as an EntityTable asks it.  A handle; callable from any number of threads.
class Requests {
 public:
  Requests(Database database, Table table, RequestObserver observer);

  const Database& database() const DOLMEN_LIFETIME_BOUND { return state_->database; }
  const Table& table() const DOLMEN_LIFETIME_BOUND { return state_->table; }
  FillContext context() const { return {state_->database.clock()->Now(), &state_->ulids}; }

  Result<GetItemOutput> GetItem(Item key) const;
  // The item as it is then, if it was updated.
  Result<std::optional<StoredItem>> Do(Write write) const;
  // `key` is the queried one, for the trace.
  Status Query(QueryInput input, const KeySpec& key, QueryOutput* page) const;

  Result<std::vector<StoredItem>> BatchGetItem(std::vector<Item> keys) const;
  Status BatchWriteItem(std::vector<WriteRequest> requests) const;
  Result<std::vector<std::optional<StoredItem>>> TransactGetItems(std::vector<Item> keys) const;
  // kTransactionCanceled: reasons() are as Explain has them.  Leaves the writes as they were.
  Status TransactWriteItems(std::vector<Write>* writes, const std::string& token) const;

 private:
  struct State {
    Database database;
    Table table;
    RequestObserver observer;
    UlidGenerator ulids;

    State(Database of, Table in, RequestObserver to, std::shared_ptr<Clock> clock)
        : database(std::move(of)),
          table(std::move(in)),
          observer(std::move(to)),
          ulids(std::move(clock)) {}
  };

  ReturnConsumedCapacity Wanted() const;
  Result<WriteItemOutput> Send(Action* action) const;
  // REQUIRES: there is an observer.
  void Tell(const char* operation, std::string request,
            std::vector<ConsumedCapacity> consumed) const;
  void Tell(const char* operation, std::string request,
            const std::optional<ConsumedCapacity>& consumed) const;

  std::shared_ptr<State> state_;
};

}  // namespace entity
}  // namespace dolmen
