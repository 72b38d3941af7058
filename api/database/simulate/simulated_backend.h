// The backend of a database that is opened with OpenOptions::simulate.

#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "database/simulate/call.h"
#include "database/simulate/call_faults.h"
#include "database/simulate/decider.h"
#include "database/simulate/forwarding_backend.h"
#include "database/simulate/lagging_replica.h"
#include "database/simulate/table_states.h"
#include "dolmen/testing/simulate.h"
#include "engine/base/mutex.h"

namespace dolmen::database {

// A backend that forwards each operation to an engine, and produces faults before the operation or
// after it. Thread-safe.
class SimulatedBackend final : public ForwardingBackend {
 public:
  // Puts a simulation in front of `engine`, which must be an Engine.
  // - kValidation: an error of CheckSimulateOptions.
  // - An error of Database::Fork, if reads lag.
  static Result<std::shared_ptr<internal::Backend>> Wrap(std::shared_ptr<internal::Backend> engine,
                                                         SimulateOptions options);

  // Implement the methods of Simulation.
  SimulateOptions Options() const;
  Status Restart(SimulateOptions options);
  SimulatedTrace Trace() const;

  Result<std::shared_ptr<internal::TableState>> CreateTable(const CreateTableInput& input) override;
  Result<std::shared_ptr<internal::TableState>> OpenTable(std::string_view name) override;
  Result<TableDescription> DescribeTable(std::string_view name, ContentSizes sizes) override;
  Result<TableDescription> UpdateTable(const UpdateTableInput& input) override;
  Status DeleteTable(std::string_view name) override;
  Result<TimeToLiveSpecification> UpdateTimeToLive(const UpdateTimeToLiveInput& input) override;
  Result<TimeToLiveDescription> DescribeTimeToLive(std::string_view table_name) override;

  Status GetItem(const TableRef& table, const GetItemInput& input, GetItemOutput* output) override;
  Status Query(const TableRef& table, const QueryInput& input, QueryOutput* page) override;
  Status Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) override;
  Result<WriteItemOutput> PutItem(const TableRef& table, const PutItemInput& input) override;
  Result<WriteItemOutput> UpdateItem(const TableRef& table, const UpdateItemInput& input) override;
  Result<WriteItemOutput> DeleteItem(const TableRef& table, const DeleteItemInput& input) override;

  Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) override;
  Result<BatchWriteItemOutput> BatchWriteItem(const BatchWriteItemInput& input) override;
  Result<TransactGetItemsOutput> TransactGetItems(const TransactGetItemsInput& input) override;
  Result<TransactWriteItemsOutput> TransactWriteItems(
      const TransactWriteItemsInput& input) override;

  Result<StreamDescription> DescribeStream(const DescribeStreamInput& input) override;
  Result<std::string> GetShardIterator(const GetShardIteratorInput& input) override;
  Result<GetRecordsOutput> GetRecords(const GetRecordsInput& input) override;

  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions& options) override;
  Result<std::shared_ptr<internal::Backend>> Reset() override;

 private:
  // The parts of a simulation that depend on the options. Restart replaces them.
  struct Session {
    std::shared_ptr<Decider> decider;
    std::shared_ptr<LaggingReplica> replica;  // null if reads do not lag
    std::shared_ptr<TableStates> states;
  };

  SimulatedBackend(std::shared_ptr<internal::Backend> engine, Session session)
      : ForwardingBackend(std::move(engine)), session_(std::move(session)) {}

  // - kValidation: an error of CheckSimulateOptions.
  // - An error of Database::Fork, if reads lag.
  static Result<Session> Begin(const std::shared_ptr<internal::Backend>& engine,
                               SimulateOptions options);
  Session session() const;

  // Does the call that make_call() describes: checks the states of its tables, decides its faults,
  // lets its latency pass, calls run(input, faults) between the faults before and after, and takes
  // the capacity that the call has consumed. `run` returns a Status or a Result. If it returns a
  // Status, it has set `*output`; otherwise `output` is null. After an error, `*output` may hold
  // anything.
  template <typename MakeCall, typename Input, typename Output, typename Run>
  auto RunCall(MakeCall make_call, const Input& input, Output* output, Run run)
      -> decltype(run(input, CallFaults()));
  // Reads a page by read(source, input) from the source of the table, and cuts it.
  template <typename Input, typename Read>
  Status ReadPage(const TableRef& table, const Input& input, QueryOutput* page, Read read);
  // Returns the reference to the same table of the engine. Returns the reference to a table of
  // another database unchanged, so that the engine rejects it.
  TableRef ToEngine(const TableRef& table);
  // Returns the table that a read of the table or of its index reads: that of the engine, or that of
  // the replica.
  Result<TableRef> SourceOf(const TableRef& table, std::string_view index, bool consistent);
  // Replaces the tables of the batch by those of the engine, or of the replica if no table has
  // consistent_read. Returns the backend that owns them.
  Result<std::shared_ptr<internal::Backend>> SetSources(BatchGetItemInput* batch);
  // Writes the whole batch to a fork, and returns the error that it has. A simulation leaves a part
  // of a batch unprocessed only if the whole batch is valid.
  Status CheckWhole(BatchWriteItemInput batch) const;

  mutable Mutex mutex_;
  Session session_ DOLMEN_GUARDED_BY(mutex_);
};

}  // namespace dolmen::database
