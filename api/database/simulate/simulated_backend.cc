#include "database/simulate/simulated_backend.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

#include "database/simulate/consumed.h"
#include "database/simulate/item_collections.h"
#include "database/simulate/partial_batch.h"
#include "database/simulate/stream_shards.h"
#include "engine/base/status_macros.h"
#include "engine/engine.h"
#include "engine/read/page_writer.h"
#include "engine/read/query.h"
#include "engine/read/scan.h"
#include "engine/schema/live_table.h"

namespace dolmen::database {
namespace {

engine::ReadOrder OrderOf(const SimulateOptions& options) {
  return {.seed = options.seed,
          .hashes_partitions = options.hash_order,
          .shuffles_equal_keys = options.shuffle_equal_keys};
}

engine::ReadContext ContextOf(const TableRef& table) {
  return static_cast<const engine::Engine&>(*table.backend()).read_context();
}

// Read a page by SimulateOptions::hash_order and shuffle_equal_keys. Contracts: Table::Query and
// Table::Scan.
// REQUIRES: `table` belongs to an Engine
Status ReadInOrder(const SimulateOptions& options, const TableRef& table, const QueryInput& input,
                   QueryOutput* page) {
  if (!options.shuffle_equal_keys) return table.backend()->Query(table, input, page);
  const engine::ReadOrder order = OrderOf(options);
  return engine::ReadWithSchema(engine::LiveTableOf(table), [&](const engine::TableSchema& schema) {
    return engine::Query(ContextOf(table), schema, input, page, &order);
  });
}

Status ReadInOrder(const SimulateOptions& options, const TableRef& table, const ScanInput& input,
                   ScanOutput* page) {
  if (!options.hash_order && !options.shuffle_equal_keys) {
    return table.backend()->Scan(table, input, page);
  }
  const engine::ReadOrder order = OrderOf(options);
  return engine::ReadWithSchema(engine::LiveTableOf(table), [&](const engine::TableSchema& schema) {
    return engine::Scan(ContextOf(table), schema, input, page, &order);
  });
}

using internal::ConnectionFaultReceiver;

// Lets the time pass, as the options say.
void Pass(std::uint64_t milliseconds, const SimulateOptions& options, const SharedClock& clock) {
  if (milliseconds == 0) return;
  // A trace that a person has written may have any amount.
  constexpr std::uint64_t kYear = std::uint64_t{365} * 24 * 3600 * 1000;
  const std::chrono::milliseconds delay(std::min(milliseconds, kYear));
  if (options.on_latency) {
    options.on_latency(milliseconds);
  } else if (options.latency == SimulatedLatency::kSleep) {
    std::this_thread::sleep_for(delay);
  } else if (ManualClock* const manual = clock->AsManualClock()) {
    manual->Advance(delay);
  }
}

std::size_t BytesOf(const QueryOutput& page) {
  std::size_t bytes = 0;
  for (const ItemView item : page) bytes += item.bytes().size();
  return bytes;
}

// Reads a page again by read(input) with smaller limits, so that it ends after the item with which
// it reaches `bytes`. `*page` is a page that was read without such a limit.
template <typename Input, typename Read>
Status CutToBytes(std::size_t bytes, Input input, QueryOutput* page, Read read) {
  if (BytesOf(*page) < bytes) return {};
  std::uint32_t low = 1;
  std::uint32_t high = page->scanned_count();
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    input.limit = middle;
    DOLMEN_RETURN_IF_ERROR(read(input));
    if (BytesOf(*page) < bytes) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  input.limit = low;
  return read(input);
}

}  // namespace

Result<std::shared_ptr<internal::Backend>> SimulatedBackend::Wrap(
    std::shared_ptr<internal::Backend> engine, SimulateOptions options) {
  DOLMEN_ASSIGN_OR_RETURN(Session session, Begin(engine, std::move(options)));
  return std::shared_ptr<internal::Backend>(
      new SimulatedBackend(std::move(engine), std::move(session)));
}

Result<SimulatedBackend::Session> SimulatedBackend::Begin(
    const std::shared_ptr<internal::Backend>& engine, SimulateOptions options) {
  DOLMEN_RETURN_IF_ERROR(CheckSimulateOptions(options));
  Session session;
  if (options.read_lag.count() > 0) {
    DOLMEN_ASSIGN_OR_RETURN(session.replica, LaggingReplica::Create(engine, options.read_lag));
  }
  session.states = std::make_shared<TableStates>(options.delays);
  session.decider = std::make_shared<Decider>(std::move(options));
  return session;
}

SimulatedBackend::Session SimulatedBackend::session() const {
  const MutexLock lock(mutex_);
  return session_;
}

Status SimulatedBackend::Restart(SimulateOptions options) {
  DOLMEN_ASSIGN_OR_RETURN(Session session, Begin(engine(), std::move(options)));
  const MutexLock lock(mutex_);
  std::swap(session_, session);
  return {};
}

SimulateOptions SimulatedBackend::Options() const { return session().decider->options(); }

SimulatedTrace SimulatedBackend::Trace() const { return session().decider->Trace(); }

Result<std::shared_ptr<internal::TableState>> SimulatedBackend::CreateTable(
    const CreateTableInput& input) {
  const std::shared_ptr<TableStates> states = session().states;
  const Timestamp now = clock()->Now();
  if (states->FindDeleting(input.name, now)) return states->CheckChange(input.name, now);
  return engine()->CreateTable(input).transform([&](auto table) {
    states->BeginCreating(input.name, now);
    return table;
  });
}

Result<std::shared_ptr<internal::TableState>> SimulatedBackend::OpenTable(std::string_view name) {
  DOLMEN_RETURN_IF_ERROR(session().states->CheckUse(name, {}, clock()->Now()));
  return engine()->OpenTable(name);
}

Result<TableDescription> SimulatedBackend::DescribeTable(std::string_view name,
                                                         ContentSizes sizes) {
  const std::shared_ptr<TableStates> states = session().states;
  if (auto deleting = states->FindDeleting(name, clock()->Now())) return *std::move(deleting);
  return engine()->DescribeTable(name, sizes).transform([&](TableDescription table) {
    states->SetStates(clock()->Now(), &table);
    return table;
  });
}

Result<TableDescription> SimulatedBackend::UpdateTable(const UpdateTableInput& input) {
  const std::shared_ptr<TableStates> states = session().states;
  const Timestamp now = clock()->Now();
  const bool is_change = input.create_index || !input.delete_index.empty() ||
                         input.stream_specification || input.deletion_protection;
  if (is_change) DOLMEN_RETURN_IF_ERROR(states->CheckChange(input.name, now));
  if (input.create_index) DOLMEN_RETURN_IF_ERROR(states->CheckNewIndex(input.name, now));
  return engine()->UpdateTable(input).transform([&](TableDescription table) {
    if (is_change) states->BeginUpdating(input, now);
    states->SetStates(now, &table);
    return table;
  });
}

Status SimulatedBackend::DeleteTable(std::string_view name) {
  const std::shared_ptr<TableStates> states = session().states;
  const Timestamp now = clock()->Now();
  DOLMEN_RETURN_IF_ERROR(states->CheckDelete(name, now));
  Result<TableDescription> table = engine()->DescribeTable(name, ContentSizes::kOmit);
  DOLMEN_RETURN_IF_ERROR(engine()->DeleteTable(name));
  if (table.ok()) states->BeginDeleting(*std::move(table), now);
  return {};
}

Result<TimeToLiveSpecification> SimulatedBackend::UpdateTimeToLive(
    const UpdateTimeToLiveInput& input) {
  const std::shared_ptr<TableStates> states = session().states;
  const Timestamp now = clock()->Now();
  DOLMEN_RETURN_IF_ERROR(states->CheckTimeToLive(input.table_name, now));
  return engine()->UpdateTimeToLive(input).transform([&](TimeToLiveSpecification changed) {
    states->BeginTimeToLive(input, now);
    return changed;
  });
}

Result<TimeToLiveDescription> SimulatedBackend::DescribeTimeToLive(std::string_view table_name) {
  return engine()->DescribeTimeToLive(table_name).transform([&](TimeToLiveDescription described) {
    session().states->SetStates(table_name, clock()->Now(), &described);
    return described;
  });
}

template <typename MakeCall, typename Input, typename Output, typename Run>
auto SimulatedBackend::RunCall(MakeCall make_call, const Input& input, Output* output, Run run)
    -> decltype(run(input, CallFaults())) {
  const Session current = session();
  const std::shared_ptr<Decider>& decides = current.decider;
  if (decides->is_idle()) return run(input, CallFaults());
  const Call call = make_call();
  for (const CallItem& item : call.items) {
    DOLMEN_RETURN_IF_ERROR(current.states->CheckUse(item.table, call.index, clock()->Now()));
  }
  const CallFaults faults = FaultsOf(call, decides->Decide(call, clock()->Now()));
  Pass(faults.latency_milliseconds, decides->options(), clock());
  if (!faults.before.error.ok()) {
    ConnectionFaultReceiver::Report(faults.before.connection);
    return faults.before.error;
  }
  if (const std::uint64_t bytes = decides->options().item_collection_bytes; bytes > 0) {
    DOLMEN_RETURN_IF_ERROR(CheckItemCollections(engine(), call, faults.unprocessed, bytes));
  }
  auto result = [&] {
    if (!decides->limits_calls()) return run(input, faults);
    Input metered = input;
    metered.options.return_consumed_capacity = ReturnConsumedCapacity::kIndexes;
    auto done = run(metered, faults);
    if (done.ok()) {
      decides->Take(call, faults.unprocessed, ConsumedBy(done, output), clock()->Now());
      Reduce(input.options.return_consumed_capacity, &done, output);
    }
    return done;
  }();
  if (!result.ok() || faults.after.error.ok()) return result;
  // The server needs the output in order to send half of it.
  if (ConnectionFaultReceiver::Report(faults.after.connection)) return result;
  return faults.after.error;
}

TableRef SimulatedBackend::ToEngine(const TableRef& table) {
  return table.backend().get() == this ? TableRef(engine(), table.state()) : table;
}

Result<TableRef> SimulatedBackend::SourceOf(const TableRef& table, std::string_view index,
                                            bool consistent) {
  const TableRef original = ToEngine(table);
  const std::shared_ptr<LaggingReplica> replica = session().replica;
  if (consistent || replica == nullptr || table.backend().get() != this) return original;
  return replica->Find(original, index);
}

Result<std::shared_ptr<internal::Backend>> SimulatedBackend::SetSources(BatchGetItemInput* batch) {
  const bool consistent = std::ranges::any_of(batch->requests, &KeysAndAttributes::consistent_read);
  std::vector<TableRef> sources;
  for (const KeysAndAttributes& part : batch->requests) {
    DOLMEN_ASSIGN_OR_RETURN(TableRef source, SourceOf(part.table, {}, consistent));
    sources.push_back(std::move(source));
  }
  // All tables of a batch have one backend. The replica lacks tables that are newer. The engine
  // rejects tables of another database.
  bool one_backend = !sources.empty();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    one_backend = one_backend && batch->requests[i].table.backend().get() == this &&
                  sources[i].backend().get() == sources[0].backend().get();
  }
  if (!one_backend) {
    for (KeysAndAttributes& part : batch->requests) part.table = ToEngine(part.table);
    return std::shared_ptr<internal::Backend>(engine());
  }
  for (std::size_t i = 0; i < sources.size(); ++i) batch->requests[i].table = sources[i];
  return sources[0].backend();
}

Status SimulatedBackend::GetItem(const TableRef& table, const GetItemInput& input,
                                 GetItemOutput* output) {
  const auto make_call = [&] { return CallOf(SimulatedOperation::kGetItem, table, input.key); };
  Status status = RunCall(make_call, input, output,
                          [&](const GetItemInput& request, const CallFaults&) -> Status {
                            DOLMEN_ASSIGN_OR_RETURN(const TableRef source,
                                                    SourceOf(table, {}, request.consistent_read));
                            return source.backend()->GetItem(source, request, output);
                          });
  if (!status.ok()) *output = {};
  return status;
}

template <typename Input, typename Read>
Status SimulatedBackend::ReadPage(const TableRef& table, const Input& input, QueryOutput* page,
                                  Read read) {
  const auto make_call = [&] { return CallOf(table, input); };
  Status status = RunCall(
      make_call, input, page, [&](const Input& request, const CallFaults& faults) -> Status {
        DOLMEN_ASSIGN_OR_RETURN(const TableRef source,
                                SourceOf(table, request.index, request.consistent_read));
        const auto read_source = [&](const Input& part) { return read(source, part); };
        Input limited = request;
        if (faults.page_items && limited.limit.value_or(*faults.page_items) >= *faults.page_items) {
          limited.limit = faults.page_items;
        }
        DOLMEN_RETURN_IF_ERROR(read_source(limited));
        if (!faults.page_bytes) return {};
        return CutToBytes(*faults.page_bytes, limited, page, read_source);
      });
  if (!status.ok()) internal::PageWriter(page).Clear();
  return status;
}

Status SimulatedBackend::Query(const TableRef& table, const QueryInput& input, QueryOutput* page) {
  const std::shared_ptr<Decider> decider = session().decider;
  return ReadPage(table, input, page, [&](const TableRef& source, const QueryInput& limited) {
    return ReadInOrder(decider->options(), source, limited, page);
  });
}

Status SimulatedBackend::Scan(const TableRef& table, const ScanInput& input, ScanOutput* page) {
  const std::shared_ptr<Decider> decider = session().decider;
  return ReadPage(table, input, page, [&](const TableRef& source, const ScanInput& limited) {
    return ReadInOrder(decider->options(), source, limited, page);
  });
}

Result<WriteItemOutput> SimulatedBackend::PutItem(const TableRef& table,
                                                  const PutItemInput& input) {
  const auto make_call = [&] { return CallOf(SimulatedOperation::kPutItem, table, input.item); };
  return RunCall(make_call, input, kInResult, [&](const PutItemInput& request, const CallFaults&) {
    return engine()->PutItem(table, request);
  });
}

Result<WriteItemOutput> SimulatedBackend::UpdateItem(const TableRef& table,
                                                     const UpdateItemInput& input) {
  const auto make_call = [&] { return CallOf(SimulatedOperation::kUpdateItem, table, input.key); };
  return RunCall(make_call, input, kInResult,
                 [&](const UpdateItemInput& request, const CallFaults&) {
                   return engine()->UpdateItem(table, request);
                 });
}

Result<WriteItemOutput> SimulatedBackend::DeleteItem(const TableRef& table,
                                                     const DeleteItemInput& input) {
  const auto make_call = [&] { return CallOf(SimulatedOperation::kDeleteItem, table, input.key); };
  return RunCall(make_call, input, kInResult,
                 [&](const DeleteItemInput& request, const CallFaults&) {
                   return engine()->DeleteItem(table, request);
                 });
}

Result<BatchGetItemOutput> SimulatedBackend::BatchGetItem(const BatchGetItemInput& input) {
  return RunCall([&] { return CallOf(input); }, input, kInResult,
                 [&](const BatchGetItemInput& request,
                     const CallFaults& faults) -> Result<BatchGetItemOutput> {
                   BatchGetItemInput whole = request;
                   DOLMEN_ASSIGN_OR_RETURN(const auto source, SetSources(&whole));
                   if (faults.unprocessed.empty()) return source->BatchGetItem(whole);
                   DOLMEN_RETURN_IF_ERROR(source->BatchGetItem(whole).status());
                   return source->BatchGetItem(WithoutItems(whole, faults.unprocessed))
                       .transform([&](BatchGetItemOutput done) {
                         return OutputOf(input, faults.unprocessed, std::move(done));
                       });
                 });
}

Status SimulatedBackend::CheckWhole(BatchWriteItemInput batch) const {
  DOLMEN_ASSIGN_OR_RETURN(const auto fork, engine()->Fork({.clock = clock()}));
  for (WriteRequests& part : batch.requests) {
    if (part.table.backend().get() != this) continue;
    DOLMEN_ASSIGN_OR_RETURN(auto table, fork->OpenTable(part.table.name()));
    part.table = TableRef(fork, std::move(table));
  }
  return fork->BatchWriteItem(batch).status();
}

Result<BatchWriteItemOutput> SimulatedBackend::BatchWriteItem(const BatchWriteItemInput& input) {
  return RunCall([&] { return CallOf(input); }, input, kInResult,
                 [&](const BatchWriteItemInput& request,
                     const CallFaults& faults) -> Result<BatchWriteItemOutput> {
                   if (!faults.unprocessed.empty()) DOLMEN_RETURN_IF_ERROR(CheckWhole(request));
                   BatchWriteItemInput rest = WithoutItems(request, faults.unprocessed);
                   for (WriteRequests& part : rest.requests) part.table = ToEngine(part.table);
                   return engine()->BatchWriteItem(rest).transform([&](BatchWriteItemOutput done) {
                     return OutputOf(input, faults.unprocessed, std::move(done));
                   });
                 });
}

Result<TransactGetItemsOutput> SimulatedBackend::TransactGetItems(
    const TransactGetItemsInput& input) {
  return RunCall([&] { return CallOf(input); }, input, kInResult,
                 [&](TransactGetItemsInput request, const CallFaults&) {
                   for (TransactGetItem& item : request.items) item.table = ToEngine(item.table);
                   return engine()->TransactGetItems(request);
                 });
}

Result<TransactWriteItemsOutput> SimulatedBackend::TransactWriteItems(
    const TransactWriteItemsInput& input) {
  return RunCall([&] { return CallOf(input); }, input, kInResult,
                 [&](TransactWriteItemsInput request, const CallFaults&) {
                   for (TransactWriteItem& action : request.actions)
                     action.table = ToEngine(action.table);
                   return engine()->TransactWriteItems(request);
                 });
}

Result<StreamDescription> SimulatedBackend::DescribeStream(const DescribeStreamInput& input) {
  return DescribeShards(*engine(), Options(), input);
}

Result<std::string> SimulatedBackend::GetShardIterator(const GetShardIteratorInput& input) {
  return GetIteratorOfShard(*engine(), Options(), input);
}

Result<GetRecordsOutput> SimulatedBackend::GetRecords(const GetRecordsInput& input) {
  return GetRecordsOfShard(*engine(), Options(), input);
}

Result<std::shared_ptr<internal::Backend>> SimulatedBackend::Fork(const ForkOptions& options) {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::Backend> fork, engine()->Fork(options));
  return Wrap(std::move(fork), Options());
}

Result<std::shared_ptr<internal::Backend>> SimulatedBackend::Reset() {
  DOLMEN_ASSIGN_OR_RETURN(std::shared_ptr<internal::Backend> fresh, engine()->Reset());
  return Wrap(std::move(fresh), Options());
}

}  // namespace dolmen::database
