// The backend of a database that is opened with OpenOptions::simulate.

#pragma once

#include <memory>
#include <utility>

#include "dolmen/internal/mutex.h"
#include "dolmen/simulate.h"
#include "engine/simulate/call.h"
#include "engine/simulate/call_faults.h"
#include "engine/simulate/decider.h"
#include "engine/simulate/forwarding_backend.h"

namespace dolmen::engine {

// A backend that forwards each operation to an engine, and produces faults before the operation or
// after it. Thread-safe.
class SimulatedBackend final : public ForwardingBackend {
 public:
  // Puts a simulation in front of `engine`, which must be an Engine.
  // - kValidation: an error of CheckSimulateOptions.
  static Result<std::shared_ptr<internal::Backend>> Wrap(std::shared_ptr<internal::Backend> engine,
                                                         SimulateOptions options);

  // Implement the methods of Simulation.
  Status Restart(SimulateOptions options);
  SimulatedTrace Trace() const;

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

  Result<std::shared_ptr<internal::Backend>> Fork(const ForkOptions& options) override;
  Result<std::shared_ptr<internal::Backend>> Reset() override;

 private:
  SimulatedBackend(std::shared_ptr<internal::Backend> engine, SimulateOptions options)
      : ForwardingBackend(std::move(engine)),
        decider_(std::make_shared<Decider>(std::move(options))) {}

  std::shared_ptr<Decider> decider() const;

  // Does a call: decides its faults, lets its latency pass, calls run(input, faults) between the
  // faults before and after, and takes the capacity that the call has consumed. `run` returns a
  // Status or a Result. If it returns a Status, it has set `*output`; otherwise `output` is null.
  // After an error, `*output` may hold anything.
  template <typename Input, typename Output, typename Run>
  auto RunCall(const Call& call, const Input& input, Output* output, Run run)
      -> decltype(run(input, CallFaults()));
  // Reads a page by `read`, which has the parameters of internal::Backend::Query, and cuts it.
  template <typename Input, typename Read>
  Status ReadPage(const TableRef& table, const Input& input, QueryOutput* page, Read read);
  // Returns the reference to the same table of the engine. Returns the reference to a table of
  // another database unchanged, so that the engine rejects it.
  TableRef ToEngine(const TableRef& table);

  mutable Mutex mutex_;
  std::shared_ptr<Decider> decider_ DOLMEN_GUARDED_BY(mutex_);  // replaced by Restart
};

}  // namespace dolmen::engine
