// The sender of an EntityTable's requests. It splits batches, follows pages and notifies the
// observer. Its writes are in send_write.cc.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/database.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/entity/request_log.h"
#include "dolmen/query.h"
#include "dolmen/scan.h"

namespace dolmen::entity {

struct PlannedWrite;
class QueryPlanner;

// A table, an observer and a generator of ULIDs. A handle: copies share all three and keep the
// database open. Thread-safe.
//
// In addition to the errors in its comment, each function returns the errors of the function of
// Table or Database that it calls.
class RequestSender {
 public:
  RequestSender(Database database, Table table, RequestObserver observer);

  const Database& database() const DOLMEN_LIFETIME_BOUND { return state_->database; }
  const Table& table() const DOLMEN_LIFETIME_BOUND { return state_->table; }

  // Returns the inputs of fill functions: the current time, and a pointer to this object's ULID
  // generator.
  FillContext context() const { return {state_->database.clock()->Now(), &state_->ulids}; }

  Result<GetItemOutput> GetItem(Item key, bool consistent_read = false) const;

  // Sends one write. If a condition is false, returns the error from ExplainRefusal.
  //
  // An update is one request if its item allows that (plain_update.h). Otherwise it is computed for the item
  // (decided_update.h), which the refused request returns or which is read, and sent again, until no other
  // writer has changed the item in between.
  // - kValidation: the write is a condition check, which only a transaction can contain.
  // - kTransactionConflict: other writers changed the item during each of many attempts.
  Status SendWrite(PlannedWrite write) const;

  // Sends the action of the write, or of an update PlannedWrite::sent, as it is. Tells the observer.
  Result<WriteItemOutput> SendAction(PlannedWrite* write) const;

  // Reads the query's page into `*page`. The page has an exact end (QueryInput::exact_end). Each
  // function with a planner also returns the errors of its Plan.
  Status Query(const QueryPlanner& planner, QueryOutput* page) const;

  // Reads pages and passes each to `visit`, until `visit` returns false or the range ends. Doubles a
  // limit after each page, up to 1000, so that few requests find a rare item. Returns the error of `visit` if
  // there is one. The page is valid only during the call of `visit`.
  Status QueryPages(const QueryPlanner& planner,
                    const std::function<Result<bool>(const QueryOutput&)>& visit) const;

  // Reads pages of a scan and passes each to `visit`, as QueryPages does. Keeps the limit.
  Status ScanPages(ScanInput input,
                   const std::function<Result<bool>(const ScanOutput&)>& visit) const;

  // Returns the number of items in the range that pass the filter and belong to an entity of the
  // query. Reads all pages, and ignores the limit.
  // - kCorruption: the query is strict, and an item belongs to none of its entities.
  Result<std::uint64_t> QueryCount(const QueryPlanner& planner) const;

  // Reads the existing items, 100 keys per request, and sends unprocessed keys again. Sends nothing
  // if `keys` is empty. The returned items are in the order of `keys`.
  // - kProvisionedThroughputExceeded: a request has read none of its keys.
  Result<std::vector<StoredItem>> BatchGetItem(std::vector<Item> keys) const;

  // Sends the writes, 25 per request, and sends unprocessed writes again. Stops at the first error. The
  // earlier requests have then been written.
  // - kProvisionedThroughputExceeded: a request has done none of its writes.
  Status BatchWriteItem(std::vector<WriteRequest> requests) const;

  // Reads all items from one snapshot, in the order of the keys.
  Result<std::vector<std::optional<StoredItem>>> TransactGetItems(std::vector<Item> keys) const;

  // Sends all writes as one transaction, updates as SendWrite does. Keeps in `*writes` what it has sent for
  // updates, so that a call with the same writes and token sends the same transaction. Moves the actions into
  // the request and back.
  // - kTransactionCanceled: reasons() has one status from ExplainRefusal for each write.
  // - kTransactionConflict: other writers changed the items during each of many attempts.
  Status TransactWriteItems(std::vector<PlannedWrite>* writes, const std::string& token) const;

 private:
  struct State {
    Database database;
    Table table;
    RequestObserver observer;
    UlidGenerator ulids;

    State(Database used_database, Table used_table, RequestObserver used_observer,
          SharedClock clock)
        : database(std::move(used_database)),
          table(std::move(used_table)),
          observer(std::move(used_observer)),
          ulids(std::move(clock)) {}
  };

  // Returns the value of return_consumed_capacity for each request: kIndexes if there is an
  // observer, otherwise kNone.
  ReturnConsumedCapacity CapacityToReturn() const;

  Status SendUpdate(PlannedWrite* write) const;
  Status SendTransaction(std::vector<PlannedWrite>* writes, const std::string& token) const;

  // Returns the item for which the update was refused. Reads it if the error does not hold it, or is ok.
  Result<std::optional<StoredItem>> ItemToDecide(const PlannedWrite& write,
                                                 const Status& refusal) const;

  // Decides the updates that a transaction was cancelled for. Their reasons become the errors of these
  // decisions. Returns true if no write is refused any more, so that the transaction can be sent again.
  Result<bool> DecideRefused(std::vector<PlannedWrite>* writes, std::vector<Status>* reasons) const;

  // Sends the writes of one request, and returns those that were left unprocessed.
  Result<std::vector<WriteRequests>> SendWrites(const BatchWriteItemInput& input) const;

  // Reads one page. `key` is the queried key, for the text of the RequestTrace.
  Status SendQuery(QueryInput input, const KeySpec& key, QueryOutput* page) const;
  Status SendQueryPages(QueryInput input, const KeySpec& key,
                        const std::function<Result<bool>(const QueryOutput&)>& visit) const;

  // Completes a trace with the consumed capacity and passes it to the observer.
  // REQUIRES: state_->observer is set
  void NotifyObserver(RequestTrace trace, std::vector<ConsumedCapacity> consumed) const;
  void NotifyObserver(RequestTrace trace, const std::optional<ConsumedCapacity>& consumed) const;

  std::shared_ptr<State> state_;
};

}  // namespace dolmen::entity

#include "dolmen/internal/show_macros.h"
