// The requests that an EntityTable makes, sent and told to its observer.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/entity/request_log.h"
#include "dolmen/entity/write_planner.h"

namespace dolmen::entity {

// A table as an EntityTable asks it.  A handle; callable from any number of threads.
class RequestSender {
 public:
  RequestSender(Database database, Table table, RequestObserver observer);

  const Database& database() const DOLMEN_LIFETIME_BOUND { return state_->database; }
  const Table& table() const DOLMEN_LIFETIME_BOUND { return state_->table; }
  FillContext context() const { return {state_->database.clock()->Now(), &state_->ulids}; }

  Result<GetItemOutput> GetItem(Item key) const;
  // The item as it is then, if it was updated.
  Result<std::optional<StoredItem>> SendWrite(PlannedWrite write) const;
  // `key` is the queried one, for the trace.
  Status Query(QueryInput input, const KeySpec& key, QueryOutput* page) const;
  // Pages for as long as `visit` returns true.
  Status QueryPages(QueryInput input, const KeySpec& key,
                    const std::function<Result<bool>(const QueryOutput&)>& visit) const;
  // How many items there are in all pages.
  Result<std::uint64_t> QueryCount(QueryInput input, const KeySpec& key) const;

  Result<std::vector<StoredItem>> BatchGetItem(std::vector<Item> keys) const;
  Status BatchWriteItem(std::vector<WriteRequest> requests) const;
  Result<std::vector<std::optional<StoredItem>>> TransactGetItems(std::vector<Item> keys) const;
  // kTransactionCanceled: reasons() are as ExplainRefusal has them.  Leaves the writes as they
  // were.
  Status TransactWriteItems(std::vector<PlannedWrite>* writes, const std::string& token) const;

 private:
  struct State {
    Database database;
    Table table;
    RequestObserver observer;
    UlidGenerator ulids;

    State(Database used_database, Table used_table, RequestObserver used_observer,
          std::shared_ptr<Clock> clock)
        : database(std::move(used_database)),
          table(std::move(used_table)),
          observer(std::move(used_observer)),
          ulids(std::move(clock)) {}
  };

  ReturnConsumedCapacity CapacityToReturn() const;
  Result<WriteItemOutput> SendAction(Action* action) const;
  // REQUIRES: there is an observer.
  void NotifyObserver(const char* operation, std::string request,
                      std::vector<ConsumedCapacity> consumed) const;
  void NotifyObserver(const char* operation, std::string request,
                      const std::optional<ConsumedCapacity>& consumed) const;

  std::shared_ptr<State> state_;
};

}  // namespace dolmen::entity
