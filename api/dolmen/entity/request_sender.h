// The sender of an EntityTable's requests.  It splits batches, follows pages and notifies the
// observer.

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

// A table with an observer and a generator of ULIDs.  A handle: copies share all three and keep the
// database open.  Thread-safe.
//
// Each function returns the errors of the Table or Database function of the same name, and those
// that its comment adds.
class RequestSender {
 public:
  RequestSender(Database database, Table table, RequestObserver observer);

  const Database& database() const DOLMEN_LIFETIME_BOUND { return state_->database; }
  const Table& table() const DOLMEN_LIFETIME_BOUND { return state_->table; }

  // Returns the inputs of fill functions: the current time, and the generator, borrowed from this.
  FillContext context() const { return {state_->database.clock()->Now(), &state_->ulids}; }

  Result<GetItemOutput> GetItem(Item key) const;

  // Sends one write.  Returns the new item of an update, and nothing for any other write.
  // A failed condition is explained (ExplainRefusal).
  // - kValidation: the write is a condition check, which only a transaction can contain.
  Result<std::optional<StoredItem>> SendWrite(PlannedWrite write) const;

  // Reads one page into `*page`.  `key` is the queried key, which the trace describes.
  Status Query(QueryInput input, const KeySpec& key, QueryOutput* page) const;

  // Reads pages and passes each to `visit`, until `visit` returns false or the range ends.  Returns
  // the error of `visit` if there is one.  The page is valid only during the call of `visit`.
  Status QueryPages(QueryInput input, const KeySpec& key,
                    const std::function<Result<bool>(const QueryOutput&)>& visit) const;

  // Returns the number of items in the range that pass the filter.  Reads all pages (Select =
  // COUNT).
  Result<std::uint64_t> QueryCount(QueryInput input, const KeySpec& key) const;

  // Reads the existing items, 100 keys per request, and asks again for unprocessed keys.  Sends
  // nothing for no keys.  Items are in the order of their keys within each hundred.
  Result<std::vector<StoredItem>> BatchGetItem(std::vector<Item> keys) const;

  // Sends the writes, 25 per request.  Each request is atomic.  Stops at the first error, after
  // which the requests before it have been written.
  Status BatchWriteItem(std::vector<WriteRequest> requests) const;

  // Reads all items as of one moment, in the order of the keys.
  Result<std::vector<std::optional<StoredItem>>> TransactGetItems(std::vector<Item> keys) const;

  // Sends all writes as one transaction.  `*writes` is unchanged when the function returns; it is
  // not const because the function moves the actions into the request and back.
  // - kTransactionCanceled: reasons() has one explained status for each write (ExplainRefusal).
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

  // Returns the setting of each request: with an observer the capacity of tables and indexes.
  ReturnConsumedCapacity CapacityToReturn() const;

  // Sends one action, setting its return values first.
  Result<WriteItemOutput> SendAction(Action* action) const;

  // Passes a trace to the observer.  REQUIRES: state_->observer is set
  void NotifyObserver(const char* operation, std::string request,
                      std::vector<ConsumedCapacity> consumed) const;
  void NotifyObserver(const char* operation, std::string request,
                      const std::optional<ConsumedCapacity>& consumed) const;

  std::shared_ptr<State> state_;
};

}  // namespace dolmen::entity
